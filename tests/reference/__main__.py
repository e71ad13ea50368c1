"""Compare this package with the certified values: `python -m tests.reference [DATA ...]`.

Prints a row per statistic and every value that does not agree; the exit status is 1 if there is one. Names of data sets
choose some of them. `--values` prints each certified value beside the number of this package, as CSV.
"""

from __future__ import annotations

import argparse
import csv
import sys

import pandas as pd

from tests.reference import Compared, certified, compared, data_sets
from tests.reference.tables import by_statistic


def print_values(found: list[Compared]) -> None:
    """Every value as CSV."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([*found[0].row.call._fields, *found[0].row._fields[1:], "found", "agrees"])
    writer.writerows([*one.row.call, *one.row[1:], repr(one.found), one.agrees] for one in found)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.reference", description=__doc__)
    parser.add_argument("data", nargs="*", metavar="DATA", help="data sets; all if none is named")
    parser.add_argument("--values", action="store_true", help="print every value as CSV")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.data if name not in data_sets()]
    if unknown:
        parser.error(f"there is no data set {unknown[0]}; data_sets.csv lists them")
    found = [*compared([row for row in certified() if not arguments.data or row.call.data in arguments.data])]
    wrong = [one for one in found if not one.agrees]
    if arguments.values:
        print_values(found)
        return bool(wrong)
    with pd.option_context("display.width", 200, "display.max_columns", 20, "display.max_rows", 100):
        print(by_statistic(found))
    print(f"\n{len(found) - len(wrong)} of {len(found)} values agree")
    for one in wrong:
        print(f"{'-'.join([*one.row.call, one.row.category, one.row.quantity])}: {one.found!r}, not {one.row.value}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

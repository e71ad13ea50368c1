"""`overall=True` beside `by=`: the row of all items together, after those of the groups and keyed '(all)'.

The method runs once more with all rows in one group, so the numbers are those of the call without `by=`: also the items
without a group key count, and long data have an item once, whatever its groups.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from pandas_agreement.data.grouping import Groups, group_rows
from pandas_agreement.errors import InputError, collect_warnings
from pandas_agreement.options import Options
from pandas_agreement.results.frames import with_overall

Run = Callable[[Options], pd.DataFrame]


def overall_run(view: Any, options: Options, run: Run) -> pd.DataFrame:
    """The result of a method, with the row of all items if `overall=True` asks for it."""
    if not options.overall:
        return run(options)
    groups = _groups(view, options)
    each = run(options)
    every = run(options.but(by=groups.together()))
    return with_overall(each, every, groups.index.names)


def groups_of(options: Options, made: Groups | None) -> Any:
    """The groups of a grouped frame, or of `by=`; for the row of all items the one group that holds them."""
    if made is None or isinstance(options.by, Groups):
        return options.by
    if options.by is not None:
        raise InputError("the frame is grouped already", "leave out by=", option="by", code="grouped already")
    return made


def _groups(view: Any, options: Options) -> Groups:
    made = view._made_groups
    if made is None and options.by is None:
        problem = "overall=True adds the row of all items to those of the groups, and there are no groups"
        raise InputError(problem, "name them with by=, or leave out overall=", option="overall", code="no groups")
    with collect_warnings():  # the method itself warns of rows without a group
        return group_rows(view._frame, options.by) if made is None else made

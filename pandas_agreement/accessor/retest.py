"""`retest` on wide data: the columns with the repeated judgments of each coder."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base
from pandas_agreement.accessor.long import RETEST, LongAgreement
from pandas_agreement.accessor.overall import groups_of
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.data.labels import encode
from pandas_agreement.data.reading import columns_of, group_of
from pandas_agreement.errors import InputError, plain, shown
from pandas_agreement.options import Options

CALL = "df.agree.retest({'ann': ['ann_1', 'ann_2'], 'bob': ['bob_1', 'bob_2']})"
COLUMNS = ("item", "coder", "label")  # of the judgments in long form


@docs.completed
class WideRetest(Base):
    """Repeated judgments in columns."""

    __slots__ = ()

    @takes(*RETEST.shared, of=RETEST.of, without=RETEST.without)
    def retest(self, *judgments: Mapping[Hashable, Sequence[Hashable]], options: Options) -> pd.DataFrame:
        """Agreement of coders with themselves: repeated judgments of the same item by the same coder.

        This is alpha of the judgments that a coder gave the same item. Observed disagreement is that of pairs of these
        judgments, expected disagreement that of all pairs of repeated judgments: of the coder, and in the last row of
        all coders.

        Parameters
        ----------
        *judgments : dict
            The columns with the judgments of each coder: ``{"ann": ["ann_1", "ann_2"], "bob": ["bob_1", "bob_2"]}``.
        **options
            The options of `alpha`, such as `level`.

        Returns
        -------
        DataFrame
            One row per coder and one for all, in each group: indexed by the group keys and `coder` ('(all)' is the
            last), with the columns of `kappa`. `n_items` counts what was judged more than once, in the last
            row by each coder; the interval of that row takes all judgments of an item as one cluster.

        Examples
        --------
        >>> df.agree.retest({"ann": ["ann", "bob"]})["estimate"].round(3)
        coder
        ann      0.374
        (all)    0.374
        Name: estimate, dtype: float64
        """
        columns = _of_coders(judgments)
        frame, coder_of = self._frame, [coder for coder, names in columns.items() for _ in names]
        names = [name for each in columns.values() for name in each]
        rows = np.tile(np.arange(len(frame)), len(names))
        judged = _joined(columns_of(frame, names), names)
        coders = np.empty(len(rows), dtype=object)  # names may be tuples, which np.repeat would split
        coders[:] = [coder for coder in coder_of for _ in range(len(frame))]
        long = pd.DataFrame(dict(zip(COLUMNS, (rows, coders, judged), strict=True)))
        groups = group_of(frame, groups_of(options, self._made_groups))
        options = options.without("by") if groups is None else options.but(by=groups.only(rows))
        return LongAgreement(long, COLUMNS)._again((), options)


def _of_coders(judgments: Sequence[Any]) -> dict[Hashable, list[Hashable]]:
    """The columns of each coder."""
    if len(judgments) != 1 or not isinstance(judgments[0], Mapping) or not judgments[0]:
        problem = "retest on wide data takes a dict of coders and their columns"
        raise InputError(problem, f"write {CALL}", code="no judgments")
    found: dict[Hashable, list[Hashable]] = {}
    for coder, columns in judgments[0].items():
        names = list(map(plain, columns)) if isinstance(columns, (list, pd.Index)) else []
        if len(set(names)) < 2:
            problem = f"retest needs two columns or more of each coder, and {shown(coder)} has {shown(columns)}"
            raise InputError(problem, f"write {CALL}", code="no judgments")
        found[plain(coder)] = names
    _check_once([name for names in found.values() for name in names])
    return found


def _check_once(names: Sequence[Hashable]) -> None:
    """Raise for a column that is named twice: it always agrees with itself, and has one coder."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        problem = f"retest names the column {shown(twice)} twice"
        raise InputError(problem, "name each column once, for one coder", column=twice, code="repeated name")


def _joined(columns: Sequence[pd.Series], names: Sequence[Hashable]) -> Any:
    """The labels of all columns one below the other; Categoricals keep their categories and their order."""
    if not any(isinstance(column.dtype, pd.CategoricalDtype) for column in columns):
        return pd.concat([column.reset_index(drop=True) for column in columns], ignore_index=True)
    codes, known = encode(columns, names)
    dtype = pd.CategoricalDtype(known.labels, ordered=known.ordered)
    return pd.Series(pd.Categorical.from_codes(np.concatenate(codes), dtype=dtype))

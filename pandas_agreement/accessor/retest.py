"""`retest` on wide data: the columns with the repeated judgments of each coder."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import pandas as pd

from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base, by_coefficient
from pandas_agreement.accessor.long import AGAIN, OF_AGAIN, Again
from pandas_agreement.accessor.replicates import columns_of_coders
from pandas_agreement.accessor.signatures import groups_of, takes
from pandas_agreement.data.grouping import Groups
from pandas_agreement.data.labels import encode
from pandas_agreement.data.reading import columns_of, group_of
from pandas_agreement.options import Options


@docs.completed
class WideRetest(Base):
    """Repeated judgments in columns."""

    __slots__ = ()

    @takes(*OF_AGAIN, **AGAIN)
    def retest(
        self,
        *judgments: Mapping[Hashable, Sequence[Hashable]],
        metrics: str | Sequence[str] = "alpha",
        options: Options,
    ) -> pd.DataFrame:
        """Agreement of coders with themselves, from repeated judgments of the same items.

        The columns of a coder are compared with each other like those of different coders. The last row is for the
        judgments of all coders together.

        Parameters
        ----------
        *judgments : dict
            The columns with the judgments of each coder: ``{"ann": ["ann_1", "ann_2"], "bob": ["bob_1", "bob_2"]}``.
        metrics : str or list of str
            Coefficients, such as 'kappa' (with `weights`) or 'icc_a1'.
        **options
            The options of the coefficients, such as `level`.

        Returns
        -------
        DataFrame
            One row per coder and one for all coders, in each group, indexed by the group keys and `coder` ('(all)'
            comes last), with the columns of `kappa`. `n_items` is the number of items judged more than once, in the
            last row summed over coders. The interval of that row treats all judgments of an item as one cluster.
            Coefficients of numbers have no interval there.

        Examples
        --------
        >>> df.agree.retest({"ann": ["ann", "bob"]})["estimate"].round(3)
        coder
        ann      0.374
        (all)    0.374
        Name: estimate, dtype: float64
        """
        columns, records = columns_of_coders("retest", judgments), self._records(metrics, options.weights)
        stacked, n = _stacked(self._frame, list(columns.values())), len(self._frame)
        rows, place = np.tile(np.arange(n), len(columns)), np.repeat(np.arange(len(columns)), n)
        coders = Groups(place, pd.Index(list(columns), tupleize_cols=False), frozenset())
        groups = group_of(self._frame, groups_of(options, self._made_groups))
        groups = None if groups is None else groups.only(rows)
        of = Again(self._on(stacked), list(stacked.columns), groups, coders, rows, options)
        return by_coefficient(of.measure, metrics, records)


def _stacked(frame: pd.DataFrame, columns: Sequence[Sequence[Hashable]]) -> pd.DataFrame:
    """The judgments of all coders one below the other: one column for the first ones, one for the second ones ..."""
    names, n = [name for each in columns for name in each], len(frame)
    known = dict(zip(names, _alike(columns_of(frame, names), names), strict=True))
    stacked: dict[Hashable, pd.Series] = {}
    for number in range(max(map(len, columns))):
        chosen = {place: each[number] for place, each in enumerate(columns) if number < len(each)}
        moved = [known[name].set_axis(range(place * n, (place + 1) * n)) for place, name in chosen.items()]
        name = ", ".join(map(str, chosen.values()))  # columns 1 and "1" may have the same
        stacked[number if name in stacked else name] = pd.concat(moved).reindex(range(n * len(columns)))
    return pd.DataFrame(stacked)


def _alike(columns: Sequence[pd.Series], names: Sequence[Hashable]) -> Sequence[pd.Series]:
    """The columns; Categoricals all get the same categories, in their order."""
    if not any(isinstance(column.dtype, pd.CategoricalDtype) for column in columns):
        return columns
    codes, known = encode(columns, names)
    dtype = pd.CategoricalDtype(known.labels, ordered=known.ordered)
    return [pd.Series(pd.Categorical.from_codes(each, dtype=dtype)) for each in codes]

"""`df.agree.coder_groups(...)`: agreement within and across groups of coders, such as women and men, or two sites."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base, OfSource, by_coefficient
from pandas_agreement.accessor.comparing import Alternative
from pandas_agreement.accessor.result_plots import ResultPlots
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.breakdown import coder_groups
from pandas_agreement.core.arrays import Array
from pandas_agreement.data.reading import check_each, columns_of
from pandas_agreement.errors import ColumnError, InputError, Remark, counted, plain, shown, warn_once
from pandas_agreement.options import Options

Assignment = Mapping[Hashable, Sequence[Hashable]] | Hashable
GROUPS_CALL = "df.agree.coder_groups({'women': ['ann', 'bea'], 'men': ['carl', 'dev']})"
WITHOUT = ("n_resamples", "rng", "progress", "sampling", "pool")


@docs.completed
class GroupedCoders(OfSource):
    """Agreement within and across groups of coders: `df.agree.coder_groups({"women": [...], "men": [...]})`."""

    __slots__ = ("_assignment",)

    def __init__(self, source: Base, groups: Assignment) -> None:
        super().__init__(source)
        self._assignment = groups

    @takes(metric="metrics", without=WITHOUT, one_word=True)
    def within(
        self, *, metrics: str | Sequence[str] = "alpha", by_category: bool = False, options: Options
    ) -> pd.DataFrame:
        """Agreement of the coders of each group with each other: one row per group of coders.

        The coefficient is computed from the labels of the coders of the group, as if there were no others.

        Parameters
        ----------
        metrics : str or list of str
            A coefficient of items: observed, kappa, pi, alpha, ac1, ac2, s or perreault_leigh.
        by_category : bool
            Return one row per category, each compared with all others.
        **options
            `by`, `ci`, `clusters`, `weights` or `level` and the other options of the coefficient. `missing` is
            'pairable', 'complete' (items that all coders of all groups labelled) or 'raise', and `method` is 'auto',
            'score', 'analytic' or 'log'.

        Returns
        -------
        DataFrame
            Indexed by `coder_group` (after the group keys, and before `category`), with the columns of `kappa`.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> camps = example.agree.coder_groups({"first shift": ["ann", "bob"], "second shift": ["cleo", "dev"]})
        >>> camps.within(metrics="kappa")[["estimate", "ci_low", "ci_high", "n_items"]].round(3)
                      estimate  ci_low  ci_high  n_items
        coder_group
        first shift      0.611   0.549    0.669      418
        second shift     0.400   0.330    0.470      381
        """
        camps = self._camps("within", options)
        of = partial(coder_groups.within, camps, options=options, by_category=by_category)
        return by_coefficient(of, metrics, self._records(metrics, options.weights))

    @takes(metric="metrics", without=WITHOUT, one_word=True)
    def across(
        self, *, metrics: str | Sequence[str] = "alpha", by_category: bool = False, options: Options
    ) -> pd.DataFrame:
        r"""Agreement between coders of different groups: one row per pair of groups.

        Parameters
        ----------
        metrics, by_category, **options
            As for `within`.

        Returns
        -------
        DataFrame
            Indexed by `coder_group_1` and `coder_group_2` (after the group keys), with the columns of `kappa`;
            `n_items` counts the items with labels of both groups.

        Notes
        -----
        An item with :math:`a` labels of one group and :math:`b` labels of the other has :math:`a b` pairs of labels
        from different groups. Its disagreement is their mean distance, :math:`D_i = \sum_{k, l} n_k m_l d_{kl} / (a
        b)`, where :math:`n_k` and :math:`m_l` are the counts of the two groups. :math:`D_o` is the mean of :math:`D_i`
        over items. For alpha an item counts :math:`a + b` times, because each of its labels is paired.

        For pi, alpha, AC1, AC2 and S, chance agreement comes from the label distribution of these pairs, to which both
        groups contribute equally: :math:`q_k` is the mean over items of :math:`(n_k / a + m_k / b) / 2`, for alpha
        weighted by :math:`a + b` and corrected by :math:`n / (n - 1)`. For kappa it is the mean distance of two labels
        drawn from the label distributions of two coders, one of each group, averaged over these pairs of coders. With
        one coder in each group these are the coefficients of two coders. If it does not matter who gave which label,
        the true values within and across are equal, so a difference between them is due to the groups. With pi and
        alpha, groups that use the categories at different rates disagree; with kappa this counts as chance.

        References
        ----------
        Vanbelle, S. and Albert, A. (2009). Agreement between two independent groups of raters. Psychometrika 74,
        477-491.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> camps = example.agree.coder_groups({"first shift": ["ann", "bob"], "second shift": ["cleo", "dev"]})
        >>> camps.across()[["estimate", "observed", "expected"]].round(3)
                                     estimate  observed  expected
        coder_group_1 coder_group_2
        first shift   second shift      0.512     0.677     0.337
        """
        camps = self._camps("across", options)
        of = partial(coder_groups.across, camps, options=options, by_category=by_category)
        return by_coefficient(of, metrics, self._records(metrics, options.weights))

    @takes(metric="metrics", without=WITHOUT, one_word=True)
    def compare(
        self,
        *,
        metrics: str | Sequence[str] = "alpha",
        by_category: bool = False,
        alternative: Alternative = "two-sided",
        options: Options,
    ) -> pd.DataFrame:
        """Differences of agreement: within minus across groups, and one group minus another.

        There are three rows per pair of groups: the agreement within each of the two minus the agreement across them,
        and one group minus the other. The estimates come from the same items, and the influence of each item on both
        gives their correlation. The test uses standard errors at the common value, as `compare` does for sets of
        coders.

        Parameters
        ----------
        metrics, by_category, **options
            As for `within`. `method='analytic'` uses the standard errors at the estimates.
        alternative : {'two-sided', 'greater', 'less'}
            The alternative hypothesis: first minus second is not 0, is above 0, or is below 0.

        Returns
        -------
        DataFrame
            Indexed by `first` and `second` (after the group keys and `category`). Holm's adjustment is made within each
            group:

            {CONTRASTS}

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> camps = example.agree.coder_groups({"first": ["ann", "bob"], "second": ["cleo", "dev"]})
        >>> camps.compare()[["difference", "p_value"]].round(3)
                                               difference  p_value
        first         second
        within first  across first and second       0.099    0.001
        within second across first and second      -0.124    0.000
        within first  within second                 0.223    0.000
        """
        camps = self._camps("compare", options)
        of = partial(coder_groups.compare, camps, options=options, by_category=by_category, alternative=alternative)
        return by_coefficient(of, metrics, self._records(metrics, options.weights))

    @property
    def plot(self) -> ResultPlots:
        """Plots of these tables: `within`, `across` and `compare`, with the options of these methods.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> camps = example.agree.coder_groups({"first": ["ann", "bob"], "second": ["cleo", "dev"]})
        >>> [text.get_text() for text in camps.plot.within().get_yticklabels()]
        ['first', 'second']
        """
        return ResultPlots(self, {"within": "within", "across": "across", "compare": "compare"})

    # ------------------------------------------------------------------------------------------------------- reading

    def _camps(self, method: str, options: Options) -> coder_groups.Camps:
        """Read the data, with the group of each coder."""
        groups = self._assignment
        named: list[Hashable] = (
            [coder for coders in groups.values() for coder in coders] if isinstance(groups, dict) else []
        )
        reading = self._source._read(named, options, needs_coders=f"coder_groups(...).{method}", rows=True)
        names, camp = _of_dict(groups, reading.coders) if isinstance(groups, dict) else self._of_column(reading.coders)
        return coder_groups.Camps.of(coder_groups.merged(reading), camp, names, options.missing)

    def _of_column(self, coders: Sequence[Hashable]) -> tuple[list[Hashable], Array]:
        """The groups in a column of long data, and the group of each coder; -1 is none."""
        columns: Any = self._source._long_columns
        who, group = columns_of(self._frame, [columns[1], self._assignment])
        rows = who.notna().to_numpy()
        codes, values = pd.factorize(group[rows], sort=True)
        camp = np.full(len(coders), -1)
        place = pd.Index(list[Any](coders), tupleize_cols=False).get_indexer(pd.Index(who[rows], tupleize_cols=False))
        known = place >= 0  # coders with a label
        place, codes = place[known], codes[known]
        camp[place] = codes
        wrong = camp[place] != codes
        if wrong.any():
            raise self._not_constant(coders[int(place[np.argmax(wrong)])], who, group)
        names = list(map(plain, pd.Index(values).tolist()))
        used = np.isin(np.arange(len(names)), camp)
        _check_number([name for name, seen in zip(names, used, strict=True) if seen])
        warn_once(_without_group(int((camp < 0).sum()), len(coders), self._assignment))
        number = np.append(np.cumsum(used) - 1, -1)
        return [name for name, seen in zip(names, used, strict=True) if seen], number[camp]

    def _not_constant(self, coder: Hashable, who: pd.Series, group: pd.Series) -> InputError:
        """The error for a coder whose rows have several groups."""
        found = group[(who == coder).to_numpy()]
        values = [shown(value) for value in found.dropna().unique().tolist()[:2]]
        values += ["none"] if len(values) < 2 else []
        problem = f"coder {shown(coder)} has two values of {shown(self._assignment)}: {' and '.join(values)}"
        return InputError(problem, "a coder belongs to one group", column=self._assignment, code="not constant")


def _of_dict(groups: Mapping[Hashable, Sequence[Hashable]], coders: Sequence[Hashable]) -> tuple[list[Hashable], Array]:
    place = {coder: number for number, listed in enumerate(groups.values()) for coder in listed}
    missing = next((coder for coder in place if coder not in set(coders)), None)
    if missing is not None:
        raise ColumnError.missing(missing, coders, "coder")
    return list(groups), np.array([place[coder] for coder in coders])


def _without_group(lost: int, n_coders: int, column: Hashable) -> list[Remark]:
    """The remark on coders without a group."""
    of = f"of {n_coders} coders"
    problem = counted(
        lost, f"{of} has no {shown(column)} and is left out", f"{of} have no {shown(column)} and are left out"
    )
    remedy = "make them a group of their own with fillna"
    return [Remark(problem, remedy, code="coders without a group", column=column)] if lost else []


def checked(groups: Mapping[Hashable, Any]) -> dict[Hashable, list[Hashable]]:
    """The coders of each group, every one named once."""
    listed: dict[Hashable, list[Hashable]] = {}
    seen: dict[Hashable, Hashable] = {}
    for group, coders in groups.items():
        if isinstance(coders, (str, bytes, Mapping)) or not isinstance(coders, Iterable):
            problem = f"group {shown(group)} must be a list of coders, and is {shown(coders)}"
            raise InputError(problem, f"write {GROUPS_CALL}", code="several columns")
        listed[plain(group)] = [plain(coder) for coder in coders]
        check_each(listed[plain(group)])
        if not listed[plain(group)]:
            raise InputError(f"group {shown(group)} has no coders", "name them, or leave it out", code="too few coders")
        for coder in listed[plain(group)]:
            if coder in seen:
                where = "twice" if seen[coder] == group else f"in the groups {shown(seen[coder])} and {shown(group)}"
                problem = f"coder {shown(coder)} is named {where}"
                raise InputError(problem, "a coder belongs to one group", column=coder, code="repeated name")
            seen[coder] = group
    _check_number(list(listed))
    return listed


def _check_number(names: Sequence[Hashable]) -> None:
    if len(names) < 2:
        got = f"only {shown(names[0])}" if names else "none"
        raise InputError(
            f"groups of coders are compared, and there is {got}", "name at least two", code="too few groups"
        )

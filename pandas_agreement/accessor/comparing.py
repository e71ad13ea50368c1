"""Methods for differences and pooling."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Literal

import pandas as pd

from pandas_agreement import breakdown, engine
from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base, by_coefficient
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.errors import InputError, choose, plain, shown
from pandas_agreement.options import Options

Alternative = Literal["two-sided", "greater", "less"]
RESAMPLING = ("method", "n_resamples", "rng", "progress")
OF_GROUPS = ("n_resamples", "rng")  # options that sets of coders do not have
ONE_PART = "compare got one set of coders and nothing to compare it with"
HOW_TO_COMPARE = (
    "name groups, as in compare('ann', 'bob', by='batch'), another set, as in compare(['ann', 'bob'], ['ann', 'llm']), "
    "or several coefficients, as in compare('ann', 'bob', metrics=['kappa', 'alpha'])"
)


def _sets(coders: Sequence[Any]) -> list[list[Hashable]]:
    """The sets of coders: two or more lists; names, or exactly one list, are one set."""
    lists = [one for one in coders if isinstance(one, (list, set))]
    if not lists:
        return [list(coders)]
    if len(lists) < len(coders):
        name = next(one for one in coders if not isinstance(one, (list, set)))
        problem = f"compare got a list of coders and the name {shown(name)}"
        raise InputError(problem, "write names alone, or only lists, as in compare(['ann', 'bob'], ['ann', 'llm'])")
    return [list(map(plain, one)) for one in lists]


def groups_to_compare(
    view: Base, coders: Sequence[Hashable], record: Coefficient, options: Options
) -> breakdown.contrasts.GroupEstimates:
    """The estimates of the groups of `by`, or of a grouped frame."""
    if options.by is None and not view._is_grouped:
        raise InputError("by= is missing: name the column of the groups to compare", option="by", code="no groups")
    needs = record.name if record.needs_coders else None
    read = view._read(coders, options, needs, rows=True, scores=record.needs_numbers)
    return breakdown.contrasts.groups_of(read, record, options.but(ci=options.ci or 0.95))


@docs.completed
class ComparingMethods(Base):
    """Differences and pooling."""

    __slots__ = ()

    @takes(metric="metrics", without=("sampling", "pool", "progress"), one_word=True)
    def compare(
        self,
        *coders: Hashable | Sequence[Hashable],
        metrics: str | Sequence[str] = "kappa",
        alternative: Alternative = "two-sided",
        common: bool = False,
        options: Options,
    ) -> pd.DataFrame:
        """Differences between sets of coders, between groups of items, or between coefficients.

        Names, or one list of names, are one set of coders. With `by` groups of items are compared in pairs, and
        otherwise the coefficients in `metrics`. Two or more lists are sets of coders, which are compared with each
        other, and with `by` within each group. If there are more than two sets, groups or coefficients, the row '(all)'
        is the joint test of all differences.

        Parameters
        ----------
        *coders : names of coders, or lists of them
            For example ``"ann", "bob"``, or the sets ``["ann", "bob"], ["ann", "llm"]``. Two time points are two sets
            of columns. A tuple is the name of a column.
        metrics : str or list of str
            Any coefficient of labels. Several coefficients are compared with each other on every set. Groups are
            compared by each of them, and a list adds the index level `coefficient`.
        by : column name, list of names, or anything `groupby` takes
            The groups. With one set of coders the groups are compared, and the result has no index level for them.
        alternative : {'two-sided', 'greater', 'less'}
            The alternative hypothesis: first minus second is not 0, is above 0, or is below 0.
        common : bool
            Use only the items that count for every set. By default each set uses all of its items.
        **options
            `ci`, `missing`, `clusters`, `level` and the other options of the coefficient. `n_resamples` and `rng` apply
            to groups.

        Returns
        -------
        DataFrame
            Indexed by `first` and `second` (for sets after the group keys). Holm's adjustment is made within each
            group:

            {CONTRASTS}

        Notes
        -----
        The standard error of a difference between sets accounts for shared items and shared coders, through the
        influence of each item on both coefficients. The same coefficient of different coders is tested with standard
        errors at the common value, because perfect agreement on a few items is not certain. ``method="analytic"`` uses
        the standard errors at the estimates (Gwet 2016), which reject too often with fewer than 50 items or rare
        categories. Groups that share items are not treated as independent.

        References
        ----------
        Gwet, K. L. (2016). Testing the difference of correlated agreement coefficients for statistical significance.
        Educational and Psychological Measurement 76, 609-637.

        Examples
        --------
        >>> found = df.agree.compare(["ann", "bob"], ["ann", "cleo"])
        >>> found[["difference", "difference_low", "difference_high", "p_value"]].round(3)
                            difference  difference_low  difference_high  p_value
        first    second
        ann, bob ann, cleo      -0.435          -1.117            0.456    0.227
        >>> example = pandas_agreement.load_example()
        >>> example.agree.compare("ann", "bob", by="batch").loc["2026-w03", ["difference", "p_value"]].round(3)
                  difference  p_value
        second
        2026-w04      -0.479      0.0
        2026-w05      -0.393      0.0
        2026-w06      -0.447      0.0
        """
        records, sets = self._records(metrics, options.weights), _sets(coders)
        engine.check_named(records)
        if len(sets) > 1:
            return self._of_sets(sets, records, alternative, common, options)
        if options.by is None and not self._is_grouped:
            if len(records) < 2:
                raise InputError(ONE_PART, HOW_TO_COMPARE, code="nothing to compare")
            return self._of_sets(sets, records, alternative, common, options)
        if options.overall:
            raise InputError(
                "overall=True adds no row here, because the groups are compared with each other", option="overall"
            )

        def of(record: Coefficient) -> pd.DataFrame:
            found = groups_to_compare(self, sets[0], record, options)
            return breakdown.contrasts.contrasts(found, options.ci or 0.95, alternative)

        return by_coefficient(of, metrics, records)

    def _of_sets(
        self,
        sets: Sequence[Sequence[Hashable]],
        records: Sequence[Coefficient],
        alternative: str,
        common: bool,
        options: Options,
    ) -> pd.DataFrame:
        """The differences between sets of coders and coefficients, within each group."""
        choose("method", options.method, dict.fromkeys(("auto", "score", "analytic")))
        for name in [name for name in OF_GROUPS if name in options.given]:
            raise InputError(f"{name}= is for groups of items, and these are sets of coders", option=name)
        reads = [self._read(one, options, needs_coders="compare", rows=True) for one in sets]
        reads = breakdown.contrasts.on_common_items(reads, options.missing) if common else reads
        parts = []
        named = [one or read.coders for one, read in zip(sets, reads, strict=True)]
        for name, read in zip(breakdown.contrasts.set_names(named), reads, strict=True):
            for record in records:
                title = name + (f": {record.name}" if len(records) > 1 else "")
                parts.append(breakdown.contrasts.part_of(title, read, record, options))
        analytic = options.method == "analytic"
        return breakdown.contrasts.compare(parts, reads[0].groups, options.ci, alternative, analytic)

    @takes(metric="metrics", without=(*RESAMPLING, "sampling", "pool", "overall"), one_word=True)
    def pooled(self, *coders: Hashable, metrics: str | Sequence[str] = "kappa", options: Options) -> pd.DataFrame:
        """One coefficient pooled over groups, and the same coefficient of all items together.

        'within groups' is 1 minus the observed disagreement divided by the expected disagreement, both summed over the
        groups. Each group has its own label distributions, so that differences in prevalence between groups do not
        count as agreement. 'all together' ignores the groups.

        Parameters
        ----------
        {WHO}
        metrics : str or list of str
            Coefficients of the form :math:`1 - D_o / D_e`, such as kappa, pi or alpha.
        by : column name, list of names, or anything `groupby` takes
            The groups, such as sites.
        **options
            The options of the coefficient.

        Returns
        -------
        DataFrame
            Two rows with the columns of `kappa`, indexed by `pooling`. A list of `metrics` adds the level
            `coefficient`.

        References
        ----------
        Donner, A. and Klar, N. (1996). The statistical analysis of kappa statistics in multiple samples. Journal of
        Clinical Epidemiology 49, 1053-1058.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> example.agree.pooled("ann", "bob", by="batch")[["estimate", "ci_low", "ci_high"]].round(3)
                       estimate  ci_low  ci_high
        pooling
        within groups     0.606   0.548    0.664
        all together      0.611   0.549    0.669
        """
        if options.by is None and not self._is_grouped:
            raise InputError("by= is missing: name the column of the groups to pool", option="by", code="no groups")

        def of(record: Coefficient) -> pd.DataFrame:
            read = self._read(coders, options, record.name if record.needs_coders else None, rows=True)
            found = breakdown.pooling.pooled(read, record, options)
            together = engine.measure(read.together().compact(), [record], options)
            return breakdown.pooling.pooled_frame(found, together, options.ci)

        return by_coefficient(of, metrics, self._records(metrics, options.weights))

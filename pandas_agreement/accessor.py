"""`df.agree` and its relatives.

`Methods` holds every method once; the four ways into the data (and a grouped frame) are subclasses that only know how
to read. The methods of the coefficients are made from their records, so a coefficient that is registered is here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from pandas_agreement import breakdown, docs, engine, options, reading
from pandas_agreement.errors import InputError, UnknownMethodError, nearest
from pandas_agreement.grouping import Groups, from_groupby
from pandas_agreement.registry import ALIASES, LISTENERS, REGISTRY, Coefficient, find

READING = ("by", "categories", "clusters", "duplicates")
DEFAULT_METRICS = ("observed", "kappa", "pi", "alpha", "ac1", "s")

Method = Callable[..., pd.DataFrame]


def method(name: str) -> Method:
    """The documented method of a coefficient."""
    record = REGISTRY[name]

    def call(self: Methods, *coders: Hashable, **settings: Any) -> pd.DataFrame:
        return self._measure([find(name)], coders, settings, name)

    call.__name__ = name
    call.__qualname__ = f"Methods.{name}"
    call.__doc__ = docs.coefficient_doc(record)
    call.__signature__ = docs.signature(record)  # type: ignore[attr-defined]
    return call


class Methods:
    """The methods that every way into the data shares."""

    __slots__ = ()

    observed = method("observed")
    kappa = method("kappa")
    pi = method("pi")
    alpha = method("alpha")
    ac1 = method("ac1")
    ac2 = method("ac2")
    s = method("s")
    light_kappa = method("light_kappa")
    bias = method("bias")

    def summary(self, *coders: Hashable, metrics: Sequence[str] | None = None, **settings: Any) -> pd.DataFrame:
        """Several coefficients from one reading of the data.

        Parameters
        ----------
        *coders : hashable
            The coders; none means all.
        metrics : list of str, optional
            Coefficients, in the order of the rows. Default: observed, kappa, pi, alpha, ac1 and s; with `weights` ac2
            in place of ac1; without those that need to know who said what where nobody does.
        **settings
            The options of the coefficients; each takes those that mean something to it.

        Returns
        -------
        DataFrame
            A row a coefficient (and group), with the columns of `kappa`.

        Examples
        --------
        >>> df.agree.summary("ann", "bob").filter(["estimate", "ci_low", "ci_high"]).round(2)
                     estimate  ci_low  ci_high
        coefficient
        observed         0.70    0.35      1.0
        kappa            0.35   -0.37      1.0
        pi               0.34   -0.40      1.0
        alpha            0.37   -0.33      1.0
        ac1              0.45   -0.25      1.0
        s                0.40   -0.29      1.0
        """
        records = [find(name) for name in self._metrics(metrics, settings)]
        return self._measure(records, coders, settings, "summary")

    def pairwise(self, *coders: Hashable, metric: str = "kappa", **settings: Any) -> pd.DataFrame:
        """One coefficient for every pair of coders, each on the items that both labelled.

        Parameters
        ----------
        *coders : hashable
            The coders; none means all.
        metric : str
            Any coefficient.
        **settings
            Its options.

        Returns
        -------
        DataFrame
            A row a pair, index levels `coder_1` and `coder_2`, with the columns of `kappa`.
            ``result.estimate.droplevel("coefficient").unstack()`` is the matrix.

        Examples
        --------
        >>> df.agree.pairwise()["estimate"].round(3)
        coder_1  coder_2  coefficient
        ann      bob      kappa          0.348
                 cleo     kappa          0.783
        bob      cleo     kappa          0.524
        Name: estimate, dtype: float64
        """
        record = find(metric)
        options.check(settings, [record], "pairwise", ("metric",))
        return engine.measure_pairs(self._read(coders, settings, needs_coders="pairwise"), record, settings)

    def by_category(
        self,
        *coders: Hashable,
        metrics: Sequence[str] = ("rate", "specific"),
        by: Any = None,
        categories: Sequence[Any] | None = None,
        missing: str = "pairable",
        ci: float | None = 0.95,
        duplicates: str = "raise",
    ) -> pd.DataFrame:
        """Agreement on each category: of the pairs of coders of whom one chose it, in how many did both.

        Parameters
        ----------
        *coders : hashable
            The coders; none means all.
        metrics : list of {'rate', 'specific'}
            `rate` is pairs of coders who both chose the category over pairs of whom at least one did; `specific` is
            the chance that another coder says it when one does. The lowest rate points at the category to look at.
        by, categories, missing, ci, duplicates
            As for `kappa`.

        Returns
        -------
        DataFrame
            A row a category (and group) and metric, with the columns of `kappa`; the interval is made on the logit
            scale. `n_items` counts the items in which somebody chose the category.

        References
        ----------
        Cicchetti, D. V. and Feinstein, A. R. (1990). High agreement but low kappa: II. Resolving the paradoxes.
        Journal of Clinical Epidemiology 43, 551-558.

        Examples
        --------
        >>> df.agree.by_category("ann", "bob", metrics=["rate"])[["estimate", "n_items"]].round(3)
                              estimate  n_items
        category coefficient
        n        rate            0.400        5
        y        rate            0.625        8
        """
        settings = {
            "by": by,
            "categories": categories,
            "missing": missing,
            "ci": ci,
            "duplicates": duplicates,
        }
        options.check(settings, [], "by_category")
        return breakdown.by_category(self._read(coders, settings), metrics, settings)

    def confusion(
        self, *coders: Hashable, by: Any = None, categories: Sequence[Any] | None = None, duplicates: str = "raise"
    ) -> pd.DataFrame:
        """How often the first coder's label met the second's: a K x K table, all categories kept.

        Parameters
        ----------
        *coders : hashable
            The two coders: rows and columns.
        by, categories, duplicates
            As for `kappa`.

        Returns
        -------
        DataFrame
            Counts of the items that both labelled; with `by` the group keys stand before the row labels.

        Examples
        --------
        >>> df.agree.confusion("ann", "bob")
        bob  n  y
        ann
        n    2  2
        y    1  5
        """
        settings = {"by": by, "categories": categories, "duplicates": duplicates}
        return breakdown.confusion(self._read(coders, settings, needs_coders="confusion"))

    # ---------------------------------------------------------------------------------------------------- the inside

    def _reading(self, coders: Sequence[Hashable], settings: dict[str, Any]) -> reading.Reading:
        raise NotImplementedError

    def _read(
        self, coders: Sequence[Hashable], settings: dict[str, Any], needs_coders: str | None = None
    ) -> reading.Reading:
        defaults = {name: options.OPTIONS[name].default for name in READING}
        given = {name: settings[name] for name in READING if name in settings}
        read = self._reading(coders, {name: value for name, value in given.items() if value is not defaults[name]})
        listed = given.get("categories")
        if listed is not None and not isinstance(listed, pd.CategoricalDtype):
            read = replace(read, listed=True)
        if needs_coders and not read.ratings.identified:
            raise InputError(
                f"{needs_coders} must know which coder said what, and a table of counts does not; "
                "use pi, alpha, ac1 or s, or give the data as df.agree.long(item=..., coder=..., label=...)"
            )
        return read

    def _measure(
        self, records: Sequence[Coefficient], coders: Sequence[Hashable], settings: dict[str, Any], name: str
    ) -> pd.DataFrame:
        options.check(settings, records, name, ("metrics",) if name == "summary" else ())
        needs = next((record.name for record in records if record.needs_coders), None)
        return engine.measure(self._read(coders, settings, needs), records, settings)

    def _metrics(self, metrics: Sequence[str] | None, settings: dict[str, Any]) -> list[str]:
        if metrics is not None:
            return [metrics] if isinstance(metrics, str) else list(metrics)
        weights = settings.get("weights", "nominal")
        nominal = isinstance(weights, str) and weights == "nominal"
        return ["ac2" if name == "ac1" and not nominal else name for name in DEFAULT_METRICS]

    def __repr__(self) -> str:
        methods = ", ".join(name for name in dir(type(self)) if not name.startswith("_"))
        title = (type(self).__doc__ or "").partition("\n")[0]
        return f"{title} Methods: {methods}."

    def __getattr__(self, name: str) -> Any:
        if name in ALIASES:
            return getattr(self, ALIASES[name])
        if name in ("interpret", "membership"):
            raise UnknownMethodError(f"{name} is a function on results: pandas_agreement.{name}(df.agree.kappa(...))")
        known = [*dir(type(self)), *ALIASES]
        raise UnknownMethodError(
            f"df.agree has no method {name!r}{nearest(name, [n for n in known if not n.startswith('_')], hint=False)}"
        )


def _listen(record: Coefficient) -> None:
    setattr(Methods, record.name, method(record.name))


LISTENERS.append(_listen)


def _refuse(chosen: dict[str, Any], allowed: Sequence[str], what: str) -> None:
    for name in chosen:
        if name not in allowed:
            raise InputError(f"{name}= means nothing for {what}")


class AgreementAccessor(Methods):
    """Agreement between coders: `df.agree`.

    A row is an item and a column a coder: ``df.agree.kappa("ann", "bob")``. Other shapes: `long`, `crosstab`, `counts`.
    It holds the frame and nothing else, and never changes it.
    """

    __slots__ = ("_obj",)

    def __init__(self, frame: pd.DataFrame) -> None:
        self._obj = frame

    def _reading(self, coders: Sequence[Hashable], settings: dict[str, Any]) -> reading.Reading:
        _refuse(settings, ("by", "categories", "clusters"), "wide data; it is for df.agree.long(...)")
        return reading.read_wide(self._obj, coders, **settings)

    def long(self, *, item: Hashable, coder: Hashable, label: Hashable, duplicates: str = "raise") -> LongAgreement:
        """The same methods for a frame with a row a judgment.

        Parameters
        ----------
        item, coder, label : column names
            What was labelled, by whom, and how. A row without a label is a judgment that was not made.
        duplicates : {'raise', 'first', 'last'}
            What to do when a coder labelled an item more than once.

        Examples
        --------
        >>> long = df.melt(ignore_index=False, var_name="who", value_name="tag").reset_index(names="doc")
        >>> long.agree.long(item="doc", coder="who", label="tag").kappa("ann", "bob")["estimate"].round(3)
        coefficient
        kappa    0.348
        Name: estimate, dtype: float64
        """
        return LongAgreement(self._obj, (item, coder, label), duplicates)

    def crosstab(self) -> CrosstabAgreement:
        """The same methods for the contingency table of two coders: index the first's categories, columns the second's.

        Examples
        --------
        >>> pd.crosstab(df["ann"], df["bob"]).agree.crosstab().kappa()["estimate"].round(3)
        coefficient
        kappa    0.348
        Name: estimate, dtype: float64
        """
        return CrosstabAgreement(self._obj)

    def counts(self) -> CountsAgreement:
        """The same methods for counts: a row an item, a column a category, cells how many coders chose it.

        Nobody knows who said what here, so kappa, bias and pairs refuse.

        Examples
        --------
        >>> counts = pd.DataFrame({"y": [3, 0, 2, 1], "n": [0, 3, 1, 2]})
        >>> counts.agree.counts().pi()["estimate"].round(3)
        coefficient
        pi    0.333
        Name: estimate, dtype: float64
        """
        return CountsAgreement(self._obj)


class LongAgreement(Methods):
    """Agreement in a frame with a row a judgment."""

    __slots__ = ("_by", "_columns", "_duplicates", "_obj")

    def __init__(
        self,
        frame: pd.DataFrame,
        columns: tuple[Hashable, Hashable, Hashable],
        duplicates: str = "raise",
        by: Groups | None = None,
    ) -> None:
        self._obj, self._columns, self._duplicates, self._by = frame, columns, duplicates, by

    def _reading(self, coders: Sequence[Hashable], settings: dict[str, Any]) -> reading.Reading:
        settings = {"duplicates": self._duplicates} | _fix_groups(settings, self._by)
        return reading.read_long(self._obj, self._columns, coders, **settings)


class CrosstabAgreement(Methods):
    """Agreement in the contingency table of two coders."""

    __slots__ = ("_obj",)

    def __init__(self, frame: pd.DataFrame) -> None:
        self._obj = frame

    def _reading(self, coders: Sequence[Hashable], settings: dict[str, Any]) -> reading.Reading:
        _refuse(settings, ("categories",), "a crosstab")
        if coders:
            raise InputError(f"a crosstab is about two coders already; leave out {', '.join(map(repr, coders))}")
        return reading.read_crosstab(self._obj, **settings)


class CountsAgreement(Methods):
    """Agreement in a table of counts, a column a category."""

    __slots__ = ("_by", "_obj")

    def __init__(self, frame: pd.DataFrame, by: Groups | None = None) -> None:
        self._obj, self._by = frame, by

    def _reading(self, coders: Sequence[Hashable], settings: dict[str, Any]) -> reading.Reading:
        _refuse(settings, ("by", "categories", "clusters"), "a table of counts")
        if coders:
            raise InputError("a table of counts does not know its coders, so none can be chosen")
        return reading.read_counts(self._obj, **_fix_groups(settings, self._by))

    def _metrics(self, metrics: Sequence[str] | None, settings: dict[str, Any]) -> list[str]:
        names = super()._metrics(metrics, settings)
        return [name for name in names if metrics is not None or not find(name).needs_coders]


class GroupByAgreement(Methods):
    """Agreement within the groups of `df.groupby(...)`: `df.groupby("batch").agree`."""

    __slots__ = ("_grouped",)

    def __init__(self, grouped: Any) -> None:
        self._grouped = grouped

    def _reading(self, coders: Sequence[Hashable], settings: dict[str, Any]) -> reading.Reading:
        _refuse(settings, ("by", "categories", "clusters"), "wide data; it is for .agree.long(...)")
        groups, frame = from_groupby(self._grouped), self._grouped.obj
        selected = self._grouped.head(0).columns  # groupby(...)[["ann", "bob"]] chooses coders
        if not coders and len(selected) < len(frame.columns):
            coders = [name for name in selected if name not in groups.columns]
        return reading.read_wide(frame, coders, **_fix_groups(settings, groups))

    def long(self, *, item: Hashable, coder: Hashable, label: Hashable, duplicates: str = "raise") -> LongAgreement:
        """The same methods for groups of a frame with a row a judgment."""
        return LongAgreement(self._grouped.obj, (item, coder, label), duplicates, from_groupby(self._grouped))

    def counts(self) -> CountsAgreement:
        """The same methods for groups of a table of counts."""
        return CountsAgreement(self._grouped.obj, from_groupby(self._grouped))


def _fix_groups(settings: dict[str, Any], groups: Groups | None) -> dict[str, Any]:
    if groups is None:
        return settings
    if "by" in settings:
        raise InputError("the frame is grouped already; leave out by=")
    return settings | {"by": groups}

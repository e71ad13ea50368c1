"""`df.agree.spans(...)`: who marked what, from where to where; one row per span."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from pandas_agreement.accessor import docs
from pandas_agreement.accessor.names import METHOD_ALIASES
from pandas_agreement.accessor.result_plots import ResultPlots
from pandas_agreement.accessor.signatures import groups_of, takes
from pandas_agreement.data.grouping import Groups
from pandas_agreement.errors import InputError, UnknownMethodError, choose, nearest, public, sentence
from pandas_agreement.options import Options
from pandas_agreement.results.frames import pair_levels
from pandas_agreement.spans import listing, measuring
from pandas_agreement.spans.measuring import Measured, SpanRows
from pandas_agreement.spans.reading import SpanReading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pandas_agreement.plotting.style import Look, Size

Of = Literal["all", "marking", "labels"]
NAMES = ("summary", "alpha", "f1", "kappa", "by_pair", "by_category", "by_item", "disagreements", "to_long")
SHOWN = (*NAMES, "plot")
HIDDEN = {name: METHOD_ALIASES[name] for name in ("pairwise", "items")}
IOU = 0.5  # of `f1_iou` in `summary`


measures = partial(takes, "by", "ci", "clusters", without=("frequency",))  # the options of coefficients of spans


@partial(docs.completed, set_up=docs.MARKED)
class SpanAgreement:
    """Agreement on spans: `df.agree.spans(item=, coder=, start=, end=, label=)`."""

    __slots__ = ("_made_groups", "_source")

    def __init__(self, source: SpanReading, groups: Groups | None = None) -> None:
        self._source, self._made_groups = source, groups

    def __repr__(self) -> str:
        return f"Agreement on spans. Methods: {', '.join(sorted(SHOWN))}."

    def __dir__(self) -> list[str]:
        return sorted(SHOWN)

    @property
    def _frame(self) -> pd.DataFrame:
        return self._source.frame

    @property
    def _as_index(self) -> bool:
        return self._made_groups is None or self._made_groups.as_index

    def _measured(self, coders: Sequence[Hashable], options: Options) -> tuple[Measured, pd.Index | None]:
        by = groups_of(options, self._made_groups)
        read, groups = self._source.chosen(coders).grouped(by, options.clusters)
        return Measured(read, options), groups

    def _needs_labels(self, what: str) -> None:
        if self._source.columns.label is None:
            raise InputError(f"{what} needs labels", "name their column: spans(..., label=)", code="needs labels")

    def _alpha(self, data: Measured, of: Of) -> SpanRows:
        choose("of", of, measuring.OF)
        if of == "labels":
            self._needs_labels("of='labels'")
        data.refuse_overlaps("alpha")
        return measuring.alpha(data, of)

    def _kappa(self, data: Measured) -> SpanRows:
        data.refuse_overlaps("kappa")
        return measuring.kappa(data)

    @measures()
    def summary(self, *coders: Hashable, options: Options) -> pd.DataFrame:
        """F1, alpha of spans and kappa of positions, one row for each coefficient.

        Parameters
        ----------
        {WHO}
        **options
            `by`, `ci` and `clusters`, as for `alpha`.

        Returns
        -------
        DataFrame
            Indexed by `coefficient` (after the group keys): `f1`, `f1_iou` (where spans match that share half of their
            positions), `u_alpha`, `u_alpha_marking` and `u_alpha_labels` (the three kinds of `alpha`), and `kappa`. The
            columns are those of `alpha`. Without `label=` there is no `u_alpha_labels`.

        Examples
        --------
        >>> spans.summary()["estimate"].round(3)
        coefficient
        f1                 0.400
        f1_iou             0.800
        u_alpha            0.701
        u_alpha_marking    0.670
        u_alpha_labels     1.000
        kappa              0.699
        Name: estimate, dtype: float64
        """
        data, groups = self._measured(coders, options)
        found = [measuring.f1(data, 1), measuring.f1(data, IOU)]
        without = () if self._source.columns.label is not None else ("labels",)
        found += [measuring.alpha(data, of) for of in measuring.OF if of not in without]
        return measuring.assemble(groups, {}, [*found, measuring.kappa(data)])

    @measures(alone=True)
    def alpha(self, *coders: Hashable, of: Of = "all", options: Options) -> pd.DataFrame:
        """Krippendorff's alpha of spans: agreement on positions and labels beyond chance.

        Parameters
        ----------
        {WHO}
        of : {'all', 'marking', 'labels'}
            'all' compares whether the same positions have the same label, 'marking' whether the same positions are
            marked, whatever the label, and 'labels' whether positions that both marked have the same label.
        by : column name, list of names, or anything `groupby` takes, optional
            Return one row per group of documents. A document belongs to one group.
        ci : float or None
            Level of the interval. None computes the estimate alone.
        clusters : column name, optional
            Documents that belong together, such as those of an author. They are left out together.

        Returns
        -------
        DataFrame
            One row, or one row per group, with the columns:

            {SPANS}

        Notes
        -----
        The three coefficients are called u_alpha, u_alpha_marking and u_alpha_labels. Documents count if two or more
        coders saw them. Alpha depends on the length of the documents, because positions that nobody marked count as
        agreement. It compares positions, so one span and two adjacent spans with the same label are the same; `f1`
        distinguishes them. The interval comes from leaving out one document at a time.

        References
        ----------
        Krippendorff, K., Mathet, Y., Bouvry, S. and Widlöcher, A. (2016). On the reliability of unitizing textual
        continua: further developments. Quality and Quantity 50, 2347-2364.

        Examples
        --------
        >>> spans.alpha()[["estimate", "observed", "n_spans", "n_items"]].round(3)
                     estimate  observed  n_spans  n_items
        coefficient
        u_alpha         0.701     0.857        5        2
        """
        data, groups = self._measured(coders, options)
        return measuring.assemble(groups, {}, [self._alpha(data, of)])

    @measures(alone=True)
    def f1(self, *coders: Hashable, iou: float = 1, options: Options) -> pd.DataFrame:
        """F1 of spans: the share of spans that have a match, not corrected for chance.

        Parameters
        ----------
        {WHO}
        iou : float
            Spans with the same label match if they share at least this part of the positions of either (intersection
            over union). 1 means the same start and end, and 0 any shared position. Each span has at most one match, and
            the matches are chosen so that there are as many as possible.
        **options
            `by`, `ci` and `clusters`, as for `alpha`.

        Returns
        -------
        DataFrame
            One row, or one row per group, with the columns of `alpha`. `expected` is NaN.

        Notes
        -----
        The value does not depend on which of two coders is the reference. With several coders it is twice the number of
        matches divided by the number of spans, both summed over the pairs of coders who saw the document. Spans of one
        coder may overlap.

        References
        ----------
        Hripcsak, G. and Rothschild, A. S. (2005). Agreement, the f-measure, and reliability in information retrieval.
        Journal of the American Medical Informatics Association 12, 296-298.

        Examples
        --------
        >>> spans.f1()["estimate"].tolist(), spans.f1(iou=0.5)["estimate"].tolist()
        ([0.4], [0.8])
        """
        data, groups = self._measured(coders, options)
        return measuring.assemble(groups, {}, [measuring.f1(data, iou)])

    @measures(alone=True)
    def kappa(self, *coders: Hashable, options: Options) -> pd.DataFrame:
        """Cohen's kappa of positions, each with the label of its span or none.

        Parameters
        ----------
        {WHO}
        **options
            `by`, `ci` and `clusters`, as for `alpha`.

        Returns
        -------
        DataFrame
            One row, or one row per group, with the columns of `alpha`. `n_items` counts documents.

        Notes
        -----
        It is kappa of the rows of `to_long`, weighted by their width, with documents as clusters. For more than two
        coders it is Conger's kappa. Spans of one coder must not overlap.

        Examples
        --------
        >>> spans.kappa("ann", "bob")["estimate"].round(3)
        coefficient
        kappa    0.699
        Name: estimate, dtype: float64
        """
        data, groups = self._measured(coders, options)
        return measuring.assemble(groups, {}, [self._kappa(data)])

    @measures()
    def by_pair(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] = "f1",
        iou: float = 1,
        of: Of = "all",
        options: Options,
    ) -> pd.DataFrame:
        """Agreement of each pair of coders on the documents that both saw.

        Parameters
        ----------
        {WHO}
        metrics : {'f1', 'alpha', 'kappa'} or list of these
            The coefficient; `metric` is accepted.
        iou : float
            Which spans match, as for `f1`.
        of : {'all', 'marking', 'labels'}
            What alpha compares, as for `alpha`.
        **options
            `by`, `ci` and `clusters`, as for `alpha`.

        Returns
        -------
        DataFrame
            Indexed by `coder_1` and `coder_2` (after the group keys), with the columns of `alpha`.

        Examples
        --------
        >>> spans.by_pair(metrics=["f1", "alpha"], ci=None)["estimate"].round(3)
        coder_1  coder_2  coefficient
        ann      bob      f1             0.400
                          u_alpha        0.701
        Name: estimate, dtype: float64
        """
        data, groups = self._measured(coders, options)
        first, second = np.triu_indices(data.spans.n_coders, 1)
        each = Measured(data.read, options, data.spans.by_coder_pair().grouped_by_pair(first, second))
        make = {
            "f1": lambda: measuring.f1(each, iou),
            "alpha": lambda: self._alpha(each, of),
            "kappa": lambda: self._kappa(each),
        }
        names = list(dict.fromkeys([metrics] if isinstance(metrics, str) else metrics))
        if not names:
            raise InputError(
                "metrics= is empty", "name at least one, such as metrics=['f1', 'alpha']", option="metrics"
            )
        found = [choose("metrics", name, make)() for name in names]
        n_groups = data.spans.n_groups
        levels = pair_levels(data.read.coders, np.tile(first, n_groups), np.tile(second, n_groups))
        return measuring.assemble(None if groups is None else groups.repeat(len(first)), levels, found)

    @measures()
    def by_category(self, *coders: Hashable, iou: float = 1, options: Options) -> pd.DataFrame:
        """Agreement on each label: F1 and two kinds of alpha.

        Parameters
        ----------
        {WHO}
        iou : float
            Which spans match, as for `f1`.
        **options
            `by`, `ci` and `clusters`, as for `alpha`.

        Returns
        -------
        DataFrame
            Indexed by `category` and `coefficient` (after the group keys), with the columns of `alpha`. `f1` is that of
            the spans with this label, `u_alpha` compares which positions have this label, and `u_alpha_labels` does so
            for positions that both coders marked. `n_spans` counts the spans with the label.

        Notes
        -----
        Each label is considered separately, so spans with different labels may overlap. `u_alpha` is undefined for a
        label if spans of one coder with this label overlap, and `u_alpha_labels` if any spans of one coder overlap.

        Examples
        --------
        >>> spans.by_category(ci=None)["estimate"].unstack().round(3)
        coefficient   f1  u_alpha  u_alpha_labels
        category
        ORG          0.0    0.472             1.0
        PER          1.0    1.000             1.0
        """
        self._needs_labels("by_category")
        data, groups = self._measured(coders, options)
        labels, n_groups = data.read.labels, data.spans.n_groups
        levels = {"category": labels.take(np.tile(np.arange(len(labels)), n_groups))}
        keys = None if groups is None else groups.repeat(len(labels))
        return measuring.assemble(keys, levels, measuring.per_label(data, iou))

    @takes("detail", without=("detail",))
    def by_item(self, *coders: Hashable, options: Options) -> pd.DataFrame:
        """Agreement on each document.

        Parameters
        ----------
        {WHO}

        Returns
        -------
        DataFrame
            Indexed by the documents, in order of appearance:

            {SPAN_ITEMS}

        Examples
        --------
        >>> spans.by_item().round(3)
              n_coders  n_spans  length   f1  u_alpha
        item
        d1           2        4      20  0.5    0.919
        d2           2        1      15  0.0   -0.100
        """
        read = self._source.chosen(coders)
        return listing.by_item(Measured(read, options), read.spans)

    @takes("detail")
    def disagreements(self, *coders: Hashable, options: Options) -> pd.DataFrame:
        """The spans on which two coders differ, one row per pair of spans or unmatched span.

        Spans that both coders marked, with the same positions and label, are left out first. Of the others, spans that
        share positions form a pair.

        Parameters
        ----------
        {WHO}
        detail : bool
            Add the other columns of the frame, once for each of the two spans.

        Returns
        -------
        DataFrame
            Sorted by document, coders and position, with the columns that identify the document, and:

            {SPAN_DIFFERENCES}

        Notes
        -----
        ``pd.crosstab`` of `label_1` and `label_2` shows which labels are confused.

        Examples
        --------
        >>> spans.disagreements()[["item", "kind", "start_1", "end_1", "start_2", "end_2"]]
          item      kind  start_1  end_1  start_2  end_2
        0   d1  boundary        8     12        9     12
        1   d2   missing        3      7     <NA>   <NA>
        """
        read = self._source.chosen(coders)
        return listing.disagreements(read, read.spans, options.detail)

    @takes("detail", without=("detail",))
    def to_long(self, *coders: Hashable, options: Options) -> pd.DataFrame:
        """Segments as long data, from which every other coefficient can be computed.

        Parameters
        ----------
        {WHO}

        Returns
        -------
        DataFrame
            Documents are cut at every start and end. There is one row per segment and coder who saw the document, with
            the columns of the document, `start`, `width`, the coder, and the label, which is '(none)' where nothing is
            marked. With ``frequency="width"`` and the document as ``clusters=`` a coefficient is about positions, with
            an interval about other documents.

        Examples
        --------
        >>> segments = spans.to_long()
        >>> segments.head(6)
          item  start  width coder   label
        0   d1      0      5   ann     PER
        1   d1      0      5   bob     PER
        2   d1      5      3   ann  (none)
        3   d1      5      3   bob  (none)
        4   d1      8      1   ann     ORG
        5   d1      8      1   bob  (none)
        >>> long = segments.agree.long(item=["item", "start"], coder="coder", label="label")
        >>> long.ac1(frequency="width", clusters="item", ci=None)["estimate"].round(3)
        coefficient
        ac1    0.814
        Name: estimate, dtype: float64
        """
        read = self._source.chosen(coders)
        data = Measured(read, options)
        data.refuse_overlaps("to_long")
        return listing.to_long(data)

    @property
    def plot(self) -> SpanPlots:
        """Plots: `document` (the spans of one document), `by_category` and `by_pair`.

        Examples
        --------
        >>> spans.plot.document("d1").get_title(loc="left")
        'Spans in d1'
        """
        return SpanPlots(self)

    if not TYPE_CHECKING:  # or type checkers would accept any name

        def __getattr__(self, name: str) -> Any:
            return self._look_up(name)

    def _look_up(self, name: str) -> Any:
        """The method behind a hidden name, or an error that names the way to all other methods."""
        if name in HIDDEN:
            return getattr(self, HIDDEN[name])
        if name.startswith("_"):  # of pickle and copy
            raise AttributeError(name)
        columns = self._source.columns
        item = [*columns.item, "start"]
        label = "label" if columns.label is None else columns.label
        clusters = f", clusters={columns.item[0]!r}" if len(columns.item) == 1 else ""
        call = f"spans.to_long().agree.long(item={item!r}, coder={columns.coder!r}, label={label!r})"
        problem = f"spans have no method {name!r}"
        remedy = f"methods of positions are those of {call}, with frequency='width'{clusters}"
        similar = nearest(name, SHOWN, hint=False, likeness=0.7)
        remedy = f"{similar} {sentence(remedy)}" if similar else remedy
        raise UnknownMethodError(problem, remedy, code="unknown method")


class SpanPlots(ResultPlots):
    """Plots of spans: `document`, and those of the tables `by_category` and `by_pair`."""

    __slots__ = ()

    def __init__(self, source: SpanAgreement) -> None:
        super().__init__(source, {name: name for name in ("by_category", "by_pair", "document")})

    @public
    def document(
        self,
        document: Hashable,
        *,
        ax: Axes | None = None,
        figsize: Size = None,
        title: str | None = None,
        style: Look | None = None,
    ) -> Axes:
        """The spans of one document, with a lane for each coder who saw it.

        Parameters
        ----------
        document : hashable
            The document, by its name; a tuple where several columns name it.
        ax, figsize, title, style : optional
            As for all plots.

        Returns
        -------
        Axes
        """
        from pandas_agreement.plotting import document as draw

        marked = listing.one_document(self._source._source, document)
        title = f"Spans in {document}" if title is None else title
        return draw(marked, ax=ax, figsize=figsize, title=title, style=style)

"""`df.agree.truth(...)` and `df.agree.consensus(...)`: the label itself, who is reliable, and what to send back."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.errors import InputError, public, wrong_value
from pandas_agreement.options import OPTIONS, Options, check_bool, check_keyword, is_number, is_whole, must
from pandas_agreement.truth import actions, views
from pandas_agreement.truth.calibration import calibration
from pandas_agreement.truth.fitting import Fit, fit
from pandas_agreement.truth.reading import cast, gold_column
from pandas_agreement.truth.remarks import warn_of
from pandas_agreement.truth.settings import MODELS, Settings, Start, Ties, TruthDuplicates, TruthMethod, make_settings
from pandas_agreement.truth.thinning import thinned

COPY_ON_WRITE = int(pd.__version__.partition(".")[0]) >= 3  # a shallow copy does not follow changes of the frame

VoteWeights = str | pd.Series | Mapping[Any, float] | None
Prior = str | pd.DataFrame | None

Method = TypeVar("Method", bound=Callable[..., Any])

_between = must(lambda value: is_number(value) and 0 < float(value) < 1, "must lie between 0 and 1")


def fit_keywords(
    self: Base,
    *coders: Hashable,
    method: TruthMethod = "majority",
    gold: Hashable | pd.Series = None,
    ties: Ties = "missing",
    weights: VoteWeights = None,
    smoothing: float | None = None,
    diagonal: float | None = None,
    prior: Prior = None,
    tol: float = 1e-9,
    max_iter: int = 1000,
    start: Start = "votes",
    restarts: int | None = None,
    duplicates: TruthDuplicates = "raise",
    options: Options,
) -> None:
    """The keywords of a fit, for the signatures of `truth` and `consensus`."""


def _takes_fit(method: Method) -> Method:
    """Give a method the keywords of a fit, and check them."""
    returns = inspect.signature(method).return_annotation
    signature = inspect.signature(fit_keywords).replace(return_annotation=returns)
    method.__signature__ = signature  # type: ignore[attr-defined]
    return takes("by", "categories", "rng", "progress", without=("frequency", "overall"))(method)


@docs.completed
class TruthMethods(Base):
    """The label itself."""

    __slots__ = ()

    @_takes_fit
    def truth(self, *coders: Hashable, options: Options, **given: Any) -> Truth:
        """The inferred labels, the reliability of each coder, and what to send back: ask the result for its tables.

        The data are read and the method is fitted when a table is first asked for, once.

        Parameters
        ----------
        {WHO}
        method : {'majority', 'dawid_skene', 'one_coin', 'mace'}
            'majority' is the vote, hard to beat with few items or coders of like skill. 'dawid_skene' estimates the
            error rates of each coder between all categories: for many items, unequal coders, and coders with habits.
            'one_coin' estimates one accuracy per coder: for few labels per coder. 'mace' separates coders who know
            from those who guess with a favourite answer.
        gold : column name or Series by item, optional
            Known labels, missing where they are not known. They are certain, and never a coder.
        ties : {'missing', 'first', 'random', 'prior'}
            The label where several lead: none; the first category, which favours it; one of them at random (see
            `rng`); or the one that is more frequent in all data.
        weights : 'agreement', Series or dict by coder, optional
            Votes only. 'agreement' weighs coders by their agreement with the unweighted vote (Wawa).
        smoothing : float, optional
            Models only: labels added to every cell of a coder's error rates, so that few labels do not look like
            certainty. Default .5 for 'dawid_skene' (0 is the paper of 1979), 1 for 'one_coin', .01 / K for 'mace'.
        diagonal : float, optional
            Further labels added to the right ones. Default: as `smoothing`.
        prior : {'estimate', 'uniform'} or DataFrame, optional
            Models only: class shares from the data (default for 'dawid_skene'), all alike (default for the others), or
            probabilities by item and category, such as the predictions of a classifier.
        tol, max_iter : float, int
            Models only: stop when the objective gains at most `tol` of its size, or after so many sweeps.
        start : {'votes', 'random'}
            Where a model starts. There may be several maxima; that from the votes is the usual one.
        restarts : int, optional
            Random starts, of which the best is kept. Default 10 for 'mace' and for ``start="random"``.
        duplicates : {'raise', 'first', 'last', 'all'}
            Long data only: what to do when a coder labelled an item more than once. 'all' counts every label.
        by, categories
            As for `kappa`. Every group has a fit of its own, all in one run.
        rng : int or numpy Generator, optional
            Seed of random ties and starts.
        progress : bool
            Show a bar of the sweeps, or of the fits of `thin` and `calibration`; needs tqdm.

        Returns
        -------
        Truth
            Its methods give frames: `items`, `coders`, `confusions`, `queue`, `summary`, `shares`, `qualify`,
            `thin`, `calibration`.

        Notes
        -----
        The labels are inferred, not observed. Probabilities are too high when coders err together: in the bluebird data
        (108 images, 39 workers) Dawid and Skene's model expects 0.6 wrong labels, and there are 11. They
        still rank items, so `queue` uses them. Labels that were inferred are no gold for the same coders.

        With one or two labels per item the vote is better than error rates of every coder; below three labels per
        item or 100 items 'dawid_skene' warns. Two coders do not tell who of them is wrong.

        Left out on purpose: GLAD (one difficulty per item, which a handful of labels does not tell), KOS (two
        categories only, and random), and M-MSR (one accuracy per coder, which 'one_coin' has).

        References
        ----------
        Dawid, A. P. and Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using the EM
        algorithm. Applied Statistics 28, 20-28. Hovy, D., Berg-Kirkpatrick, T., Vaswani, A. and Hovy, E. (2013).
        Learning whom to trust with MACE. NAACL-HLT, 1120-1130. Snow, R. et al. (2008). Cheap and fast, but is it
        good? EMNLP, 254-263.

        Examples
        --------
        >>> truth = df.agree.truth("ann", "bob", "cleo")
        >>> truth.items().loc[[0, 5], ["label", "probability", "n_labels"]].round(2)
          label  probability  n_labels
        0     y         1.00         3
        5     y         0.67         3
        >>> truth.coders()["agreement"]
        coder
        ann     0.80
        bob     0.75
        cleo    0.85
        Name: agreement, dtype: float64
        """
        return Truth(self, coders, make_settings(given, options), options)

    @_takes_fit
    def consensus(self, *coders: Hashable, options: Options, **given: Any) -> pd.DataFrame:
        """The inferred label of each item, by default the majority vote: `truth(...).items()`.

        Parameters
        ----------
        {WHO}
        method, gold, ties, weights, smoothing, diagonal, prior, tol, max_iter, start, restarts, duplicates
            As for `truth`.
        by, categories, rng, progress
            As for `truth`.

        Returns
        -------
        DataFrame
            The frame's own index, so that ``df["label"] = df.agree.consensus(...)["label"]`` works; for long data
            the name of the item (after the group keys). Columns:
            {TRUTH_ITEMS}

        Examples
        --------
        >>> df.agree.consensus("ann", "bob").loc[[0, 5], ["label", "probability", "tie"]]
          label  probability    tie
        0     y          1.0  False
        5   NaN          0.5   True
        >>> df.agree.consensus("ann", "bob", "cleo")["label"].tolist()
        ['y', 'y', 'y', 'y', 'y', 'y', 'n', 'y', 'n', 'n']
        """
        return Truth(self, coders, make_settings(given, options), options).items()


class Truth:
    """The label itself: inferred labels, the reliability of each coder, and what to send back.

    Made by `df.agree.truth(...)`. The data are read and the method is fitted when a table is first asked for, once;
    changing the frame afterwards does not change the tables.
    """

    def __init__(self, view: Base, coders: tuple[Hashable, ...], settings: Settings, options: Options) -> None:
        _check_names(coders, view._frame)
        self._view, self._coders, self._settings, self._options = view, coders, settings, options

    def __repr__(self) -> str:
        state = "fitted" if "_fit" in self.__dict__ else "not fitted yet"
        views = ", ".join(name for name in dir(type(self)) if not name.startswith("_"))
        return f"Labels inferred with method={self._settings.method!r}, {state}. Tables: {views}."

    @cached_property
    def _fit(self) -> Fit:
        """Read and fit, once."""
        view, gold, options = self._view, self._settings.gold, self._options
        name = gold_column(view._frame, gold)
        if name is not None:
            _check_gold_name(name, self._coders, getattr(view, "_columns", ()))
            options = replace(options, apart=frozenset([name]))
        if self._settings.duplicates != "raise":
            options = options.but(duplicates=self._settings.duplicates)
        read = view._read(self._coders, options, rows=True)
        found = fit(cast(read, view._frame, self._settings), self._settings)
        warn_of(found)
        return found

    @cached_property
    def _rows(self) -> pd.DataFrame:
        """The frame as it was when it was fitted; pandas 3 copies only what is changed later."""
        self._fit  # noqa: B018  (reads first)
        return self._view._frame.copy(deep=not COPY_ON_WRITE)

    @public
    def items(self, *, probabilities: bool = False) -> pd.DataFrame:
        """The inferred label of each item, how certain it is, and why it may not be.

        Parameters
        ----------
        probabilities : bool
            Give the probability of every category in place of these columns (for a vote its share).

        Returns
        -------
        DataFrame
            The frame's own index, so that it can be joined back; for long data the name of the item (after the group
            keys). Columns:
            {TRUTH_ITEMS}

        Examples
        --------
        >>> df.agree.truth().items(probabilities=True).loc[5].round(2).tolist()
        [0.33, 0.67]
        """
        return views.items(self._fit, self._rows, check_bool("probabilities", probabilities))

    @public
    def coders(self, *, ci: float | None = 0.95) -> pd.DataFrame:
        """Accuracy and skill of each coder, with intervals that allow for the labels being inferred.

        Parameters
        ----------
        ci : float or None
            Level of the intervals; None for the estimates alone, which is cheaper.

        Returns
        -------
        DataFrame
            Indexed by `coder` (after the group keys); 'mace' adds `knows`, the probability that the coder knows:
            {TRUTH_CODERS}

        Notes
        -----
        The interval of the accuracy comes from the empirical information of all parameters at once, on the logit scale.
        At the level .95 it covered .95 to .98 in simulations of 100 to 300 items, two categories and 3 or 5 coders who
        are right on 60 to 90 % of each; an interval that takes the inferred labels for true covered .43 to .80
        (``python -m tests.benchmarks.accuracies --draws 1000``). Coders who err together look accurate to every
        model: a pair with a kappa far above the others in `pairwise` is a sign of it.

        Examples
        --------
        >>> df.agree.truth(gold=pd.Series(["y", "y", "n"], index=[0, 5, 7])).coders()[["agreement", "n_gold"]]
               agreement  n_gold
        coder
        ann         0.95       3
        bob         0.70       3
        cleo        0.85       3
        """
        return views.coders(self._fit, OPTIONS["ci"].check("ci", ci))

    @public
    def confusions(self) -> pd.DataFrame:
        """The error rates of each coder: how probable each label is, given the true one. Not for votes.

        Returns
        -------
        DataFrame
            Indexed by `coder`, `true` and `given` (after the group keys):
            {TRUTH_CONFUSIONS}

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> truth = example.agree.truth("ann", "bob", "cleo", "dev", method="dawid_skene")
        >>> truth.confusions().loc[("dev", "request")][["probability", "n"]].round(2)
                   probability      n
        given
        bug               0.39  35.02
        complaint         0.01   0.55
        question          0.04   2.78
        request           0.56  49.34
        """
        return views.confusions(self._fit)

    @public
    def shares(self) -> pd.DataFrame:
        """The share of each category among the true labels.

        Returns
        -------
        DataFrame
            Indexed by `category` (after the group keys):
            {TRUTH_SHARES}

        Examples
        --------
        >>> df.agree.truth().shares().round(2)
                  share  n_items
        category
        n          0.33        3
        y          0.67        7
        """
        return views.shares(self._fit)

    @public
    def summary(self) -> pd.DataFrame:
        """The fit in one row: likelihood, sweeps, sizes, and the accuracy that the model expects of its labels.

        Returns
        -------
        DataFrame
            Indexed by `method` (after the group keys):
            {TRUTH_SUMMARY}

        Examples
        --------
        >>> df.agree.truth().summary()[["n_items", "n_coders", "n_labels", "n_gold"]]
                  n_items  n_coders  n_labels  n_gold
        method
        majority       10         3        30       0
        """
        return views.summary(self._fit)

    @public
    def queue(self, *, n: int = 20, until: float | None = None) -> pd.DataFrame:
        """The rows to send back: the least certain items first, with all columns of the frame. Gold items are left out.

        Parameters
        ----------
        n : int
            Number of items.
        until : float, optional
            In place of `n`: all items whose probability is below this, and `n_more`, the labels that each still needs
            on average if coders of mean accuracy go on. Not for votes.

        Returns
        -------
        DataFrame
            The frame's own rows (for long data all rows of an item), with further columns:
            {TRUTH_QUEUE}

        Examples
        --------
        >>> df.agree.truth().queue(n=2)[["ann", "bob", "cleo", "inferred", "probability", "reason"]].round(2)
          ann bob cleo inferred  probability           reason
        5   y   n    y        y         0.67  coders disagree
        6   n   y    n        n         0.67  coders disagree
        """
        if until is not None:
            until = float(_between("until", until))
        return actions.queue(self._fit, self._rows, check_keyword("n", n), until)

    @public
    def thin(
        self, *, n_labels: Sequence[int] = (1, 2, 3, 5), n_draws: int = 5, rng: int | np.random.Generator | None = None
    ) -> pd.DataFrame:
        """How many labels per item are enough: the same method on fewer labels of your own data, drawn at random.

        Parameters
        ----------
        n_labels : list of int
            Labels per item to try; items with fewer keep what they have.
        n_draws : int
            Random choices of the labels, over which the columns are means.
        rng : int or numpy Generator, optional
            Seed of the choices.

        Returns
        -------
        DataFrame
            Indexed by `n_labels` (after the group keys):
            {TRUTH_THINNED}

        Notes
        -----
        Fits of models end after 100 sweeps: with one label per item they go on for long, and hardly a label changes.

        Examples
        --------
        >>> df.agree.truth().thin(n_labels=[1, 3], rng=0)[["same", "n_items", "n_draws"]].round(2)
                  same  n_items  n_draws
        n_labels
        1         0.88       10        5
        3         1.00       10        5
        """
        draws = check_keyword("n", n_draws)
        return thinned(self._fit, _check_numbers(n_labels), draws, OPTIONS["rng"].check("rng", rng))

    @public
    def calibration(self) -> pd.DataFrame:
        """How far to trust the probabilities: the accuracy on gold items beside the one that the model expects there.

        Each gold item is inferred by a fit that knows the gold labels of the other four fifths only. What the model
        expects too much there is subtracted from the expected accuracy of the other items. The gold items should be a
        random part of all: if they are the hard ones, the result is too low.

        Returns
        -------
        DataFrame
            Indexed by `method` (after the group keys):
            {TRUTH_CALIBRATION}

        Notes
        -----
        The other tables stay as they are. With 50 gold items or more there is the power t of the probabilities that
        fits the gold labels, one over the temperature of Guo et al.: it minimises their log-loss plus (t - 1)^2 / 2,
        which is worth about one item. A power does not change which label leads. The fifths follow the order of items.

        References
        ----------
        Guo, C., Pleiss, G., Sun, Y. and Weinberger, K. Q. (2017). On calibration of modern neural networks. ICML,
        1321-1330.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> known = example["dev"].dropna().head(100)  # as if dev were always right
        >>> truth = example.agree.truth("ann", "bob", "cleo", method="one_coin", gold=known)
        >>> truth.calibration()[["accuracy", "expected", "exponent", "calibrated_accuracy", "n_gold"]].round(2)
                  accuracy  expected  exponent  calibrated_accuracy  n_gold
        method
        one_coin      0.56      0.84       0.3                 0.64     100
        """
        return calibration(self._fit)

    @public
    def qualify(self, *, required: float = 0.8) -> pd.DataFrame:
        """Which coders are better than required on the gold items, and which are worse: exact tests.

        Parameters
        ----------
        required : float
            The accuracy that a coder has to exceed.

        Returns
        -------
        DataFrame
            Indexed by `coder` (after the group keys):
            {TRUTH_QUALIFY}

        Examples
        --------
        >>> known = pd.Series(list("yyyyyynynn"))
        >>> df.agree.truth(gold=known).qualify(required=0.7)[["n_gold", "correct", "p_value", "passed"]].round(3)
               n_gold  correct  p_value   passed
        coder
        ann        10        9    0.149  too few
        bob        10        8    0.383  too few
        cleo       10       10    0.028  too few
        """
        return actions.qualify(self._fit, float(_between("required", required)))


def _check_numbers(value: Any) -> list[int]:
    """The numbers of labels of `thin`."""
    given = list(value) if isinstance(value, Iterable) and not isinstance(value, (str, bytes)) else [value]
    if given and all(is_whole(number, 1) for number in given):
        return [int(number) for number in given]
    raise wrong_value("n_labels", value, "must be whole numbers above 0: labels per item")


def _check_names(coders: tuple[Hashable, ...], frame: pd.DataFrame) -> None:
    """Raise for the name of a method among the coders."""
    for name in coders:
        if isinstance(name, str) and name in ("majority", *MODELS) and name not in frame.columns:
            problem = f"{name!r} is the name of a method, and stands among the coders"
            raise InputError(problem, f"write method={name!r}", option="method", code="unknown column")


def _check_gold_name(name: Hashable, coders: tuple[Hashable, ...], columns: Any) -> None:
    """Raise for gold labels that are those of a coder, or the labels themselves."""
    if name in coders:
        problem = f"gold={name!r} is one of the coders"
        raise InputError(problem, "gold labels are known, and never a coder", option="gold", column=name)
    if name in columns:
        role = ("items", "coders", "labels")[list(columns).index(name)]
        problem = f"gold={name!r} is the column of the {role}"
        raise InputError(problem, "name the column of the known labels", option="gold", column=name)


docs.completed(Truth)

"""`truth` and `consensus`: the way in to the label itself. What `truth` returns is imported when it is called."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import pandas as pd

from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.errors import InputError, shown
from pandas_agreement.options import Options

if TYPE_CHECKING:
    from pandas_agreement.accessor.truth import Truth
    from pandas_agreement.truth.settings import FitOptions, Ties, TruthMethod

Method = TypeVar("Method", bound=Callable[..., Any])
VoteWeights = str | pd.Series | Mapping[Any, float] | None
Prior = str | pd.DataFrame | None
#: names that people may try as options, and where they are said
MOVED = {name: f"fit={{{{{name!r}: {{value}}}}}}" for name in ("tol", "max_iter", "start", "restarts", "diagonal")}
MOVED["duplicates"] = "df.agree.long(item=..., coder=..., label=..., duplicates={value})"


def fit_keywords(
    self: Base,
    *coders: Hashable,
    method: TruthMethod = "majority",
    gold: Hashable | pd.Series = None,
    ties: Ties = "missing",
    weights: VoteWeights = None,
    prior: Prior = None,
    smoothing: float | None = None,
    fit: FitOptions | None = None,
    options: Options,
) -> None:
    """The keywords of a fit, for the signatures of `truth` and `consensus`."""


def _takes_fit(method: Method) -> Method:
    """Give a method the keywords of a fit, and check them."""
    returns = inspect.signature(method).return_annotation
    signature = inspect.signature(fit_keywords).replace(return_annotation=returns)
    method.__signature__ = signature  # type: ignore[attr-defined]
    checked = takes("by", "categories", "rng", "progress", without=("frequency", "overall", "detail"))(method)

    @wraps(checked)
    def call(self: Base, *coders: Hashable, **given: Any) -> Any:
        for name in given:
            if name in MOVED:
                remedy = f"write {MOVED[name].format(value=shown(given[name]))}"
                problem = f"{method.__name__} has no option {name!r}"
                raise InputError(problem, remedy, option=name, code="unknown option")
        return checked(self, *coders, **given)

    shown_last = sorted(inspect.signature(checked).parameters.values(), key=lambda each: each.name == "fit")
    call.__signature__ = signature.replace(parameters=shown_last)  # type: ignore[attr-defined]
    return call  # type: ignore[return-value]


@docs.completed
class TruthMethods(Base):
    """The label itself."""

    __slots__ = ()

    @_takes_fit
    def truth(self, *coders: Hashable, options: Options, **given: Any) -> Truth:
        """Infer the true labels and the reliability of each coder.

        The result has methods that return tables. The data are read and the model is fitted once, when you ask for the
        first table.

        Parameters
        ----------
        {WHO}
        method : {'majority', 'dawid_skene', 'one_coin', 'mace'}
            'majority' is the majority vote, which is hard to beat if there are few items or coders are equally skilled.
            'dawid_skene' estimates the error rates of each coder between all categories, for many items and coders who
            differ in skill or favour some categories. 'one_coin' estimates one accuracy per coder, for few labels per
            coder. 'mace' separates coders who know the label from those who guess, with a favourite answer.
        gold : column name or Series by item, optional
            Known labels, with missing values where they are not known. They are certain, and never count as a coder.
        ties : {'missing', 'first', 'random', 'prior'}
            The label of an item on which several labels lead: none, the first of the categories (which favours it), one
            of them at random (see `rng`), or the one that is more frequent in all data.
        weights : 'agreement', Series or dict by coder, optional
            For votes only. 'agreement' weights coders by their agreement with the unweighted vote (Wawa).
        prior : {'estimate', 'uniform'} or DataFrame, optional
            For models only: category shares from the data (default for 'dawid_skene'), equal shares (default for the
            others), or probabilities by item and category, such as the predictions of a classifier.
        smoothing : float, optional
            For models only: the number of labels added to every cell of a coder's error rates, so that few labels do
            not look like certainty. Default: 0.5 for 'dawid_skene' (0 is the model of the paper of 1979), 1 for
            'one_coin', and 0.01 / K for 'mace'.
        by, categories
            As for `kappa`. A separate model is fitted for each group.
        rng : int or numpy Generator, optional
            Seed of random ties and of random starts.
        progress : bool
            Show a progress bar of the iterations, which needs tqdm.
        fit : dict, optional
            For models only: settings of the fit, such as ``fit={"max_iter": 5000}``. The fit stops when the relative
            gain of the objective is at most 'tol' (default 1e-9), or after 'max_iter' iterations (default 1000).
            'start' is 'votes' (default) or 'random'; there may be several maxima, and starting from the votes is
            customary. 'restarts' is the number of random starts, of which the best is kept (default 10 for 'mace' and
            for a random start). 'diagonal' is the number of labels added to the correct ones in addition to `smoothing`
            (default: the same number).

        Returns
        -------
        Truth
            An object with the methods `by_item`, `by_coder`, `confusions`, `queue`, `summary`, `shares` and `qualify`.

        Notes
        -----
        ``df.agree.long(..., duplicates="all")`` counts every label if a coder labelled an item more than once.

        The labels are inferred, not observed. Probabilities are too high if coders make the same mistakes: in the
        bluebird data (108 images, 39 workers) Dawid and Skene's model expects 0.6 wrong labels, and 11 are wrong. They
        still rank items, which is what `queue` uses. Do not use inferred labels as gold labels for the same coders.

        With one or two labels per item the majority vote is better than a model with error rates for every coder. Below
        three labels per item or 100 items 'dawid_skene' gives a warning. Two coders are not enough to tell which of
        them is wrong.

        Three known models are not included: GLAD needs more labels to estimate the difficulty of each item, KOS is for
        two categories only and depends on random numbers, and M-MSR has a single accuracy per coder, as 'one_coin'
        does.

        References
        ----------
        Dawid, A. P. and Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using the EM
        algorithm. Applied Statistics 28, 20-28. Hovy, D., Berg-Kirkpatrick, T., Vaswani, A. and Hovy, E. (2013).
        Learning whom to trust with MACE. NAACL-HLT, 1120-1130. Snow, R. et al. (2008). Cheap and fast, but is it
        good? EMNLP, 254-263.

        Examples
        --------
        >>> truth = df.agree.truth("ann", "bob", "cleo")
        >>> truth.by_item().loc[[0, 5], ["label", "probability", "n_labels"]].round(2)
          label  probability  n_labels
        0     y         1.00         3
        5     y         0.67         3
        >>> truth.by_coder(detail=True)["agreement"]
        coder
        ann     0.80
        bob     0.75
        cleo    0.85
        Name: agreement, dtype: float64
        """
        return _truth_of(self, coders, given, options)

    @_takes_fit
    def consensus(self, *coders: Hashable, options: Options, **given: Any) -> pd.DataFrame:
        """The inferred label of each item, by default the majority vote.

        Parameters
        ----------
        {WHO}
        method, gold, ties, weights, prior, smoothing, by, categories, rng, progress, fit
            As for `truth`.

        Returns
        -------
        DataFrame
            It has the index of the frame, so that ``df["label"] = df.agree.consensus(...)["label"]`` works. For long
            data the index is the item (after the group keys). The columns are those of ``truth(...).by_item()``, which
            has more with ``detail=True``: `label`, `probability`, `margin`, `n_labels`, `agreement`, `tie` and `note`.

        Examples
        --------
        >>> df.agree.consensus("ann", "bob").loc[[0, 5], ["label", "probability", "tie"]]
          label  probability    tie
        0     y          1.0  False
        5   NaN          0.5   True
        >>> df.agree.consensus("ann", "bob", "cleo")["label"].tolist()
        ['y', 'y', 'y', 'y', 'y', 'y', 'n', 'y', 'n', 'n']
        """
        return _truth_of(self, coders, given, options).by_item()


def _truth_of(view: Base, coders: tuple[Hashable, ...], given: dict[str, Any], options: Options) -> Truth:
    from pandas_agreement.accessor.truth import Truth
    from pandas_agreement.truth.settings import make_settings

    return Truth(view, coders, make_settings(given, options), options)

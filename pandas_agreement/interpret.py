"""Words for a coefficient: the published benchmark scales as a table, and how to apply them.

A band is chosen by the estimate alone or, as Gwet proposes, by the highest band reached with a given probability when
the standard error is taken into account. The scales are conventions and differ from each other; none of them accounts
for the cost of an error in your project.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import ColumnError, InputError, choose, wrong_value
from pandas_agreement.formatting import notes_of
from pandas_agreement.results.frames import TEXT

__all__ = ["SCALES", "Scale", "interpret", "membership", "usual_scale"]

Floats: TypeAlias = NDArray[np.float64]

#: columns of results whose estimates are shares, mean scores or log-odds
NOT_COEFFICIENTS = {"judge_share", "judge_mean", "strength"}
DIGITS = 12  # estimates are rounded before the comparison with cut points: 0.1 + 0.2 + 0.3 is not above 0.6


@dataclass(frozen=True, eq=False)
class Scale:
    """A benchmark scale.

    Attributes
    ----------
    lowest : str
        The word below the first cut point.
    bands : tuple of (cut point, closed, word)
        The other words, from low to high, each with the cut point where it begins; `closed` is True if a value equal
        to the cut point belongs to the word.
    reference : str
        Where the scale was published.
    """

    lowest: str
    bands: tuple[tuple[float, bool, str], ...]
    reference: str

    @property
    def words(self) -> list[str]:
        """All words, from low to high."""
        return [self.lowest, *(word for _, _, word in self.bands)]

    @property
    def cuts(self) -> Floats:
        """The cut points, from low to high."""
        return np.array([cut for cut, _, _ in self.bands], float)

    def codes(self, values: Floats) -> NDArray[np.int64]:
        """The position of each value's word in `words`; -1 for NaN."""
        rounded = np.round(values, DIGITS)[:, None]
        closed = np.array([closed for _, closed, _ in self.bands], bool)
        reached = (rounded > self.cuts) | (closed & (rounded == self.cuts))  # (n, bands)
        return np.where(np.isnan(values), -1, reached.sum(axis=1)).astype(np.int64)


# Published tables have gaps (".20 | .21") or overlap ("between .5 and .75"). With a gap, .20 and below is the lower
# word; with an overlap, the cut point belongs to the higher word.
SCALES: dict[str, Scale] = {
    "landis_koch": Scale(
        "poor",
        (
            (0.0, True, "slight"),
            (0.2, False, "fair"),
            (0.4, False, "moderate"),
            (0.6, False, "substantial"),
            (0.8, False, "almost perfect"),
        ),
        "Landis, J. R., & Koch, G. G. (1977). The measurement of observer agreement for categorical data. "
        "Biometrics, 33(1), 159-174, p. 165.",
    ),
    "fleiss": Scale(
        "poor",
        ((0.4, True, "fair to good"), (0.75, False, "excellent")),
        "Fleiss, J. L. (1981). Statistical methods for rates and proportions (2nd ed.). Wiley, p. 218.",
    ),
    "altman": Scale(
        "poor",
        ((0.2, False, "fair"), (0.4, False, "moderate"), (0.6, False, "good"), (0.8, False, "very good")),
        "Altman, D. G. (1991). Practical statistics for medical research. Chapman & Hall, p. 404.",
    ),
    "cicchetti": Scale(
        "poor",
        ((0.4, True, "fair"), (0.6, True, "good"), (0.75, True, "excellent")),
        "Cicchetti, D. V. (1994). Guidelines, criteria, and rules of thumb for evaluating normed and "
        "standardized assessment instruments in psychology. Psychological Assessment, 6(4), 284-290.",
    ),
    "krippendorff": Scale(
        "unreliable",
        ((0.667, True, "tentative"), (0.8, True, "reliable")),
        "Krippendorff, K. (2004). Content analysis: An introduction to its methodology (2nd ed.). Sage, p. 241.",
    ),
    "koo_li": Scale(
        "poor",
        ((0.5, True, "moderate"), (0.75, True, "good"), (0.9, False, "excellent")),
        "Koo, T. K., & Li, M. Y. (2016). A guideline of selecting and reporting intraclass correlation "
        "coefficients for reliability research. Journal of Chiropractic Medicine, 15(2), 155-163.",
    ),
}


def usual_scale(coefficients: Iterable[Hashable]) -> str:
    """The scale for coefficients that are read together, so that their words do not contradict each other.

    >>> usual_scale(["kappa", "alpha"]), usual_scale(["kappa", "ac1"]), usual_scale(["icc_a1", "alpha"])
    ('krippendorff', 'landis_koch', 'koo_li')
    """
    names = set(coefficients)
    if any(name == "ccc" or str(name).startswith("icc") for name in names):
        return "koo_li"
    return "krippendorff" if "alpha" in names else "landis_koch"


def _scale_of(scale: str | Mapping[str, float] | None, result: Any) -> tuple[str, Scale]:
    """A published scale by its name, the usual one, or the user's own from the lower limits of its words; its name."""
    if scale is None:
        index = getattr(result, "index", pd.Index([]))
        scale = usual_scale(index.get_level_values("coefficient") if "coefficient" in index.names else ())
    if not isinstance(scale, Mapping):
        return scale, choose("scale", scale, SCALES)
    for word, limit in scale.items():
        _check_limit(word, limit)
    limits = sorted((float(limit), word) for word, limit in scale.items())
    for (one, first), (two, second) in pairwise(limits):
        if one == two:
            raise _bad_scale(f"has the limit {one:g} for {first!r} and for {second!r}", "every word needs its own")
    if not limits:
        raise _bad_scale("has no word", "give words with their lower limits, such as {'weak': 0.4, 'good': 0.7}")
    lowest = limits.pop(0)[1] if limits[0][0] == -np.inf else f"below {limits[0][1]}"
    if lowest in [word for _, word in limits]:
        raise _bad_scale(f"has the word {lowest!r}, which names what is below the lowest limit", "use another word")
    return "custom", Scale(lowest, tuple((limit, True, word) for limit, word in limits), "")


def _check_limit(word: str, limit: float) -> None:
    """Raise unless a word is text, and its lower limit a number that a coefficient can reach."""
    if not (isinstance(word, str) and word.strip()):
        raise _bad_scale(f"has the word {word!r}", "words are text, and each has its lower limit")
    if not isinstance(limit, Real) or isinstance(limit, bool) or np.isnan(float(limit)):
        raise _bad_scale(f"has the limit {limit!r} for {word!r}", "give the number at which the word begins")
    if limit > 1:
        hint = f"did you mean {limit / 100:g}?" if limit <= 100 else "limits are at most 1"
        raise _bad_scale(f"has the limit {limit:g} for {word!r}, and no coefficient exceeds 1", hint)


def _bad_scale(problem: str, remedy: str) -> InputError:
    return InputError(f"scale= {problem}", remedy, option="scale", code="bad scale")


def interpret(
    result: pd.DataFrame | pd.Series,
    scale: str | Mapping[str, float] | None = None,
    column: str = "estimate",
    probability: float | None = None,
    at_least: float | None = None,
) -> pd.Series:
    """Put a word to each estimate, from one of the published benchmark scales or from your own.

    With `at_least` the word answers whether a coefficient is large enough, by its interval.

    Parameters
    ----------
    result : DataFrame or Series
        What a method of `df.agree` returned, or a Series of estimates.
    scale : str or dict, optional
        ``"landis_koch"``, ``"fleiss"``, ``"altman"``, ``"cicchetti"``, ``"krippendorff"`` or ``"koo_li"``; or your own
        words with their lower limits, such as ``{"weak": 0.4, "good": 0.7}``. An estimate equal to a limit has its
        word; one below all limits is "below weak". The limit ``-inf`` gives this band a word of its own. Default:
        ``"koo_li"`` if an intraclass or concordance correlation is among the coefficients, else ``"krippendorff"`` if
        alpha is, else ``"landis_koch"``; one scale for all rows, so that their words do not contradict each other.
    column : str, default "estimate"
        The column of `result` to interpret. Koo and Li use the interval instead of the estimate: ``"ci_low"``.
    probability : float, optional
        Between 0 and 1, customarily 0.95: give the highest word that the coefficient reaches with at least
        this probability, from the columns `estimate` and `se` (Gwet's probabilistic benchmarking, see
        `membership`).
    at_least : float, optional
        In place of a scale: "yes" if the lower limit of the interval is at or above it, "no" if the upper limit is
        below it, otherwise "not settled"; where there is no estimate or no interval, the reason.

    Returns
    -------
    Series
        With `at_least` texts, named so. Otherwise an ordered Categorical with the index of `result`, named after the
        scale ("custom" for your own); missing where the estimate (or, with `probability`, its standard error) is
        missing, and for rows to which no scale applies (observed agreement, bias, rates, shares, mean scores). Where
        the standard error is 0 the estimate decides.

    See Also
    --------
    membership : The probability of each word.

    Notes
    -----
    The bands, from low to high; ``[`` belongs to the band, ``(`` does not:

    - landis_koch: poor, [0 slight, (.2 fair, (.4 moderate, (.6 substantial, (.8 almost perfect
    - fleiss: poor, [.4 fair to good, (.75 excellent
    - altman: poor, (.2 fair, (.4 moderate, (.6 good, (.8 very good
    - cicchetti: poor, [.4 fair, [.6 good, [.75 excellent
    - krippendorff (for alpha): unreliable, [.667 tentative, [.8 reliable
    - koo_li (for the intraclass correlation): poor, [.5 moderate, [.75 good, (.9 excellent

    Estimates are rounded to 12 digits first, so that floating-point error does not cross a cut point.
    The publications are in the table ``SCALES`` (``from pandas_agreement.interpret import SCALES``).

    References
    ----------
    Gwet, K. L. (2014). Handbook of inter-rater reliability (4th ed.). Advanced Analytics, chapter 6.

    Examples
    --------
    >>> import pandas as pd
    >>> from pandas_agreement import interpret
    >>> estimates = pd.Series([0.4, 0.41, -0.1, float("nan")], index=["mon", "tue", "wed", "thu"])
    >>> pd.DataFrame({"kappa": estimates, "words": interpret(estimates)})
         kappa     words
    mon   0.40      fair
    tue   0.41  moderate
    wed  -0.10      poor
    thu    NaN       NaN

    Your own words and lower limits:

    >>> interpret(estimates, scale={"weak": 0.4, "good": 0.7}).tolist()
    ['weak', 'weak', 'below weak', nan]

    Large enough? The interval decides:

    >>> batches = pd.DataFrame({"ci_low": [0.81, 0.7, 0.5], "ci_high": [0.9, 0.9, 0.7]})
    >>> interpret(batches, at_least=0.8).tolist()
    ['yes', 'not settled', 'no']

    An estimate of .67 is "good" to Altman, but with a standard error of .15 only "moderate" can be claimed:

    >>> result = pd.DataFrame({"estimate": [0.67], "se": [0.15]})
    >>> result.assign(point=interpret(result, "altman"), claim=interpret(result, "altman", probability=0.95))
       estimate    se point     claim
    0      0.67  0.15  good  moderate
    """
    if at_least is not None:
        if (scale, column, probability) != (None, "estimate", None):
            problem = "at_least= compares the interval with a number, and scale=, column= and probability= mean nothing"
            raise InputError(problem, "leave them out", option="at_least", code="idle option")
        answers = settled(result, check_at_least(at_least, result))
        return pd.Series(answers, index=result.index, name="at_least", dtype=TEXT)
    name, chosen = _scale_of(scale, result)
    if probability is None:
        codes = chosen.codes(_values(result, column))
    else:
        codes = _claims(result, chosen, column, probability)
    codes = np.where(_without_words(result), -1, codes)
    words = pd.Categorical.from_codes(codes, categories=pd.Index(chosen.words), ordered=True)
    return pd.Series(words, index=result.index, name=name)


def check_at_least(at_least: float, result: pd.DataFrame | pd.Series) -> float:
    """The number that coefficients should reach."""
    if isinstance(at_least, bool) or not isinstance(at_least, Real) or not np.isfinite(float(at_least)):
        raise wrong_value("at_least", at_least, "must be a number", "such as 0.8")
    if at_least > 1 and "coefficient" in [*result.index.names, *getattr(result, "columns", [])]:
        hint = f"did you mean {at_least / 100:g}?" if at_least <= 100 else "give a number up to 1"
        raise wrong_value("at_least", at_least, "is more than any coefficient can be", hint)
    return float(at_least)


def settled(result: pd.DataFrame | pd.Series, at_least: float) -> list[str]:
    """Whether each row reaches a number, by its interval: yes, no, not settled, or why there is no answer."""
    if not isinstance(result, pd.DataFrame) or not {"ci_low", "ci_high"} <= set(result.columns):
        problem = "at_least= goes by the interval, and there are no columns 'ci_low' and 'ci_high'"
        raise InputError(problem, "give the result with its interval", option="at_least", code="no interval")
    low, high = _values(result, "ci_low").round(DIGITS), _values(result, "ci_high").round(DIGITS)
    value = _values(result, "estimate") if "estimate" in result else np.where(np.isnan(low), np.nan, 0.0)
    if len(low) and np.isnan(low).all() and not np.isnan(value).all() and not _explained(result):
        problem = "at_least= goes by the interval, and this result has none"
        remedy = "compute it without ci=None, or with method='bca' where there is no other interval"
        raise InputError(problem, remedy, option="at_least", code="no interval")
    notes = result["note"].tolist() if "note" in result else [""] * len(result)
    answers = np.select([low >= at_least, high < at_least, ~np.isnan(low)], ["yes", "no", "not settled"], "")
    without = ["undefined" if np.isnan(one) else "no interval" for one in value]
    return [
        str(answer) or (f"{why}: {notes_of(note)[0]}" if note else why)
        for answer, why, note in zip(answers, without, notes, strict=True)
    ]


def _explained(result: pd.DataFrame) -> bool:
    """Whether intervals were asked for, so that notes say why there are none."""
    return "ci_method" in result and bool((result["ci_method"] != "").any())


def membership(
    result: pd.DataFrame, scale: str | Mapping[str, float] | None = None, cumulative: bool = False
) -> pd.DataFrame:
    """Give the probability that each coefficient belongs to each band of a scale (Gwet).

    The coefficient is taken as normal around its estimate with its standard error, truncated to [-1, 1].

    Parameters
    ----------
    result : DataFrame
        What a method of `df.agree` returned: the columns `estimate` and `se` are used.
    scale : str or dict, optional
        As for `interpret`.
    cumulative : bool, default False
        Give the probability of a band and all above it.

    Returns
    -------
    DataFrame
        The index of `result`; one column per band, the highest first. A standard error of 0 puts all probability
        on the band of the estimate; a missing one gives a row of NaN.

    References
    ----------
    Gwet, K. L. (2014). Handbook of inter-rater reliability (4th ed.). Advanced Analytics, chapter 6.

    Examples
    --------
    >>> import pandas as pd
    >>> from pandas_agreement import membership
    >>> result = pd.DataFrame({"estimate": [0.67], "se": [0.15]})
    >>> membership(result, "altman").round(3)
    altman  very good   good  moderate   fair   poor
    0           0.182  0.493     0.288  0.036  0.001
    >>> membership(result, "altman", cumulative=True).round(3)
    altman  very good   good  moderate   fair  poor
    0           0.182  0.675     0.964  0.999   1.0
    """
    name, chosen = _scale_of(scale, result)
    table = _reach(result, chosen)
    if not cumulative:
        table = np.diff(table, axis=1, prepend=0.0).clip(min=0.0)
    columns = pd.Index(chosen.words[::-1], name=name)
    return pd.DataFrame(table, index=result.index, columns=columns)


def _without_words(result: pd.DataFrame | pd.Series) -> NDArray[np.bool_]:
    """Rows to which no scale applies: shares, rates, mean scores, and coefficients that are never below 0."""
    columns = getattr(result, "columns", pd.Index([]))
    if not NOT_COEFFICIENTS.isdisjoint(columns):
        return np.ones(len(result), bool)
    in_index = "coefficient" in result.index.names
    if not in_index and "measure" not in columns:
        return np.zeros(len(result), bool)
    names = pd.Index(result.index.get_level_values("coefficient") if in_index else result["measure"])
    scaled = [r for r in REGISTRY.values() if r.on_scale_of_kappa or r.kind == "scores"]
    return np.asarray(~names.isin([name for r in scaled for name in (r.name, *r.aliases)] + ["conditional_kappa"]))


def _claims(result: pd.DataFrame | pd.Series, scale: Scale, column: str, probability: float) -> NDArray[np.int64]:
    """The highest band that each row reaches with the probability, as a position in the words; -1 for NaN."""
    if not (isinstance(probability, Real) and 0 < probability < 1):
        raise wrong_value("probability", probability, "must lie between 0 and 1", "0.95 is customary")
    if column != "estimate":
        problem = f"column={column!r} has no effect with probability=, which uses the estimate and its standard error"
        raise InputError(problem, "leave one of them out", option="column", code="idle option")
    reach = _reach(result, scale)
    steps_down = np.argmax(reach >= probability, axis=1)
    return np.where(np.isnan(reach).any(axis=1), -1, len(scale.words) - 1 - steps_down).astype(np.int64)


def _reach(result: pd.DataFrame | pd.Series, scale: Scale) -> Floats:
    """P(coefficient in this band or higher), bands from high to low: (rows, bands)."""
    from scipy.special import ndtr  # slower to import than this package, and needed only here

    if not isinstance(result, pd.DataFrame):
        problem = f"expected a result frame with the columns 'estimate' and 'se', not a {type(result).__name__}"
        raise InputError(problem, "probabilities need the standard error", code="no result")
    estimate, se = _values(result, "estimate"), _values(result, "se")
    lower = np.append(scale.cuts[::-1], -1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        above_one = ndtr((estimate - 1.0) / se)[:, None]
        mass = ndtr((estimate + 1.0) / se)[:, None] - above_one
        reach = (ndtr((estimate[:, None] - lower) / se[:, None]) - above_one) / mass
    exact = (se == 0) & ~np.isnan(estimate)
    highest = len(scale.words) - 1
    reach[exact] = np.arange(highest + 1) >= highest - scale.codes(estimate[exact])[:, None]
    return np.asarray(reach, dtype=np.float64)


def _values(result: pd.DataFrame | pd.Series, column: str) -> Floats:
    """One column of a result, or the Series itself, as floats with NaN for missing."""
    if isinstance(result, pd.Series):
        values, name = result, "the Series"
    elif not isinstance(result, pd.DataFrame):
        raise InputError(
            f"expected a result frame or a Series of estimates, not a {type(result).__name__}", code="no result"
        )
    elif column in result.columns:
        values, name = result[column], f"column {column!r}"
    else:
        raise ColumnError.missing(column, result.columns)
    try:
        return values.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        raise InputError(f"{name} holds values that are not numbers", "expected estimates", code="no result") from None

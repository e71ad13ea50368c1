"""Words for a coefficient: the published benchmarks as a table, and how to apply them.

A band is chosen by the estimate alone or, as Gwet proposes, by the highest band reached with a given probability when
the standard error is taken into account. Each benchmark was made for certain coefficients, and by default its words
stand beside these only. Benchmarks are conventions and differ from each other; none of them accounts for the cost of an
error in your project.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pandas_agreement.coefficients.registry import ALIASES, REGISTRY
from pandas_agreement.errors import ColumnError, InputError, called, choose, public, wrong_value
from pandas_agreement.options import is_number
from pandas_agreement.results.frames import TEXT
from pandas_agreement.results.tidy import coefficient_of, fact

__all__ = ["BENCHMARKS", "Benchmark", "interpret", "usual_benchmark"]

Floats: TypeAlias = NDArray[np.float64]

#: columns of results whose estimates are shares, mean scores or log-odds
NOT_COEFFICIENTS = {"judge_share", "judge_mean", "strength"}
Family: TypeAlias = Literal["kappa", "alpha", "icc"]  # coefficients that are read by the same benchmarks
DIGITS = 12  # estimates are rounded before the comparison with cut points: 0.1 + 0.2 + 0.3 is not above 0.6


@dataclass(frozen=True, eq=False)
class Benchmark:
    """A benchmark.

    Attributes
    ----------
    lowest : str
        The word below the first cut point.
    bands : tuple of (cut point, closed, word)
        The other words, from low to high, each with the cut point where it begins; `closed` is True if a value equal
        to the cut point belongs to the word.
    made_for : tuple of str
        The families of coefficients for which it was made, first the one for which it is the default.
    reference : str
        Where it was published.
    """

    lowest: str
    bands: tuple[tuple[float, bool, str], ...]
    made_for: tuple[Family, ...] = ()
    reference: str = ""

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

    def word(self, value: float) -> str:
        """The word of one value."""
        return self.words[int(self.codes(np.array([value]))[0])]


# Published tables have gaps (".20 | .21") or overlap ("between .5 and .75"). With a gap, .20 and below is the lower
# word; with an overlap, the cut point belongs to the higher word.
BENCHMARKS: dict[str, Benchmark] = {
    "landis_koch": Benchmark(
        "poor",
        (
            (0.0, True, "slight"),
            (0.2, False, "fair"),
            (0.4, False, "moderate"),
            (0.6, False, "substantial"),
            (0.8, False, "almost perfect"),
        ),
        ("kappa",),
        "Landis, J. R., & Koch, G. G. (1977). The measurement of observer agreement for categorical data. "
        "Biometrics, 33(1), 159-174, p. 165.",
    ),
    "fleiss": Benchmark(
        "poor",
        ((0.4, True, "fair to good"), (0.75, False, "excellent")),
        ("kappa",),
        "Fleiss, J. L. (1981). Statistical methods for rates and proportions (2nd ed.). Wiley, p. 218.",
    ),
    "altman": Benchmark(
        "poor",
        ((0.2, False, "fair"), (0.4, False, "moderate"), (0.6, False, "good"), (0.8, False, "very good")),
        ("kappa",),
        "Altman, D. G. (1991). Practical statistics for medical research. Chapman & Hall, p. 404.",
    ),
    "cicchetti": Benchmark(
        "poor",
        ((0.4, True, "fair"), (0.6, True, "good"), (0.75, True, "excellent")),
        ("kappa", "icc"),
        "Cicchetti, D. V. (1994). Guidelines, criteria, and rules of thumb for evaluating normed and "
        "standardized assessment instruments in psychology. Psychological Assessment, 6(4), 284-290.",
    ),
    "krippendorff": Benchmark(
        "unreliable",
        ((0.667, True, "tentative"), (0.8, True, "reliable")),
        ("alpha",),
        "Krippendorff, K. (2004). Content analysis: An introduction to its methodology (2nd ed.). Sage, p. 241.",
    ),
    "koo_li": Benchmark(
        "poor",
        ((0.5, True, "moderate"), (0.75, True, "good"), (0.9, False, "excellent")),
        ("icc",),
        "Koo, T. K., & Li, M. Y. (2016). A guideline of selecting and reporting intraclass correlation "
        "coefficients for reliability research. Journal of Chiropractic Medicine, 15(2), 155-163.",
    ),
}


def family(coefficient: Hashable) -> Family | None:
    """The family of a coefficient; None if no benchmark was made for it.

    >>> family("cohen_kappa"), family("alpha"), family("icc_a1"), family("observed")
    ('kappa', 'alpha', 'icc', None)
    """
    record = REGISTRY.get(ALIASES.get(str(coefficient), str(coefficient)))
    if record is None:
        return "kappa" if coefficient == "conditional_kappa" else None
    if record.needs_numbers:
        return "icc" if record.name.startswith("icc") or record.name == "ccc" else None
    if not record.on_scale_of_kappa:
        return None
    return "alpha" if record.name == "alpha" else "kappa"


def usual_benchmark(coefficient: Hashable) -> str:
    """The default benchmark of a coefficient; empty if none was made for it.

    >>> [usual_benchmark(name) for name in ("kappa", "alpha", "icc_a1", "observed")]
    ['landis_koch', 'krippendorff', 'koo_li', '']
    """
    found = family(coefficient)
    return "" if found is None else USUAL[found]


USUAL: dict[Family, str] = {"kappa": "landis_koch", "alpha": "krippendorff", "icc": "koo_li"}


def _benchmark_of(benchmark: str | Mapping[str, float]) -> tuple[str, Benchmark]:
    """A published benchmark by its name, or the user's own from the lower limits of its words; its name."""
    if not isinstance(benchmark, Mapping):
        return benchmark, choose("benchmark", benchmark, BENCHMARKS)
    words, limits = list(benchmark), list(benchmark.values())
    are_words = bool(words) and all(isinstance(word, str) and word.strip() for word in words)
    if not (are_words and all(map(_is_limit, limits)) and len(set(limits)) == len(limits)):
        problem = "must have labels with different cut points, numbers up to 1, such as {'weak': 0.4, 'good': 0.7}"
        raise wrong_value("benchmark", benchmark, problem)
    bands = sorted((float(limit), True, word) for word, limit in benchmark.items())
    lowest = bands.pop(0)[2] if bands[0][0] == -np.inf else f"below {bands[0][2]}"
    if lowest in words and len(bands) == len(words):
        raise wrong_value("benchmark", benchmark, f"names {lowest!r}, which is the name of the lowest band")
    return "custom", Benchmark(lowest, tuple(bands))


def _is_limit(limit: Any) -> bool:
    return isinstance(limit, Real) and not isinstance(limit, bool) and float(limit) <= 1


@overload
def interpret(
    result: pd.DataFrame | pd.Series,
    benchmark: str | Mapping[str, float] | None = None,
    column: str = "estimate",
    probability: float | None = None,
    at_least: float | None = None,
    detail: Literal[False] = False,
) -> pd.Series: ...


@overload
def interpret(
    result: pd.DataFrame | pd.Series,
    benchmark: str | Mapping[str, float] | None = None,
    column: str = "estimate",
    probability: float | None = None,
    at_least: float | None = None,
    *,
    detail: Literal[True],
) -> pd.DataFrame: ...


@public
def interpret(
    result: pd.DataFrame | pd.Series,
    benchmark: str | Mapping[str, float] | None = None,
    column: str = "estimate",
    probability: float | None = None,
    at_least: float | None = None,
    detail: bool = False,
) -> pd.Series | pd.DataFrame:
    """The benchmark label of each estimate, from a published benchmark or from your own.

    With `at_least` it answers whether each coefficient is large enough, based on its interval.

    Parameters
    ----------
    result : DataFrame or Series
        What a method of `df.agree` returned, or a Series of estimates.
    benchmark : str or dict, optional
        ``"landis_koch"``, ``"fleiss"``, ``"altman"``, ``"cicchetti"``, ``"krippendorff"`` or ``"koo_li"``, for all
        rows; or your own labels with their cut points, such as ``{"weak": 0.4, "good": 0.7}``. An estimate equal to a
        cut point has its label, and one below all of them is "below weak". The cut point ``-inf`` gives this band a
        label of its own. By default each row has the benchmark made for its coefficient: ``"krippendorff"`` for alpha,
        ``"koo_li"`` for intraclass and concordance correlations, and ``"landis_koch"`` for kappa and other coefficients
        that are corrected for chance in the same way.
    column : str, default "estimate"
        The column of `result` to interpret. Koo and Li recommend the interval instead of the estimate: ``"ci_low"``.
    probability : float, optional
        A number between 0 and 1, customarily 0.95. The label is then the highest one that the coefficient reaches with
        at least this probability, computed from the columns `estimate` and `se` (Gwet's probabilistic benchmarking).
    at_least : float, optional
        Use this value in place of a benchmark: "yes" if the lower bound of the interval is at or above it, "no" if the
        upper bound is below it, and otherwise "not settled". If there is no estimate or no interval, the answer is the
        reason.
    detail : bool, default False
        Add the probability of each label, from a normal distribution around the estimate with its standard error,
        truncated to [-1, 1].

    Returns
    -------
    Series or DataFrame
        A Series with the index of `result`. With `at_least` it contains text and is called "at_least". Otherwise it is
        an ordered Categorical that is called like the benchmark ("custom" for your own). Coefficients with different
        benchmarks cannot share one order, so without `benchmark` their labels are plain text, and the Series is called
        "benchmark". The label is missing if the estimate (or, with `probability`, its standard error) is missing, and
        for rows to which no benchmark applies (observed agreement, bias, rates, shares, mean scores). If the standard
        error is 0, only the estimate counts.

        With ``detail=True`` it is a DataFrame with the column `word` and then one column per label, the highest first,
        with its probability. With a standard error of 0 the label of the estimate has probability 1. With a missing one
        the probabilities are NaN.

    Notes
    -----
    The bands, from low to high. A cut point after ``[`` belongs to the band above it, and one after ``(`` does not:

    - landis_koch (for kappa): poor, [0 slight, (0.2 fair, (0.4 moderate, (0.6 substantial, (0.8 almost perfect
    - fleiss (for kappa): poor, [0.4 fair to good, (0.75 excellent
    - altman (for kappa): poor, (0.2 fair, (0.4 moderate, (0.6 good, (0.8 very good
    - cicchetti (for kappa and the intraclass correlation): poor, [0.4 fair, [0.6 good, [0.75 excellent
    - krippendorff (for alpha): unreliable, [0.667 tentative, [0.8 reliable
    - koo_li (for the intraclass correlation): poor, [0.5 moderate, [0.75 good, (0.9 excellent

    Estimates are rounded to 12 digits first, so that a rounding error does not cross a cut point.
    The publications are in the table ``BENCHMARKS`` (``from pandas_agreement.interpreting import BENCHMARKS``).

    References
    ----------
    Gwet, K. L. (2014). Handbook of inter-rater reliability (4th ed.). Advanced Analytics, chapter 6.

    Examples
    --------
    >>> import pandas as pd
    >>> from pandas_agreement import interpret
    >>> estimates = pd.Series([0.4, 0.41, -0.1, float("nan")], index=["mon", "tue", "wed", "thu"])
    >>> pd.DataFrame({"kappa": estimates, "words": interpret(estimates, "landis_koch")})
         kappa     words
    mon   0.40      fair
    tue   0.41  moderate
    wed  -0.10      poor
    thu    NaN       NaN

    Your own words and lower limits:

    >>> interpret(estimates, benchmark={"weak": 0.4, "good": 0.7}).tolist()
    ['weak', 'weak', 'below weak', nan]

    Large enough? The interval decides:

    >>> batches = pd.DataFrame({"ci_low": [0.81, 0.7, 0.5], "ci_high": [0.9, 0.9, 0.7]})
    >>> interpret(batches, at_least=0.8).tolist()
    ['yes', 'not settled', 'no']

    An estimate of 0.67 is "good" to Altman, but with a standard error of 0.15 only "moderate" can be claimed:

    >>> result = pd.DataFrame({"estimate": [0.67], "se": [0.15]})
    >>> result.assign(point=interpret(result, "altman"), claim=interpret(result, "altman", probability=0.95))
       estimate    se point     claim
    0      0.67  0.15  good  moderate
    >>> interpret(result, "altman", detail=True).round(3)
    altman  word  very good   good  moderate   fair   poor
    0       good      0.182  0.493     0.288  0.036  0.001
    """
    if at_least is not None:
        if (benchmark, column, probability, detail) != (None, "estimate", None, False):
            problem = "at_least= compares the interval with a number"
            problem += ", and benchmark=, column=, probability= and detail= mean nothing"
            raise InputError(problem, "leave them out", option="at_least", code="idle option")
        answers = settled(result, check_at_least(at_least, result))
        return pd.Series(answers, index=result.index, name="at_least", dtype=TEXT)
    values = _values(result, column)
    chosen, of_rows = _benchmarks(result, benchmark)
    codes = np.full(len(values), -1)
    for name, each in chosen.items():
        here = of_rows == name
        found = each.codes(values) if probability is None else _claims(result, each, column, probability)
        codes[here] = found[here]
    if len(chosen) > 1:
        if detail:
            raise _several(chosen)
        texts = np.full(len(codes), np.nan, object)
        for name, each in chosen.items():
            here = (of_rows == name) & (codes >= 0)
            texts[here] = np.array(each.words, object)[codes[here]]
        return pd.Series(texts, index=result.index, name="benchmark", dtype=TEXT)
    [(name, one)] = chosen.items()
    words = pd.Series(
        pd.Categorical.from_codes(codes, categories=pd.Index(one.words), ordered=True), index=result.index, name=name
    )
    return _with_probabilities(words, result, one, of_rows != "") if detail else words


def _benchmarks(
    result: pd.DataFrame | pd.Series, benchmark: str | Mapping[str, float] | None
) -> tuple[dict[str, Benchmark], NDArray[np.object_]]:
    """The benchmarks to apply by their names, and the name of that of each row; empty where no word applies."""
    names = _coefficients(result)
    if benchmark is not None:
        name, chosen = _benchmark_of(benchmark)
        return {name: chosen}, np.where(_without_words(result, names), "", name).astype(object)
    if names is None:
        if NOT_COEFFICIENTS.isdisjoint(getattr(result, "columns", [])):
            raise _unknown_coefficient(result)
        names = pd.Index([""]).repeat(len(result))
    places, different = pd.factorize(names)
    usual = np.array([*map(usual_benchmark, different), ""], object)  # the last is that of a missing name
    of_rows = usual[places]
    used = [name for name in BENCHMARKS if name in set(of_rows)] or [USUAL["kappa"]]
    return {name: BENCHMARKS[name] for name in used}, of_rows


def _coefficients(result: pd.DataFrame | pd.Series) -> pd.Index | None:
    """The coefficient of each row; findings of `diagnose` have it in the column `measure`."""
    names = coefficient_of(result)
    if names is None and "measure" in getattr(result, "columns", []):
        return pd.Index(result["measure"])
    return names


def _unknown_coefficient(result: pd.DataFrame | pd.Series) -> InputError:
    what = "a Series" if isinstance(result, pd.Series) else "this result"
    problem = f"{what} does not say to which coefficient the estimates belong, and benchmarks are made for coefficients"
    remedy = f"name the benchmark: {_for_whom()}"
    if isinstance(result, pd.DataFrame):
        remedy += "; or compute the result with detail=True, which adds the column 'coefficient'"
    return InputError(problem, remedy, option="benchmark", code="no coefficient")


def _for_whom() -> str:
    """The names of the benchmarks, and of what they were made for."""
    return ", ".join(f"{name!r} ({' and '.join(one.made_for)})" for name, one in BENCHMARKS.items())


def _several(chosen: Mapping[str, Benchmark]) -> InputError:
    problem = "detail=True adds one column per label, and these coefficients have different benchmarks"
    remedy = f"name one for all rows, such as benchmark={next(iter(chosen))!r}, or select the rows of one coefficient"
    return InputError(problem, remedy, option="detail", code="several benchmarks")


def _with_probabilities(
    words: pd.Series, result: pd.DataFrame | pd.Series, benchmark: Benchmark, applies: NDArray[np.bool_]
) -> pd.DataFrame:
    """The words, and the probability of each word, the highest first."""
    shares = np.diff(_reach(result, benchmark), axis=1, prepend=0.0).clip(min=0.0)
    shares = np.where(applies[:, None], shares, np.nan)
    frame = pd.DataFrame(shares, index=result.index, columns=benchmark.words[::-1])
    frame.insert(0, "word", words)
    frame.columns.name = words.name
    return frame


def check_at_least(at_least: float, result: pd.DataFrame | pd.Series | None = None) -> float:
    """The number that the rows of a result, or a coefficient, should reach."""
    if not is_number(at_least):
        raise wrong_value("at_least", at_least, "must be a number, such as 0.8")
    if at_least > 1 and (result is None or coefficient_of(result) is not None):
        hint = f"did you mean {at_least / 100:g}?" if at_least <= 100 else "give a number up to 1"
        raise wrong_value("at_least", at_least, "is higher than any coefficient can be", hint)
    return float(at_least)


#: intervals that `at_least` may go by, the first that a result has, and what is in them
INTERVALS = {"ci": "estimate", "difference": "difference", "accuracy": "accuracy"}


def settled(result: pd.DataFrame | pd.Series, at_least: float) -> list[str]:
    """Whether each row reaches a number, by its interval: yes, no, not settled, or why there is no answer."""
    columns = set(result.columns) if isinstance(result, pd.DataFrame) else set()
    found = [name for name in INTERVALS if {f"{name}_low", f"{name}_high"} <= columns]
    if not (found and isinstance(result, pd.DataFrame)):
        problem = "at_least= needs the interval, and there are no columns 'ci_low' and 'ci_high'"
        raise InputError(problem, "give the result with its interval", option="at_least", code="no interval")
    low, high, of = _values(result, f"{found[0]}_low"), _values(result, f"{found[0]}_high"), INTERVALS[found[0]]
    value = _values(result, of) if of in result else np.where(np.isnan(low), np.nan, 0.0)
    if len(low) and np.isnan(low).all() and not np.isnan(value).all() and not _explained(result):
        problem = "at_least= needs the interval, and this result has none"
        remedy = "compute it without ci=None, or with method='bca' where there is no other interval"
        raise InputError(problem, remedy, option="at_least", code="no interval")
    notes = result["note"].tolist() if "note" in result else [""] * len(result)
    answers = verdicts(low, high, at_least)
    without = ["undefined" if np.isnan(one) else "no interval" for one in value]
    return [
        answer or (f"{why}: {note}" if note else why) for answer, why, note in zip(answers, without, notes, strict=True)
    ]


def verdicts(low: Any, high: Any, at_least: float | None) -> list[str]:
    """Whether each interval is at or above a number, below it, or holds it; empty without an interval."""
    low, high = np.round(np.asarray(low, float), DIGITS), np.round(np.asarray(high, float), DIGITS)
    answers = np.select([low >= at_least, high < at_least, ~np.isnan(low)], ["yes", "no", "not settled"], "")
    return [str(answer) for answer in answers]


def _explained(result: pd.DataFrame) -> bool:
    """Whether intervals were asked for, so that notes say why there are none."""
    return fact(result, "ci_level") is not None


def _without_words(result: pd.DataFrame | pd.Series, names: pd.Index | None) -> NDArray[np.bool_]:
    """Rows to which no benchmark applies: shares, rates, mean scores, and coefficients that are never below 0."""
    if not NOT_COEFFICIENTS.isdisjoint(getattr(result, "columns", [])):
        return np.ones(len(result), bool)
    if names is None:
        return np.zeros(len(result), bool)
    scaled = [r for r in REGISTRY.values() if r.on_scale_of_kappa or r.needs_numbers]
    return np.asarray(~names.isin([name for r in scaled for name in (r.name, *r.aliases)] + ["conditional_kappa"]))


def _claims(
    result: pd.DataFrame | pd.Series, benchmark: Benchmark, column: str, probability: float
) -> NDArray[np.int64]:
    """The highest band that each row reaches with the probability, as a position in the words; -1 for NaN."""
    if not (isinstance(probability, Real) and 0 < probability < 1):
        raise wrong_value("probability", probability, "must lie between 0 and 1", "0.95 is customary")
    if column != "estimate":
        problem = f"column={column!r} has no effect with probability=, which uses the estimate and its standard error"
        raise InputError(problem, "leave one of them out", option="column", code="idle option")
    reach = _reach(result, benchmark)
    steps_down = np.argmax(reach >= probability, axis=1)
    return np.where(np.isnan(reach).any(axis=1), -1, len(benchmark.words) - 1 - steps_down).astype(np.int64)


def _reach(result: pd.DataFrame | pd.Series, benchmark: Benchmark) -> Floats:
    """P(coefficient in this band or higher), bands from high to low: (rows, bands)."""
    from scipy.special import ndtr  # slower to import than this package, and needed only here

    if not isinstance(result, pd.DataFrame):
        problem = f"expected a result frame with the columns 'estimate' and 'se', not {called(result)}"
        raise InputError(problem, "probabilities need the standard error", code="no result")
    estimate, se = _values(result, "estimate"), _values(result, "se")
    lower = np.append(benchmark.cuts[::-1], -1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        above_one = ndtr((estimate - 1.0) / se)[:, None]
        mass = ndtr((estimate + 1.0) / se)[:, None] - above_one
        reach = (ndtr((estimate[:, None] - lower) / se[:, None]) - above_one) / mass
    exact = (se == 0) & ~np.isnan(estimate)
    highest = len(benchmark.words) - 1
    reach[exact] = np.arange(highest + 1) >= highest - benchmark.codes(estimate[exact])[:, None]
    return np.asarray(reach, dtype=np.float64)


def _values(result: pd.DataFrame | pd.Series, column: str) -> Floats:
    """One column of a result, or the Series itself, as floats with NaN for missing."""
    if isinstance(result, pd.Series):
        values, name = result, "the Series"
    elif not isinstance(result, pd.DataFrame):
        raise InputError(f"expected a result frame or a Series of estimates, not {called(result)}", code="no result")
    elif column in result.columns:
        values, name = result[column], f"column {column!r}"
    else:
        raise ColumnError.missing(column, result.columns)
    try:
        return values.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        raise InputError(f"{name} holds values that are not numbers", "give estimates", code="no result") from None

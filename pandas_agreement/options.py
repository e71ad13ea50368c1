"""The options of all methods: one frozen object, made and checked when a method is called.

`Options` holds every option with its default, its documentation and its check, from which signatures, docs and type
stubs are made. `make_options` raises for an option that the method can never use and for a value that is never valid,
whatever the other options are. A valid value that a call does not need is accepted, so that one dictionary of options
serves several calls.
"""

from __future__ import annotations

import dataclasses
import numbers
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pandas_agreement.coefficients.registry import COMMON, FEATURES, Coefficient, find, having
from pandas_agreement.core.selection import RULES
from pandas_agreement.core.weights import LEVELS, SET_LEVELS, WEIGHTS, counterpart
from pandas_agreement.errors import InputError, choose, nearest, needs_weights, plain, shown, warn, wrong_value
from pandas_agreement.scales import MAKERS, Scale
from pandas_agreement.scales import read as read_scale

# The types of the options, for stubs and editors, including unambiguous words of other packages.
RowValues = Sequence[Any] | NDArray[Any] | pd.Series | pd.Index  # one per row of the frame
By = Hashable | Mapping[Any, Any] | RowValues  # a function and a Grouper are hashable
Clusters = Hashable | RowValues
Matrix = Sequence[Sequence[float]] | NDArray[Any] | pd.DataFrame
Weights = (
    Literal["nominal", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"]
    | Literal["squared", "interval", "equal", "identity", "unweighted"]
    | Scale
    | Matrix
    | Callable[[Any, Any], float]
    | Mapping[Any, Any]  # an entry for each of several label columns
)
Level = (
    Literal["nominal", "ordinal", "interval", "linear", "radical", "ratio", "circular", "bipolar", "jaccard", "masi"]
    | Literal["quadratic", "squared", "identity", "unweighted"]
    | Scale
    | Matrix
    | Callable[[Any, Any], float]
    | Mapping[Any, Any]  # an entry for each of several label columns
)
Missing = Literal["pairable", "all", "complete", "raise"]
Method = Literal["auto", "score", "analytic", "log", "jackknife", "percentile", "bca", "kalpha"]

Check = Callable[[str, Any], Any]  # (name, value) -> the value in the words of this package, or an error

#: words of other packages that have one meaning here
SAME_WEIGHTS = {
    "squared": "quadratic",
    "interval": "quadratic",
    "equal": "linear",
    "identity": "nominal",
    "unweighted": "nominal",
}
SAME_LEVELS = {"quadratic": "interval", "squared": "interval", "identity": "nominal", "unweighted": "nominal"}

#: options of other packages, and how they are written here
FOREIGN_OPTIONS = {
    "confidence": "ci={value!r}",
    "confidence_level": "ci={value!r}",
    "conf_level": "ci={value!r}",
    "alpha": "ci=0.95 (the level, not its complement)",
    "level_of_measurement": "level={value!r} for alpha, and weights={value!r} for the other coefficients",
    "n_boot": "n_resamples={value!r} with method='percentile' or method='bca'",
    "n_bootstrap": "n_resamples={value!r} with method='percentile' or method='bca'",
    "seed": "rng={value!r}",
    "random_state": "rng={value!r}",
    "group": "by={value!r}",
    "groupby": "by={value!r}",
    "raters": "the names of the coders one by one, as in df.agree.kappa('ann', 'bob')",
    "coders": "the names of the coders one by one, as in df.agree.kappa('ann', 'bob')",
}

MIN_RESAMPLES = 100
MAX_RESAMPLES = 10**7
BYTES_PER_RESAMPLE = 50  # of its value, and of what an interval makes of it
HUGE = 1e300
RESAMPLING_METHODS = ("percentile", "bca", "kalpha")


# ---------------------------------------------------------------------------------------------------------- checks


def _any(name: str, value: Any) -> Any:
    """No check: whether the value is valid depends on the data."""
    return value


def must(valid: Callable[[Any], bool], why: str) -> Check:
    """A check that accepts the values for which `valid` is true."""

    def check(name: str, value: Any) -> Any:
        if valid(value):
            return value
        raise wrong_value(name, value, why)

    return check


def one_of(*words: str | None) -> Check:
    def check(name: str, value: Any) -> Any:
        if value is not None or None not in words:
            choose(name, value, dict.fromkeys(word for word in words if word is not None))
        return value

    return check


def _named_or_given(table: Collection[str], same: Mapping[str, str]) -> Check:
    """A word of a table, a scale (also as text), or the user's own matrix or function."""

    def check(name: str, value: Any) -> Any:
        if value is not None and not isinstance(value, str):
            if any(value is make for make in MAKERS.values()):
                problem = f"{name}= is the function scales.{value.__name__} itself"
                raise InputError(problem, f"call it, as in {name}=scales.{value.__name__}(...)", option=name)
            return value
        if value is not None and "(" in value:
            return read_scale(value)
        word = same.get(str(value), value)
        choose(name, word, dict.fromkeys(table))
        return word

    return check


def is_number(value: Any) -> bool:
    """A number that arithmetic can use: no bool, NaN or infinity, and none beyond the range of floats."""
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    return real and bool(-HUGE < value < HUGE)


def is_whole(value: Any, least: int) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and bool(value >= least)


def _check_ci(name: str, value: Any) -> Any:
    if value is None or (is_number(value) and 0 < float(value) < 1):
        return value
    hint = f"did you mean ci={float(value) / 100:g}?" if is_number(value) and 1 < float(value) < 100 else ""
    raise wrong_value(name, value, "must be a level between 0 and 1, such as 0.95, or None", hint)


def _check_method(name: str, value: Any) -> Any:
    if isinstance(value, str) and value == "bootstrap":
        remedy = "write method='percentile' (plain) or method='bca' (corrected for bias and skew)"
        raise wrong_value(name, value, "can mean two intervals here", remedy, code="unknown value")
    return value  # the other methods depend on the coefficient: see `check_interval`


def _check_resamples(name: str, value: Any) -> Any:
    if is_whole(value, MIN_RESAMPLES) and value <= MAX_RESAMPLES:
        return int(value)
    if is_whole(value, MAX_RESAMPLES):
        need = f"would need about {int(value) * BYTES_PER_RESAMPLE // 10**9:,} GB for each group"
        raise wrong_value(
            name, value, need, f"5000 is customary, and the maximum is {MAX_RESAMPLES:,}", code="too large"
        )
    raise wrong_value(name, value, f"must be a whole number of {MIN_RESAMPLES} or more", "5000 is customary")


_check_sep = must(
    lambda value: value is None or (isinstance(value, str) and value != ""),
    "must be the text between two labels of a cell, such as '|'",
)
_check_rng = must(
    lambda value: value is None or is_whole(value, 0) or isinstance(value, np.random.Generator),
    "must be a whole number of 0 or more, a numpy Generator, or None",
)


def _check_categories(name: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        why = "cannot be a dict: all groups share their categories"
        remedy = f"list the categories of all groups, or write {name}='group' to count those seen in each group"
        raise wrong_value(name, value, why, remedy)
    return list(value) if isinstance(value, Iterator) else value  # it is read more than once


def check_bool(name: str, value: Any) -> Any:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise wrong_value(name, value, "must be True or False")


def check_list(name: str, value: Any) -> Any:
    """A name, or a list of names; None is the default."""
    if value is None or isinstance(value, str):
        return value
    listed = list(value) if isinstance(value, Iterable) and not isinstance(value, (bytes, Mapping)) else [None]
    if all(isinstance(each, str) for each in listed):
        return listed
    raise wrong_value(name, value, "must be a name or a list of names")


#: checks of the keywords of single methods; a word, such as alternative='less', is checked where the others are known
KEYWORDS: dict[str, Check] = {
    "n": must(lambda value: is_whole(value, 1), "must be a whole number above 0: how many to show"),
    "share": must(
        lambda value: is_number(value) and 0 < float(value) < 1,
        "must lie between 0 and 1: the share of the differences within the limits",
    ),
    "title": must(lambda value: isinstance(value, str), "must be text"),
    "margin": must(
        lambda value: value is None or (is_number(value) and 0 <= float(value) < 1),
        "must be a number from 0 to below 1: how far below the humans is still as good as a human",
    ),
    "epsilon": must(
        lambda value: value is None or (is_number(value) and 0 <= float(value) < 1),
        "must be a number from 0 to below 1: the advantage that the judge gets for being cheaper",
    ),
    "iou": must(
        lambda value: is_number(value) and 0 <= float(value) <= 1,
        "must be between 0 (share a position) and 1 (same start and end)",
    ),
    "min_items": must(lambda value: is_whole(value, 2), "must be a whole number of 2 or more"),
    "by_human": check_bool,
    "equivalence": check_bool,
    "metric": check_list,
    "metrics": check_list,
    "tests": check_list,
    "smoothing": must(lambda value: is_number(value) and float(value) >= 0, "must be a number of 0 or more"),
    "position": check_bool,
    "contrasts": check_bool,
    "full": check_bool,
    "common": check_bool,
    "multilabel": check_bool,
    "by_category": check_bool,
    "pictures": check_bool,
    "date": must(lambda value: value is None or isinstance(value, date), "must be a date"),
}


def check_keyword(name: str, value: Any) -> Any:
    """The value of a keyword of a single method, checked if `KEYWORDS` has it."""
    return KEYWORDS.get(name, _any)(name, value)


# ---------------------------------------------------------------------------------------------------------- options


def _option(default: Any, type_: str, doc: str, check: Check) -> Any:
    return dataclasses.field(default=default, metadata={"type": type_, "doc": doc, "check": check})


@dataclass(frozen=True, eq=False)
class Options:
    """Every option of a call, checked; `given` are the options that the user named."""

    by: By = _option(
        None,
        "column name, list of names, or anything `groupby` takes, optional",
        "Compute one row per group, in one pass. Key columns are never taken for coders. All groups share their "
        "categories.",
        _any,
    )
    overall: bool = _option(
        False,
        "bool",
        "Add a row for all items together, with the key '(all)', after those of the groups. Its numbers are those of "
        "the call without `by`. If the keys are not text, the index level has the dtype object.",
        check_bool,
    )
    weights: Weights = _option(
        "nominal",
        "str, scale, K x K array or DataFrame, or function",
        "Partial credit for different labels: 'nominal', 'linear', 'quadratic', 'ordinal', 'radical', 'ratio', "
        "'circular', 'bipolar', a scale of `pandas_agreement.scales` such as `within(1)`, a matrix of agreement "
        "weights (1 on the diagonal; a DataFrame is matched by label), or a symmetric function of two labels that "
        "returns such a weight. Numbers are compared by value, ordered Categoricals by position. For several label "
        "columns pass a dict with an entry for each.",
        _named_or_given(WEIGHTS, SAME_WEIGHTS),
    )
    level: Level = _option(
        "nominal",
        "str, scale, K x K array or DataFrame, or function",
        "Level of measurement: 'nominal', 'ordinal', 'interval' (squared differences; also 'quadratic'), 'linear' "
        "(absolute differences), 'radical' (their roots), 'ratio', 'circular', 'bipolar', 'jaccard', 'masi', a scale "
        "of `pandas_agreement.scales` such as `circular(360)`, a matrix of distances (0 on the diagonal; a DataFrame "
        "is matched by label), or a function of two labels. Numbers are compared by value, ordered Categoricals by "
        "position. For several label columns pass a dict with an entry for each.",
        _named_or_given([*LEVELS, *SET_LEVELS], SAME_LEVELS),
    )
    sep: str | None = _option(
        None,
        "str, optional",
        "The separator of the labels in a cell, such as '|', for level='jaccard' and 'masi'. Lists and sets need none.",
        _check_sep,
    )
    pool: Literal["coders", "pairs"] = _option(
        "coders",
        "{'coders', 'pairs'}",
        "What counts equally if there are more than two coders: 'coders', or 'pairs' of labels, so that a pair of "
        "coders counts as often as it shares items (for crowds, where some coders labelled only a few items).",
        one_of("coders", "pairs"),
    )
    categories: Iterable[Any] | pd.CategoricalDtype | None = _option(
        None,
        "list or 'group', optional",
        "All categories, the lowest first if they are ordered. Default: those of a Categorical, else the labels in the "
        "data. All groups of `by` share them, unless you pass 'group', which counts the categories seen in each group. "
        "This changes only ac1, s and perreault_leigh, which must then be nominal.",
        _check_categories,
    )
    missing: Missing = _option(
        "pairable",
        "{'pairable', 'all', 'complete', 'raise'}",
        "Which items count: those with two or more labels; also those with one label, for the label distributions; "
        "only those that every coder labelled; or all items, where a missing label raises an error.",
        one_of(*RULES),
    )
    ci: float | None = _option(
        0.95, "float or None", "Level of the interval. None computes the estimate alone, which is faster.", _check_ci
    )
    method: Method = _option(
        "auto",
        "{'auto', 'score', 'analytic', 'log', 'jackknife', 'percentile', 'bca'}",
        "How the interval is computed. The column `ci_method` shows the method that was used.",
        _check_method,
    )
    clusters: Clusters = _option(
        None,
        "column name, optional",
        "Items that belong together (sentences of a document, visits of a patient). The standard error accounts for "
        "it.",
        _any,
    )
    frequency: Hashable = _option(
        None,
        "column name, optional",
        "The number of items that a row stands for, a whole number. The results are those of a frame in which each row "
        "is repeated this number of times; rows with 0 do not count. In long data give all rows of an item the same "
        "frequency.",
        _any,
    )
    sampling: Literal["items", "coders", "both"] = _option(
        "items",
        "{'items', 'coders', 'both'}",
        "What the interval is about: other items labelled by these coders, other coders of these items, or both. If "
        "coders are a sample, there must be three or more, and they are left out one at a time.",
        one_of("items", "coders", "both"),
    )
    n_resamples: int = _option(
        5000, "int", "Number of resamples for 'percentile' (2,000 or more) and 'bca' (5,000 or more).", _check_resamples
    )
    rng: int | np.random.Generator | None = _option(
        None, "int or numpy Generator, optional", "Seed of the resamples, for reproducible results.", _check_rng
    )
    progress: bool = _option(False, "bool", "Show a progress bar, which needs tqdm.", check_bool)
    detail: bool = _option(
        False, "bool", "Add columns that describe how the numbers were computed, and the remarks in full.", check_bool
    )
    given: frozenset[str] = frozenset()
    stands_for_both: str = ""  # "weights" or "level" if that one, which was given, stands for both
    not_coders: frozenset[Hashable] = frozenset()  # columns that are neither coders nor categories, such as gold labels

    def but(self, **changes: Any) -> Options:
        """Change some options as if the user had given them."""
        return dataclasses.replace(self, **changes, given=self.given | changes.keys())

    def without(self, *names: str) -> Options:
        """Reset some options to their defaults."""
        defaults = {name: OPTIONS[name].default for name in names}
        word = "" if self.stands_for_both in names else self.stands_for_both
        return dataclasses.replace(self, **defaults, given=self.given - set(names), stands_for_both=word)

    def only(self, *names: str) -> Options:
        """Reset all other options to their defaults."""
        return self.without(*(name for name in self.given if name not in names))

    def at(self, word: str, value: Any) -> Options:
        """Set `weights` or `level` for all coefficients."""
        return dataclasses.replace(self.but(**{word: value}), stands_for_both=word)

    @property
    def resamples(self) -> bool:
        """Whether the interval comes from resamples."""
        return self.method in RESAMPLING_METHODS

    @property
    def nominal(self) -> bool:
        """Labels are the same or not: neither weights nor a level above the nominal one."""
        return is_nominal(self.weights) and is_nominal(self.level)


@dataclass(frozen=True, eq=False)
class Option:
    """One option: its default, type, documentation and check."""

    name: str
    default: Any
    annotation: str
    type: str
    doc: str
    check: Check


OPTIONS: dict[str, Option] = {
    field.name: Option(field.name, field.default, str(field.type), **field.metadata)
    for field in dataclasses.fields(Options)
    if field.metadata
}


# ------------------------------------------------------------------------------------------------------- validation


def make_options(
    given: Mapping[str, Any],
    method: str,
    records: Sequence[Coefficient] = (),
    shared: Iterable[str] = COMMON,
    one_word: bool = False,
    without: Collection[str] = (),
    own: Iterable[str] = (),
) -> Options:
    """Check the options given to a method and make an `Options` object.

    The method takes the options in `shared` and those of the coefficients `records`, all of which must support the
    method of the interval, but none of those in `without`. With `one_word` it takes `weights` and `level`, and a single
    one of them stands for both. `own` are its own keywords, for messages.
    """
    known = allowed_options(tuple(records), (*shared, *(ONE_WORD if one_word else ())))
    allowed = [name for name in known if name not in without]
    for name in given:
        if name not in allowed:
            raise unknown_option(method, name, given, [*own, *allowed], records)
    checked = {name: OPTIONS[name].check(name, plain(value)) for name, value in given.items()}
    words = [name for name in ONE_WORD if name in given] if one_word else []
    options = Options(**checked, given=frozenset(checked), stands_for_both=words[0] if len(words) == 1 else "")
    check_interval(options, records)
    for record in records if words else ():
        check_form(record, options)
    return options


ONE_WORD = ("weights", "level")  # one of them stands for both where several coefficients are computed


def weights_for(given: Mapping[str, Any]) -> Any:
    """The weights of a call in which `level` alone stands for both; None for a level without weights.

    >>> weights_for({"level": "interval"}), weights_for({"level": "masi"})
    ('quadratic', None)
    """
    if "weights" in given or "level" not in given:
        return given.get("weights", "nominal")
    level = given["level"]
    if not isinstance(level, str) or "(" in level:  # a scale, also as text, is one of weights too
        return level
    return None if level in SET_LEVELS else counterpart("level", SAME_LEVELS.get(level, level)) or "nominal"


def as_scores(options: Options) -> bool:
    """Whether numbers are compared by squared differences, so that they need not be coded as categories."""
    chosen = getattr(options, options.stands_for_both) if options.stands_for_both else options.level
    return isinstance(chosen, str) and chosen in ("interval", "quadratic") and options.categories is None


def is_nominal(chosen: Any) -> bool:
    """Whether weights or a level give no partial credit."""
    return isinstance(chosen, str) and chosen == "nominal"


def own_option(record: Coefficient) -> str:
    """The option of a coefficient for how far labels are apart."""
    return "level" if record.accepts("level") else "weights"


def as_written(record: Coefficient, options: Options) -> tuple[str, Any]:
    """The option that says how far labels are apart, and its value, for a coefficient."""
    own = own_option(record)
    asked = options.stands_for_both or own
    return asked, getattr(options, asked) if record.accepts(own) else "nominal"


def lacks_form(record: Coefficient, options: Options) -> bool:
    """Whether a coefficient of labels has no form with the weights or the level of the call."""
    own = own_option(record)
    asked = options.stands_for_both or own
    chosen = getattr(options, asked)
    if record.needs_numbers or is_nominal(chosen):
        return False
    return not record.accepts(own) or (asked != own and counterpart(asked, chosen) is None)


def check_form(record: Coefficient, options: Options) -> None:
    """Raise for a coefficient without a form for the weights or the level that stand for all coefficients."""
    if not lacks_form(record, options):
        return
    asked = options.stands_for_both or "weights"
    chosen = getattr(options, asked)
    sets = asked == "level" and isinstance(chosen, str) and chosen in SET_LEVELS
    remedy = "compare sets by metrics='alpha'" if sets else "the weighted form is 'ac2'" if record.name == "ac1" else ""
    remedy = remedy or "leave it out, or leave out the option"
    form = f"{asked}={shown(chosen)}" if isinstance(chosen, (str, Scale)) else f"{asked}= of your own"
    facts = {"coefficient": record.name, "chosen": chosen}
    raise InputError(f"{record.name} has no form with {form}", remedy, option=asked, code="no such form", **facts)


def check_interval(options: Options, records: Iterable[Coefficient]) -> None:
    """Raise unless every coefficient supports the method of the interval, even with ci=None."""
    for record in records if "method" in options.given else ():
        choose("method", options.method, dict.fromkeys(record.all_methods))


@lru_cache(maxsize=512)
def allowed_options(records: tuple[Coefficient, ...], shared: tuple[str, ...]) -> dict[str, None]:
    """The options that a method takes, in the order of their documentation."""
    return dict.fromkeys([*shared, *(name for record in records for name in record.all_options)])


def unknown_option(
    method: str,
    name: str,
    given: Mapping[str, Any],
    allowed: Iterable[str],
    records: Sequence[Coefficient] = (),
    then: str = "",
) -> InputError:
    """The error for an option that a method does not have, with the likely intention as remedy.

    `then` is a method of what this method returns, which has the options.
    """
    names, twin = list(allowed), {"weights": "level", "level": "weights"}.get(name, "")
    instead = twin if twin in names else ""
    if not instead and name == "weights" and any(record.name == "ac1" for record in records):
        instead = "ac2"
    remedy = _suggestion(name, given, names, records, instead)
    if then and name in OPTIONS:
        remedy = f"say it in the method: df.agree.{method}(...).{then}({name}={shown(given[name])})"
    if name == "overall" and "by" in names:
        remedy = "its result has no rows per group"
    return InputError(f"{method} has no option {name!r}", remedy, option=name, code="unknown option", instead=instead)


def _suggestion(
    name: str, given: Mapping[str, Any], allowed: Sequence[str], records: Sequence[Coefficient], instead: str
) -> str:
    value = given[name]
    if instead:
        return "the weighted form is 'ac2'" if instead == "ac2" else f"it is called {instead!r} there"
    if name in SAID_BEFORE and "humans" not in allowed:  # such as humans= of `judges`
        return f"say it in df.agree.{SAID_BEFORE[name]}(..., {name}={shown(value)})"
    if name in OF_SCALES and {*ONE_WORD} & {*allowed}:
        word = "level" if "level" in given or "weights" not in allowed else "weights"
        call = f"scales.{OF_SCALES[name]}({name}={shown(value)})"
        return f"write {word}={call} (from pandas_agreement import scales)"
    if name in FEATURES and records and not any(record.has(name) for record in records):
        return f"it is an option of {', '.join(map(repr, having(name)))}"
    if name == "frequency":
        return f"repeat the rows: df.loc[df.index.repeat(df[{shown(value)}])]"
    if name in FOREIGN_OPTIONS:
        return f"write {FOREIGN_OPTIONS[name].format(value=value)}"
    return nearest(name, allowed)


#: what is said in the call before a method
SAID_BEFORE = {"duplicates": "long", "human": "preferences", "humans": "judges", "invalid": "judges"}
#: arguments of scales that people try as options
OF_SCALES = {"period": "circular", "low": "bipolar", "high": "bipolar", "tolerance": "within"}


# ------------------------------------------------------------------------------------------------------ coefficients

DEFAULT_METRICS = ("observed", "kappa", "pi", "alpha", "ac1", "s")
WEIGHTED_ALIASES = ("weighted_kappa",)  # names of other packages for the weighted form, which have no default weights


def metrics_for(metrics: str | Sequence[str] | None, weights: Any = "nominal") -> list[str]:
    """The names of the chosen coefficients; by default several, with AC2 instead of AC1 if there are weights.

    `weights` are None for a level that has none, which leaves only alpha.
    """
    if weights is None and metrics is None:
        return _of_level_alone()
    nominal = isinstance(weights, str) and is_nominal(SAME_WEIGHTS.get(weights, weights))
    metrics = check_list("metrics", metrics)
    if metrics is not None:
        listed = [metrics] if isinstance(metrics, str) else list(metrics)
        for name in listed if nominal else ():
            if name in WEIGHTED_ALIASES:
                raise needs_weights(name)
        return list(dict.fromkeys(find(name).name for name in listed))
    return ["ac2" if name == "ac1" and not nominal else name for name in DEFAULT_METRICS]


def _of_level_alone() -> list[str]:
    """The coefficients of `DEFAULT_METRICS` that have a level."""
    return [name for name in DEFAULT_METRICS if find(name).accepts("level")]


def warn_of_sets() -> None:
    """Tell the user of the coefficients of `DEFAULT_METRICS` that have no form for sets."""
    named = _of_level_alone()
    others = [name for name in DEFAULT_METRICS if name not in named]
    problem = f"{', '.join(others[:-1])} and {others[-1]} have no form for sets of labels and are left out"
    warn(problem, f"metrics={named} says that you know", option="level", code="left out")


def listed_categories(options: Options) -> bool:
    """Whether the call lists the categories in order; a dtype counts as the order of the data."""
    return options.categories is not None and not isinstance(options.categories, (pd.CategoricalDtype, str))

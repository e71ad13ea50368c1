"""`plot_result`: one function for every result, recognized by its columns and the levels of its index."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from pandas_agreement.errors import InputError
from pandas_agreement.plotting.distributions import bland_altman, items, replicates
from pandas_agreement.plotting.forest_plots import by_category, coders, differences, forest
from pandas_agreement.plotting.heat_maps import bias, confusion, confusions, pairwise
from pandas_agreement.plotting.judge_plots import judge_and_humans, versus_humans
from pandas_agreement.plotting.preference_plots import position_bias, strengths
from pandas_agreement.plotting.truth_plots import skill
from pandas_agreement.results import schemas

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _pairs(result: pd.DataFrame, **kwargs: Any) -> Axes:
    """A heat map of one coefficient without groups, else one row per pair."""
    keys = [name for name in result.index.names if name not in ("coder_1", "coder_2", "coefficient")]
    found = result.index.get_level_values("coefficient").unique()
    return pairwise(result, **kwargs) if len(found) == 1 and not keys else forest(result, **kwargs)


def _concordance(result: pd.DataFrame, **kwargs: Any) -> Axes:
    named = pd.concat({"ccc": result.rename(columns={"ccc": "estimate"})}, names=["coefficient"])
    return forest(named, **kwargs)


def _indices(result: pd.DataFrame, **kwargs: Any) -> Axes:
    """Kappa between its bounds, given the marginal distributions."""
    columns = {"kappa": "estimate", "kappa_min": "ci_low", "kappa_max": "ci_high"}
    named = pd.concat({"kappa": result.rename(columns=columns)}, names=["coefficient"])
    title = {"title": "kappa between the least and the greatest that the margins allow"}
    return forest(named, **(title | kwargs), header="kappa  [least, greatest]")


def _of_candidates(result: pd.DataFrame, **kwargs: Any) -> Axes:
    return differences(result, **({"title": "Differences of the candidates"} | kwargs))


class Kind(NamedTuple):
    """How a result is recognized, and which function draws it."""

    name: str
    levels: tuple[str, ...]  # of the index
    columns: Iterable[str]
    draw: Callable[..., Axes] | None  # None: a table without a picture


#: the first kind whose levels and columns are in the result is taken
KINDS = (
    Kind("categories", ("category", "coefficient"), schemas.CATEGORY, by_category),
    Kind("pairs", ("coder_1", "coder_2", "coefficient"), schemas.RESULT, _pairs),
    Kind("coefficients", ("coefficient",), schemas.RESULT, forest),
    Kind("differences", ("first", "second"), schemas.CONTRASTS, differences),
    Kind("differences of candidates", ("candidate_1", "candidate_2"), schemas.CONTRASTS, _of_candidates),
    Kind("judges and humans", ("judge", "coder", "coefficient"), schemas.VERSUS_HUMAN, judge_and_humans),
    Kind("judges", ("judge", "coefficient"), schemas.VERSUS, versus_humans),
    Kind("ceilings", ("judge", "coder"), schemas.CEILINGS, versus_humans),
    Kind("position bias", ("coefficient",), schemas.POSITION_BIAS, position_bias),
    Kind("strengths", ("candidate",), schemas.STRENGTHS, strengths),
    Kind("margins", ("coder", "category"), schemas.MARGINS, bias),
    Kind("coders", ("coder",), schemas.CODERS, coders),
    Kind("inferred skill", ("coder",), schemas.TRUTH_CODERS, skill),
    Kind("error rates", ("coder", "true", "given"), schemas.TRUTH_CONFUSIONS, confusions),
    Kind("inferred labels", (), schemas.TRUTH_ITEMS, None),
    Kind("class shares", ("category",), schemas.TRUTH_SHARES, None),
    Kind("summaries of a fit", ("method",), schemas.TRUTH_SUMMARY, None),
    Kind("qualification", ("coder",), schemas.TRUTH_QUALIFY, None),
    Kind("items", (), schemas.ITEMS, items),
    Kind("limits", ("coder_1", "coder_2"), schemas.LIMITS, bland_altman),
    Kind("concordance", ("coder_1", "coder_2"), schemas.CONCORDANCE, _concordance),
    Kind("indices", ("coder_1", "coder_2"), schemas.INDICES, _indices),
    Kind("replicates", ("coefficient", "replicate"), ("value",), replicates),
    Kind("tests", ("test",), schemas.TESTS, None),
    Kind("tests of scores", ("test",), schemas.SCORE_TESTS, None),
    Kind("heterogeneity", ("test",), schemas.HETEROGENEITY, None),
    Kind("tests of chance", ("test",), schemas.CHANCE, None),
    Kind("components", (), schemas.COMPONENTS, None),
    Kind("findings", ("finding",), schemas.FINDINGS, None),
)


def plot_result(result: pd.DataFrame, **kwargs: Any) -> Axes:
    """Draw a result with the function for its kind.

    Coefficients become a forest plot, pairs a heat map (with groups a forest plot), categories, coders, differences,
    candidates, judges and limits of agreement one row each, margins the picture of bias, items and replicates their
    distributions, a confusion a heat map.

    Parameters
    ----------
    result : DataFrame
        What a method of `df.agree` returned, as it is or with rows left out.
    **kwargs
        `ax`, `figsize`, `title` and the options of the picture; see `pandas_agreement.plotting`.

    Returns
    -------
    Axes

    Examples
    --------
    >>> example = pandas_agreement.load_example()
    >>> ax = pandas_agreement.plot_result(example.agree.kappa("ann", "bob", by="batch"))
    >>> ax.get_title(loc="left")
    'kappa by batch'
    """
    if not isinstance(result, pd.DataFrame):
        raise InputError(
            f"plot_result draws a DataFrame that a method of df.agree returned, not a {type(result).__name__}",
            code="no result",
        )
    kind = next((kind for kind in KINDS if _fits(result, kind)), None)
    if kind is None and _is_confusion(result):
        return confusion(result, **kwargs)
    if kind is None:
        names: list[Hashable] = list(result.index.names)
        index = "unnamed" if names == [None] else ", ".join(map(repr, names))
        raise InputError(
            f"this frame is not a result of df.agree: its index is {index} and its columns begin with "
            f"{', '.join(map(repr, result.columns[:4]))}",
            "draw what df.agree returned, with all its columns",
            code="no result",
        )
    if kind.draw is None:
        raise InputError(f"there is no picture of a table of {kind.name}", "read the table")
    return kind.draw(result, **kwargs)


def _fits(result: pd.DataFrame, kind: Kind) -> bool:
    return set(kind.levels) <= set(result.index.names) and set(kind.columns) <= set(result.columns)


def _is_confusion(result: pd.DataFrame) -> bool:
    """Integer counts with the same labels in rows and columns."""
    inner = result.index.get_level_values(-1)
    square = len(result.columns) > 0 and inner.unique().equals(result.columns.rename(inner.name))
    return square and all(pd.api.types.is_integer_dtype(dtype) for dtype in result.dtypes)

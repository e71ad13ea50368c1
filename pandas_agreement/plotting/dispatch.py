"""One function for every result: it is known by its columns and by the levels of its index."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from pandas_agreement.errors import InputError
from pandas_agreement.plotting.distributions import bland_altman, items, replicates
from pandas_agreement.plotting.forest_plots import by_category, coders, differences, forest
from pandas_agreement.plotting.heat_maps import bias, confusion, pairwise
from pandas_agreement.results import schemas

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _pairs(result: pd.DataFrame, **kwargs: Any) -> Axes:
    """A heat map of one coefficient without groups, else a row each."""
    keys = [name for name in result.index.names if name not in ("coder_1", "coder_2", "coefficient")]
    found = result.index.get_level_values("coefficient").unique()
    return pairwise(result, **kwargs) if len(found) == 1 and not keys else forest(result, **kwargs)


def _concordance(result: pd.DataFrame, **kwargs: Any) -> Axes:
    return forest(_with_name(result.rename(columns={"ccc": "estimate"}), "ccc"), **kwargs)


def _indices(result: pd.DataFrame, **kwargs: Any) -> Axes:
    """Kappa within the least and the greatest that the margins allow."""
    names = {"kappa": "estimate", "kappa_min": "ci_low", "kappa_max": "ci_high"}
    title = {"title": "kappa between the least and the greatest that the margins allow"}
    return forest(
        _with_name(result.rename(columns=names), "kappa"), **(title | kwargs), header="kappa  [least, greatest]"
    )


def _with_name(result: pd.DataFrame, coefficient: str) -> pd.DataFrame:
    return pd.concat({coefficient: result}, names=["coefficient"])


class Kind(NamedTuple):
    """How a result is known, and what draws it."""

    name: str
    levels: tuple[str, ...]  # of the index
    columns: tuple[str, ...]
    draw: Callable[..., Axes] | None  # None: a table to read


def _kind(name: str, levels: tuple[str, ...], schema: dict[str, Any], draw: Callable[..., Axes] | None) -> Kind:
    return Kind(name, levels, tuple(schema), draw)


#: the first that fits is taken
KINDS = (
    Kind("categories", ("category", "coefficient"), (*schemas.RESULT, *schemas.CATEGORY), by_category),
    _kind("pairs", ("coder_1", "coder_2", "coefficient"), schemas.RESULT, _pairs),
    _kind("coefficients", ("coefficient",), schemas.RESULT, forest),
    _kind("differences", ("first", "second"), schemas.CONTRASTS, differences),
    _kind("margins", ("coder", "category"), schemas.MARGINS, bias),
    _kind("coders", ("coder",), schemas.CODERS, coders),
    _kind("items", (), schemas.ITEMS, items),
    _kind("limits", ("coder_1", "coder_2"), schemas.LIMITS, bland_altman),
    _kind("concordance", ("coder_1", "coder_2"), schemas.CONCORDANCE, _concordance),
    _kind("indices", ("coder_1", "coder_2"), schemas.INDICES, _indices),
    Kind("replicates", ("coefficient", "replicate"), ("value",), replicates),
    _kind("tests", ("test",), schemas.TESTS, None),
    _kind("tests of scores", ("test",), schemas.SCORE_TESTS, None),
    _kind("heterogeneity", ("test",), schemas.HETEROGENEITY, None),
    _kind("tests of chance", ("test",), schemas.CHANCE, None),
    _kind("components", (), schemas.COMPONENTS, None),
    _kind("findings", ("finding",), schemas.FINDINGS, None),
)


def plot_result(result: pd.DataFrame, **kwargs: Any) -> Axes:
    """Draw a result the way that fits it.

    Coefficients become a forest, pairs a heat map (with groups a forest), categories, coders and differences rows,
    margins the picture of bias, items and replicates their distributions, limits of agreement rows, a confusion its
    table.

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
            f"plot_result draws a DataFrame that a method of df.agree returned, not a {_type(result)}", code="no result"
        )
    kind = next((kind for kind in KINDS if _fits(result, kind)), None)
    if kind is None and _is_confusion(result):
        return confusion(result, **kwargs)
    if kind is None:
        raise InputError(
            f"this frame is no result of df.agree, so nobody knows how to draw it: its index is {_shown(result)} "
            f"and its columns begin with {', '.join(map(repr, result.columns[:4]))}",
            "draw what df.agree returned, with all its columns",
            code="no result",
        )
    if kind.draw is None:
        raise InputError(f"a table of {kind.name} is to be read", "there is no picture of it")
    return kind.draw(result, **kwargs)


def _type(value: Any) -> str:
    return type(value).__name__


def _shown(result: pd.DataFrame) -> str:
    names: list[Hashable] = list(result.index.names)
    return "unnamed" if names == [None] else ", ".join(map(repr, names))


def _fits(result: pd.DataFrame, kind: Kind) -> bool:
    return set(kind.levels) <= set(result.index.names) and set(kind.columns) <= set(result.columns)


def _is_confusion(result: pd.DataFrame) -> bool:
    """Counts with the same labels in rows and columns."""
    inner = result.index.get_level_values(-1)
    square = len(result.columns) > 0 and inner.unique().equals(result.columns.rename(inner.name))
    return square and all(pd.api.types.is_integer_dtype(dtype) for dtype in result.dtypes)

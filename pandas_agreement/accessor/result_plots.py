"""`.plot` on what `judges(...)`, `truth(...)`, `coder_groups(...)` and `preferences(...)` return."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pandas_agreement.errors import UnknownMethodError, nearest, public

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOOK = ("ax", "figsize", "title", "style")


class ResultPlots:
    """Plots of tables: `<kind>(...)` has the options of the method behind it, and `ax`, `figsize`, `title`, `style`."""

    __slots__ = ("_methods", "_source")

    def __init__(self, source: Any, methods: Mapping[str, str]) -> None:
        self._source, self._methods = source, methods

    def __dir__(self) -> list[str]:
        return sorted(self._methods)

    def __repr__(self) -> str:
        return f"Plots of tables. Kinds: {', '.join(self._methods)}."

    def __getattr__(self, name: str) -> Callable[..., Axes]:
        if name.startswith("_"):  # of pickle and copy, before there is `_methods`
            raise AttributeError(name)
        if name not in self._methods:
            raise UnknownMethodError(f"plot has no kind {name!r}", nearest(name, self._methods), code="unknown kind")
        return _drawn(getattr(self._source, self._methods[name]), name)


def _drawn(method: Callable[..., Any], name: str) -> Callable[..., Axes]:
    """The method with a plot in place of its table."""

    @public
    @functools.wraps(method)
    def draw(*names: Any, **given: Any) -> Axes:
        from pandas_agreement.plotting import plot, style

        style.check_axes(given.get("ax"))  # raises without matplotlib, before anything is computed
        look = {each: given.pop(each) for each in LOOK if each in given}
        return plot(method(*names, **given | detail), **look)

    shown = inspect.signature(method)
    detail = {"detail": True} if "detail" in shown.parameters else {}  # marks that only details allow
    look = [inspect.Parameter(each, inspect.Parameter.KEYWORD_ONLY, default=None) for each in LOOK]
    draw.__name__, draw.__doc__ = name, f"Plot of this table: {inspect.getdoc(method)}"
    draw.__signature__ = shown.replace(  # type: ignore[attr-defined]
        parameters=[*shown.parameters.values(), *look], return_annotation="Axes"
    )
    return draw

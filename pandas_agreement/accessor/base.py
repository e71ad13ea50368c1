"""What every method stands on: reading the data, measuring, names that are aliases."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from pandas_agreement import engine, options
from pandas_agreement.coefficients.registry import ALIASES, Coefficient
from pandas_agreement.data import Cells, Reading, set_cells
from pandas_agreement.errors import InputError, UnknownMethodError, nearest

READING = ("by", "categories", "clusters", "duplicates")


class Base:
    """Knows how to read and measure; the subclasses know what and from where."""

    __slots__ = ()

    @property
    def _frame(self) -> pd.DataFrame:
        """The user's frame."""
        raise NotImplementedError

    @property
    def _is_grouped(self) -> bool:
        """The data bring their groups with them."""
        return False

    def _reading(self, coders: Sequence[Hashable], settings: dict[str, Any]) -> Reading:
        raise NotImplementedError

    def _read(
        self,
        coders: Sequence[Hashable],
        settings: dict[str, Any],
        needs_coders: str | None = None,
        rows: bool = False,
        cells: Cells | None = None,
    ) -> Reading:
        """Read the data.

        `needs_coders` is the method that must know who said what, `rows` keeps items apart, `cells` turns a column of
        cells into labels.
        """
        defaults = {name: options.OPTIONS[name].default for name in READING}
        given = {name: settings[name] for name in READING if name in settings}
        chosen = {name: value for name, value in given.items() if value is not defaults[name]}
        chosen |= {"rows": True} if rows else {}
        cells = cells or set_cells(settings)
        chosen |= {"cells": cells} if cells else {}
        read = self._reading(coders, chosen)
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
        near = nearest(name, [n for n in known if not n.startswith("_")], hint=False)
        raise UnknownMethodError(f"df.agree has no method {name!r}", near, code="unknown method")

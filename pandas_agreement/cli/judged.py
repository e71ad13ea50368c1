"""The output of the command line with `--judge` and `--humans`: judges against people, by `versus_humans`."""

from __future__ import annotations

import argparse
from typing import Any

import pandas as pd

from pandas_agreement.cli.output import rendered
from pandas_agreement.cli.recipe import call, literal
from pandas_agreement.cli.source import Source
from pandas_agreement.coefficients.registry import find
from pandas_agreement.options import weights_for
from pandas_agreement.report.contents import Code, Contents, Section
from pandas_agreement.report.judge_section import judge_section
from pandas_agreement.results import schemas

DEFAULT_METRIC, OF_SETS = "kappa", "alpha"


class JudgedOutput:
    """The output of one run; `result` has one row per group and judge."""

    def __init__(self, source: Source, options: argparse.Namespace) -> None:
        self._source, self._options = source, options
        judged = source.view.judges(*options.judge, **self._roles)
        self.result: pd.DataFrame = judged.versus_humans(**self._keywords, detail=True)

    @property
    def _keywords(self) -> dict[str, Any]:
        """The options of `versus_humans`."""
        scale = self._source.scale
        default = OF_SETS if weights_for(scale) is None else DEFAULT_METRIC
        metric = find((self._options.metrics or [default])[0]).name
        shared = {name: value for name, value in self._source.options.items() if name != "categories"}
        return {"metrics": metric, **self._source.groups, **scale, **shared}

    @property
    def _roles(self) -> dict[str, Any]:
        """The options of `judges`."""
        categories = {name: value for name, value in self._source.options.items() if name == "categories"}
        return {"humans": self._options.humans, **categories}

    def text(self) -> str:
        """The text to print."""
        rows = self.result[list(schemas.VERSUS.shown)].reset_index()
        return rendered(rows, self._contents, self._options)

    def _contents(self) -> Contents:
        source = self._source
        recipe = Section(f"In Python{source.saved}", (Code((*source.reading, *self._call())),))
        return Contents(source.title, (judge_section(self.result), recipe), "")

    def _call(self) -> list[str]:
        judges = [literal(name) for name in self._options.judge]
        roles = call(f"judged = {self._source.way}.judges", judges, self._roles)
        return [*roles, *call("judged.versus_humans", [], self._keywords)]

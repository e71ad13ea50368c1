"""Writes the stub of `df.agree`: `python -m tests.make_stubs`.

The methods of `df.agree` are made from the registry and by decorators, so type checkers cannot read their options in
the source. The stub says what `inspect.signature` says. It stands for `accessor/__init__.py`, which only imports names,
so that mypy still checks every module that does something.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pandas_agreement import accessor
from pandas_agreement.accessor.coefficients import MadeOnUse
from pandas_agreement.options import OPTIONS

STUB = Path(accessor.__file__).with_suffix(".pyi")
LINE_LENGTH = 120

HEAD = """\
# Written by `python -m tests.make_stubs` from the signatures of the methods. A test compares the two.

from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pandas_agreement.accessor.base import Base
from pandas_agreement.accessor.coder_groups import Assignment
from pandas_agreement.accessor.comparing import Alternative
from pandas_agreement.accessor.corrected import Design
from pandas_agreement.accessor.inferring import Prior, VoteWeights
from pandas_agreement.accessor.long import LongDuplicates
from pandas_agreement.accessor.result_plots import ResultPlots
from pandas_agreement.accessor.spans import Of, SpanPlots
from pandas_agreement.accessor.tests import ChanceMethod
from pandas_agreement.accessor.truth import Truth
from pandas_agreement.data.grouping import Groups
from pandas_agreement.data.long import LongColumns
from pandas_agreement.judges import Invalid, Roles
from pandas_agreement.options import By, Clusters, Level, Method, Missing, Weights
from pandas_agreement.preferences.verdicts import Columns
from pandas_agreement.report import Report
from pandas_agreement.spans.reading import Length, SpanReading, Unmarked
from pandas_agreement.truth.settings import FitOptions, Ties, TruthMethod
"""

#: parameters that neither have an annotation nor are options
ANNOTATIONS = {
    "coders": "Hashable",
    "ax": "Axes | None",
    "figsize": "tuple[float, float] | None",
    "title": "str | None",
    "style": "Mapping[str, Any] | None",
}
PREFIX: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def make_stub() -> str:
    """The text of the stub."""
    classes = [_class(getattr(accessor, name)) for name in accessor.__all__]
    names = "".join(f'    "{name}",\n' for name in accessor.__all__)
    return "\n".join([HEAD, *classes, f"__all__ = [\n{names}]\n"])


def _class(owner: type) -> str:
    base = "(Methods)" if accessor.Methods in owner.__mro__[1:] else ""
    members = "\n".join(_member(name, member) for name, member in _members(owner))
    return f'class {owner.__name__}{base}:\n    """{_summary(owner)}"""\n\n{members}\n'


def _members(owner: type) -> Iterator[tuple[str, Any]]:
    """What a class adds to `Methods`, in the order of the source; hidden names are no attributes."""
    if owner is not accessor.Methods:
        yield "__init__", getattr(owner, "__init__")  # noqa: B009  (mypy: that of a subclass may differ)
    for part in owner.__mro__:
        if owner is accessor.Methods or part not in accessor.Methods.__mro__:
            for name, member in vars(part).items():
                if not name.startswith("_"):
                    yield name, getattr(part, name) if isinstance(member, MadeOnUse) else member


def _member(name: str, member: Any) -> str:
    if isinstance(member, property):
        return "    @property\n" + _method(name, member.fget)
    return _method(name, member)


def _method(name: str, function: Any) -> str:
    signature = inspect.signature(function)
    parameters = _parameters(signature)
    returns = signature.return_annotation
    end = f") -> {returns if isinstance(returns, str) else 'pd.' + returns.__name__}:"
    head = f"    def {name}({', '.join(parameters)}{end}"
    if len(head) + 4 * (name == "__init__") > LINE_LENGTH:  # with its dots
        head = f"    def {name}(\n" + "".join(f"        {each},\n" for each in parameters) + f"    {end}"
    return f"{head} ..." if name == "__init__" else f'{head}\n        """{_summary(function)}"""'


def _parameters(signature: inspect.Signature) -> list[str]:
    shown = [_parameter(each) for each in signature.parameters.values()]
    kinds = [each.kind for each in signature.parameters.values()]
    named = inspect.Parameter.KEYWORD_ONLY
    if named in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        shown.insert(kinds.index(named), "*")
    return shown


def _parameter(parameter: inspect.Parameter) -> str:
    if parameter.name == "self":
        return "self"
    text = f"{PREFIX.get(parameter.kind, '')}{parameter.name}: {_annotation(parameter)}"
    if parameter.default is parameter.empty:
        return text
    return f"{text} = {parameter.default!r}".replace("'", '"')


def _annotation(parameter: inspect.Parameter) -> str:
    if parameter.annotation is not parameter.empty:
        return str(parameter.annotation)
    if parameter.name in OPTIONS:
        annotation = OPTIONS[parameter.name].annotation
        guessed = parameter.default is None and OPTIONS[parameter.name].default is not None
        return f"{annotation} | None" if guessed else annotation
    return ANNOTATIONS[parameter.name]


def _summary(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]


if __name__ == "__main__":
    STUB.write_text(make_stub(), encoding="utf-8")

"""Docstrings and signatures of the coefficient methods, made from the records; and the catalogue."""

from __future__ import annotations

import inspect
import re
import textwrap
from functools import cache
from typing import TypeVar

import pandas as pd

from pandas_agreement.accessor.signatures import in_order
from pandas_agreement.coefficients.registry import COMMON, LETTERS, REGISTRY, Coefficient, mentions
from pandas_agreement.options import OPTIONS
from pandas_agreement.results import schemas
from pandas_agreement.results.schemas import RESULT, Columns, Schema

T = TypeVar("T")

SETUP = """\
>>> import pandas as pd, pandas_agreement
>>> ann, bob, cleo = list("yyyyyynnnn"), list("yyyyynyynn"), list("yyyyyynynn")
>>> df = pd.DataFrame({"ann": ann, "bob": bob, "cleo": cleo})
"""
#: the same of spans
MARKED = """\
>>> import pandas as pd, pandas_agreement
>>> rows = [("d1", "ann", 0, 5, "PER"), ("d1", "bob", 0, 5, "PER"), ("d1", "ann", 8, 12, "ORG")]
>>> rows += [("d1", "bob", 9, 12, "ORG"), ("d2", "ann", 3, 7, "ORG"), ("d2", "bob", None, None, None)]
>>> marked = pd.DataFrame(rows, columns=["item", "coder", "start", "end", "label"])
>>> spans = marked.agree.spans(length={"d1": 20, "d2": 15})
"""


@cache  # twenty docstrings share a few entries, at every import
def _entry(head: str, body: str) -> str:
    return head + "\n" + textwrap.indent(textwrap.fill(body, 96), "    ")


def columns(schema: Columns, indent: int, detail: Columns | None = None) -> str:
    """The columns of a frame as a list, and as another those that `detail=True` adds."""
    further = (schema.detail if isinstance(schema, Schema) else {}) | (detail or {})
    shown = {name: column for name, column in schema.items() if name not in further}
    text = _listed(shown, " " * indent)
    return f"{text}\n\n{' ' * indent}With ``detail=True`` also:\n{_listed(further, ' ' * indent)}" if further else text


def _listed(columns: Columns, space: str) -> str:
    return "".join(f"\n{space}- `{name}`: {meaning}" for name, (_, meaning) in columns.items())


#: the methods of intervals; of scores, some are others
INTERVALS = {
    "score": "all values that the estimate does not contradict, with good coverage for rare categories and few items",
    "analytic": "a t interval, with the standard error from the influence of the items",
    "log": "a t interval for log(1 - estimate)",
    "jackknife": "from leaving out one item at a time",
    "percentile": "from resamples of the items (slow)",
    "bca": "from resamples, corrected for bias and skewness",
    "kalpha": "the bootstrap of Krippendorff and Hayes, to reproduce published intervals; its width does not decrease "
    "with the number of items (coverage 0.94 to 1.00 in a simulation)",
}
OF_SCORES = INTERVALS | {"analytic": "the formula of the literature, if there is one"}


def _option(record: Coefficient, name: str) -> str:
    """The entry of an option: the methods are those of the coefficient, and clusters of scores need resamples."""
    kind, doc = OPTIONS[name].type, OPTIONS[name].doc
    if name == "clusters" and record.needs_numbers:
        doc += " Only with method='percentile'."
    if name == "method":
        kind = methods_of(record)
        auto = "'score' if it is defined, else 'analytic'" if record.at_shares else "'analytic'"
        meanings = OF_SCORES if record.needs_numbers else INTERVALS
        listed = "; ".join(f"{method!r}: {meanings[method]}" for method in record.all_methods if method != "auto")
        doc += f" 'auto' is {auto}. {listed}."
    return _entry(f"{name} : {kind}", doc)


def methods_of(record: Coefficient) -> str:
    """The type of `method` in a docstring."""
    return f"{{{', '.join(map(repr, record.all_methods))}}}"


def _section(title: str, body: str) -> str:
    return f"{title}\n{'-' * len(title)}\n{body}"


def _counts(record: Coefficient) -> str:
    """What counts once."""
    if record.needs_numbers:
        return ""
    if record.unit == "label":
        return (
            " Every label counts once, on items with two or more labels, so an item with many labels counts for more."
        )
    if record.over_pairs:
        return " Every pair of coders counts once, whatever the number of items they share."
    pool = " With pool='pairs' every pair of labels counts once." if record.accepts("pool") else ""
    return f" Every item counts once, however many labels it has.{pool}"


def _notes(record: Coefficient) -> str:
    """Chance agreement, use and formula."""
    chance = f"Chance agreement: {record.chance}."
    if record.chance.startswith("none: "):
        chance = f"Not corrected for chance: {record.chance.removeprefix('none: ')}."
    text = textwrap.fill(f"{chance} Use it if {record.use_when}.{_counts(record)}", 100)
    return f"{text}\n\n{_formula(record)}" if record.formula else text


def _formula(record: Coefficient) -> str:
    """The formula of a coefficient, and its letters."""
    shared = {name: meaning for name, meaning in LETTERS.items() if mentions(record.formula, name)}
    listed = "\n".join(f"- :math:`{name}`: {meaning}" for name, meaning in {**shared, **record.letters}.items())
    return f".. math::\n\n    {record.formula}\n\n{listed}"


#: what `detail=True` adds to every coefficient, and to single ones
NAMED: Columns = {"coefficient": ("str", "the name of the coefficient, if it is not in the index")}
OWN = {"kappa": schemas.KAPPA_DETAIL, "ccc": schemas.CCC_DETAIL, "kendall_w": schemas.KENDALL_DETAIL}


def coefficient_doc(record: Coefficient) -> str:
    """The numpydoc docstring of a coefficient's method."""
    text, _, example = record.doc.partition(EXAMPLES)
    coders = _entry(
        "*coders : hashable", "The coders: column names, or values of the coder column. Default: all coders."
    )
    options = [_option(record, name) for name in in_order([*COMMON, *record.all_options])]
    returns = _entry(
        "DataFrame",
        "One row, or one row per group. The index holds the group keys or, without groups, the name of the "
        "coefficient. "
        "Columns:",
    )
    returns += "\n" + columns(RESULT, 4, NAMED | OWN.get(record.name, {}))
    parts = [
        text.strip(),
        _section("Parameters", "\n".join([coders, *options])),
        _section("Returns", returns),
        _section("Notes", _notes(record)),
        _section("References", textwrap.fill(record.reference, 100)),
    ]
    if example:
        setup = SETUP if ">>> df." in example else SETUP.partition("\n")[0] + "\n"  # others make a frame of numbers
        parts.append(_section("Examples", setup + example.rstrip()))
    return "\n\n".join(parts) + "\n"


#: placeholders in docstrings, such as {RESULT}: the columns they stand for
SCHEMAS = {name: schema for name, schema in vars(schemas).items() if name.isupper() and isinstance(schema, dict)}
MARK = re.compile(r"\n+ *{([A-Z_]+)}")
WHO = "*coders : hashable\n    The coders. Default: all coders."
EXAMPLES = "Examples\n--------\n"


def completed(owner: type[T], set_up: str = SETUP) -> type[T]:
    """Fill in the shared parts of the docstrings of a class: coders, columns of frames, set-up of examples.

    Python takes out the indent of docstrings from 3.13 on, and `cleandoc` in all versions.
    """
    for name, function in vars(owner).items():
        text = getattr(function, "__doc__", None)
        if name.startswith("_") or not text or SETUP.splitlines()[0] in text:
            continue
        text = inspect.cleandoc(text).replace("{WHO}", WHO)
        # a list needs an empty line before it, or its entries run together on the documentation site
        text = MARK.sub(lambda mark: "\n" + columns(SCHEMAS[mark[1]], 4), text)
        function.__doc__ = text.replace(EXAMPLES, EXAMPLES + set_up)
    return owner


def catalog() -> pd.DataFrame:
    """The coefficients and their properties, one row per coefficient.

    Returns
    -------
    DataFrame
        Indexed by `coefficient`, with the title, the chance model, when to use it, aliases, options, whether it needs
        the coder of each label, whether it depends on the number of declared categories, its range, and the reference.

    Examples
    --------
    >>> pandas_agreement.catalog().loc["kappa", "chance"]
    'every coder guesses from their own label distribution'
    """
    rows = {
        record.name: {
            "title": record.title,
            "chance": record.chance,
            "use_when": record.use_when,
            "aliases": ", ".join(record.aliases),
            "options": ", ".join(record.options),
            "needs_coders": record.needs_coders,
            "depends_on_k": record.depends_on_k,
            "low": record.range[0],
            "high": record.range[1],
            "reference": record.reference,
        }
        for record in REGISTRY.values()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("coefficient")

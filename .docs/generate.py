"""Pages that are made from the package: one per coefficient, the API reference, the gallery, copies of other files."""

from __future__ import annotations

import inspect
import re
import shutil
from pathlib import Path
from typing import Any

from numpydoc.docscrape_sphinx import SphinxDocString

import pandas_agreement
import pandas_agreement.dask
from pandas_agreement import plotting
from pandas_agreement.accessor import (
    AgreementAccessor,
    AgreementTests,
    GroupedCoders,
    JudgedAgreement,
    LongAgreement,
    Plots,
    Preferences,
)
from pandas_agreement.accessor.coefficients import METHODS
from pandas_agreement.accessor.docs import SETUP, formula
from pandas_agreement.accessor.names import Group, groups_for
from pandas_agreement.accessor.spans import SpanAgreement
from pandas_agreement.accessor.tests import TESTS
from pandas_agreement.accessor.truth import Truth
from pandas_agreement.coefficients.registry import REGISTRY, Coefficient
from pandas_agreement.core.remarks import CODES
from pandas_agreement.report import Report
from tests import reference
from tests.reference import tables

HERE = Path(__file__).parent
TOP = HERE.parent
OUT = HERE / "generated"


def write(name: str, text: str) -> None:
    """Write a page, unless it is as it was: Sphinx then does not read it again."""
    path = OUT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def heading(text: str, line: str = "=") -> str:
    return f"{text}\n{line * len(text)}\n"


def indented(text: str, space: str = "   ") -> str:
    return "\n".join(f"{space}{line}" if line.strip() else "" for line in text.splitlines())


# ------------------------------------------------------------------------------------------------- docstrings


def without_self(function: Any) -> str:
    """The signature as a caller sees it, in short types."""
    signature = inspect.signature(function)
    parameters = [p for name, p in signature.parameters.items() if name != "self"]
    plain = [p.replace(annotation=inspect.Parameter.empty) for p in parameters]
    return str(signature.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def parsed(function: Any) -> SphinxDocString:
    return SphinxDocString(inspect.getdoc(function) or "", config={"use_plots": False})


def entry(call: str, function: Any, kind: str = "method", doc: SphinxDocString | None = None) -> str:
    """A method or function with its signature and docstring."""
    shown = without_self(function) if callable(function) else ""
    return f".. py:{kind}:: {call}{shown}\n\n{indented(str(doc or parsed(function)))}\n"


def public(owner: type) -> list[str]:
    return [name for name in dir(owner) if not name.startswith("_")]


def entries(prefix: str, owner: Any, names: list[str]) -> str:
    return "\n".join(entry(f"{prefix}.{name}", getattr(owner, name)) for name in names)


# ------------------------------------------------------------------------------------------------- coefficients


def facts(record: Coefficient) -> dict[str, str]:
    """What stands in the list at the top of the page of a coefficient."""
    weighted = "with weights" if record.depends_on_k else "with weights of your own"
    lower = f"; {weighted} it can be lower" if record.correction == "ratio" and record.options else ""
    low, high = ("none" if abs(end) == float("inf") else f"{end:g}" for end in record.range)
    return {
        "Chance": record.chance,
        "Use it when": record.use_when,
        "Also known as": ", ".join(f"``{name}``" for name in record.aliases),
        "Range": f"{low} to {high}{lower}" if low != "none" else f"up to {high}",
        "Categories": "the value depends on how many are declared" if record.depends_on_k else "",
        "Labels": "numbers" if record.needs_numbers else "names, or steps of a scale" if record.options else "names",
        "Who said what": "must be known" if record.needs_coders else "need not be known; counts will do",
        "Interval": ", ".join(f"``{name}``" for name in record.all_methods),
    }


def coefficient_page(record: Coefficient) -> str:
    """Chance model, formula, names, example, reference, signature and options of one coefficient."""
    method = METHODS[record.name]
    doc = parsed(method)
    parts = {name: "\n".join(doc[name]) for name in ("Summary", "Extended Summary", "Examples", "References")}
    for name in (*parts, "Notes"):
        doc[name] = []
    listed = "\n".join(f":{name}: {fact}" for name, fact in facts(record).items() if fact)
    sections = {
        "Formula": f".. code-block:: text\n   :class: formula\n\n{indented(formula(record))}",
        "Example": parts["Examples"],
        "Reference": parts["References"],
        "Signature and options": entry(f"df.agree.{record.name}", method, doc=doc),
    }
    text = [heading(record.name), parts["Summary"], "", parts["Extended Summary"], "", listed, ""]
    return "\n".join([*text, *(f"{heading(title, '-')}\n{body}\n" for title, body in sections.items())])


def coefficient_index() -> str:
    rows = "\n".join(f"   * - :doc:`{r.name}`\n     - {r.chance}\n     - {r.use_when}" for r in REGISTRY.values())
    names = "\n".join(f"   {name}" for name in REGISTRY)
    table = f".. list-table::\n   :header-rows: 1\n\n   * - coefficient\n     - chance\n     - use it when\n{rows}\n"
    return f"{heading('Coefficients')}\nOne page each.\n\n{table}\n.. toctree::\n   :hidden:\n\n{names}\n"


# ------------------------------------------------------------------------------------------------- reference


PLACES = {"test": "test", "plot": "plot"}  # pages of the namespaces


def place_of(name: str) -> str:
    """A link to where a name of `df.agree` is documented."""
    if name in REGISTRY:
        return f":doc:`{name} <../coefficients/{name}>`"
    return f":doc:`{name} <{PLACES[name]}>`" if name in PLACES else f":py:meth:`{name} <df.agree.{name}>`"


def section_of(group: Group) -> str:
    """A group of names: what it answers, its names, and its methods that have no page of their own."""
    own = [name for name in group.names if name not in REGISTRY and name not in PLACES]
    names = ", ".join(map(place_of, group.names))
    return f"{heading(group.title, '-')}\n{group.answers} {names}\n\n{entries('df.agree', AgreementAccessor, own)}\n"


def api_pages() -> dict[str, tuple[str, str]]:
    """File name: title and contents."""
    plan, testing, scales = pandas_agreement.plan, pandas_agreement.testing, pandas_agreement.scales
    offered = {name: getattr(pandas_agreement, name) for name in pandas_agreement.__all__}
    functions = [name for name, thing in offered.items() if inspect.isfunction(thing)]
    errors = [name for name, thing in offered.items() if isinstance(thing, type) and issubclass(thing, Exception)]
    return {
        "accessor": ("df.agree", "\n".join(map(section_of, groups_for(AgreementAccessor)))),
        "test": ("df.agree.test", entries("df.agree.test", AgreementTests, list(TESTS))),
        "long": ("df.agree.long(...)", entries("long", LongAgreement, ["retest"])),
        "judges": ("df.agree.judges(...)", entries("judged", JudgedAgreement, public(JudgedAgreement))),
        "truth": ("df.agree.truth(...)", entries("truth", Truth, public(Truth))),
        "preferences": ("df.agree.preferences(...)", entries("preferences", Preferences, public(Preferences))),
        "spans": ("df.agree.spans(...)", entries("spans", SpanAgreement, public(SpanAgreement))),
        "coder_groups": (
            "df.agree.coder_groups(...)",
            entries("coder_groups", GroupedCoders, ["within", "across", "compare", "plot"]),
        ),
        "plot": ("df.agree.plot", entries("df.agree.plot", Plots, public(Plots))),
        "functions": (
            "Functions",
            entries("pandas_agreement", pandas_agreement, functions)
            + "\n"
            + entries("pandas_agreement.testing", testing, testing.__all__),
        ),
        "scales": ("pandas_agreement.scales", entries("scales", scales, scales.__all__)),
        "plan": ("pandas_agreement.plan", entries("plan", plan, plan.__all__)),
        "plotting": ("pandas_agreement.plotting", entries("plotting", plotting, plotting.__all__)),
        "dask": ("ddf.agree, on Dask", dask_entries()),
        "report": ("Report", entries("report", Report, ["to_html", "to_markdown"])),
        "errors": (
            "Errors and warnings",
            "\n".join(entry(f"pandas_agreement.{name}", getattr(pandas_agreement, name), "class") for name in errors),
        ),
    }


WITHOUT_SETUP = {"functions", "plotting", "dask", "report"}  # docstrings whose examples do not repeat it


def set_up(name: str) -> str:
    """What the examples of a page begin with, if they do not say so themselves."""
    return f"Examples on this page begin with:\n\n{SETUP}\n" if name in WITHOUT_SETUP else ""


def dask_entries() -> str:
    """`ddf.agree`: what it is, and its methods."""
    accessor = pandas_agreement.dask.DaskAgreement
    return f"{parsed(accessor)}\n\n{entries('ddf.agree', accessor, public(accessor))}"


def api_index(pages: dict[str, tuple[str, str]]) -> str:
    names = "\n".join(f"   {name}" for name in pages)
    return (
        f"{heading('API reference')}\nEvery public method with its signature. Coefficients have "
        f":doc:`pages of their own <../coefficients/index>`.\n\n.. toctree::\n   :maxdepth: 1\n\n{names}\n"
    )


# ------------------------------------------------------------------------------------------------- pictures, copies


PICTURE = re.compile(
    r"^```python\n(.*?)^```\n(?:\n!\[[^]]*\]\(generated/(gallery/\w+)\.png\))?", re.DOTALL | re.MULTILINE
)


PAPER = "#131416"  # of the theme when it is dark
THEMES = {
    "": {"figure.facecolor": "white"},
    "_dark": dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), PAPER),
}


def draw_gallery() -> None:
    """Run the blocks of the gallery; the picture that each draws gets the name of the link below it, light and dark."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    (OUT / "gallery").mkdir(parents=True, exist_ok=True)
    blocks = PICTURE.findall((HERE / "gallery.md").read_text(encoding="utf-8"))
    for theme, settings in THEMES.items():
        names: dict[str, object] = {}
        with plt.style.context([*(["dark_background"] if theme else []), settings]):
            for code, name in blocks:
                exec(code, names)  # noqa: S102  (a page of our own)
                if name:
                    plt.gcf().savefig(OUT / f"{name}{theme}.png", dpi=110, bbox_inches="tight")
                plt.close("all")


IMAGE = re.compile(r"!\[([^]]*)\]\((\S*generated/gallery/\w+)\.png\)")


def both_themes(_app: object, _page: str, source: list[str]) -> None:
    """Pictures of the gallery on any page: the light or the dark one, as the page is."""
    lines = ":::{{image}} {1}{3}.png\n:alt: {0}\n:class: only-{2}\n:::"
    source[0] = IMAGE.sub(
        lambda found: "\n".join(
            lines.format(*found.groups(), theme, end) for theme, end in (("light", ""), ("dark", "_dark"))
        ),
        source[0],
    )


def copied() -> dict[str, str]:
    """Pages from files at the top: links to files of the repository become their names."""
    pages = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}
    return {name: (TOP / source).read_text(encoding="utf-8") for name, source in pages.items()}


def codes() -> str:
    """The codes of `note` as a table."""
    rows = "\n".join(f"| `{code}` | {meaning} |" for code, meaning in CODES.items())
    return f"| code | meaning |\n|---|---|\n{rows}\n"


def validation() -> dict[str, str]:
    """The comparison with the certified values, as tables."""
    found = [*reference.compared(reference.certified())]
    shown = {
        "by_statistic": tables.by_statistic(found).reset_index(),
        "literature": tables.of_literature(found),
        "other_numbers": tables.other_numbers(found),
        "sources": tables.sources(),
    }
    agree = f"{sum(one.agrees for one in found):,} of {len(found):,} values agree.\n"
    return {"agree": agree, **{name: tables.as_markdown(table) for name, table in shown.items()}}


def copy_notebooks() -> None:
    (OUT / "notebooks").mkdir(parents=True, exist_ok=True)
    for path in (TOP / "notebooks").glob("*.ipynb"):
        shutil.copy2(path, OUT / "notebooks" / path.name)


def write_pages() -> None:
    """Write all generated pages."""
    for record in REGISTRY.values():
        write(f"coefficients/{record.name}.rst", coefficient_page(record))
    write("coefficients/index.rst", coefficient_index())
    pages = api_pages()
    for name, (title, text) in pages.items():
        write(f"api/{name}.rst", f"{heading(title)}\n{set_up(name)}{text}")
    write("api/index.rst", api_index(pages))
    for name, text in copied().items():
        write(name, text)
    write("codes.md", codes())
    for name, text in validation().items():
        write(f"validation/{name}.md", text)
    copy_notebooks()
    draw_gallery()

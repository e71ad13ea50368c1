"""What is made from the package: the API reference, facts of coefficients, plots, validation, copies of other files."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import itertools
import json
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
from pandas_agreement.accessor.docs import SETUP
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
REPOSITORY = "https://github.com/pandas-agreement/pandas-agreement"


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


DOCUMENTED: dict[str, Any] = {}  # by the name on the site, for links to the source


def entry(call: str, function: Any, kind: str = "method") -> str:
    """A method or function with its signature and docstring."""
    DOCUMENTED[call] = function
    shown = without_self(function) if callable(function) else ""
    return f".. py:{kind}:: {call}{shown}\n\n{indented(str(parsed(function)))}\n"


def source_of(_domain: str, info: dict[str, str]) -> str | None:
    """The address of the source of a documented name, at the tag of this version."""
    record = REGISTRY.get(info["fullname"].rpartition(".")[2])  # methods of coefficients are made from records
    found = (record.of_scores or record.kernel) if record else inspect.unwrap(DOCUMENTED[info["fullname"]])
    found = found.fget if isinstance(found, property) else found
    try:
        lines, first = inspect.getsourcelines(found)
        path = Path(inspect.getsourcefile(found) or "").relative_to(TOP).as_posix()
    except (TypeError, ValueError, OSError):  # made by a function, or inherited
        return None
    return f"{REPOSITORY}/blob/v{pandas_agreement.__version__}/{path}#L{first}-L{first + len(lines) - 1}"


def public(owner: type) -> list[str]:
    return [name for name in dir(owner) if not name.startswith("_")]


def entries(prefix: str, owner: Any, names: list[str]) -> str:
    return "\n".join(entry(f"{prefix}.{name}", getattr(owner, name)) for name in names)


# ------------------------------------------------------------------------------------------------- coefficients


def shown_range(record: Coefficient) -> str:
    low, high = ("none" if abs(end) == float("inf") else f"{end:g}" for end in record.range)
    if low == "none":
        return f"up to {high}"
    weighted = "with weights" if record.depends_on_k else "with weights of your own"
    lower = f"; {weighted} it can be lower" if record.correction == "ratio" and record.options else ""
    return f"{low} to {high}{lower}"


def labels_of(record: Coefficient) -> str:
    if record.needs_numbers:
        return "numbers"
    return "categories, ordered categories or numbers" if record.options else "categories"


def facts(name: str) -> str:
    """What stands at the end of the page of a coefficient, from its record; the forms of `icc` have one page."""
    records = [record for record in REGISTRY.values() if record.name == name or record.name.rpartition("_")[0] == name]
    record = records[0]
    aliases = [alias for one in records for alias in ([one.name] if one.name != name else []) + [*one.aliases]]
    who = "has to be known" if record.needs_coders else "need not be known; counts are enough"
    rows = {
        "Chance": record.chance,
        "Also known as": ", ".join(f"`{alias}`" for alias in aliases),
        "Range": shown_range(record),
        "Labels": labels_of(record),
        "Who gave a label": who if name in REGISTRY else "",
        "Number of categories": "the value depends on it" if record.depends_on_k else "",
        "Intervals": ", ".join(f"`{method}`" for method in record.all_methods),
        "Reference": record.reference,
        "Signature and options": f"{{py:meth}}`df.agree.{name}`",
    }
    return "| | |\n|---|---|\n" + "".join(f"| {key} | {fact} |\n" for key, fact in rows.items() if fact)


# ------------------------------------------------------------------------------------------------- reference


#: the page of each group of names of `df.agree`
GROUP_PAGES = {
    "coefficients": "coefficients",
    "of numbers": "numbers",
    "where and who": "where",
    "decide": "decide",
    "input": "input",
}
NAMESPACES = {
    "test": "Tests of chance, of label distributions and of groups.",
    "plot": "A plot of each result.",
}


def summary_of(name: str) -> str:
    """The first sentence of a docstring."""
    return NAMESPACES.get(name) or " ".join(parsed(getattr(AgreementAccessor, name))["Summary"])


def overview(group: Group) -> str:
    """A group of names as a table of links and first sentences."""
    link = {name: f":doc:`{name} <{name}>`" for name in NAMESPACES}
    rows = "\n".join(
        f"   * - {link.get(name, f':py:meth:`{name} <df.agree.{name}>`')}\n     - {summary_of(name)}"
        for name in group.names
    )
    table = f".. list-table::\n   :widths: 20 80\n\n{rows}\n"
    return f"{heading(group.title.capitalize(), '-')}\n{group.answers}\n\n{table}\n"


def group_page(group: Group) -> tuple[str, str]:
    """Title and contents: every method of a group."""
    pages = {name for name in group.names if (HERE / "coefficients" / f"{name}.md").exists()}
    seen = ", ".join(f":doc:`{name} <../../coefficients/{name}>`" for name in group.names if name in pages)
    more = f" Formulas, examples and how to report them: {seen}." if pages else ""
    text = f"{group.answers}{more}\n\n{entries('df.agree', AgreementAccessor, [*group.names])}"
    return f"df.agree: {group.title}", text


def api_pages() -> dict[str, tuple[str, str]]:
    """File name: title and contents."""
    groups = groups_for(AgreementAccessor)
    plan, testing, scales = pandas_agreement.plan, pandas_agreement.testing, pandas_agreement.scales
    offered = {name: getattr(pandas_agreement, name) for name in pandas_agreement.__all__}
    functions = [name for name, thing in offered.items() if inspect.isfunction(thing)]
    errors = [name for name, thing in offered.items() if isinstance(thing, type) and issubclass(thing, Exception)]
    return {
        "accessor": ("df.agree", "\n".join(map(overview, groups))),
        **{GROUP_PAGES[group.title]: group_page(group) for group in groups if group.title in GROUP_PAGES},
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
        f"{heading('API reference')}\nEvery public method with its signature. Coefficients also have "
        f":doc:`pages with formulas and advice <../../coefficients/index>`.\n\n"
        f".. toctree::\n   :maxdepth: 1\n\n{names}\n"
    )


# ------------------------------------------------------------------------------------------------- pictures, copies


PICTURE = re.compile(
    r"^```python\n(.*?)^```\n(?:\n!\[[^]]*\]\((?:\.\./)?generated/(\w+/\w+)\.png\))?", re.DOTALL | re.MULTILINE
)


PAPER = "#131416"  # of the theme when it is dark
THEMES = {
    "": {"figure.facecolor": "white"},
    "_dark": dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), PAPER),
}


DRAWN = [HERE / "gallery.md", HERE / "index.md", *sorted((HERE / "coefficients").glob("*.md"))]


def draw_plots() -> None:
    """Run the blocks of pages with plots; each plot gets the name of the link below its block, light and dark."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    for page, (theme, settings) in itertools.product(DRAWN, THEMES.items()):
        names: dict[str, object] = {}
        blocks = PICTURE.findall(page.read_text(encoding="utf-8"))
        with plt.style.context([*(["dark_background"] if theme else []), settings]):
            for code, name in blocks:
                with contextlib.redirect_stdout(None):
                    exec(code, names)  # noqa: S102  (a page of our own)
                if name:
                    (OUT / name).parent.mkdir(parents=True, exist_ok=True)
                    plt.gcf().savefig(OUT / f"{name}{theme}.png", dpi=110, bbox_inches="tight")
                plt.close("all")


def in_words(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"


def speed_table(measured: dict[str, Any]) -> str:
    """Times of this package and of the alternatives, and where they were measured."""
    head = "| task | pandas_agreement, with interval | alternative, without interval | ratio |\n|---|---|---|---|\n"
    rows = ""
    for task, times in measured["tasks"].items():
        (_, ours), (other, theirs) = times.items()
        rows += f"| {task} | {in_words(ours)} | {other}: {in_words(theirs)} | {theirs / ours:.0f} |\n"
    versions = ", ".join(f"{name} {version}" for name, version in measured["versions"].items())
    where = f"Measured on one of {measured['cores']} cores with {versions}; the fastest of five runs in turns."
    return f"{head}{rows}\n{where}\n"


def draw_speed(measured: dict[str, Any]) -> None:
    """Bars of the times, light and dark."""
    import matplotlib.pyplot as plt

    for theme, settings in THEMES.items():
        with plt.style.context([*(["dark_background"] if theme else []), settings]):
            figure, axes = plt.subplots(len(measured["tasks"]), figsize=(5.2, 4.2), layout="constrained")
            for ax, (task, times) in zip(axes, measured["tasks"].items(), strict=True):
                bars = ax.barh([*times], [*times.values()], color=["#0072b2", "#999999"], height=0.7)
                ax.bar_label(bars, [in_words(seconds) for seconds in times.values()], padding=4)
                ax.invert_yaxis()
                ax.set_title(task, loc="left", fontsize="medium")
                ax.set_xlim(0, 1.15 * max(times.values()))
                ax.xaxis.set_visible(False)
                ax.spines[["top", "right", "bottom"]].set_visible(False)
                ax.tick_params(left=False)
            (OUT / "speed").mkdir(parents=True, exist_ok=True)
            figure.savefig(OUT / f"speed/bars{theme}.png", dpi=110)
            plt.close(figure)


IMAGE = re.compile(r"!\[([^]]*)\]\((\S*generated/\w+/\w+)\.png\)")


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


def copy_mathjax() -> None:
    """The script that renders formulas, from a package that bundles it: the site asks nothing from outside."""
    (folder,) = importlib.util.find_spec("sphinx-mathjax-offline").submodule_search_locations
    (OUT / "static").mkdir(parents=True, exist_ok=True)
    shutil.copy2(Path(folder) / "static" / "mathjax" / "tex-svg.js", OUT / "static")


def copy_notebooks() -> None:
    (OUT / "notebooks").mkdir(parents=True, exist_ok=True)
    for path in (TOP / "notebooks").glob("*.ipynb"):
        shutil.copy2(path, OUT / "notebooks" / path.name)


def write_pages() -> None:
    """Write all generated pages."""
    for path in (HERE / "coefficients").glob("*.md"):
        if path.stem != "index":
            write(f"coefficients/{path.stem}.md", facts(path.stem))
    pages = api_pages()
    for name, (title, text) in pages.items():
        write(f"api/{name}.rst", f"{heading(title)}\n{set_up(name)}{text}")
    write("api/index.rst", api_index(pages))
    for name, text in copied().items():
        write(name, text)
    write("codes.md", codes())
    measured = json.loads((HERE / "speed.json").read_text(encoding="utf-8"))
    write("speed/table.md", speed_table(measured))
    for name, text in validation().items():
        write(f"validation/{name}.md", text)
    copy_notebooks()
    copy_mathjax()
    draw_plots()
    draw_speed(measured)

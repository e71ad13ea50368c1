"""The README and the pages of the site: examples print what is shown below them, and links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from pandas_agreement import AgreementAccessor
from pandas_agreement.accessor.names import LABELS, NUMBERS
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.results.schemas import RESULT
from pandas_agreement.version import VERSION
from tests.helpers import none_of
from tests.pages import BLOCK, DOCS, PAGES, TOP, outputs, read, write_files

README = TOP / "README.md"
SITE = "https://pandas-agreement.github.io/pandas-agreement/"
RAW = "https://raw.githubusercontent.com/pandas-agreement/pandas-agreement/main/"
EXTRAS = {"dask": "pandas_agreement.dask", "matplotlib": "plot"}


def needs(text: str) -> list[str]:
    """The extras that the blocks of a page import."""
    code = "".join(block["code"] for block in BLOCK.finditer(text))
    return [extra for extra, sign in EXTRAS.items() if sign in code]


@pytest.mark.parametrize("path", [README, *PAGES], ids=lambda path: path.name)
@pytest.mark.skipif(pd.__version__ < "3", reason="pandas 2 prints Categoricals and strings in another way")
def test_examples_print_what_the_page_shows(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = read(path)
    for extra in needs(text):
        pytest.importorskip(extra, reason=f"the page shows what needs {extra}")
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    for block, printed in outputs(text):
        if block["shown"] is not None:
            assert printed == block["shown"].rstrip()


@pytest.mark.parametrize("path", [README, *PAGES], ids=lambda path: path.name)
def test_every_shown_output_belongs_to_an_example(path: Path) -> None:
    text = read(path)
    assert text.count("```text\n") == sum(block["shown"] is not None for block in BLOCK.finditer(text))
    assert text.count("```python\n") == len(BLOCK.findall(text))


def test_the_readme_is_short_and_its_plot_is_small() -> None:
    assert len(read(README).splitlines()) <= 136
    (plot,) = re.findall(r'<img [^>]*alt="[^"]+" src="([^"]+)">', read(README))
    assert 1000 < (TOP / plot.removeprefix(RAW)).stat().st_size < 50_000


def test_the_readme_begins_with_a_result_and_its_plot() -> None:
    screen = read(README).splitlines()[:32]
    assert "pip install pandas-agreement" in screen
    assert sum(line.startswith("<img ") for line in screen) == 1
    assert any(line.startswith("kappa ") for line in screen)


def test_badges_say_what_the_project_says() -> None:
    badges = dict(re.findall(rf"!\[([^]]+)\]\({RAW}(.github/badges/\w+\.svg)\)", read(README)))
    project = read(TOP / "pyproject.toml")
    versions = re.findall(r"Python :: (3\.\d+)", project)
    assert list(badges) == [f"Python {versions[0]} to {versions[-1]}", "pandas 2.2 to 3", "MIT licence", "typed"]
    said = [read(TOP / path) for path in badges.values()]
    assert f"python: {versions[0]} to {versions[-1]}" in said[0]
    assert "pandas: 2.2 to 3" in said[1]
    assert '"pandas>=2.2"' in project
    assert "licence: MIT" in said[2]
    assert read(TOP / "LICENSE").startswith("MIT License")
    assert "types: checked" in said[3]
    assert (TOP / "pandas_agreement" / "py.typed").exists()
    assert "strict = true" in project


def test_links_of_the_readme_lead_to_pages() -> None:
    pages = re.findall(rf"\({SITE}([\w/]*)(?:\.html)?\)", read(README))
    assert len(pages) > 5
    for page in pages:
        assert (DOCS / f"{page or 'index'}.md").exists(), page
    for path in ("CONTRIBUTING.md", "notebooks", ".docs"):
        assert f"`{path}`" in read(README)
        assert (TOP / path).exists()


def test_every_notebook_is_on_the_site() -> None:
    listed = re.findall(r"generated/notebooks/(\w+)", read(DOCS / "notebooks.md"))
    assert listed == sorted(path.stem for path in (TOP / "notebooks").glob("*.ipynb"))


def test_every_coefficient_is_in_the_table() -> None:
    table = read(DOCS / "which_coefficient.md").partition("## From the literature")[2]
    for name in REGISTRY:
        assert f"`{name}`" in table


def test_every_coefficient_has_a_page() -> None:
    names = {name for group in (LABELS, NUMBERS) for name in group.names} - {"bland_altman"}
    pages = {path.stem: read(path) for path in (DOCS / "coefficients").glob("*.md")}
    index = pages.pop("index")
    assert set(pages) == names
    none_of([name for name in names if f"({name}.md)" not in index or f"\n{name}\n" not in index])
    parts = ["\n```{math}\n", "## What does the number mean?", "](../generated/coefficients/", "## How do I report it?"]
    parts += ["pandas_agreement.sentence(result)", "## What goes wrong?"]
    none_of([(name, part) for name, text in pages.items() for part in parts if part not in text])


def test_every_column_of_a_coefficient_is_explained() -> None:
    rows = re.findall(r"^\| (`.+?) \|", read(DOCS / "columns.md").partition("## The index")[0], re.MULTILINE)
    named = re.findall(r"`(\w+)`", " ".join(rows))
    assert set(named) == {"coefficient", *RESULT}


def test_every_method_is_named_in_the_guide() -> None:
    text = "".join(map(read, PAGES))
    for name in dir(AgreementAccessor):
        if not name.startswith("_"):
            assert re.search(rf"[`.]{name}\b", text), name


def test_one_version_everywhere() -> None:
    """The changelog has its section, and the citation its number and date."""
    changes = read(TOP / "CHANGELOG.md")
    version, date = re.findall(r"^## \[([\d.]+)\] - (\d{4}-\d\d-\d\d)$", changes, re.MULTILINE)[0]
    assert VERSION.partition(".dev")[0] == version
    assert f"\n[{version}]: " in changes
    citation = dict(re.findall(r"^([\w-]+): (.+)$", read(TOP / "CITATION.cff"), re.MULTILINE))
    assert (citation["version"], citation["date-released"].strip('"')) == (version, date)
    assert f"version = {{{version}}}" in read(DOCS / "cite.md")


def test_the_changelog_keeps_its_form() -> None:
    sections = re.findall(r"^### (.+)$", read(TOP / "CHANGELOG.md").partition("## [0.2.0]")[0], re.MULTILINE)
    assert sections == [name for name in ("Added", "Changed", "Deprecated", "Removed", "Fixed") if name in sections]

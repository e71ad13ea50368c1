"""The report in a real browser: it opens without errors, fits, is read in light, dark and print, and stays alone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import load_example
from tests.report.helpers import SCRIPT

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no browser: install chromium"),
    pytest.mark.skipif(find_spec("playwright") is None, reason="no playwright: pip install playwright"),
]

WIDTHS, SCHEMES = (400, 1400), ("light", "dark")


def wide_frame() -> pd.DataFrame:
    """Many columns, and words that cannot be broken."""
    rng = np.random.default_rng(1)
    labels = ["x", "y" * 80, SCRIPT]
    coders = {f"coder {number} {'z' * 40}": rng.choice(labels, 60) for number in range(8)}
    return pd.DataFrame(coders).assign(**{f"column {number}": "long text " * 12 for number in range(8)})


def scores() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    truth = rng.normal(50, 10, 60)
    return pd.DataFrame({name: (truth + rng.normal(0, 4, 60)).round(1) for name in ("ann", "bob", "cleo")})


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Reports of several kinds, as files."""
    folder, wide = tmp_path_factory.mktemp("reports"), wide_frame()
    reports = {
        "example": load_example().agree.report("ann", "bob", "cleo", "dev", by="batch"),
        "wide": wide.agree.report(*wide.columns[:8], title=SCRIPT),
        "scores": scores().agree.report(),
    }
    for name, report in reports.items():
        report.to_html(folder / f"{name}.html")
    return {name: folder / f"{name}.html" for name in reports}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


class Visit:
    """A page that was opened, and what happened meanwhile."""

    def __init__(self, browser: Any, width: int, scheme: str) -> None:
        self.page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def colours(self) -> tuple[list[int], list[int]]:
        """Text and paper, as red, green and blue."""
        found = self.page.evaluate(
            """() => { const style = getComputedStyle(document.querySelector('.agreement-report'));
                return [style.color, style.backgroundColor].map(c => c.match(/\\d+/g).slice(0, 3).map(Number)) }"""
        )
        return found[0], found[1]


@pytest.fixture(params=[(w, s) for w in WIDTHS for s in SCHEMES], ids=lambda param: f"{param[0]}-{param[1]}")
def visit(request: pytest.FixtureRequest, browser: Any) -> Iterator[Visit]:
    opened = Visit(browser, *request.param)
    yield opened
    opened.page.close()


def luminance(colour: list[int]) -> float:
    channels = [c / 255 for c in colour]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: list[int], two: list[int]) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["example", "wide", "scores"])
def test_it_opens_in_peace_and_fits(pages: dict[str, Path], visit: Visit, name: str) -> None:
    visit.page.goto(pages[name].as_uri())
    assert visit.said == []
    assert [url for url in visit.asked if not url.startswith("data:")] == [pages[name].as_uri()]
    page_width, window = visit.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert page_width <= window
    boxes = visit.page.evaluate(
        """() => [...document.querySelectorAll('.table, svg, p, li, h1')].map(e => {
            const box = e.getBoundingClientRect(); return [e.tagName, box.left, box.right] })"""
    )
    assert [box for box in boxes if box[1] < 0 or box[2] > window] == []


def test_wide_tables_scroll_in_their_own_box(pages: dict[str, Path], browser: Any) -> None:
    visit = Visit(browser, 400, "light")
    visit.page.goto(pages["wide"].as_uri())
    scrolled = visit.page.evaluate(
        """() => [...document.querySelectorAll('.table')].map(e => {
            e.scrollLeft = 1e6; return e.scrollLeft + e.clientWidth >= e.scrollWidth - 1 && e.scrollLeft > 0 })"""
    )
    assert scrolled[-1]
    visit.page.close()


@pytest.mark.parametrize("name", ["example", "scores"])
def test_all_pictures_are_drawn(pages: dict[str, Path], browser: Any, name: str) -> None:
    pytest.importorskip("matplotlib")
    visit = Visit(browser, 1400, "light")
    visit.page.goto(pages[name].as_uri())
    sizes = visit.page.evaluate("[...document.querySelectorAll('figure svg')].map(s => s.getBBox().width)")
    assert len(sizes) >= 3
    assert min(sizes) > 100
    ids = visit.page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    visit.page.close()


def test_labels_stay_text(pages: dict[str, Path], browser: Any) -> None:
    visit = Visit(browser, 1400, "light")
    visit.page.goto(pages["wide"].as_uri())
    assert visit.page.inner_text("h1") == SCRIPT
    assert visit.page.title() == SCRIPT
    assert visit.page.evaluate("document.scripts.length") == 0
    assert SCRIPT in visit.page.inner_text("section:has(h2:text('Categories'))")
    assert visit.said == []
    visit.page.close()


def test_it_is_read_with_ease_in_light_and_dark(pages: dict[str, Path], visit: Visit) -> None:
    visit.page.goto(pages["example"].as_uri())
    ink, paper = visit.colours()
    assert contrast(ink, paper) > 10
    dark = visit.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert (luminance(paper) < 0.1) == dark
    faint = visit.page.evaluate("getComputedStyle(document.querySelector('.note')).color.match(/\\d+/g).map(Number)")
    assert contrast(faint[:3], paper) > 4.5


def ink_of_pictures(visit: Visit) -> list[list[int]]:
    """The colours of the words in the pictures."""
    return visit.page.evaluate(
        """() => [...document.querySelectorAll('figure svg [id*=text_] g')].map(e =>
            getComputedStyle(e).fill.match(/\\d+/g).slice(0, 3).map(Number))"""
    )


def test_pictures_are_dark_where_the_page_is(pages: dict[str, Path], visit: Visit) -> None:
    pytest.importorskip("matplotlib")
    visit.page.goto(pages["example"].as_uri())
    ink, paper = visit.colours()
    assert ink in ink_of_pictures(visit)
    assert contrast(ink, paper) > 10


@pytest.mark.parametrize(("ink", "paper"), [("rgb(238, 238, 238)", "#111111"), ("rgb(20, 20, 20)", "#ffffff")])
def test_a_notebook_has_its_own_theme(browser: Any, ink: str, paper: str) -> None:
    """Not that of the system."""
    pytest.importorskip("matplotlib")
    part = load_example().agree.report("ann", "bob")._repr_html_()
    visit = Visit(browser, 1000, "light" if paper == "#111111" else "dark")
    visit.page.set_content(f"<body style='background: {paper}; color: {ink}'>{part}</body>")
    text, _ = visit.colours()
    assert text == [int(part) for part in ink[4:-1].split(", ")]
    assert text in ink_of_pictures(visit)
    background = "getComputedStyle(document.querySelector('.agreement-report')).backgroundColor"
    assert visit.page.evaluate(background) == "rgba(0, 0, 0, 0)"
    visit.page.close()


def test_all_coders_of_an_item_are_in_view(pages: dict[str, Path], browser: Any) -> None:
    """At 1400 pixels, with eight coders, long labels and eight columns of text."""
    visit = Visit(browser, 1400, "light")
    visit.page.goto(pages["wide"].as_uri())
    ends = visit.page.evaluate(
        """() => { const box = [...document.querySelectorAll('.table')].pop();
            const cells = box.querySelectorAll('tbody tr:first-child > *');
            return [box, ...cells].map(e => e.getBoundingClientRect().right) }"""
    )
    assert max(ends[1:11]) <= ends[0]  # the key, eight coders and the majority
    visit.page.close()


def test_it_prints_black_on_white(pages: dict[str, Path], browser: Any) -> None:
    visit = Visit(browser, 1400, "dark")
    visit.page.goto(pages["example"].as_uri())
    visit.page.emulate_media(media="print")
    assert visit.colours() == ([0, 0, 0], [255, 255, 255])
    assert visit.page.pdf(format="A4").startswith(b"%PDF")
    visit.page.close()


def test_a_part_of_a_notebook_leaves_the_rest_alone(browser: Any) -> None:
    part = load_example().agree.report("ann", "bob", pictures=False)._repr_html_()
    look = """() => ['h2', 'p', 'table', 'td'].map(tag => {
        const s = getComputedStyle(document.querySelector('#own ' + tag));
        return [s.color, s.font, s.padding, s.margin, s.textAlign, s.background] })"""
    own = "<div id='own'><h2>a</h2><p>b</p><table><tr><td>c</td></tr></table></div>"
    visit = Visit(browser, 1000, "light")
    visit.page.set_content(own)
    before = visit.page.evaluate(look)
    visit.page.set_content(own + part)
    assert visit.page.evaluate(look) == before
    assert visit.page.inner_text(".agreement-report h2") == "Agreement report"
    visit.page.close()


THEMES = {
    "<body data-jp-theme-light='false'": True,
    "<body data-jp-theme-light='true'": False,
    "<body class='vscode-dark'": True,
    "<html theme='dark'><body": True,
}


@pytest.mark.parametrize(("start", "dark"), THEMES.items())
def test_pictures_of_a_notebook_follow_its_theme(browser: Any, start: str, dark: bool) -> None:
    """Letters are light and all else is dark, or the other way round, whatever the system prefers."""
    pytest.importorskip("matplotlib")
    image: Any = pytest.importorskip("PIL.Image", reason="comes with matplotlib")
    paper = "#111111" if dark else "#ffffff"
    visit = Visit(browser, 700, "light" if dark else "dark")
    part = load_example().agree.plot.forest("ann", "bob").figure._repr_html_()
    visit.page.set_content(f"{start} style='background: {paper}'>{part}</body>")
    pixels = np.asarray(image.open(BytesIO(visit.page.locator("img").screenshot())).convert("L"), dtype=float)
    assert abs(np.median(pixels) - int(paper[1:3], 16)) < 3  # no box around it
    assert (pixels.max() > 230) if dark else (pixels.min() < 30)  # the letters
    visit.page.close()

"""The built site in a real browser: every page opens without errors, fits, and asks nothing from outside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pandas_agreement.accessor.names import GROUPS
from tests.helpers import none_of
from tests.pages import TOP
from tests.report.test_browser import Visit, browser, pytestmark  # noqa: F401  (fixture, and skips without a browser)

SITE = TOP / ".site"
pytestmark = [
    *pytestmark,
    pytest.mark.skipif(not SITE.exists(), reason="no site: python -m sphinx -W -b html .docs .site"),
]


def faults(visit: Visit, path: Path) -> list[str]:
    """What a reader of the page would mind."""
    visit.said.clear()
    visit.asked.clear()
    visit.page.goto(path.as_uri())
    wide, window = visit.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    broken = visit.page.evaluate(
        "[...document.images].filter(i => i.loading !== 'lazy' && !(i.complete && i.naturalWidth)).map(i => i.src)"
    )
    outside = [url for url in visit.asked if not url.startswith(("file:", "data:"))]
    return [*visit.said, *outside, *broken, *([f"{wide} wide"] if wide > window else [])]


@pytest.mark.parametrize(("width", "scheme"), [(420, "dark"), (1400, "light")])
def test_every_page_opens_in_peace_and_fits(browser: Any, width: int, scheme: str) -> None:  # noqa: F811
    visit = Visit(browser, width, scheme)
    paths = sorted(SITE.rglob("*.html"))
    assert len(paths) > 60
    found = {path.relative_to(SITE).as_posix(): faults(visit, path) for path in paths}
    visit.page.close()
    assert {name: said for name, said in found.items() if said} == {}


def test_the_search_finds_a_coefficient(browser: Any) -> None:  # noqa: F811
    visit = Visit(browser, 1400, "light")
    visit.page.goto(f"{(SITE / 'search.html').as_uri()}?q=krippendorff")
    visit.page.wait_for_selector("#search-results li")
    assert "krippendorff" in visit.page.inner_text("#search-results").lower()
    assert visit.said == []
    visit.page.close()


def test_every_name_is_in_the_reference() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in (SITE / "generated" / "api").glob("*.html"))
    names = [name for group in GROUPS for name in group.names if name not in ("test", "plot")]
    none_of([name for name in names if f'id="df.agree.{name}"' not in pages])


def test_formulas_are_drawn_without_a_network(browser: Any) -> None:  # noqa: F811
    visit = Visit(browser, 1400, "light")
    visit.page.goto((SITE / "coefficients" / "kappa.html").as_uri())
    visit.page.wait_for_selector("mjx-container svg")
    assert [url for url in visit.asked if not url.startswith(("file:", "data:"))] == []
    assert visit.said == []
    visit.page.close()

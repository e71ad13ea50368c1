"""Pictures in a notebook: dark where its theme is."""

from __future__ import annotations

import base64
import io
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

plt = pytest.importorskip("matplotlib.pyplot", reason="pictures need matplotlib")
Image: Any = pytest.importorskip("PIL.Image", reason="comes with matplotlib")


def shown(html: str) -> Any:
    found = re.search('base64,([^"]+)', html)
    assert found
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(found[1]))).convert("RGB"))


def test_a_notebook_gets_a_picture_with_a_rule_for_dark_themes(example: pd.DataFrame) -> None:
    ax = example.agree.plot.forest("ann", "bob", title="a < b")
    html = ax.figure._repr_html_()
    for theme in ('[data-jp-theme-light="false"]', "body.vscode-dark", 'html[theme="dark"]', '[data-theme="dark"]'):
        assert f"{theme} .agreement-picture" in html
    assert 'alt="a &lt; b"' in html
    assert shown(html)[0, 0].tolist() == [255, 255, 255]


@pytest.mark.parametrize("setting", [{"text.color": "white"}, {"figure.facecolor": "black"}, {"axes.facecolor": "0.9"}])
def test_the_style_of_the_user_stays(example: pd.DataFrame, setting: dict[str, str]) -> None:
    with plt.rc_context(setting):
        assert example.agree.plot.by_item("ann", "bob").figure._repr_html_() is None


def test_a_figure_that_got_a_colour_or_belongs_to_the_user_stays(example: pd.DataFrame) -> None:
    figure = example.agree.plot.by_item("ann", "bob").figure
    figure.set_facecolor("lightyellow")
    assert figure._repr_html_() is None
    own = plt.figure()
    example.agree.plot.by_item("ann", "bob", ax=own.subplots())
    assert own._repr_html_() is None

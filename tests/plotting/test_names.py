"""Names that mean something to matplotlib or to a terminal, in every kind of picture."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")

import matplotlib.pyplot as plt
from matplotlib.text import Text

from pandas_agreement.accessor.plots import KINDS
from pandas_agreement.characters import HIDDEN

#: formulas to matplotlib, with signs that a terminal obeys or nobody sees
NAMES = ("$x^{$ a\x1b[31m", "a $\\frac$ b\x00\u202e", "$5 to $10 c\u200bd")
PAIRS = {"confusion", "bland_altman"}  # kinds of two coders
BY = {"forest", "trend", "by_category"}


def frame(numbers: bool) -> pd.DataFrame:
    """Labels, or scores, of coders with these names, who use these labels, in groups of these names."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 60)
    coded = {name: np.where(rng.random(60) < 0.7, truth, rng.integers(0, 3, 60)) for name in NAMES}
    data = pd.DataFrame(coded) + rng.normal(size=(60, 3)) if numbers else pd.DataFrame(coded).map(NAMES.__getitem__)
    return data.assign(**{f"{NAMES[0]} by": np.resize(NAMES, 60)})


@pytest.mark.parametrize("own", [True, False], ids=["new axes", "given axes"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_name_is_drawn_as_it_is(kind: str, own: bool) -> None:
    numbers = kind == "bland_altman"
    options = {"by": f"{NAMES[0]} by"} if kind in BY else {}
    if not own:
        options["ax"] = plt.subplots()[1]
    drawn = getattr(frame(numbers).agree.plot, kind)(*(NAMES[:2] if kind in PAIRS else NAMES), **options)
    drawn.figure.draw_without_rendering()  # warnings about missing signs are errors
    texts = [text.get_text() for text in drawn.figure.findobj(Text)]
    assert not [text for text in texts if HIDDEN.search(text)]

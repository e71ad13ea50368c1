"""Pictures of inferred labels: skill of the coders, and their error rates."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")

import pandas_agreement
from pandas_agreement import InputError
from pandas_agreement.plotting import confusions, skill
from tests.data_sets import CODERS
from tests.helpers import refuses


def test_skill_is_drawn_with_the_best_on_top() -> None:
    result = pandas_agreement.load_example().agree.truth(*CODERS, method="dawid_skene").by_coder()
    ax = pandas_agreement.plot(result)
    order = result["skill"].sort_values(ascending=False).index.tolist()
    assert [text.get_text() for text in ax.get_yticklabels()] == order
    ax = skill(result, show="accuracy", sort=False)
    assert [text.get_text() for text in ax.get_yticklabels()] == CODERS
    assert ax.get_title(loc="left") == "Inferred accuracy of the coders"
    shown = [text.get_text() for text in pandas_agreement.plot(result).texts]
    assert shown[0] == f"{result['skill'].max():.2f}"  # intervals of skills are details
    assert shown[-1] == "skill"
    for coders, moved in ((result.loc[order[::-1]], True), (result.loc[order], False)):
        below = " ".join(skill(coders).get_xlabel().split())
        assert ("coders reordered: the best on top" in below) == moved
    with refuses(InputError, "A vote has no skill to draw. Use truth(method='dawid_skene')."):
        skill(pandas_agreement.load_example().agree.truth(*CODERS).by_coder())


def test_error_rates_are_one_panel_of_rows_per_coder() -> None:
    example = pandas_agreement.load_example()
    result = example.agree.truth(*CODERS, method="dawid_skene").confusions()
    ax = pandas_agreement.plot(result)
    expected = [f"{p:.0%}" for p in result["probability"]]
    assert [text.get_text() for text in ax.texts] == expected
    assert [text.get_text() for text in ax.get_yticklabels()][:2] == ["ann: bug", "ann: complaint"]
    grouped = example.agree.truth(*CODERS, method="one_coin", by="batch").confusions()
    with refuses(InputError, "Confusions draws one group. Choose it with result.loc[group]."):
        confusions(grouped)
    with pytest.raises(InputError, match=r"^Results of consensus cannot be plotted\. These can: coefficients, "):
        pandas_agreement.plot(example.agree.consensus(*CODERS))


def test_of_many_error_rates_the_worst_are_shown() -> None:
    names = [f"label {place}" for place in range(24)]
    index = pd.MultiIndex.from_product([["ann", "bob"], names, names], names=["coder", "true", "given"])
    right = index.get_level_values("true") == index.get_level_values("given")
    sure = np.where(index.get_level_values("coder") == "bob", 0.5, 0.9)
    sure = sure + 0.01 * index.get_level_values("true").str.removeprefix("label ").astype(
        int
    )  # the first are the worst
    result = pd.DataFrame({"probability": np.where(right, sure, 0.01)}, index=index)
    ax = confusions(result)
    assert ax.get_title(loc="left") == "Error rates of the weakest of 2 coders"
    assert [text.get_text() for text in ax.get_yticklabels()] == [f"bob: {name}" for name in names[:20]]
    assert ax.get_xlabel() == "label given\nthe 20 of 24 with the most errors"

"""Pictures of inferred labels: skill of the coders, and their error rates."""

from __future__ import annotations

import pytest

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")

import pandas_agreement
from pandas_agreement import InputError
from pandas_agreement.plotting import confusions, skill
from tests.data_sets import CODERS
from tests.helpers import refuses


def test_skill_is_drawn_with_the_best_on_top() -> None:
    result = pandas_agreement.load_example().agree.truth(*CODERS, method="dawid_skene").coders()
    ax = pandas_agreement.plot_result(result)
    order = result["skill"].sort_values(ascending=False).index.tolist()
    assert [text.get_text() for text in ax.get_yticklabels()] == order
    ax = skill(result, show="accuracy", sort=False)
    assert [text.get_text() for text in ax.get_yticklabels()] == CODERS
    assert ax.get_title(loc="left") == "Inferred accuracy of the coders"
    with refuses(InputError, "a vote has no skill to draw; use truth(method='dawid_skene')"):
        skill(pandas_agreement.load_example().agree.truth(*CODERS).coders())


def test_error_rates_are_one_panel_of_rows_per_coder() -> None:
    example = pandas_agreement.load_example()
    result = example.agree.truth(*CODERS, method="dawid_skene").confusions()
    ax = pandas_agreement.plot_result(result)
    expected = [f"{p:.0%}" for p in result["probability"]]
    assert [text.get_text() for text in ax.texts] == expected
    assert [text.get_text() for text in ax.get_yticklabels()][:2] == ["ann: bug", "ann: complaint"]
    grouped = example.agree.truth(*CODERS, method="one_coin", by="batch").confusions()
    with refuses(InputError, "confusions draws one group; choose it with result.loc[group]"):
        confusions(grouped)
    with refuses(InputError, "there is no picture of a table of inferred labels; read the table"):
        pandas_agreement.plot_result(example.agree.consensus(*CODERS))

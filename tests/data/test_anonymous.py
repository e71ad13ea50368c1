"""Long data without coders, and items that several columns name together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import ColumnError, InputError
from pandas_agreement.coefficients.registry import REGISTRY
from tests.data_sets import LONG, scores, to_long
from tests.helpers import as_subject, call, reach, refuses, same

WIDE = scores(40, 4).assign(batch=["x", "y"] * 20)
JUDGMENTS = to_long(WIDE, ("batch",)).sample(frac=1, random_state=1)
COMPOSITE = JUDGMENTS.assign(system=JUDGMENTS["doc"] % 3, segment=JUDGMENTS["doc"] // 3)
KEYS = ["system", "segment"]


@pytest.mark.parametrize("name", [name for name, record in REGISTRY.items() if not record.needs_coders])
@pytest.mark.parametrize("by", [None, "batch"])
def test_anonymous_raters_have_the_numbers_of_the_coders(name: str, by: str | None) -> None:
    known = call(JUDGMENTS.agree.long(**LONG), name, by=by)
    same(call(JUDGMENTS.agree.long(item="doc", label="tag"), name, by=by), known)


def test_anonymous_raters_may_give_an_item_the_same_label_twice() -> None:
    frame = pd.DataFrame({"doc": [1, 1, 1, 2, 2], "tag": list("aabbb")})
    counts = pd.DataFrame({"a": [2, 0], "b": [1, 2]})
    same(frame.agree.long(item="doc", label="tag").pi(), counts.agree.counts().pi())


def test_an_item_in_two_groups_is_an_item_of_each() -> None:
    frame = pd.DataFrame({"doc": [1, 1, 1, 1, 2, 2], "tag": list("aabbab"), "g": [1, 1, 2, 2, 1, 1]})
    found = frame.agree.long(item="doc", label="tag").observed(by="g", ci=None, detail=True)
    assert found["n_coders"].tolist() == [2, 2]
    assert found["estimate"].tolist() == [0.5, 1.0]


def test_what_needs_the_coders_refuses() -> None:
    anonymous = JUDGMENTS.agree.long(item="doc", label="tag")
    for name in ("kappa", "by_pair", "by_coder", "margins", "bland_altman", "icc_c1", "test.margins"):
        say = as_subject(name)
        with pytest.raises(InputError, match=f"^{say} needs the coder of each label, which these data do not contain"):
            reach(anonymous, name)()
    with refuses(InputError, "The raters are anonymous, so none can be selected. Name the column: coder="):
        anonymous.alpha("ann", "bob")
    with refuses(
        InputError, "duplicates='first' needs coders, and these raters are anonymous. Name their column: coder="
    ):
        JUDGMENTS.agree.long(item="doc", label="tag", duplicates="first")
    assert list(anonymous.summary().index) == ["observed", "pi", "alpha", "ac1", "s"]
    assert "Coders and pairs" in anonymous.report(pictures=False).to_markdown()
    assert (anonymous.test.chance()["p_value"] < 0.001).all()


@pytest.mark.parametrize("coder", ["who", None])
def test_a_composite_item_equals_one_joined_by_hand(coder: str | None) -> None:
    one = COMPOSITE.agree.long(item="doc", coder=coder, label="tag")
    several = COMPOSITE.agree.long(item=KEYS, coder=coder, label="tag")
    same(several.summary(), one.summary())
    same(several.alpha(by="batch"), one.alpha(by="batch"))
    by_name, by_keys = one.by_item(), several.by_item()
    assert list(by_keys.index.names) == KEYS
    joined = by_keys.reset_index().assign(doc=lambda f: f["segment"] * 3 + f["system"]).set_index("doc").sort_index()
    same(joined[by_name.columns], by_name.sort_index())


def test_a_group_key_may_be_a_part_of_the_item() -> None:
    found = COMPOSITE.agree.long(item=KEYS, coder="who", label="tag").by_item(by="system")
    assert list(found.index.names) == KEYS
    assert found["n_labels"].sum() == len(COMPOSITE)


def test_disagreements_hold_all_rows_of_a_composite_item() -> None:
    worst = COMPOSITE.agree.long(item=KEYS, coder="who", label="tag").disagreements(n=2, detail=True)
    assert list(worst.columns[: COMPOSITE.shape[1]]) == list(COMPOSITE.columns)
    shown = COMPOSITE.agree.long(item=KEYS, coder="who", label="tag").disagreements(n=2)
    same(worst[[*KEYS, "who", "tag", "agreement", "influence"]], shown)
    sizes = worst.groupby(KEYS).size()
    assert len(sizes) == 2
    assert sizes.tolist() == worst.groupby(KEYS)["n_labels"].first().tolist()


def test_keys_of_any_dtype() -> None:
    frame = COMPOSITE.assign(system=pd.Categorical(COMPOSITE["system"].map({0: "a", 1: "b", 2: "c"})))
    frame["segment"] = frame["segment"].astype("Int64")
    same(
        frame.agree.long(item=KEYS, coder="who", label="tag").alpha(),
        COMPOSITE.agree.long(item="doc", coder="who", label="tag").alpha(),
    )


def test_a_missing_part_of_an_item_and_wrong_lists_are_refused() -> None:
    frame = COMPOSITE.reset_index(drop=True).astype({"segment": float})
    frame.loc[4, "segment"] = np.nan
    message = (
        "1 row has a label but no 'segment' (the first is row 4). Drop such rows with df.dropna(subset=['segment'])."
    )
    with refuses(InputError, message):
        frame.agree.long(item=KEYS, coder="who", label="tag").alpha()
    frame.loc[4, "tag"] = np.nan  # a row without a label is ignored
    assert frame.agree.long(item=KEYS, coder="who", label="tag").alpha()["n_items"].iloc[0] > 30
    with refuses(InputError, "item=['doc', 'doc'] must name at least one column, and none twice."):
        frame.agree.long(item=["doc", "doc"], coder="who", label="tag")
    with refuses(InputError, "item=[] must name at least one column, and none twice."):
        frame.agree.long(item=[], coder="who", label="tag")
    with pytest.raises(ColumnError, match=r"No column 'sgment'\. Did you mean 'segment'"):
        frame.agree.long(item=["system", "sgment"], coder="who", label="tag").alpha()
    same(JUDGMENTS.agree.long(item=["doc"], coder="who", label="tag").by_item(), JUDGMENTS.agree.long(**LONG).by_item())

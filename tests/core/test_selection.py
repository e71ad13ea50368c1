"""Groups in blocks: the same numbers, and room only for what a block needs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import pandas_agreement
from pandas_agreement import errors
from pandas_agreement.core import ratings, selection
from tests.data_sets import as_long, scores
from tests.helpers import reach


@pytest.mark.parametrize("metric", ["kappa", "pi", "alpha", "light_kappa", "bias"])
@pytest.mark.parametrize("method", ["analytic", "jackknife"])
def test_blocks_of_groups_give_the_same_numbers(monkeypatch: pytest.MonkeyPatch, metric: str, method: str) -> None:
    df = scores(200, 4).assign(batch=np.random.default_rng(1).choice(list("stuvwxyz"), 200))
    door = as_long(df, ("batch",))
    options = {"by": "batch", "method": method}
    whole, pairs = getattr(door, metric)(**options), door.by_pair(metric=metric, **options)
    clustered = df.agree.kappa(*df.columns[:4], by="batch", clusters=np.arange(200) // 3)
    monkeypatch.setattr(selection.split_groups, "__defaults__", (40,))
    assert_frame_equal(getattr(door, metric)(**options), whole)
    assert_frame_equal(door.by_pair(metric=metric, **options), pairs)
    assert_frame_equal(df.agree.kappa(*df.columns[:4], by="batch", clusters=np.arange(200) // 3), clustered)


def test_one_large_group_does_not_make_room_for_its_coders_in_all_others() -> None:
    groups = [np.arange(3), np.array([3])]
    item = np.array([0, 0, 1, 1, 2, 2, *[3] * 50])
    coder = np.array([0, 1, 0, 1, 0, 1, *range(50)])
    triples = ratings.LongRatings(50, 2, 4, np.arange(4), None, ratings.Labels(item, coder, coder % 2), 4)
    blocks = selection.split_groups(triples, 100)
    assert [block.tolist() for block in blocks] == [group.tolist() for group in groups]
    part, items = selection.only_groups(triples, blocks[0])
    assert (part.n_groups, part.n_items, items.tolist()) == (3, 3, [True, True, True, False])
    assert part.coder_totals().shape == (3, 2, 2)


def test_continuous_scores_of_many_groups_are_one_block() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=3000)
    df = pd.DataFrame({"a": x, "b": x + rng.normal(size=3000), "g": np.arange(3000) // 10})
    table = df.agree.icc_c1("a", "b", by="g")
    alone = df[df["g"] == 7].agree.icc_c1("a", "b")
    assert table.loc[7, "estimate"] == pytest.approx(alone["estimate"].iloc[0])


@pytest.mark.parametrize("method", ["compare", "test.groups", "pooled"])
def test_tables_of_very_many_labels_in_groups_are_refused(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    df = pd.DataFrame({"a": range(40), "b": range(40), "group": [0, 1] * 20}).astype(str)
    reach(df.agree, method)(by="group")
    monkeypatch.setattr(errors, "MAX_BYTES", 2 * 2 * 40 * selection.BYTES_PER_CELL - 1)
    with pytest.raises(pandas_agreement.InputError, match="Tables of 40 different labels in 2 groups would need about"):
        reach(df.agree, method)(by="group")
    reach(df.agree, method)(by="group", metric="alpha")

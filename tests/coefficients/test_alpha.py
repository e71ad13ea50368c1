"""Krippendorff's alpha: sets, and the scale of a group."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from tests.helpers import part_of


def test_observed_and_expected_are_on_the_groups_own_scale() -> None:
    df = pd.DataFrame({"a": [1, 2, 3, 100, 200], "b": [1, 3, 2, 150, 200], "g": list("xxxyy")})
    grouped = df.agree.alpha("a", "b", level="interval", by="g", ci=None)
    for name in "xy":
        part = df[df["g"] == name].agree.alpha("a", "b", level="interval", ci=None)
        columns = ["observed", "expected", "estimate"]
        assert_frame_equal(part_of(grouped, g=name)[columns], part[columns])


def test_nltk_agrees_on_sets() -> None:
    agreement = pytest.importorskip("nltk.metrics.agreement", reason="nltk is not installed")
    from nltk.metrics import masi_distance

    rng = np.random.default_rng(4)
    cells = [[frozenset(rng.choice(list("pqrs"), rng.integers(1, 4))) for _ in range(2)] for _ in range(20)]
    data = [(coder, item, cell) for item, row in enumerate(cells) for coder, cell in enumerate(row)]
    task = agreement.AnnotationTask(data, distance=masi_distance)
    df = pd.DataFrame(cells, columns=["a", "b"])
    assert df.agree.alpha(level="masi")["estimate"].iloc[0] == pytest.approx(task.alpha())

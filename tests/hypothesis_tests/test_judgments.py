"""Labels as permutations need them."""

from __future__ import annotations

import numpy as np

from tests.hypothesis_tests.helpers import judgments


def test_items_that_occur_several_times_are_shuffled_one_by_one() -> None:
    codes, weight = np.array([[0, 1, 2], [0, 2, 2]]), np.array([3.0, 2.0, 1.0])
    whole = judgments(np.repeat(codes, weight.astype(int), axis=1))
    expanded = judgments(codes, weight=weight).expanded()
    for name in ("item", "coder", "code", "weight"):
        assert (getattr(whole, name) == getattr(expanded, name)).all()


def test_coders_are_numbered_within_their_group() -> None:
    codes = np.array([[0, 1, -1, -1], [0, 2, -1, 1], [-1, -1, 1, 1]])
    labels = judgments(codes, group=np.array([0, 0, 1, 1]))
    assert labels.coder.tolist() == [0, 1, 0, 1, 2, 1, 2]
    assert labels.slot.tolist() == [0, 1, 0, 1, 1, 0, 1]

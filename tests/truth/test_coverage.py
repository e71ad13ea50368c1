"""Intervals of the accuracy and the skill of coders cover the truth, although the labels are inferred."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.inference.means import wilson

DRAWS = 60


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
@pytest.mark.parametrize(("n_items", "n_coders", "K"), [(300, 5, 2), (200, 3, 2), (100, 5, 2)])
def test_intervals_cover(n_items: int, n_coders: int, K: int) -> None:
    """60 data sets of 5 (3) coders: the share of .95 has a standard error of about .013 (.016).

    'naive' takes the inferred labels for true.
    """
    rng = np.random.default_rng(0)
    hits = {"accuracy": [], "skill": [], "naive": []}
    for _ in range(DRAWS):
        pi = rng.dirichlet(np.full(K, 5.0))
        right = rng.uniform(0.6, 0.9, (n_coders, K))
        truth = rng.choice(K, n_items, p=pi)
        codes = {c: np.where(rng.random(n_items) < right[c, truth], truth, 1 - truth) for c in range(n_coders)}
        frame = pd.DataFrame(codes)
        inferred = frame.agree.truth(method="dawid_skene")
        found = inferred.by_coder(detail=True)
        accuracy = right @ pi
        margin = np.stack([right[:, 0] * pi[0] + (1 - right[:, 1]) * pi[1], np.zeros(n_coders)], 1)
        margin[:, 1] = 1 - margin[:, 0]
        chance = margin @ pi
        skill = (accuracy - chance) / (1 - chance)
        hits["accuracy"] += ((found["accuracy_low"] <= accuracy) & (accuracy <= found["accuracy_high"])).tolist()
        hits["skill"] += ((found["skill_low"] <= skill) & (skill <= found["skill_high"])).tolist()
        correct = frame.eq(inferred.by_item()["label"], axis=0).sum().to_numpy()
        low, high = wilson(correct / n_items, np.full(n_coders, n_items), 0.95)
        hits["naive"] += ((low <= accuracy) & (accuracy <= high)).tolist()
    assert np.mean(hits["naive"]) < 0.86
    assert 0.91 < np.mean(hits["accuracy"]) <= 1
    assert 0.90 < np.mean(hits["skill"]) <= 1

"""Matrices of many coders are inverted and turned in parts, with the numbers of the whole."""

from __future__ import annotations

import numpy as np
import pytest

from pandas_agreement.coefficients.numeric import crossed
from pandas_agreement.coefficients.numeric.crossed import _turned, inverse, to_contrasts
from pandas_agreement.coefficients.numeric.icc import Design, icc
from pandas_agreement.core.scores import Scores


@pytest.mark.parametrize("C", [65, 128, 150])
def test_large_matrices_are_inverted_in_blocks(C: int) -> None:
    rng = np.random.default_rng(C)
    part = rng.normal(size=(2, C, C + 5))
    scale = 10.0 ** rng.uniform(-3, 3, (2, C))  # rows that differ much in size
    matrices = part @ np.swapaxes(part, 1, 2) * scale[:, :, None] * scale[:, None]
    inverted, log_determinant = inverse(matrices)
    np.testing.assert_allclose(inverted @ matrices, np.tile(np.eye(C), (2, 1, 1)), atol=1e-6)
    np.testing.assert_allclose(log_determinant, np.linalg.slogdet(matrices)[1], rtol=1e-12)


def test_products_of_many_coders_are_turned_as_by_matrices() -> None:
    n_coders, C = np.array([80, 1, 30]), 80
    turn, part = to_contrasts(n_coders, C), np.random.default_rng(2).normal(size=(3, 2, C, C))
    products = part + np.swapaxes(part, 2, 3)
    np.testing.assert_allclose(_turned(turn, products), turn[:, None] @ products @ turn[:, None], atol=1e-12)


@pytest.mark.parametrize("form", ["ICC(A,1)", "ICC(C,1)"])
def test_icc_is_the_same_in_blocks(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    table = rng.normal(size=(80, 1)) + rng.normal(size=12) / 2 + rng.normal(size=(80, 12))
    table[rng.random(table.shape) < 0.6] = np.nan
    whole, parts = (icc(Design(Scores.from_columns(list(table.T))), form) for _ in _sides(monkeypatch))
    for name in ("value", "low", "high", "statistic", "p"):
        np.testing.assert_allclose(getattr(parts, name), getattr(whole, name), rtol=1e-9)


def _sides(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Matrices of twelve coders as a whole, then in blocks of at most five."""
    yield None
    monkeypatch.setattr(crossed, "MAX_SIDE", 5)
    yield None

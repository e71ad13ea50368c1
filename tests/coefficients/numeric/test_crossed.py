"""Matrices of many coders."""

from __future__ import annotations

import numpy as np

from pandas_agreement.coefficients.numeric.crossed import inverse


def test_matrices_whose_rows_differ_much_in_size_are_inverted() -> None:
    rng = np.random.default_rng(1)
    part = rng.normal(size=(2, 65, 70))
    scale = 10.0 ** rng.uniform(-3, 3, (2, 65))
    matrices = part @ np.swapaxes(part, 1, 2) * scale[:, :, None] * scale[:, None]
    inverted, log_determinant = inverse(matrices)
    np.testing.assert_allclose(inverted @ matrices, np.tile(np.eye(65), (2, 1, 1)), atol=1e-6)
    np.testing.assert_allclose(log_determinant, np.linalg.slogdet(matrices)[1], rtol=1e-12)

"""The coefficients, a family a file; importing the package registers them, in the order of the catalogue."""

from pandas_agreement.coefficients import chance, alpha, pairwise_kappa, bias, numeric  # noqa: I001

__all__ = ["alpha", "bias", "chance", "numeric", "pairwise_kappa"]

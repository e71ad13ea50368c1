"""The coefficients, a family a file; importing the package registers them, in the order of the catalogue."""

from pandas_agreement.coefficients import chance, alpha, pooling, bias, numeric  # noqa: I001 (the order of the catalogue)

__all__ = ["alpha", "bias", "chance", "numeric", "pooling"]

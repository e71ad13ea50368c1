"""The coefficients, a family a file; importing the package registers them, in the order of the catalogue."""

from pandas_agreement.coefficients import chance, alpha, bias  # noqa: I001 (the order of the catalogue)
from pandas_agreement.coefficients import pairwise_kappa as pooling
from pandas_agreement.coefficients.numeric import records as numeric

__all__ = ["alpha", "bias", "chance", "numeric", "pairwise_kappa"]

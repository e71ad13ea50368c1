"""Coefficients of scores (numeric ratings); importing the package registers them."""

from pandas_agreement.coefficients.numeric import records

__all__ = ["records"]

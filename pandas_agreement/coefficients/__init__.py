"""The coefficients, one family per file; importing the package registers them, in the order of the catalogue.

A file that is not named here is imported after the others.
"""

from importlib import import_module  # noqa: I001  (the catalogue has an order)
from pkgutil import walk_packages

from pandas_agreement.coefficients import chance, alpha, pairs, bias, numeric

for _file in walk_packages(__path__, f"{__name__}."):
    import_module(_file.name)

__all__ = ["alpha", "bias", "chance", "numeric", "pairs"]

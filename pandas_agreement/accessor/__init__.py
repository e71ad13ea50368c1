"""`df.agree` and its relatives.

`coefficients` and `breakdown` hold every method once; the four ways into the data (and a grouped frame) in `ways` only
know how to read. The methods of the coefficients are made from their records, so a coefficient that is registered is
here. Type checkers read `__init__.pyi` in place of this file: it is generated, and lists every option of every method.
"""

from pandas_agreement.accessor.plots import Plots
from pandas_agreement.accessor.ways import (
    AgreementAccessor,
    CountsAgreement,
    CrosstabAgreement,
    GroupByAgreement,
    LongAgreement,
    Methods,
)

__all__ = [
    "AgreementAccessor",
    "CountsAgreement",
    "CrosstabAgreement",
    "GroupByAgreement",
    "LongAgreement",
    "Methods",
    "Plots",
]

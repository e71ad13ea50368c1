"""`df.agree` and its relatives.

`coefficients` and `breakdown` hold every method once; the four ways into the data (and a grouped frame) in `ways` only
know how to read. The methods of the coefficients are made from their records, so a coefficient that is registered is
here.
"""

from pandas_agreement.accessor.ways import AgreementAccessor, GroupByAgreement, Methods

__all__ = ["AgreementAccessor", "GroupByAgreement", "Methods"]

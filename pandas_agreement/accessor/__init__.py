"""`df.agree`, and the same methods for the other input formats.

`coefficients`, `breakdown`, `comparing`, `scores`, `inferring`, `reporting`, `tests` and `plots` define every method
once; `formats` and `long` read the five input formats and grouped frames. `names` has the names that are shown,
and the hidden ones. `inputs` has the calls that say who is who or what columns hold; what they return is in `judges`,
`coder_groups`, `preferences` and `spans`, and what `inferring` returns in `truth`. Methods of coefficients are made
from the registry. Type checkers read the generated `__init__.pyi` instead of this file: it lists every option of every
method.
"""

from pandas_agreement.accessor.formats import (
    AgreementAccessor,
    CellsAgreement,
    CountsAgreement,
    CrosstabAgreement,
    GroupByAgreement,
)
from pandas_agreement.accessor.inputs import returned as __getattr__  # noqa: F401  (classes that are imported late)
from pandas_agreement.accessor.long import LongAgreement
from pandas_agreement.accessor.methods import Methods
from pandas_agreement.accessor.plots import Plots
from pandas_agreement.accessor.tests import AgreementTests

__all__ = [
    "AgreementAccessor",
    "AgreementTests",
    "CellsAgreement",
    "CountsAgreement",
    "CrosstabAgreement",
    "GroupByAgreement",
    "GroupedCoders",
    "JudgedAgreement",
    "LongAgreement",
    "Methods",
    "Plots",
    "Preferences",
    "SpanAgreement",
]

"""Agreement between coders (annotators, raters, judges), as a pandas accessor.

Importing this package adds `df.agree` to every DataFrame:

>>> import pandas as pd, pandas_agreement
>>> df = pd.DataFrame({"ann": ["yes", "no", "no", "yes"], "bob": ["yes", "no", "yes", "yes"]})
>>> df.agree.kappa("ann", "bob")["estimate"]
coefficient
kappa    0.5
Name: estimate, dtype: float64
"""

from typing import TYPE_CHECKING

from pandas_agreement.errors import AgreementError, AgreementWarning, ColumnError, InputError, LabelTypeError
from pandas_agreement.registration import register_accessors
from pandas_agreement.version import VERSION

if TYPE_CHECKING:
    from pandas_agreement import plan, scales, testing
    from pandas_agreement.accessor import AgreementAccessor
    from pandas_agreement.accessor.docs import catalog
    from pandas_agreement.accessor.formats import agree
    from pandas_agreement.example import load_example
    from pandas_agreement.exports import read
    from pandas_agreement.interpreting import interpret
    from pandas_agreement.plotting import plot
    from pandas_agreement.streaming import stream
    from pandas_agreement.tables import sentence, table

__version__ = VERSION
register_accessors()

__all__ = [
    "AgreementAccessor",
    "AgreementError",
    "AgreementWarning",
    "ColumnError",
    "InputError",
    "LabelTypeError",
    "agree",
    "catalog",
    "interpret",
    "load_example",
    "plan",
    "plot",
    "read",
    "scales",
    "sentence",
    "stream",
    "table",
    "testing",
]

#: public names that are imported on first use, and their modules
LATER = {
    "AgreementAccessor": "accessor",
    "agree": "accessor.formats",
    "catalog": "accessor.docs",
    "interpret": "interpreting",
    "load_example": "example",
    "plan": "plan",
    "plot": "plotting",
    "read": "exports",
    "scales": "scales",
    "sentence": "tables",
    "stream": "streaming",
    "table": "tables",
    "testing": "testing",
}
#: names that people try, and what to write instead
INSTEAD = {"membership": "interpret(..., detail=True) has the probability of each label"}


def _import_later(name: str) -> object:
    from importlib import import_module

    if name in INSTEAD:
        raise AttributeError(f"module 'pandas_agreement' has no attribute {name!r}; {INSTEAD[name]}")
    if name not in LATER:
        remedy = "; it is called 'plot'" if name == "plot_result" else ""
        raise AttributeError(f"module 'pandas_agreement' has no attribute {name!r}{remedy}")
    module = import_module(f"pandas_agreement.{LATER[name]}")
    return module if LATER[name] == name else getattr(module, name)


if not TYPE_CHECKING:  # or type checkers would accept any name
    __getattr__ = _import_later


def __dir__() -> list[str]:
    return [*__all__, "__version__"]

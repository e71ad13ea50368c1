"""Judges and models against people: who is as good as a human, and against what.

`panel` has judges and humans and puts the items of every judge below each other, `agreement` and `uncertainty` hold
the numbers, and the other modules make one table each.
"""

from pandas_agreement.judges.accuracy import accuracy, error_rates
from pandas_agreement.judges.agreement import of_sets
from pandas_agreement.judges.bias import bias
from pandas_agreement.judges.contrasts import between_groups, between_judges, by_human
from pandas_agreement.judges.panel import INVALID_RULES, Invalid, Judged, Roles
from pandas_agreement.judges.stability import stability
from pandas_agreement.judges.versus import Comparison, by_judge
from pandas_agreement.judges.votes import alt_test, ceilings, epsilon_of

__all__ = [
    "INVALID_RULES",
    "Comparison",
    "Invalid",
    "Judged",
    "Roles",
    "accuracy",
    "alt_test",
    "between_groups",
    "between_judges",
    "bias",
    "by_human",
    "by_judge",
    "ceilings",
    "epsilon_of",
    "error_rates",
    "of_sets",
    "stability",
]

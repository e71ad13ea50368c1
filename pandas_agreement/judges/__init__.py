"""Judges and models against people: who is as good as a human, and against what.

`roles` reads judges and humans and puts the items of every judge below each other, `agreement` and `uncertainty` hold
the numbers, and the other modules make one table each.
"""

from pandas_agreement.judges.roles import INVALID_RULES, Invalid, Judged, Roles
from pandas_agreement.judges.versus import versus_humans

__all__ = ["INVALID_RULES", "Invalid", "Judged", "Roles", "versus_humans"]

"""Breakdowns of agreement by category, coder, pair, item and group, and the tests that go with them."""

from pandas_agreement.breakdown.categories import by_category
from pandas_agreement.breakdown.coder_scores import coders_of_scores
from pandas_agreement.breakdown.coders import coders
from pandas_agreement.breakdown.confusion import both_orders, confusion, margins
from pandas_agreement.breakdown.diagnose import diagnose
from pandas_agreement.breakdown.items import disagreements, items
from pandas_agreement.breakdown.marginal_tests import marginal_tests

__all__ = [
    "both_orders",
    "by_category",
    "coders",
    "coders_of_scores",
    "confusion",
    "diagnose",
    "disagreements",
    "items",
    "marginal_tests",
    "margins",
]

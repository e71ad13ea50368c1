"""The example, and its report."""

from __future__ import annotations

import pandas as pd
import pytest

from pandas_agreement import load_example
from pandas_agreement.report import Report
from tests.counting import count  # noqa: F401  (a fixture)
from tests.data_sets import CODERS
from tests.report.helpers import plain


@pytest.fixture(scope="session")
def example() -> pd.DataFrame:
    return load_example()


@pytest.fixture(scope="session")
def whole(example: pd.DataFrame) -> Report:
    return plain(example.agree, *CODERS, by="batch")

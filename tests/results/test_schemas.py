"""Results have the columns of their schema, in its order."""

from __future__ import annotations

import numpy as np
import pytest

from pandas_agreement.results import schemas
from tests.data_sets import scores

SCHEMAS = {"items": schemas.ITEMS, "coders": schemas.CODERS, "margins": schemas.MARGINS}


@pytest.mark.parametrize("name", SCHEMAS)
def test_columns_follow_the_schema(name: str) -> None:
    table = getattr(scores(30).agree, name)()
    assert list(table.columns) == list(SCHEMAS[name])
    for column, (dtype, _) in SCHEMAS[name].items():
        if dtype not in ("label", "str"):
            assert table[column].dtype == np.dtype(dtype), column

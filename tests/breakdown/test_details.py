"""Bounds of kappa and the indices of prevalence and bias, as columns beside kappa."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from pandas_agreement.results import schemas
from tests.data_sets import scores
from tests.helpers import same

INDICES = list(schemas.KAPPA_DETAIL)
DF = pd.DataFrame({"a": list("yyyyyyyynn"), "b": list("yyyyyynnyn"), "c": list("nyyyyyyyyn")})


def test_indices_are_those_of_each_pair() -> None:
    table = DF.agree.by_pair(detail=True)
    plain = DF.agree.by_pair()
    shown = list(plain.columns)
    assert table.columns.tolist()[: len(shown)] == shown  # details come behind them
    assert [name for name in table if name not in (*schemas.RESULT, "coefficient")] == INDICES
    assert_frame_equal(table[shown], plain)
    for (first, second), row in table.iterrows():
        kappa = row["estimate"]
        assert row["pabak"] == pytest.approx(DF.agree.s(first, second)["estimate"].iloc[0])
        PI2, BI2 = row["prevalence_index"] ** 2, row["bias_index"] ** 2
        assert kappa == pytest.approx((row["pabak"] - PI2 + BI2) / (1 - PI2 + BI2))  # Byrt et al. (1993)
        assert row["kappa_min"] <= kappa <= row["kappa_max"]
        share = (DF[[first, second]] == "n").mean()
        assert abs(row["bias_index"]) == pytest.approx(abs(share[first] - share[second]))
        alone = DF.agree.kappa(first, second, detail=True)[INDICES]
        assert alone.iloc[0].tolist() == pytest.approx(row[INDICES].tolist())


def test_the_other_order_has_the_other_bias() -> None:
    table = DF.agree.by_pair(detail=True, full=True)[INDICES]
    for one, other in (("a", "b"), ("c", "a")):
        there, back = table.loc[(one, other)], table.loc[(other, one)]
        assert there["bias_index"] == pytest.approx(-back["bias_index"])
        assert there.drop("bias_index").tolist() == pytest.approx(back.drop("bias_index").tolist())
        assert there["bias_index"] == pytest.approx(DF.agree.kappa(one, other, detail=True)["bias_index"].item())


def test_bounds_have_the_weights_of_kappa() -> None:
    table = scores(40, 3).agree.by_pair(weights="quadratic", detail=True)
    assert (table["kappa_max"] >= table["estimate"]).all()
    assert (table["kappa_min"] <= table["estimate"]).all()
    nominal = scores(40, 3).agree.by_pair(detail=True)
    assert not np.allclose(table["kappa_max"], nominal["kappa_max"])


def test_a_list_of_coefficients_has_a_row_for_each_and_its_own_details() -> None:
    df = scores(40, 3)
    both = df.agree.by_pair(metrics=["ccc", "kappa"], detail=True)
    assert both.index.names == ["coder_1", "coder_2", "coefficient"]
    assert both.index.get_level_values("coefficient").tolist() == ["ccc", "kappa"] * 3
    assert both.index.get_level_values("coder_1").tolist() == ["ann"] * 4 + ["bob"] * 2
    for name in ("ccc", "kappa"):
        alone = df.agree.by_pair(metrics=[name], detail=True)
        own = both.xs(name, level="coefficient", drop_level=False)
        same(own[alone.columns], alone)
        assert own.drop(columns=alone.columns).isna().all(axis=None)
        named = df.agree.by_pair(metrics=name, detail=True)
        assert (named["coefficient"] == name).all()
        assert_frame_equal(named.drop(columns="coefficient"), alone.droplevel("coefficient"))

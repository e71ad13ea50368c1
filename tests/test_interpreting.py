"""Words for coefficients: every boundary of every benchmark, and Gwet's probabilities against published ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import load_example
from pandas_agreement.errors import ColumnError, InputError
from pandas_agreement.interpreting import BENCHMARKS, interpret, usual_benchmark
from tests.data_sets import scores
from tests.helpers import all_refused

NAN = float("nan")
TINY = 1e-9

# (benchmark, cut point, the word at the cut point itself, the word just above it, the word just below it)
BOUNDARIES = [
    ("landis_koch", 0.0, "slight", "slight", "poor"),
    ("landis_koch", 0.2, "slight", "fair", "slight"),
    ("landis_koch", 0.4, "fair", "moderate", "fair"),
    ("landis_koch", 0.6, "moderate", "substantial", "moderate"),
    ("landis_koch", 0.8, "substantial", "almost perfect", "substantial"),
    ("fleiss", 0.4, "fair to good", "fair to good", "poor"),
    ("fleiss", 0.75, "fair to good", "excellent", "fair to good"),
    ("altman", 0.2, "poor", "fair", "poor"),
    ("altman", 0.4, "fair", "moderate", "fair"),
    ("altman", 0.6, "moderate", "good", "moderate"),
    ("altman", 0.8, "good", "very good", "good"),
    ("cicchetti", 0.4, "fair", "fair", "poor"),
    ("cicchetti", 0.6, "good", "good", "fair"),
    ("cicchetti", 0.75, "excellent", "excellent", "good"),
    ("krippendorff", 0.667, "tentative", "tentative", "unreliable"),
    ("krippendorff", 0.8, "reliable", "reliable", "tentative"),
    ("koo_li", 0.5, "moderate", "moderate", "poor"),
    ("koo_li", 0.75, "good", "good", "moderate"),
    ("koo_li", 0.9, "good", "excellent", "good"),
]

# Cumulative membership from the highest band down: (benchmark, estimate, se, values). The first is Gwet (2014),
# the rest is the R package irrCAC 1.4 with its rounding removed.
PUBLISHED = [
    ("altman", 0.67, 0.15, [0.18168, 0.67511, 0.96356]),
    (
        "landis_koch",
        0.775444068127,
        0.14295,
        [0.396752791208, 0.883370149573, 0.99541917432, 0.99996981807, 0.999999969163, 1.0],
    ),
    ("fleiss", 0.775444068127, 0.14295, [0.544147758166, 0.99541917432, 1.0]),
    ("fleiss", 0.43, 0.03, [7.28809828143e-27, 0.841344746069, 1.0]),
    ("altman", 0.05, 0.2, [8.74002974984e-05, 0.00297874940798, 0.0400581835695, 0.226626583027, 1.0]),
    ("altman", -0.2, 0.15, [1.30833032208e-11, 4.82130353535e-08, 3.16712433595e-05, 0.00383038075226, 1.0]),
    ("landis_koch", 0.92, 0.02, [0.999999999013, 1.0, 1.0, 1.0, 1.0, 1.0]),
]


def grouped() -> pd.DataFrame:
    """A result as `by="batch"` gives it, cut down to the columns that matter here."""
    index = pd.MultiIndex.from_product([["w1", "w2"], ["kappa", "alpha"]], names=["batch", "coefficient"])
    return pd.DataFrame(
        {"estimate": [0.41, 0.1, NAN, 1.0], "ci_low": [0.35, -0.1, NAN, 0.7], "se": [0.05, 0.1, NAN, 0.0]},
        index=index,
    )


def one(benchmark: str, value: float) -> str:
    return interpret(pd.Series([value]), benchmark).iloc[0]


@pytest.mark.parametrize(("benchmark", "cut", "at", "above", "below"), BOUNDARIES)
def test_every_boundary(benchmark, cut, at, above, below):
    assert one(benchmark, cut) == at
    assert one(benchmark, cut + TINY) == above
    assert one(benchmark, cut - TINY) == below


def test_no_boundary_is_left_out():
    listed = {(name, cut) for name, cut, *_ in BOUNDARIES}
    assert listed == {(name, float(cut)) for name, each in BENCHMARKS.items() for cut in each.cuts}


@pytest.mark.parametrize("name", BENCHMARKS)
def test_the_ends_of_every_benchmark(name):
    words = BENCHMARKS[name].words
    assert one(name, -1.0) == words[0]
    assert one(name, 1.0) == words[-1]
    assert (np.diff(BENCHMARKS[name].cuts) > 0).all()
    assert len(set(words)) == len(words)
    assert BENCHMARKS[name].reference


def test_floating_point_noise_moves_nothing():
    noisy = 0.1 + 0.2 + 0.3
    assert noisy > 0.6
    assert one("landis_koch", noisy) == "moderate"
    short = 1.0 - 0.1 - 0.1
    assert short - 1e-15 < 0.8
    assert one("krippendorff", short - 1e-15) == "reliable"


def test_a_series_keeps_its_index_and_takes_the_name_of_the_benchmark():
    given = pd.Series([0.5, NAN, -0.2], index=[7, 7, 9], name="kappa")
    expected = pd.Series(
        pd.Categorical(
            ["moderate", None, "poor"],
            categories=["poor", "slight", "fair", "moderate", "substantial", "almost perfect"],
            ordered=True,
        ),
        index=[7, 7, 9],
        name="landis_koch",
    )
    pd.testing.assert_series_equal(interpret(given, "landis_koch"), expected)


def test_words_are_ordered():
    words = interpret(pd.Series([0.1, 0.5, 0.9]), "altman")
    assert list(words > "fair") == [False, True, True]
    assert words.max() == "very good"


def test_nullable_and_integer_estimates():
    assert list(interpret(pd.Series([0.9, None], dtype="Float64"), "fleiss").isna()) == [False, True]
    assert list(interpret(pd.Series([0, 1]), "fleiss")) == ["poor", "excellent"]


def test_an_empty_result_gives_an_empty_series_with_all_words():
    words = interpret(grouped().iloc[:0], probability=0.95)
    assert len(words) == 0
    assert list(words.cat.categories) == BENCHMARKS["landis_koch"].words
    assert interpret(grouped().iloc[:0], "fleiss", detail=True).shape == (0, 4)


def test_grouped_results_go_back_into_the_frame():
    result = grouped()
    before = result.copy(deep=True)
    told = result.assign(words=interpret(result, "landis_koch"))
    pd.testing.assert_frame_equal(result, before)
    assert list(told.columns) == ["estimate", "ci_low", "se", "words"]
    assert told.loc[("w1", "kappa"), "words"] == "moderate"
    assert told.loc[("w1", "alpha"), "words"] == "slight"
    assert pd.isna(told.loc[("w2", "kappa"), "words"])
    assert told.loc[("w2", "alpha"), "words"] == "almost perfect"
    assert told["words"].unstack("coefficient").loc["w1", "alpha"] == "slight"


@pytest.mark.parametrize(("benchmark", "estimate", "se", "expected"), PUBLISHED)
def test_published_probabilities(benchmark, estimate, se, expected):
    result = pd.DataFrame({"estimate": [estimate], "se": [se]})
    got = interpret(result, benchmark, detail=True)
    assert list(got.columns) == ["word", *BENCHMARKS[benchmark].words[::-1]]
    assert got.columns.name == benchmark
    digits = 5e-6 if len(expected) == 3 and benchmark == "altman" else 1e-11
    np.testing.assert_allclose(got.iloc[0, 1:].cumsum()[: len(expected)].tolist(), expected, rtol=0, atol=digits)


def test_no_probabilities_where_no_benchmark_applies():
    summary = load_example().agree.summary("ann", "bob", metrics=["observed", "kappa"])
    assert interpret(summary, detail=True).isna().all(axis=1).tolist() == [True, False]


# ------------------------------------------------------------------------------------------ to each coefficient its own

OWN_BENCHMARK = {
    "kappa": "landis_koch", "light_kappa": "landis_koch", "cohen_kappa": "landis_koch", "ac1": "landis_koch",
    "conditional_kappa": "landis_koch", "alpha": "krippendorff", "krippendorff_alpha": "krippendorff",
    "icc_a1": "koo_li", "icc3k": "koo_li", "ccc": "koo_li",
    "observed": "", "bias": "", "perreault_leigh": "", "pearson": "", "cronbach_alpha": "", "rate": "",
}  # fmt: skip


def test_the_benchmark_made_for_each_coefficient() -> None:
    assert {name: usual_benchmark(name) for name in OWN_BENCHMARK} == OWN_BENCHMARK
    for name, benchmark in OWN_BENCHMARK.items():
        found = interpret(pd.DataFrame({"estimate": [0.7]}, index=pd.Index([name], name="coefficient")))
        assert found.name == (benchmark or "landis_koch")
        assert found.notna().all() == bool(benchmark)


def test_rows_of_several_benchmarks_have_plain_words() -> None:
    result = pd.DataFrame(
        {"estimate": [0.7, 0.7, 0.7, 0.7, NAN], "se": 0.05},
        index=pd.Index(["kappa", "alpha", "icc_a1", "observed", "kappa"], name="coefficient"),
    )
    found = interpret(result)
    assert found.name == "benchmark"
    assert pd.api.types.is_string_dtype(found.dropna())
    assert found.fillna("-").tolist() == ["substantial", "tentative", "moderate", "-", "-"]
    claims = interpret(result, probability=0.95)
    assert claims.fillna("-").tolist() == ["substantial", "unreliable", "moderate", "-", "-"]
    assert interpret(result.drop(["alpha", "icc_a1"])).name == "landis_koch"
    assert interpret(result, "altman").tolist()[:3] == ["good"] * 3  # the user's choice is for all rows


@pytest.mark.parametrize("where", ["level", "column", "attrs"])
def test_where_a_result_says_its_coefficient(where: str) -> None:
    result = pd.DataFrame({"estimate": [0.7, 0.9]})
    if where == "level":
        result.index = pd.MultiIndex.from_product([["alpha"], [1, 2]], names=["coefficient", "batch"])
    elif where == "column":
        result["coefficient"] = "alpha"
    result.attrs["agree"] = {"coefficient": "alpha" if where == "attrs" else "kappa"}  # the last resort
    assert interpret(result).name == "krippendorff"


def test_attrs_are_not_trusted_without_an_estimate() -> None:
    result = pd.DataFrame({"share": [0.7]})
    result.attrs["agree"] = {"coefficient": "alpha"}
    with pytest.raises(InputError, match="does not say to which coefficient"):
        interpret(result, column="share")


def test_gwets_choice():
    result = pd.DataFrame({"estimate": [0.67], "se": [0.15]})
    assert interpret(result, "altman").iloc[0] == "good"
    assert interpret(result, "altman", probability=0.95).iloc[0] == "moderate"
    assert interpret(result, "altman", probability=0.65).iloc[0] == "good"
    assert interpret(result, "altman", probability=0.1).iloc[0] == "very good"
    assert interpret(result, "altman", probability=0.9999).iloc[0] == "poor"


def test_no_standard_error_no_claim_and_certainty_is_the_point():
    result = pd.DataFrame({"estimate": [0.8, 0.8, NAN, NAN, 1.0], "se": [0.0, NAN, 0.0, NAN, 0.0]})
    words = interpret(result, "altman", probability=0.95)
    assert list(words.astype(object).where(words.notna(), "-")) == ["good", "-", "-", "-", "very good"]
    table = interpret(result, "altman", detail=True).drop(columns="word")
    assert list(table.iloc[0]) == [0.0, 1.0, 0.0, 0.0, 0.0]
    assert table.iloc[1:4].isna().all(axis=None)
    assert list(table.iloc[4]) == [1.0, 0.0, 0.0, 0.0, 0.0]


def test_a_claim_is_never_above_the_point_at_high_probability():
    grid = pd.DataFrame(
        [(estimate, se) for estimate in np.linspace(-0.9, 0.99, 40) for se in (0.001, 0.05, 0.2)],
        columns=["estimate", "se"],
    )
    for benchmark in BENCHMARKS:
        claim = interpret(grid, benchmark, probability=0.95).cat.codes
        assert (claim <= interpret(grid, benchmark).cat.codes).all()
        assert (claim >= 0).all()


REFUSED: dict[type[Exception], dict[str, Callable[[], Any]]] = {
    InputError: {
        (
            "benchmark='landis' is not known. Use one of 'landis_koch', 'fleiss', 'altman', 'cicchetti', "
            "'krippendorff', 'koo_li'; did you mean 'landis_koch'?"
        ): lambda: interpret(grouped(), "landis"),
        (
            "benchmark=1 is not known. Use one of 'landis_koch', 'fleiss', 'altman', 'cicchetti', 'krippendorff', "
            "'koo_li'."
        ): lambda: interpret(grouped(), 1),
        "probability=95 must lie between 0 and 1. 0.95 is customary.": lambda: interpret(grouped(), probability=95),
        "probability='0.95' must lie between 0 and 1. 0.95 is customary.": lambda: interpret(
            grouped(), probability="0.95"
        ),
        (
            "column='ci_low' has no effect with probability=, which uses the estimate and "
            "its standard error. Leave one of them out."
        ): lambda: interpret(grouped(), column="ci_low", probability=0.95),
        (
            "Expected a result frame with the columns 'estimate' and 'se', not a pandas Series. Probabilities "
            "need the standard error."
        ): lambda: interpret(grouped()["estimate"], probability=0.95),
        "Expected a result frame or a Series of estimates, not a float.": lambda: interpret(0.7),
        (
            "A Series does not say to which coefficient the estimates belong, and benchmarks are made for "
            "coefficients. Name the benchmark: 'landis_koch' (kappa), 'fleiss' (kappa), 'altman' (kappa), 'cicchetti' "
            "(kappa and icc), 'krippendorff' (alpha), 'koo_li' (icc)."
        ): lambda: interpret(pd.Series([0.7])),
        (
            "This result does not say to which coefficient the estimates belong, and benchmarks are made for "
            "coefficients. Name the benchmark: 'landis_koch' (kappa), 'fleiss' (kappa), 'altman' (kappa), "
            "'cicchetti' "
            "(kappa and icc), 'krippendorff' (alpha), 'koo_li' (icc); or compute the result with detail=True, "
            "which adds the column 'coefficient'."
        ): lambda: interpret(pd.DataFrame({"estimate": [0.7]})),
        (
            "detail=True adds one column per label, and these coefficients have different benchmarks. Name one for "
            "all rows, such as benchmark='landis_koch', or select the rows of one coefficient."
        ): lambda: interpret(grouped(), detail=True),
        "The Series holds values that are not numbers. Give estimates.": lambda: interpret(pd.Series(["good"])),
        "Column 'estimate' holds values that are not numbers. Give estimates.": lambda: interpret(
            pd.DataFrame({"estimate": ["good"]})
        ),
    },
    ColumnError: {
        "No column 'estimates'. Did you mean 'estimate'?": lambda: interpret(grouped(), column="estimates"),
        "No column 'se'. There are: 'estimate', 'ci_low'.": lambda: interpret(
            grouped()[["estimate", "ci_low"]], probability=0.95
        ),
    },
}


@pytest.mark.parametrize("error", REFUSED)
def test_errors(error: type[Exception]) -> None:
    all_refused(error, REFUSED[error])


def test_what_is_not_corrected_for_chance_has_no_words() -> None:
    df = load_example()
    summary = df.agree.summary("ann", "bob", metrics=["observed", "kappa", "bias"])
    assert interpret(summary).isna().tolist() == [True, False, True]
    assert interpret(summary, probability=0.95).isna().tolist() == [True, False, True]
    assert interpret(df.agree.by_category("ann", "bob")).isna().all()


def test_words_for_intraclass_correlations() -> None:
    result = scores(60, 3).agree.icc_a1()
    assert pandas_agreement.interpret(result, "koo_li").notna().all()


# ------------------------------------------------------------------------------------------------- own limits

OWN = {"weak": 0.4, "good": 0.7}


def test_own_words_begin_at_their_lower_limits() -> None:
    values = pd.Series([-1, 0.4 - TINY, 0.4, 0.7 - TINY, 0.7, 0.1 + 0.6, 1, NAN])
    found = interpret(values, benchmark=OWN)
    words = ["below weak", "below weak", "weak", "weak", "good", "good", "good"]
    assert found.tolist()[:-1] == words
    assert pd.isna(found.iloc[-1])
    assert found.name == "custom"
    assert found.cat.categories.tolist() == ["below weak", "weak", "good"]
    assert found.cat.ordered
    assert interpret(values, benchmark={"good": 0.7, "weak": 0.4}).tolist()[:-1] == words


def test_the_lowest_band_may_have_its_own_word() -> None:
    found = interpret(pd.Series([-3.0, 0.69, 0.7]), benchmark={"poor": -np.inf, "good": 0.7})
    assert found.tolist() == ["poor", "poor", "good"]
    assert found.cat.categories.tolist() == ["poor", "good"]
    assert interpret(pd.Series([0.99, 1.0]), benchmark={"perfect": 1}).tolist() == ["below perfect", "perfect"]
    assert interpret(pd.Series([0.3]), benchmark={"any": -np.inf}).tolist() == ["any"]


@pytest.mark.parametrize(
    "benchmark",
    [
        *({}, {"good": 70}, {"good": NAN}, {"good": "0.7"}, {"good": True}, {0.7: "good"}, {" ": 0.7}),
        *({"a": 0.4, "b": 0.4}, {"a": -np.inf, "b": -np.inf}),
    ],
)
def test_own_benchmarks_that_are_none(benchmark: dict[str, float]) -> None:
    with pytest.raises(InputError) as caught:
        interpret(scores(20).agree.kappa(), benchmark)
    assert str(caught.value) == (
        f"benchmark={benchmark!r} must have labels with different cut points, numbers up to 1, such as "
        "{'weak': 0.4, 'good': 0.7}."
    )
    assert caught.value.option == "benchmark"


def test_the_word_below_all_limits_may_be_no_other_word() -> None:
    with pytest.raises(InputError, match="names 'below weak', which is the name of the lowest band"):
        interpret(pd.Series([0.5]), {"weak": 0.1, "below weak": 0.2})


def test_the_probabilities_moved() -> None:
    with pytest.raises(AttributeError, match=r"interpret\(\.\.\., detail=True\)"):
        pandas_agreement.membership  # noqa: B018
    with pytest.raises(AttributeError, match=r"interpret\(.*, detail=True\)"):
        load_example().agree.membership  # noqa: B018
    with pytest.raises(InputError, match=r"^Interpret has no option 'scale'"):
        interpret(grouped(), scale="altman")  # type: ignore[call-overload]


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
def test_at_least_goes_by_the_interval_of_what_the_result_is_about() -> None:
    frame = load_example()
    pair = frame.agree.compare(["ann", "bob"], ["ann", "dev"])
    low = pair["difference_low"].iloc[0]
    assert interpret(pair, at_least=low - 0.01).tolist() == ["yes"]
    assert interpret(pair, at_least=low + 0.01).tolist() == ["not settled"]
    people = frame.agree.truth("ann", "bob", "cleo", method="dawid_skene").by_coder()
    expected = np.where(people["accuracy_low"] >= 0.85, "yes", np.where(people["accuracy_high"] < 0.85, "no", ""))
    assert expected.tolist() == [each.replace("not settled", "") for each in interpret(people, at_least=0.85)]


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
@pytest.mark.parametrize("detail", [False, True])
def test_the_note_says_why_no_row_has_an_interval(detail: bool) -> None:
    frame = pd.DataFrame({"ann": list("xxxx"), "bob": list("xyxy")})
    constant = frame.agree.kappa("ann", "bob", detail=detail)
    assert interpret(constant, at_least=0.5).tolist() == ["no interval: constant"]
    with pytest.raises(InputError, match=r"this result has none\. Compute it without ci=None"):
        interpret(frame.agree.kappa("ann", "bob", ci=None, detail=detail), at_least=0.5)

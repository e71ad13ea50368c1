"""Numeric ratings from the literature, and what established packages outside Python say about them.

The ratings, and the values of ICC, Cronbach's alpha, Kendall's W and Lin's coefficient, are those of the benchmark in
`tests/reference`; other figures are here. Figures have twelve digits, intervals are at 95 %. Items with a missing
rating were left out by the packages, except for pairs of coders (items that both rated) and for "all ratings".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests import reference

#: data set of the benchmark
NAMES = {
    "shrout_fleiss": "shrout_fleiss1979",
    "mcgraw_wong": "mcgraw_wong1996",
    "pefr": "bland_altman1986_pefr",
    "lungfun": "lungfun",
    "krippendorff_1980": "krippendorff1980_p139",
    "zapf": "zapf2016",
    "krippendorff_2011": "krippendorff2011_4x12",
    "gwet_3_9": "gwet_table3.9_interval",
    "gwet_judges": "gwet_iccdata1",
    "ebel": "ebel1951",
}
FORMS = {
    "icc_1": "ICC(1)",
    "icc_1k": "ICC(1,k)",
    "icc_c1": "ICC(C,1)",
    "icc_ck": "ICC(C,k)",
    "icc_a1": "ICC(A,1)",
    "icc_ak": "ICC(A,k)",
}


def table(name: str) -> np.ndarray:
    """Items x coders, NaN for a missing rating."""
    return reference.frame_of(NAMES[name]).to_numpy(dtype=float)


def by_packages(*statistics: str) -> Iterator[tuple[str, str, list[int], list[float]]]:
    """Of each call whose values come from packages: data, statistic, places of the coders, values."""
    calls: dict[reference.Call, list[float]] = {}
    for row in reference.certified():
        if row.call.statistic in statistics and row.basis.startswith("package"):
            calls.setdefault(row.call, []).append(row.number)
    short = {full: name for name, full in NAMES.items()}
    for call, values in calls.items():
        columns = reference.frame_of(call.data).columns
        yield (
            short[call.data],
            call.statistic,
            [columns.get_loc(coder) for coder in call.coders.split("|") if coder],
            values,
        )


def without_coders(statistic: str) -> list[tuple[Any, ...]]:
    return [(name, *values) for name, _, _, values in by_packages(statistic)]


#: data, form, estimate, lower, upper limit, F, p
PSYCH = [(name, FORMS[form], *values) for name, form, _, values in by_packages(*FORMS)]
#: data, estimate, lower, upper limit
CRONBACH = without_coders("cronbach_alpha")
#: data, estimate, chi-squared, p
KENDALL = without_coders("kendall_w")
#: data, two coders, estimate
LIN = [(name, *coders, *values) for name, _, coders, values in by_packages("ccc")]

#: irr 0.84.1, plain mean over pairs of coders: Pearson, Spearman
MEAN_CORRELATIONS = [
    ("shrout_fleiss", 0.76030771756, 0.849587565252),
    ("mcgraw_wong", 0.714215202369, 0.854545454545),
    ("pefr", 0.943279446891, 0.899509803922),
    ("lungfun", 0.787819604316, 0.723458590466),
    ("krippendorff_1980", 0.627240462261, 0.555798862746),
    ("zapf", 0.905990488624, 0.859057666148),
    ("krippendorff_2011", 0.750433810263, 0.728151625008),
    ("gwet_3_9", 0.842206357041, 0.818279773765),
    ("gwet_judges", 0.658698990978, 0.7),
]

#: epiR 2.0.94: data, mean difference, sd, limits of agreement; C_b, and scale and location shift of the second coder
EPIR = [
    ("mcgraw_wong", -3.0, 11.3431330181, -25.2321321874, 19.2321321874, 0.97827136649, 1.0, 0.210766475996),
    (
        "pefr",
        -2.11764705882,
        38.7651298736,
        -78.0959054671,
        73.8606113495,
        0.999430693136,
        0.972509121336,
        0.0190302500916,
    ),
]

#: lme4 (through psych 2.5.3), all ratings: data, ICC(A,1), ICC(A,k), ICC(C,1), ICC(C,k), k the number of coders
REML = [
    ("krippendorff_2011", 0.858110899101, 0.960303331303, 0.867949972221, 0.963358621798),
    ("gwet_3_9", 0.645814906211, 0.87942408191, 0.667950402729, 0.889458706754),
    ("gwet_judges", 0.229470539375, 0.543636485112, 0.549489798956, 0.829897901944),
]

#: irrNA 0.2.3, unbalanced analysis of variance (Ebel 1951), all ratings: data, ICC(1), ICC(1,k), p of the F test
UNBALANCED = [
    ("krippendorff_2011", 0.849680315603, 0.950435789705, 1.06945008405e-10),
    ("gwet_3_9", 0.663580591414, 0.873250721077, 8.61312549061e-08),
    ("gwet_judges", 0.0771617654633, 0.217652898165, 0.286783602696),
]

#: statsmodels 0.15.0 MixedLM, REML, the best of four optimisers: data, components of item, coder, error
MIXEDLM = [
    ("krippendorff_2011", 1.362154, 0.017994, 0.207239),
    ("gwet_3_9", 0.214195, 0.010992, 0.106483),
    ("gwet_judges", 1.800715, 4.570059, 1.476323),
    ("ebel", 1.025442, 0.0, 5.185591),
]

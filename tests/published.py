"""One table of published values: the data, the call, what the literature says.

A figure is either an exact fraction, or a string of the digits as printed (then half a unit of the last
digit is the tolerance). `se` is a standard error that divides by n - 1 items; `se_over_n` divides by n, as
the large sample formulas of Fleiss, Cohen & Everitt (1969) and of Gwet's two-coder tables do: times
sqrt(n / (n - 1)) it is ours. Where a source prints data without a figure for a coefficient, the second source
named is the formula that was applied to them. Nothing here knows how to run anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction as F
from typing import Any, NamedTuple


class Wide(NamedTuple):
    """A row an item, a position a coder, None a gap."""

    rows: Sequence[Sequence[Any]]


class Table(NamedTuple):
    """Two coders: rows the labels of the first, columns those of the second."""

    labels: Sequence[Any]
    cells: Sequence[Sequence[int]]


class Counts(NamedTuple):
    """A row an item, a column a label, a cell the coders who chose it."""

    labels: Sequence[Any]
    cells: Sequence[Sequence[int]]


class Row(NamedTuple):
    """One call and what it must give; by category the figures are per label."""

    id: str
    data: str
    method: str
    source: str
    options: Mapping[str, Any]
    expected: Mapping[str, Any]


def _row(
    name: str, data: str, method: str, source: str, options: Mapping[str, Any] | None = None, **expected: Any
) -> Row:
    return Row(name, data, method, source, options or {}, expected)


def _letters(*coders: str) -> list[tuple[Any, ...]]:
    """Rows of items from a string per coder; a dot is a gap, a digit a number."""
    label: dict[str, Any] = {".": None} | {str(d): d for d in range(10)}
    return [tuple(label.get(c, c) for c in item) for item in zip(*coders, strict=True)]


_ALICE, _BILL = "YYNYNYNNYY", "YYNNYYYNYY"


def _digits(*items: str) -> list[tuple[int, ...]]:
    """Counts from a string of digits per item."""
    return [tuple(map(int, item)) for item in " ".join(items).split()]


DATA: dict[str, Wide | Table | Counts] = {
    # lecture notes and a blog
    "lecture": Table([1, 2], [[20, 5], [10, 15]]),
    "rare": Table(["bad", "good"], [[0, 1], [2, 17]]),
    "meh": Table(["B", "G", "Meh"], [[5, 1, 0], [1, 9, 1], [1, 1, 1]]),
    "sandwich": Table([0, 1], [[400, 90], [60, 450]]),
    # Artstein & Poesio 2005: Alice and Bill; Claire repeats Alice, Dave repeats Bill; and once more. A letter
    # of Alice is lost in print; her six Y and seven agreements of ten fix the table of the two (5, 1 / 2, 2).
    "two": Wide(_letters(_ALICE, _BILL)),
    "four": Wide(_letters(*[_ALICE, _BILL] * 2)),
    "six": Wide(_letters(*[_ALICE, _BILL] * 3)),
    # two coders, tables
    "cohen_p45": Table(["schizophrenia", "neurosis", "other"], [[88, 14, 18], [10, 40, 10], [2, 6, 12]]),
    "flp": Table(["psychotic", "neurotic", "organic"], [[75, 1, 4], [5, 4, 1], [0, 0, 10]]),
    "carcinoma": Table([1, 2, 3, 4], [[22, 2, 2, 0], [5, 7, 14, 0], [0, 2, 36, 0], [0, 1, 17, 10]]),
    "zwick_1": Table(list("ABCD"), [[20, 0, 0, 5], [0, 10, 15, 0], [0, 15, 10, 0], [5, 0, 0, 20]]),
    "zwick_2": Table(list("ABCD"), [[20, 10, 10, 0], [10, 10, 0, 0], [10, 0, 10, 0], [0, 0, 0, 20]]),
    "zwick_3": Table(list("ABCD"), [[20, 5, 5, 10], [0, 10, 5, 5], [0, 5, 10, 5], [0, 0, 0, 20]]),
    "bp_1": Table([1, 2, 3], [[50, 0, 0], [10, 10, 10], [20, 0, 0]]),
    "bp_2": Table([1, 2, 3], [[50, 0, 10], [0, 10, 10], [10, 10, 0]]),
    "ap_p558": Table(["STAT", "IReq"], [[20, 10], [20, 50]]),
    "ap_p568": Table(["STAT", "IReq", "Chck"], [[46, 0, 0], [6, 32, 6], [0, 0, 10]]),
    # many coders, gaps
    "k_binary": Wide(_letters("0100000010", "0110010100")),
    "k_three": Wide(_letters("112412132", "122442232", "122442332")),
    "k_nominal": Wide(_letters("aabbdcccedda", "babbbccceddd")),
    "k_gaps": Wide(_letters("123321412...", "1233224125..", ".33323422513", "12332441251.")),
    "hayes": Wide(
        _letters(
            "112.001122.01311211000201001111223222221",
            "1130000.21102311121000302102111122222221",
            "203000222100221123001.30.1012202.2232.21",
            ".13....0.10022...31.103021122..122...12.",
            "2..0001.2....3112..0.0..2.0..20.2.2222.1",
        )
    ),
    "warrens": Wide(
        _letters(
            "111111111111110000000000000000",
            "111111111100000000000000000000",
            "111111111111000000000000000000",
            "111111111100001000000000000000",
        )
    ),
    "randolph_1": Wide(_letters("YYNN", "YYNN", "YNYN")),
    "randolph_2": Wide(_letters("YYYY", "YYYY", "YNNY")),
    # anonymous coders
    "fleiss": Counts(
        ["depression", "personality disorder", "schizophrenia", "neurosis", "other"],
        _digits(
            "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006",
            "10050 11040 03300 10050 02031 00501 30012 51000 02040 10203",
            "00006 01050 02013 20040 10041 05010 40002 02040 10500 00006",
        ),
    ),
    "wikipedia": Counts(
        [1, 2, 3, 4, 5],
        [(0, 0, 0, 0, 14), *_digits("02642 00356 03920 22811 77000 32630 25322 65210 02237")],
    ),
}

# where the data come from
_LECTURE = "LING83800 lecture notes, Inter-annotator agreement, section 2"
_NOTES = "Lecture notes '7 - Kappa', Inter-Rater Reliability"
_BLOG = "Siegel (2018), Annotator Agreement in Machine Learning Experiments, section Calculations"
_AP05 = "Artstein & Poesio (2005), Bias decreases in proportion to the number of annotators, FG-MoL, section "
_AP08 = "Artstein & Poesio (2008), Computational Linguistics 34(4), "
_BP = "Brennan & Prediger (1981), Educational and Psychological Measurement 41, "
_COHEN60 = "Cohen (1960), Educational and Psychological Measurement 20, 45"
_COHEN68 = "Cohen (1968), Psychological Bulletin 70, 213-220"
_FLP = "Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, 3rd ed., table 18.1"
_AGRESTI = "Agresti (1992), Statistical Methods in Medical Research 1, 202"
_ZWICK = "Zwick (1988), Psychological Bulletin 103, 376"
_K80 = "Krippendorff (1980), Content Analysis, "
_K11 = "Krippendorff (2011), Computing Krippendorff's alpha-reliability, section "
_HAYES = "Hayes & Krippendorff (2007), Communication Methods and Measures 1, 84"
_GWET = "Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed., 12 subjects by 4 raters"
_FLEISS = "Fleiss (1971), Psychological Bulletin 76, 378-382"
_WIKI = "Wikipedia, Fleiss' kappa, worked example"
_RANDOLPH = "Randolph (2005), Free-marginal multirater kappa, 17"
_WARRENS = "Warrens (2012), 3, Hubert's and Conger's kappa"

# whose formula, where the source of the data has no figure
_FCE = "; standard error: Fleiss, Cohen & Everitt (1969), Psychological Bulletin 72, 323-327"
_ROOT = "; Perreault & Leigh (1989), Journal of Marketing Research 26, 135-148"
_SCOTT = "; Scott (1955), Public Opinion Quarterly 19, 321-325"
_SQUARES = "; Fleiss & Cohen (1973), Educational and Psychological Measurement 33, 613-619"
_ALPHA = "; Krippendorff (2011), section A to C"
_AC1 = "; Gwet (2008), British Journal of Mathematical and Statistical Psychology 61, 29-48"
_S = "; Bennett, Alpert & Goldstein (1954), Public Opinion Quarterly 18, 303-308"
_PABAK = "; Byrt, Bishop & Carlin (1993), Journal of Clinical Epidemiology 46, 423-429"
_LIGHT = "; Light (1971), Psychological Bulletin 76, 365-377"
_SPECIFIC = "; Cicchetti & Feinstein (1990), Journal of Clinical Epidemiology 43, 551-558"

_RATE_OF = {"metrics": ("rate",)}
_SPECIFIC_OF = {"metrics": ("specific",)}
_ALL = {"missing": "all"}
_MEH = {"categories": ["B", "Meh", "G"]}
_FLP_ORDER = {"categories": ["psychotic", "neurotic", "organic"]}
#: schizophrenia, neurosis, other: agreement, from Cohen's disagreements (1, 3, 6) as a share of the worst
_COHEN_WEIGHTS = [[1, F(5, 6), F(1, 2)], [F(5, 6), 1, 0], [F(1, 2), 0, 1]]
#: a check is half way between a statement and a request
_HALF_WEIGHTS = [[1, 0, F(1, 2)], [0, 1, F(1, 2)], [F(1, 2), F(1, 2), 1]]
_HALF_DISTANCES = [[0, 1, F(1, 2)], [1, 0, F(1, 2)], [F(1, 2), F(1, 2), 0]]

PUBLISHED: list[Row] = [
    # 20, 5 / 10, 15
    _row("lecture-observed", "lecture", "observed", _LECTURE, estimate=F(7, 10)),
    _row(
        "lecture-kappa",
        "lecture",
        "kappa",
        _LECTURE + _FCE,
        estimate=F(2, 5),
        observed=F(7, 10),
        expected=F(1, 2),
        se_over_n="0.126996",
        se="0.128285",
    ),
    _row("lecture-pi", "lecture", "pi", _LECTURE + _SCOTT, estimate=F(13, 33)),
    _row(
        "lecture-alpha",
        "lecture",
        "alpha",
        _LECTURE + _ALPHA,
        estimate=F(2, 5),
        observed=F(7, 10),
        expected=F(1, 2),
    ),
    _row("lecture-s", "lecture", "s", _LECTURE + _S, estimate=F(2, 5), expected=F(1, 2)),
    _row("lecture-ac1", "lecture", "ac1", _LECTURE + _AC1, estimate=F(41, 101)),
    _row(
        "lecture-bias",
        "lecture",
        "bias",
        _LECTURE + "; " + _AP05 + "13.3",
        estimate=F(1, 200),
        expected=F(1, 2),
    ),
    _row(
        "lecture-rate",
        "lecture",
        "by_category",
        _LECTURE + "; " + _BLOG,
        _RATE_OF,
        estimate={1: F(4, 7), 2: F(1, 2)},
    ),
    _row(
        "lecture-specific",
        "lecture",
        "by_category",
        _LECTURE + _SPECIFIC,
        _SPECIFIC_OF,
        estimate={1: F(8, 11), 2: F(2, 3)},
    ),
    # twenty items: one bad, two bad, never the same
    _row("rare-kappa", "rare", "kappa", _NOTES, estimate=F(-1, 14), observed=F(17, 20), expected=F(43, 50)),
    _row("rare-pi", "rare", "pi", _NOTES + _SCOTT, estimate=F(-3, 37)),
    _row("rare-alpha", "rare", "alpha", _NOTES + _ALPHA, estimate=F(-2, 37)),
    _row("rare-ac1", "rare", "ac1", _NOTES + _AC1, estimate=F(569, 689)),
    _row("rare-pabak", "rare", "s", _NOTES + _PABAK, estimate=F(7, 10)),
    # bad, meh, good; printed in another order than the labels have
    _row(
        "meh-kappa",
        "meh",
        "kappa",
        _NOTES + _FCE,
        estimate=F(131, 231),
        observed=F(3, 4),
        expected=F(169, 400),
        se_over_n="0.159239",
    ),
    _row("meh-pi", "meh", "pi", _NOTES + _SCOTT, estimate=F(261, 461)),
    _row("meh-alpha", "meh", "alpha", _NOTES + _ALPHA, estimate=F(266, 461)),
    _row("meh-ac1", "meh", "ac1", _NOTES + _AC1, estimate=F(739, 1139)),
    _row("meh-s", "meh", "s", _NOTES + _S, estimate=F(5, 8)),
    _row(
        "meh-linear",
        "meh",
        "kappa",
        _NOTES + ", Weighted Kappa",
        {"weights": "linear", **_MEH},
        estimate=F(117, 187),
    ),
    _row("meh-quadratic", "meh", "kappa", _NOTES + _SQUARES, {"weights": "quadratic", **_MEH}, estimate=F(2, 3)),
    _row(
        "meh-rate",
        "meh",
        "by_category",
        _NOTES + "; " + _BLOG,
        _RATE_OF,
        estimate={"B": F(5, 8), "G": F(9, 13), "Meh": F(1, 4)},
    ),
    # sandwiches
    _row("sandwich-observed", "sandwich", "observed", _BLOG, estimate=F(17, 20)),
    _row(
        "sandwich-rate",
        "sandwich",
        "by_category",
        _BLOG,
        _RATE_OF,
        estimate={0: F(8, 11), 1: F(3, 4)},
        se={0: "0.019000", 1: "0.017687"},
    ),
    _row(
        "sandwich-specific",
        "sandwich",
        "by_category",
        _BLOG + _SPECIFIC,
        _SPECIFIC_OF,
        estimate={0: F(16, 19), 1: F(6, 7)},
    ),
    _row("sandwich-kappa", "sandwich", "kappa", _BLOG + _FCE, estimate=F(291, 416), se_over_n="0.022577"),
    _row("sandwich-pi", "sandwich", "pi", _BLOG + _SCOTT, estimate=F(93, 133)),
    _row("sandwich-alpha", "sandwich", "alpha", _BLOG + _ALPHA, estimate="0.699398"),
    _row("sandwich-ac1", "sandwich", "ac1", _BLOG + _AC1, estimate=F(281, 401)),
    # Alice and Bill, Claire and Dave, and two more
    _row("two-pi", "two", "pi", _AP05 + "13.2", estimate=F(31, 91), observed=F(7, 10), expected=F(109, 200)),
    _row(
        "two-kappa",
        "two",
        "kappa",
        _AP05 + "13.2" + _FCE,
        estimate=F(8, 23),
        observed=F(7, 10),
        expected=F(27, 50),
        se_over_n="0.300442",
    ),
    _row("two-bias", "two", "bias", _AP05 + "13.3", estimate=F(1, 200), expected=F(27, 50)),
    _row("two-alpha", "two", "alpha", _AP05 + "13.2" + _ALPHA, estimate=F(34, 91)),
    _row("two-ac1", "two", "ac1", _AP05 + "13.2" + _AC1, estimate=F(49, 109)),
    _row("two-light", "two", "light_kappa", _AP05 + "13.2" + _LIGHT, estimate=F(8, 23)),
    _row("four-pi", "four", "pi", _AP05 + "13.4", estimate=F(51, 91), observed=F(4, 5), expected=F(109, 200)),
    _row(
        "four-kappa",
        "four",
        "kappa",
        _AP05 + "13.4",
        estimate=F(77, 137),
        observed=F(4, 5),
        expected=F(163, 300),
    ),
    _row("four-kappa-pairs", "four", "kappa", _AP05 + "13.4", {"pool": "pairs"}, estimate=F(77, 137)),
    _row("four-bias", "four", "bias", _AP05 + "13.4", estimate=F(1, 600)),
    _row("four-alpha", "four", "alpha", _AP05 + "13.4" + _ALPHA, estimate=F(4, 7)),
    _row("four-light", "four", "light_kappa", _AP05 + "13.4" + _LIGHT, estimate=F(13, 23)),
    _row("six-pi", "six", "pi", _AP05 + "13.4", estimate=F(55, 91), observed=F(41, 50), expected=F(109, 200)),
    _row(
        "six-kappa",
        "six",
        "kappa",
        _AP05 + "13.4",
        estimate=F(23, 38),
        observed=F(41, 50),
        expected=F(68, 125),
    ),
    _row("six-bias", "six", "bias", _AP05 + "13.4", estimate=F(1, 1000)),
    _row("six-alpha", "six", "alpha", _AP05 + "13.4" + _ALPHA, estimate="0.610989"),
    # tables of two coders
    _row("cohen-1960", "cohen_p45", "kappa", _COHEN60, estimate="0.492"),
    _row("cohen-1968", "cohen_p45", "kappa", _COHEN68, {"weights": _COHEN_WEIGHTS}, estimate="0.348"),
    _row("flp-kappa", "flp", "kappa", _FLP + _FCE, estimate=F(23, 34), se_over_n="0.087703"),
    _row(
        "flp-linear",
        "flp",
        "kappa",
        _FLP + _FCE,
        {"weights": "linear", **_FLP_ORDER},
        estimate="0.722222",
        se_over_n="0.084301",
    ),
    _row(
        "flp-quadratic",
        "flp",
        "kappa",
        _FLP + _FCE,
        {"weights": "quadratic", **_FLP_ORDER},
        estimate="0.755319",
        se_over_n="0.086707",
    ),
    _row("flp-ac1", "flp", "ac1", _FLP + _AC1, estimate="0.867570", se_over_n="0.039230"),
    _row("carcinoma", "carcinoma", "kappa", _AGRESTI, estimate="0.493", se_over_n="0.057"),
    _row("zwick-1-observed", "zwick_1", "observed", _ZWICK, estimate=F(3, 5)),
    _row("zwick-1-s", "zwick_1", "s", _ZWICK, estimate="0.467"),
    _row("zwick-1-pi", "zwick_1", "pi", _ZWICK, estimate="0.467"),
    _row("zwick-1-kappa", "zwick_1", "kappa", _ZWICK, estimate="0.467"),
    _row("zwick-2-s", "zwick_2", "s", _ZWICK, estimate="0.467"),
    _row("zwick-2-pi", "zwick_2", "pi", _ZWICK, estimate="0.444"),
    _row("zwick-2-kappa", "zwick_2", "kappa", _ZWICK, estimate="0.444"),
    _row("zwick-3-s", "zwick_3", "s", _ZWICK, estimate="0.467"),
    _row("zwick-3-pi", "zwick_3", "pi", _ZWICK, estimate="0.46"),
    _row("zwick-3-kappa", "zwick_3", "kappa", _ZWICK, estimate="0.474"),
    _row("brennan-prediger-1-kappa", "bp_1", "kappa", _BP + "689", estimate="0.27"),
    _row("brennan-prediger-1-s", "bp_1", "s", _BP + "689", estimate=F(2, 5)),
    _row("brennan-prediger-1-i-r", "bp_1", "perreault_leigh", _BP + "689" + _ROOT, estimate="0.632456"),
    _row("brennan-prediger-2-kappa", "bp_2", "kappa", _BP + "691", estimate="0.29"),
    _row("brennan-prediger-2-s", "bp_2", "s", _BP + "691", estimate=F(2, 5)),
    _row("ap-558-observed", "ap_p558", "observed", _AP08 + "558", estimate=F(7, 10)),
    _row("ap-558-s", "ap_p558", "s", _AP08 + "558", estimate=F(2, 5)),
    _row("ap-558-i-r", "ap_p558", "perreault_leigh", _AP08 + "558" + _ROOT, estimate="0.632456"),
    _row("ap-558-pi", "ap_p558", "pi", _AP08 + "558", estimate="0.341"),
    _row("ap-558-kappa", "ap_p558", "kappa", _AP08 + "558", estimate="0.348"),
    _row("ap-568-observed", "ap_p568", "observed", _AP08 + "568", estimate="0.88"),
    _row("ap-568-s", "ap_p568", "s", _AP08 + "568", estimate="0.82"),
    _row("ap-568-pi", "ap_p568", "pi", _AP08 + "568", estimate="0.7995"),
    _row("ap-568-kappa", "ap_p568", "kappa", _AP08 + "568", estimate="0.8013"),
    _row(
        "ap-568-weighted-kappa",
        "ap_p568",
        "kappa",
        _AP08 + "568",
        {"weights": _HALF_WEIGHTS},
        estimate="0.8163",
    ),
    _row(
        "ap-568-weighted-alpha",
        "ap_p568",
        "alpha",
        _AP08 + "568",
        {"level": _HALF_DISTANCES},
        estimate="0.8156",
    ),
    # alpha at every level
    _row("k-binary-observed", "k_binary", "observed", _K80 + "133", estimate=F(3, 5)),
    _row("k-binary-alpha", "k_binary", "alpha", _K80 + "133", estimate="0.095"),
    _row("k-three-observed", "k_three", "observed", _K80 + "139", estimate="0.74"),
    _row("k-three-nominal", "k_three", "alpha", _K80 + "139", estimate="0.642"),
    _row("k-three-interval", "k_three", "alpha", _K80 + "139", {"level": "interval"}, estimate="0.547"),
    _row("k-three-ratio", "k_three", "alpha", _K80 + "139", {"level": "ratio"}, estimate="0.483"),
    _row("k-nominal", "k_nominal", "alpha", _K11 + "B", estimate="0.692"),
    _row("k-gaps-nominal", "k_gaps", "alpha", _K11 + "C", estimate="0.743421", se="0.14194"),
    _row("k-gaps-ordinal", "k_gaps", "alpha", _K11 + "D", {"level": "ordinal"}, estimate="0.815388"),
    _row("k-gaps-interval", "k_gaps", "alpha", _K11 + "D", {"level": "interval"}, estimate="0.849107"),
    _row("k-gaps-ratio", "k_gaps", "alpha", _K11 + "D", {"level": "ratio"}, estimate="0.797403"),
    _row("hayes-ordinal", "hayes", "alpha", _HAYES, {"level": "ordinal"}, estimate="0.7598"),
    # The same data, singly coded items inform the margins. The standard errors take the number of doubly
    # coded items as random; Gwet's own (0.12561, 0.14295, 0.15302, 0.14917, 0.14472) take a single label
    # for a disagreement.
    _row("gwet-observed", "k_gaps", "observed", _GWET, _ALL, estimate="0.818182", se="0.10122"),
    _row("gwet-ac1", "k_gaps", "ac1", _GWET, _ALL, estimate="0.77544", se="0.12474"),
    _row("gwet-fleiss", "k_gaps", "pi", _GWET, _ALL, estimate="0.76117", se="0.13494"),
    _row("gwet-conger", "k_gaps", "kappa", _GWET, _ALL, estimate="0.76282", se="0.13226"),
    _row("gwet-brennan-prediger", "k_gaps", "s", _GWET, _ALL, estimate="0.77273", se="0.12652"),
    _row("gwet-alpha", "k_gaps", "alpha", _GWET, _ALL, estimate="0.74342"),
    # many coders
    _row("fleiss-1971", "fleiss", "pi", _FLEISS, estimate="0.430"),
    _row("wikipedia-fleiss", "wikipedia", "pi", _WIKI, estimate="0.209931", se="0.092371"),
    _row("wikipedia-randolph", "wikipedia", "s", _WIKI + "; " + _RANDOLPH, estimate="0.222527"),
    _row("wikipedia-i-r", "wikipedia", "perreault_leigh", _WIKI + _ROOT, estimate="0.471728"),
    _row("wikipedia-alpha", "wikipedia", "alpha", _WIKI + _ALPHA, estimate="0.215574"),
    _row("randolph-1-s", "randolph_1", "s", _RANDOLPH, estimate=F(1, 3)),
    _row("randolph-1-pi", "randolph_1", "pi", _RANDOLPH, estimate=F(1, 3)),
    _row("randolph-2-s", "randolph_2", "s", _RANDOLPH, estimate=F(1, 3)),
    _row("randolph-2-pi", "randolph_2", "pi", _RANDOLPH, estimate=F(-1, 5)),
    _row("warrens-2012", "warrens", "kappa", _WARRENS, estimate="0.802479"),
]

"""The columns of every result, as data: docs, tests and frames are made from these schemas.

A result is a plain DataFrame; its index says what distinguishes the rows. A schema lists the columns that are always
there, and those that `detail=True` adds behind them. The order and the dtypes are fixed. What matters most stands at
both ends of a row, because pandas cuts a wide frame in the middle: results with notes end with the column `note`, and
their details with `remarks`. A meaning that several schemas share is written in the first of them.
"""

from __future__ import annotations

Column = tuple[str, str]  # (dtype, meaning)
Columns = dict[str, Column]


class Schema(Columns):
    """The columns of a result: those `shown` without `detail=True`, then its `detail`."""

    def __init__(self, shown: Columns, detail: Columns) -> None:
        super().__init__({**shown, **detail})
        self.shown, self.detail = tuple(shown), detail

    def detailed(self, **columns: Column) -> Schema:
        """The schema with columns that `detail=True` adds."""
        return Schema({name: self[name] for name in self.shown}, {**columns, **self.detail})


def _plain(**columns: Column) -> Schema:
    """The schema of a result without notes."""
    return Schema(columns, {})


def _noted(**columns: Column) -> Schema:
    """The schema of a result with notes."""
    note = _text("code of the gravest remark, + if there are more; empty if there are none")
    return Schema({**columns, "note": note}, {"remarks": _text("the remarks in words, joined with '; '")})


def _number(meaning: str) -> Column:
    return "float64", meaning


def _count(meaning: str) -> Column:
    return "int64", meaning


def _text(meaning: str) -> Column:
    return "str", meaning


def _interval(name: str = "ci", of: str = "its interval") -> Columns:
    return {f"{name}_low": _number(f"lower bound of {of}"), f"{name}_high": _number(f"upper bound of {of}")}


def _estimate(meaning: str, se: str = "standard error, for other items") -> Columns:
    return {"estimate": _number(meaning), **_interval(), "se": _number(se)}


def _difference(meaning: str) -> Columns:
    return {"difference": _number(meaning), **_interval("difference", "the interval of the difference")}


CI_LEVEL: Columns = {"ci_level": _number("level of the interval")}
CI: Columns = {"ci_method": _text("how the interval was made; empty without one"), **CI_LEVEL}
_THESE_CODERS = "standard error, for other items labelled by these coders"

#: columns of a coefficient
RESULT = _noted(
    **_estimate("the coefficient; NaN where it is undefined, with the reason in `note`", _THESE_CODERS),
    observed=_number("observed agreement, 0 to 1, on the scale of the weights"),
    expected=_number("agreement expected by chance, on the same scale"),
    n_items=_count("items with two or more labels: those the coefficient rests on"),
).detailed(
    weights=_text("weights, or the level of alpha, or the scale as text: 'within(1)'"),
    missing=_text("the rule for missing labels"),
    **CI,
    n_coders=_count("coders who labelled them"),
    n_categories=_count(
        "categories, declared or seen anywhere in the data, with categories='group' those of the group; 0 for "
        "scores and for undeclared fractions compared as numbers, which are values and not categories"
    ),
)

#: columns of `by_category`
CATEGORY = _noted(
    **_estimate("the rate, or the coefficient of the category; NaN where it is undefined", _THESE_CODERS),
    p_value=_number("one-sided p of agreeing on it no more often than by chance; NaN without coders"),
    n_labels=_count("how often the category was chosen, on the items that count"),
    n_items=_count("items that count for the estimate"),
).detailed(
    observed=RESULT["observed"],
    expected=RESULT["expected"],
    pair_share=_number("share of all pairs of coders of an item in which at least one chose it"),
    p_holm=_number("the p-value adjusted (Holm) for the number of categories"),
    **RESULT.detail,
)

#: columns of `by_item`
ITEMS = _plain(
    n_labels=_count("labels the item has"),
    agreement=_number("share of its pairs of labels that agree, on the scale of the weights; NaN for one label"),
    entropy=_number("entropy of its labels, 0 (one label only) to 1 (as many different ones as can be)"),
    majority=("label", "the label most coders chose; missing where several lead"),
    share=_number("share of the labels that the leading one has"),
    tie=("bool", "several labels lead"),
    influence=_number("change of the coefficient due to the item: its influence over the number of items"),
).detailed(n_distinct=_count("different labels the item has"))

#: columns of `by_coder`
CODERS = _noted(
    agreement=_number("mean agreement with the other coders of the same items, on the scale of the level"),
    alpha_without=_number("alpha of the others, at the level"),
    alpha_change=_number("what leaving this coder out does to alpha"),
    kappa_majority=_number("kappa against the majority of the others, ties split; NaN for scores"),
    favours=("label", "the category chosen most above the others of the same items; missing for scores"),
    favours_by=_number("by how much: the coder's share of it minus the others' mean share on these items"),
    n_items=_count("items labelled by this coder and by another"),
).detailed(
    entropy=_number("entropy of the labels given, 0 (always the same) to 1 (all categories alike)"),
    bias=_number("squared distance of the coder's shares from the mean coder's; NaN for scores"),
    difference=_number("mean of the coder's labels minus the others' of the same items, as numbers or places"),
    n_labels=_count("labels the coder gave"),
)

#: columns of `margins`
MARGINS = _noted(
    estimate=_number("the coder's share of the category minus that of the others on the same items"),
    **_interval(),
    share=_number("share of the coder's labels"),
    others=_number("mean share of the others' labels on the same items"),
    p_value=_number("two-sided p of no difference"),
    n_labels=_count("how often the coder chose the category"),
    n_items=CODERS["n_items"],
).detailed(
    se=_number("standard error of the estimate"),
    mean_share=_number("mean of `share` over coders"),
    difference=_number("the coder's share minus this mean: the components of `bias`"),
    p_holm=_number("the p-value adjusted (Holm) for the number of rows of the group"),
)

#: columns of `test.margins`
TESTS = _noted(
    statistic=_number("the test statistic; for an exact test the smaller of the counts compared"),
    df=_number("degrees of freedom; NaN for an exact test"),
    p_value=_number("two-sided p-value"),
    p_holm=_number("the same, adjusted (Holm) for the number of pairs of coders in the group"),
    n_items=_count("items that the coders compared both labelled; for cochran_q that all labelled"),
)

#: columns of `bland_altman`
LIMITS = _noted(
    bias=_number("mean of the first coder minus that of the second"),
    **_interval("bias", "the interval of the bias"),
    sd=_number("standard deviation of the differences"),
    lower=_number("lower limit of agreement"),
    upper=_number("upper limit of agreement"),
    p_value=_number("t test of no bias"),
    n_items=_count("items that both rated"),
).detailed(
    **_interval("lower", "the interval of the lower limit"),
    **_interval("upper", "the interval of the upper limit"),
)

#: columns of `compare`
CONTRASTS = _noted(
    estimate_1=_number("the first coefficient"),
    estimate_2=_number("the second"),
    **_difference("first minus second"),
    p_value=_number("p-value of no difference"),
    n_items=_count("items behind the comparison"),
).detailed(
    se=_number("standard error of the difference"),
    statistic=_number("t at which the interval ends at 0, not difference / se; for '(all)' the F of all differences"),
    df=_number("degrees of freedom; for '(all)' of the numerator"),
    p_holm=_number("the p-value adjusted (Holm) for the number of differences"),
    **CI_LEVEL,
)

#: columns of `test.groups`
HETEROGENEITY = _plain(
    statistic=_number("chi-squared, or t for the trend"),
    df=_number("degrees of freedom; for the trend those of the variance in the data, NaN: z"),
    p_value=_number("p-value"),
    n_groups=_count("groups with an estimate and a standard error"),
).detailed(null=_text("the null hypothesis"))

#: columns of `test.chance`
CHANCE = _noted(
    estimate=_number("the coefficient"),
    statistic=_number("z: the estimate in standard errors under the null hypothesis"),
    p_value=_number("p-value of no agreement beyond chance"),
    n_items=_count("items with two or more labels"),
).detailed(
    null_se=_number("standard error of the estimate if the null hypothesis is true"),
    observed=_number("observed agreement"),
    expected=_number("its mean if the null hypothesis is true"),
    null=HETEROGENEITY["null"],
)

#: columns of `diagnose`
FINDINGS = _plain(
    about=_text("the coder, pair, category or label it is about; empty for the data as a whole"),
    estimate=_number("what was measured; NaN for a test alone, and where it is undefined"),
    ci_low=_number("lower bound of its interval, or a one-sided bound; NaN without one"),
    ci_high=_number("upper bound of its interval, or a one-sided bound; NaN without one"),
    p_value=_number("p-value, adjusted for the number of coders, pairs or categories; NaN without one"),
    n_items=_count("items behind it"),
).detailed(
    measure=_text("what was measured: a coefficient, a difference, a share, a number of labels, a test"),
    severity=_text("high, medium or low"),
    threshold=_number(
        "what was compared: the bound of the interval on the far side, its width, the estimate without one, or p"
    ),
    evidence=_text("the same in words, with the other numbers that matter"),
    advice=_text("what to do"),
)

#: columns of coefficients of spans
SPANS = _noted(
    **_estimate(RESULT["estimate"][1], "standard error, for other documents marked by these coders"),
    observed=_number("observed agreement, 0 to 1"),
    expected=_number("agreement expected by chance; NaN for F1"),
    coverage=_number("of coefficients of labels: the share of the marked matter that they speak about; else NaN"),
    n_spans=_count("spans in these documents"),
    n_items=_count("documents that two or more coders saw"),
).detailed(**RESULT.detail)

#: columns of `spans(...).by_item`
SPAN_ITEMS = _plain(
    n_coders=_count("coders who saw the document"),
    n_spans=_count("their spans"),
    length=_count("positions of the document"),
    f1=_number("F1 of all pairs of coders; NaN where nobody marked anything, or for one coder"),
    u_alpha=_number("alpha of the document; NaN where there is no variation, or where spans of one coder overlap"),
)

#: columns of `spans(...).disagreements`, after those of the document
SPAN_DIFFERENCES = _plain(
    coder_1=("label", "the first coder"),
    coder_2=("label", "the second"),
    kind=_text("'label' (same place), 'boundary' (same label), 'both', or 'missing'"),
    start_1=("label", "start of the first coder's span; missing where the coder has none"),
    end_1=("label", "its end"),
    label_1=("label", "its label"),
    row_1=("label", "its index in the frame"),
    start_2=("label", "the same of the second coder"),
    end_2=("label", "its end"),
    label_2=("label", "its label"),
    row_2=("label", "its index in the frame"),
)

# -------------------------------------------------------------------------------------------------- judges and humans

#: columns of `versus_humans`
VERSUS = _noted(
    **_difference("judge minus humans; NaN where it is undefined, with the reason in `note`"),
    estimate=_number("agreement of the judge with the humans"),
    ceiling=_number("agreement of the humans with each other, on the same items"),
    n_items=_count("items with a label of the judge and two or more human labels"),
    verdict=_text("'better', 'as good', 'worse' or 'not shown', with 95% whatever the level of the interval"),
).detailed(
    se=_number("standard error of the difference, for other items, these humans and this judge"),
    statistic=_number("t of no difference, of which p_value is made; need not be difference / se"),
    df=_number("its degrees of freedom"),
    p_value=MARGINS["p_value"],
    margin=_number("how much below the humans is still as good as them: your decision"),
    p_noninferior=_number("one-sided p that the judge is below the humans by the margin or more"),
    p_equivalent=_number("p that the two differ by the margin or more, in either direction"),
    p_holm=_number("p_noninferior (equivalence=True: p_equivalent), adjusted for the number of rows"),
    baseline=_number("agreement with the humans of always giving their most frequent label"),
    weights=_text("weights, or the level of alpha"),
    **CI,
    n_humans=_count("humans who labelled them"),
)

_OF_HUMAN = ("se", "statistic", "df", "p_value", "margin", "p_noninferior", "p_equivalent", "p_holm", "weights")

#: columns of `versus_humans` with `by_human=True`
VERSUS_HUMAN = _noted(
    **_difference("judge minus human; NaN where it is undefined, with the reason in `note`"),
    estimate=_number("agreement of the judge with the human"),
    ceiling=_number("mean agreement of the human with the other humans"),
    n_items=_count("items with a label of the judge, of the human and of another human"),
).detailed(**{name: VERSUS[name] for name in _OF_HUMAN}, **CI)

#: columns of `ceilings`
CEILINGS = _noted(
    estimate=_number("share of the vote of the other humans that the judge's labels have, ties sharing it"),
    ceiling=_number("the same for the human who is left out of the vote"),
    **_difference("judge minus human"),
    p_value=MARGINS["p_value"],
    n_items=VERSUS_HUMAN["n_items"],
).detailed(
    se=_number("standard error of the difference, for other items"),
    **CI_LEVEL,
    n_ties=_count("items on which several labels lead; for '(mean)' whoever is left out"),
    p_holm=_number("the p-value adjusted for the number of rows; those of '(mean)' among themselves"),
)

#: columns of `alt_test`
ALT_TEST = _noted(
    winning_rate=_number("omega: share of the humans against whom the judge holds its own by epsilon"),
    advantage=_number("rho: mean over humans of the share of items on which the judge is as close or closer"),
    passed=("bool", "winning_rate is one half or more"),
    baseline_passed=("bool", "whether the constant answer passes, too"),
    epsilon=_number("what the judge is given for being cheaper: your decision"),
    n_humans=_count("humans tested: those with enough of these items"),
    n_items=VERSUS["n_items"],
).detailed(
    ties=_number("mean over humans of the share of items on which both are as close"),
    baseline=("label", "the constant answer that does best; missing without items"),
    baseline_winning_rate=_number("omega of this constant answer"),
    baseline_advantage=_number("rho of this constant answer"),
)

#: columns of `alt_test` with `by_human=True`
ALT_HUMAN = _noted(
    judge_wins=_number("share of items on which the judge is closer to the other humans"),
    human_wins=_number("share of items on which the human is"),
    difference=_number("judge_wins minus human_wins"),
    p_value=_number("one-sided p that the human is ahead by epsilon or more"),
    rejected=("bool", "the judge holds its own against this human: p_by is at most .05"),
    n_items=VERSUS_HUMAN["n_items"],
).detailed(
    ties=_number("share of items on which both are as close"),
    se=CONTRASTS["se"],
    p_by=_number("the p-value adjusted (Benjamini and Yekutieli) for the number of humans"),
    epsilon=_number("what the judge is given for being cheaper"),
)

#: columns of `accuracy`
ACCURACY = _noted(
    role=_text("'judge' or 'human'"),
    **_estimate("the coefficient of the coder's labels and the reference"),
    n_items=_count("items with a label of the coder and a reference"),
).detailed(**CI_LEVEL)

_RATES = ("sensitivity", "specificity", "precision", "npv")
_RATE = "the interval of the {} (Wilson)"

#: columns of `error_rates`
ERROR_RATES = _noted(
    sensitivity=_number("of the reference's items of this category, the share that the judge gave this label"),
    specificity=_number("of the reference's other items, the share that the judge gave another label"),
    precision=_number("of the judge's items with this label, the share for which it is the reference"),
    npv=_number("of the judge's other items, the share for which the reference is another, too"),
    favours=_number("share of the judge's labels minus that of the reference: what the judge gives too often"),
    n_human=_number("items for which this category is the reference; tied votes count in parts"),
    n_judge=_count("items that the judge gave this label"),
    n_items=_count("items with a label of the judge and a reference"),
).detailed(
    **{name: column for rate in _RATES for name, column in _interval(rate, _RATE.format(rate)).items()},
    **_interval("favours", "the interval of favours"),
    reference=_text("what the judge is compared with"),
    **CI_LEVEL,
)

#: columns of `stability`
STABILITY = _noted(
    **_estimate("the value; NaN where it is undefined, see `note`"),
    n_runs=_count("runs of the judge"),
    n_items=_count("items that it rests on"),
).detailed(**CI_LEVEL)

#: columns of `bias` of judges
BIAS = _noted(
    **_estimate(
        "change of judge minus humans for one more of a number, or at this level beside the reference level",
        "standard error, robust to unequal variances and, with clusters, to dependent items",
    ),
    p_value=_number("two-sided p of no association"),
    p_holm=_number("the p-value adjusted (Holm) for the number of rows"),
    n_items=_count("items with a label of the judge, a human label and a value in every column"),
).detailed(
    statistic=_number("t of no association"),
    df=_number("its degrees of freedom"),
    reference=_text("the level that this one is compared with; empty for numbers"),
    n_level=_count("items with this level, for numbers all items"),
    category=_text("of two categories the one whose share is compared; empty for numbers"),
    **CI_LEVEL,
)

_CORRECTED_DETAIL: Columns = {
    "reliability": _number("part of the variance of the human labels that the judge's labels explain"),
    "worth": _number("human labels alone that would give the same standard error"),
    "design": _text("how the human labels were chosen: random, separate or probability"),
    **CI,
}

#: columns of `corrected_rate`
CORRECTED = _noted(
    **_estimate("share of the category by the human standard; NaN where it is undefined", "standard error"),
    judge_share=_number("share of the category in the judge's labels of these items"),
    human_share=_number("share of the category among the human labels"),
    n_human=_count("judged items with a human label"),
    n_items=_count("judged items that the estimate is about"),
).detailed(**_CORRECTED_DETAIL)

#: columns of `corrected_mean`
CORRECTED_MEAN = _noted(
    **_estimate("mean score by the human standard; NaN where it is undefined", "standard error"),
    judge_mean=_number("mean of the judge's scores of all judged items"),
    human_mean=_number("mean of the human scores"),
    n_human=_count("judged items with a human score"),
    n_items=_count("judged items"),
).detailed(**{**_CORRECTED_DETAIL, "reliability": _number("squared correlation of judge and human")})

# --------------------------------------------------------------------------------------------------------- preferences

#: columns of `position_bias`
POSITION_BIAS = _noted(
    **_estimate("the value; NaN where it is undefined, see `note`"),
    p_value=_number("two-sided p of no effect of the position, or of equally good candidates"),
    n_items=_count("swaps behind the estimate; without swaps verdicts"),
).detailed(
    **CI,
    p_holm=_number("the p-value adjusted (Holm) for the number of groups"),
    n_first=_count("swaps whose verdicts moved to the first slot; without swaps verdicts for the first slot"),
    n_second=_count("the same for the second slot"),
)

#: columns of `strengths`
STRENGTHS = _noted(
    rank=_number("1 is the strongest"),
    estimate=_number("log-odds against a candidate of mean strength; of '(first)' what the first slot adds"),
    **_interval(),
    se=_number("its standard error"),
    wins=_number("verdicts won, a tie as one half"),
    n_items=_count("verdicts on the candidate"),
).detailed(strength=_number("the estimates as shares that add up to 1"), **CI_LEVEL)

#: columns of `win_rate`
WIN_RATE = _noted(
    **_estimate("share of its verdicts that the candidate won; with human verdicts, corrected by them"),
    wins=_number("verdicts won, a tie as one half"),
    n_items=_count("verdicts on the candidate"),
).detailed(
    judge_rate=_number("the share won, not corrected"),
    human_rate=_number("the share won by the human verdicts alone"),
    n_human=_count("verdicts on the candidate with a human one beside it"),
    **CI_LEVEL,
)

# --------------------------------------------------------------------------------------------------- inferred labels

#: columns of `truth(...).by_item()` and of `consensus`
TRUTH_ITEMS = _noted(
    label=("label", "the inferred label; missing on a tie that stays open, and without any label"),
    probability=_number("of that label: the posterior of a model, for a vote its share; 1 for gold"),
    margin=_number("the same minus that of the second label"),
    n_labels=ITEMS["n_labels"],
    agreement=_number("share of its labels that equal the inferred one"),
    tie=ITEMS["tie"],
).detailed(
    entropy=_number("entropy of the probabilities, 0 (certain) to 1 (all categories alike)"),
    gold=("bool", "the label is known"),
)

#: columns of `truth(...).by_coder()`
TRUTH_CODERS = _noted(
    accuracy=_number("probability of the true label, by the model; NaN for votes"),
    **_interval("accuracy", "its interval, which allows for the labels being inferred"),
    skill=_number("(accuracy - chance) / (1 - chance)"),
    spammer=_text("'yes': skill is below .2; 'no': above 0; 'too few': the labels do not tell; '' for votes"),
    gold_accuracy=_number("share of the gold items that the coder labelled right"),
    n_gold=_count("items with a known label that the coder labelled"),
    n_items=_count("items the coder labelled"),
).detailed(
    se=_number("standard error of the accuracy"),
    agreement=_number("share of the coder's labels that equal the consensus of the other coders"),
    chance=_number("accuracy of a coder who gives these labels as often, but does not look"),
    **_interval("skill", "the interval of the skill"),
    **_interval("gold", "the interval of gold_accuracy (Wilson)"),
)

#: columns of `truth(...).confusions()`
TRUTH_CONFUSIONS = _plain(
    probability=_number("that the coder gives the label if the other is true; the sum over `given` is 1"),
    se=STRENGTHS["se"],
    n=_number("expected number of such labels of the coder"),
    share=_number("share of the true label among all items"),
)

#: columns of `truth(...).summary()`
TRUTH_SUMMARY = _noted(
    loglik=_number("log-likelihood; NaN for votes"),
    objective=_number("the same plus the log of the prior: what the sweeps raise"),
    n_sweeps=_count("sweeps of the fit; 0 for votes"),
    converged=("bool", "the objective stopped rising"),
    n_items=_count("items with a label"),
    n_coders=_count("coders who labelled them; 0 for counts"),
    n_categories=_count("categories, declared or seen anywhere in the data"),
    n_labels=_count("labels of these items"),
    n_gold=_count("items with a known label"),
    smoothing=_number("labels added to every cell of the error rates"),
    diagonal=_number("further ones added to the right labels"),
    expected_accuracy=_number("mean probability of the inferred labels that are not gold; NaN for votes"),
)

#: columns of `truth(...).shares()`
TRUTH_SHARES = _plain(
    share=_number("share of the items whose true label this is"),
    n_items=_count("items whose inferred label it is"),
)

#: columns that `truth(...).queue()` adds to the frame's rows
TRUTH_QUEUE = _plain(
    inferred=("label", "the leading label, the first of several"),
    second=("label", "the next one"),
    probability=_number("of the leading label; for a vote its share"),
    n_labels=ITEMS["n_labels"],
    reason=_text("'no label', 'one label', 'tie', 'against the vote', 'coders of low skill', 'coders disagree'"),
)

#: columns of `truth(...).qualify()`
TRUTH_QUALIFY = _plain(
    accuracy=TRUTH_CODERS["gold_accuracy"],
    **_interval("accuracy", "its interval (Wilson, 95%)"),
    p_holm=_number("the p-value adjusted (Holm) for the number of coders in the group"),
    passed=_text("'yes': above `required` at the 5% level; 'no': below it; 'too few': neither is settled"),
    correct=_count("gold items labelled right"),
    n_gold=TRUTH_CODERS["n_gold"],
).detailed(p_value=_number("exact binomial p that the accuracy is not above `required`"))

# ------------------------------------------------------------------------------------------------------------ planning

#: columns of `pandas_agreement.plan`; each result has some of them
PLANS = _plain(
    width=_number("width of the interval"),
    power=_number("probability of a significant test"),
    alpha=_number("level of the test"),
    alternative=_text("the alternative hypothesis"),
    target=_number("accuracy wanted of the vote"),
    vote_accuracy=_number("accuracy of a vote of the number of labels"),
    pool=_count("items at hand"),
    n_judged=_count("items that the judge labels"),
    human_only=_count("human labels without a judge"),
    cost=_number("cost of both"),
    cost_human_only=_number("cost without a judge"),
    needed_items=_count("items needed in all"),
    more_items=_count("items needed beyond those at hand"),
)


# ------------------------------------------------------------------- columns that details add to single coefficients

#: `kappa(detail=True)` and `by_pair(detail=True)`
KAPPA_DETAIL: Columns = {
    "kappa_min": _number("the least kappa that the coders' label distributions allow"),
    "kappa_max": _number("the greatest kappa that they allow"),
    "pabak": _number("prevalence- and bias-adjusted kappa, the same as s"),
    "prevalence_index": _number("two categories: share of 'both the first' minus share of 'both the second'"),
    "bias_index": _number("two categories: how much more often the first coder uses the first category"),
}

#: `ccc(detail=True)` and `by_pair(metrics="ccc", detail=True)`
CCC_DETAIL: Columns = {
    "precision": _number("Pearson's correlation: how close to a line"),
    "accuracy": _number("C_b: how close that line is to equality; ccc is the product of the two"),
    "location_shift": _number("difference of the means in standard deviations"),
    "scale_shift": _number("ratio of the standard deviations, first coder to second"),
}

#: `icc(detail=True)`
ICC_DETAIL: Columns = {
    "var_items": _number("variance between items: what the ratings should measure"),
    "var_coders": _number("variance between the levels of the coders"),
    "var_error": _number("variance that is left"),
    "sem": _number("standard error of measurement: of one rating, or of the mean of k"),
    "f": _number("F of items that do not differ, which is a correlation of 0"),
    "df1": _number("its degrees of freedom: of the numerator"),
    "df2": _number("of the denominator"),
    "p_value": _number("its p-value"),
    "p_coders": _number("p-value of equal means of the coders, which no intraclass correlation tests"),
}

#: `kendall_w(detail=True)`
KENDALL_DETAIL: Columns = {
    "chi2": _number("chi-squared of unrelated rankings, on the items that all coders rated"),
    "df": _number("its degrees of freedom"),
    "p_value": _number("its p-value"),
}

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
    note = _text("code of the most serious remark, with + if there are more; empty if there are none")
    return Schema({**columns, "note": note}, {"remarks": _text("the remarks in full, separated by '; '")})


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
CI: Columns = {"ci_method": _text("how the interval was computed; empty if there is none"), **CI_LEVEL}
_THESE_CODERS = "standard error, for other items labelled by these coders"

#: columns of a coefficient
RESULT = _noted(
    **_estimate("the coefficient; NaN if it is undefined, with the reason in `note`", _THESE_CODERS),
    observed=_number("observed agreement, from 0 to 1, on the scale of the weights"),
    expected=_number("agreement expected by chance, on the same scale"),
    n_items=_count("number of items with two or more labels, on which the coefficient is based"),
).detailed(
    weights=_text("the weights or the level of alpha, or the scale as text, such as 'within(1)'"),
    missing=_text("the rule for missing labels"),
    **CI,
    n_coders=_count("number of coders who labelled these items"),
    n_categories=_count(
        "number of categories, declared or seen anywhere in the data, or with categories='group' seen in the group; 0 "
        "for "
        "scores, and for undeclared fractions that are compared as numbers"
    ),
)

#: columns of `by_category`
CATEGORY = _noted(
    **_estimate("the rate, or the coefficient of the category; NaN if it is undefined", _THESE_CODERS),
    p_value=_number(
        "one-sided p-value of agreeing on it no more often than by chance; NaN if the coders are not known"
    ),
    n_labels=_count("number of times that the category was chosen, on the items that count"),
    n_items=_count("number of items that count for the estimate"),
).detailed(
    observed=RESULT["observed"],
    expected=RESULT["expected"],
    pair_share=_number("share of the pairs of coders of an item in which at least one coder chose the category"),
    p_holm=_number("the p-value with Holm's adjustment for the number of categories"),
    **RESULT.detail,
)

#: columns of `by_item`
ITEMS = _plain(
    n_labels=_count("number of labels of the item"),
    agreement=_number(
        "share of the item's pairs of labels that agree, on the scale of the weights; NaN if it has one label"
    ),
    entropy=_number(
        "entropy of the item's labels, from 0 (all are the same) to 1 (as many different labels as possible)"
    ),
    majority=("label", "the label that most coders chose; missing if several labels lead"),
    share=_number("share of the leading label among the item's labels"),
    tie=("bool", "several labels lead"),
    influence=_number("what the item adds to the coefficient: its influence divided by the number of items"),
).detailed(n_distinct=_count("number of different labels of the item"))

#: columns of `by_coder`
CODERS = _noted(
    agreement=_number("mean agreement with the other coders of the same items, on the scale of the level"),
    alpha_without=_number("alpha of the others, at the level"),
    alpha_change=_number("change of alpha if this coder is left out"),
    kappa_majority=_number("kappa with the majority of the other coders, where ties are shared; NaN for scores"),
    favours=(
        "label",
        "the category that the coder chooses more often than the other coders of the same items, by the largest "
        "difference; missing for scores",
    ),
    favours_by=_number("the coder's share of this category minus the mean share of the others on these items"),
    n_items=_count("number of items labelled by this coder and at least one other"),
).detailed(
    entropy=_number("entropy of the coder's labels, from 0 (always the same) to 1 (all categories equally often)"),
    bias=_number("squared distance of the coder's label distribution from the mean distribution; NaN for scores"),
    difference=_number(
        "mean of the coder's labels minus those of the others on the same items, as numbers or positions"
    ),
    n_labels=_count("number of labels that the coder gave"),
)

#: columns of `margins`
MARGINS = _noted(
    estimate=_number("the coder's share of the category minus that of the others on the same items"),
    **_interval(),
    share=_number("share of the coder's labels"),
    others=_number("mean share of the others' labels on the same items"),
    p_value=_number("two-sided p-value of no difference"),
    n_labels=_count("number of times that the coder chose the category"),
    n_items=CODERS["n_items"],
).detailed(
    se=_number("standard error of the estimate"),
    mean_share=_number("mean of `share` over coders"),
    difference=_number("the coder's share minus this mean: the components of `bias`"),
    p_holm=_number("the p-value with Holm's adjustment for the number of rows of the group"),
)

#: columns of `test.margins`
TESTS = _noted(
    statistic=_number("the test statistic; for an exact test the smaller of the two counts"),
    df=_number("degrees of freedom; NaN for an exact test"),
    p_value=_number("two-sided p-value"),
    p_holm=_number("the p-value with Holm's adjustment for the number of pairs of coders in the group"),
    n_items=_count("number of items that both coders labelled; for cochran_q that all coders labelled"),
)

#: columns of `bland_altman`
LIMITS = _noted(
    bias=_number("mean of the first coder minus that of the second"),
    **_interval("bias", "the interval of the bias"),
    sd=_number("standard deviation of the differences"),
    lower=_number("lower limit of agreement"),
    upper=_number("upper limit of agreement"),
    p_value=_number("t test of no bias"),
    n_items=_count("number of items that both coders rated"),
).detailed(
    **_interval("lower", "the interval of the lower limit"),
    **_interval("upper", "the interval of the upper limit"),
)

#: columns of `compare`
CONTRASTS = _noted(
    estimate_1=_number("the first coefficient"),
    estimate_2=_number("the second coefficient"),
    **_difference("first minus second"),
    p_value=_number("p-value of no difference"),
    n_items=_count("number of items that count for the comparison"),
).detailed(
    se=_number("standard error of the difference"),
    statistic=_number(
        "the value of t at which the interval ends at 0, which is not difference / se; for '(all)' the F of all "
        "differences"
    ),
    df=_number("degrees of freedom; for '(all)' those of the numerator"),
    p_holm=_number("the p-value with Holm's adjustment for the number of differences"),
    **CI_LEVEL,
)

#: columns of `test.groups`
HETEROGENEITY = _plain(
    statistic=_number("chi-squared, or t for the trend"),
    df=_number("degrees of freedom; for the trend those of the variance in the data, and NaN for a z test"),
    p_value=_number("p-value"),
    n_groups=_count("number of groups with an estimate and a standard error"),
).detailed(null=_text("the null hypothesis"))

#: columns of `test.chance`
CHANCE = _noted(
    estimate=_number("the coefficient"),
    statistic=_number("z: the estimate divided by its standard error under the null hypothesis"),
    p_value=_number("p-value of no agreement beyond chance"),
    n_items=_count("number of items with two or more labels"),
).detailed(
    null_se=_number("standard error of the estimate if the null hypothesis is true"),
    observed=_number("observed agreement"),
    expected=_number("mean of the observed agreement if the null hypothesis is true"),
    null=HETEROGENEITY["null"],
)

#: columns of `diagnose`
FINDINGS = _plain(
    about=_text("the coder, pair, category or label that the finding is about; empty for the data as a whole"),
    estimate=_number("the measured value; NaN if there is only a test, or if it is undefined"),
    ci_low=_number("lower bound of its interval, or a one-sided bound; NaN if there is none"),
    ci_high=_number("upper bound of its interval, or a one-sided bound; NaN if there is none"),
    p_value=_number("p-value, adjusted for the number of coders, pairs or categories; NaN if there is none"),
    n_items=_count("items behind it"),
).detailed(
    measure=_text("what was measured: a coefficient, a difference, a share, a number of labels, a test"),
    severity=_text("high, medium or low"),
    threshold=_number(
        "what was compared with it: the farther bound of the interval, its width, the estimate if there is none, or p"
    ),
    evidence=_text("the evidence as a sentence, with the other numbers that matter"),
    advice=_text("what to do"),
)

#: columns of coefficients of spans
SPANS = _noted(
    **_estimate(RESULT["estimate"][1], "standard error, for other documents marked by these coders"),
    observed=_number("observed agreement, from 0 to 1"),
    expected=_number("agreement expected by chance; NaN for F1"),
    coverage=_number("for coefficients of labels the share of the marked positions that they are about; else NaN"),
    n_spans=_count("number of spans in these documents"),
    n_items=_count("number of documents that two or more coders saw"),
).detailed(**RESULT.detail)

#: columns of `spans(...).by_item`
SPAN_ITEMS = _plain(
    n_coders=_count("number of coders who saw the document"),
    n_spans=_count("their spans"),
    length=_count("number of positions of the document"),
    f1=_number("F1 of all pairs of coders; NaN if nobody marked anything or there is one coder"),
    u_alpha=_number("alpha of the document; NaN if there is no variation or spans of one coder overlap"),
)

#: columns of `spans(...).disagreements`, after those of the document
SPAN_DIFFERENCES = _plain(
    coder_1=("label", "the first coder"),
    coder_2=("label", "the second coder"),
    kind=_text("'label' (same place), 'boundary' (same label), 'both', or 'missing'"),
    start_1=("label", "start of the first coder's span; missing if the coder has none"),
    end_1=("label", "end of the span"),
    label_1=("label", "label of the span"),
    row_1=("label", "index of the span in the frame"),
    start_2=("label", "start of the second coder's span; missing if the coder has none"),
    end_2=("label", "end of the span"),
    label_2=("label", "label of the span"),
    row_2=("label", "index of the span in the frame"),
)

# -------------------------------------------------------------------------------------------------- judges and humans

#: columns of `versus_humans`
VERSUS = _noted(
    **_difference("judge minus humans; NaN if it is undefined, with the reason in `note`"),
    estimate=_number("agreement of the judge with the humans"),
    ceiling=_number("agreement of the humans with each other, on the same items"),
    n_items=_count("number of items with a label of the judge and two or more human labels"),
    verdict=_text("'better', 'as good', 'worse' or 'not shown', with 95% whatever the level of the interval"),
).detailed(
    se=_number("standard error of the difference, for other items, these humans and this judge"),
    statistic=_number("t of no difference, from which p_value is computed; it need not be difference / se"),
    df=_number("its degrees of freedom"),
    p_value=MARGINS["p_value"],
    margin=_number("how far below the humans is still as good as a human; you choose it"),
    p_noninferior=_number("one-sided p-value that the judge is below the humans by the margin or more"),
    p_equivalent=_number("p-value that the two differ by the margin or more, in either direction"),
    p_holm=_number("p_noninferior (equivalence=True: p_equivalent), adjusted for the number of rows"),
    baseline=_number("agreement with the humans of an answer that is always their most frequent label"),
    weights=_text("weights, or the level of alpha"),
    **CI,
    n_humans=_count("number of humans who labelled these items"),
)

_OF_HUMAN = ("se", "statistic", "df", "p_value", "margin", "p_noninferior", "p_equivalent", "p_holm", "weights")

#: columns of `versus_humans` with `by_human=True`
VERSUS_HUMAN = _noted(
    **_difference("judge minus human; NaN if it is undefined, with the reason in `note`"),
    estimate=_number("agreement of the judge with the human"),
    ceiling=_number("mean agreement of the human with the other humans"),
    n_items=_count("number of items with a label of the judge, of the human and of another human"),
).detailed(**{name: VERSUS[name] for name in _OF_HUMAN}, **CI)

#: columns of `ceilings`
CEILINGS = _noted(
    estimate=_number("share of the vote of the other humans that goes to the judge's labels, where ties share it"),
    ceiling=_number("the same for the human who is left out of the vote"),
    **_difference("judge minus human"),
    p_value=MARGINS["p_value"],
    n_items=VERSUS_HUMAN["n_items"],
).detailed(
    se=_number("standard error of the difference, for other items"),
    **CI_LEVEL,
    n_ties=_count("number of items on which several labels lead; for '(mean)' whoever is left out"),
    p_holm=_number("the p-value with Holm's adjustment for the number of rows, separately for '(mean)'"),
)

#: columns of `alt_test`
ALT_TEST = _noted(
    winning_rate=_number("omega: share of the humans to whom the judge is not inferior by epsilon or more"),
    advantage=_number(
        "rho: mean over humans of the share of items on which the judge is as close as the human or closer"
    ),
    passed=("bool", "winning_rate is one half or more"),
    baseline_passed=("bool", "whether the constant answer passes, too"),
    epsilon=_number("the advantage that the judge gets for being cheaper; you choose it"),
    n_humans=_count("number of humans tested, who have enough of these items"),
    n_items=VERSUS["n_items"],
).detailed(
    ties=_number("mean over humans of the share of items on which judge and human are equally close"),
    baseline=("label", "the constant answer that does best; missing if there are no items"),
    baseline_winning_rate=_number("omega of this constant answer"),
    baseline_advantage=_number("rho of this constant answer"),
)

#: columns of `alt_test` with `by_human=True`
ALT_HUMAN = _noted(
    judge_wins=_number("share of items on which the judge is closer to the other humans"),
    human_wins=_number("share of items on which the human is closer"),
    difference=_number("judge_wins minus human_wins"),
    p_value=_number("one-sided p-value that the human is ahead by epsilon or more"),
    rejected=("bool", "whether the judge is not inferior to this human: p_by is at most 0.05"),
    n_items=VERSUS_HUMAN["n_items"],
).detailed(
    ties=_number("share of items on which judge and human are equally close"),
    se=CONTRASTS["se"],
    p_by=_number("the p-value with the adjustment of Benjamini and Yekutieli for the number of humans"),
    epsilon=_number("the advantage that the judge gets for being cheaper"),
)

#: columns of `accuracy`
ACCURACY = _noted(
    role=_text("'judge' or 'human'"),
    **_estimate("the coefficient of the coder's labels and the reference"),
    n_items=_count("number of items with a label of the coder and a reference"),
).detailed(**CI_LEVEL)

_RATES = ("sensitivity", "specificity", "precision", "npv")
_RATE = "the interval of the {} (Wilson)"

#: columns of `error_rates`
ERROR_RATES = _noted(
    sensitivity=_number("of the items with this reference category, the share to which the judge gave this label"),
    specificity=_number(
        "of the items with another reference category, the share to which the judge gave another label"
    ),
    precision=_number("of the items to which the judge gave this label, the share with this reference category"),
    npv=_number("of the items to which the judge gave another label, the share with another reference category"),
    favours=_number("share of this label among the judge's labels minus its share in the reference"),
    n_human=_number("number of items with this reference category, where tied votes count in parts"),
    n_judge=_count("number of items to which the judge gave this label"),
    n_items=_count("number of items with a label of the judge and a reference"),
).detailed(
    **{name: column for rate in _RATES for name, column in _interval(rate, _RATE.format(rate)).items()},
    **_interval("favours", "the interval of favours"),
    reference=_text("what the judge is compared with"),
    **CI_LEVEL,
)

#: columns of `stability`
STABILITY = _noted(
    **_estimate("the value; NaN if it is undefined, with the reason in `note`"),
    n_runs=_count("number of runs of the judge"),
    n_items=_count("number of items on which it is based"),
).detailed(**CI_LEVEL)

#: columns of `bias` of judges
BIAS = _noted(
    **_estimate(
        "change of judge minus humans if the number is larger by 1, or for this level compared with the reference "
        "level",
        "standard error, robust to unequal variances and, with clusters, to dependent items",
    ),
    p_value=_number("two-sided p-value of no association"),
    p_holm=_number("the p-value with Holm's adjustment for the number of rows"),
    n_items=_count("number of items with a label of the judge, a human label and a value in every column"),
).detailed(
    statistic=_number("t of no association"),
    df=_number("its degrees of freedom"),
    reference=_text("the level with which this one is compared; empty for numbers"),
    n_level=_count("number of items with this level; for numbers all items"),
    category=_text("the one of two categories whose share is compared; empty for numbers"),
    **CI_LEVEL,
)

_CORRECTED_DETAIL: Columns = {
    "reliability": _number("share of the variance of the human labels that the judge's labels explain"),
    "worth": _number("number of human labels that would give the same standard error without a judge"),
    "design": _text("how the human labels were chosen: random, separate or probability"),
    **CI,
}

#: columns of `corrected_rate`
CORRECTED = _noted(
    **_estimate("share of the category by the human standard; NaN if it is undefined", "standard error"),
    judge_share=_number("share of the category in the judge's labels of these items"),
    human_share=_number("share of the category among the human labels"),
    n_human=_count("number of judged items with a human label"),
    n_items=_count("number of judged items that the estimate is about"),
).detailed(**_CORRECTED_DETAIL)

#: columns of `corrected_mean`
CORRECTED_MEAN = _noted(
    **_estimate("mean score by the human standard; NaN if it is undefined", "standard error"),
    judge_mean=_number("mean of the judge's scores of all judged items"),
    human_mean=_number("mean of the human scores"),
    n_human=_count("number of judged items with a human score"),
    n_items=_count("judged items"),
).detailed(**{**_CORRECTED_DETAIL, "reliability": _number("squared correlation of judge and human")})

# --------------------------------------------------------------------------------------------------------- preferences

#: columns of `position_bias`
POSITION_BIAS = _noted(
    **_estimate("the value; NaN if it is undefined, with the reason in `note`"),
    p_value=_number("two-sided p-value of no effect of the position, or of equally good candidates"),
    n_items=_count("number of swaps on which the estimate is based; without swaps the number of verdicts"),
).detailed(
    **CI,
    p_holm=_number("the p-value with Holm's adjustment for the number of groups"),
    n_first=_count(
        "number of swaps in which the verdicts favour the first position; without swaps the number of verdicts for it"
    ),
    n_second=_count("the same for the second position"),
)

#: columns of `strengths`
STRENGTHS = _noted(
    rank=_number("1 is the strongest"),
    estimate=_number("log-odds against a candidate of mean strength; for '(first)' what the first position adds"),
    **_interval(),
    se=_number("standard error of the estimate"),
    wins=_number("number of verdicts won, where a tie counts as one half"),
    n_items=_count("number of verdicts on the candidate"),
).detailed(strength=_number("the estimates as shares that add up to 1"), **CI_LEVEL)

#: columns of `win_rate`
WIN_RATE = _noted(
    **_estimate("share of verdicts that the candidate won, corrected by the human verdicts if there are any"),
    wins=_number("number of verdicts won, where a tie counts as one half"),
    n_items=_count("number of verdicts on the candidate"),
).detailed(
    judge_rate=_number("the share of verdicts won, not corrected"),
    human_rate=_number("the share of the human verdicts won"),
    n_human=_count("number of verdicts on the candidate that also have a human verdict"),
    **CI_LEVEL,
)

# --------------------------------------------------------------------------------------------------- inferred labels

#: columns of `truth(...).by_item()` and of `consensus`
TRUTH_ITEMS = _noted(
    label=("label", "the inferred label; missing if a tie stays open or the item has no label"),
    probability=_number("probability of the label by the model; its share for a vote, and 1 for gold"),
    margin=_number("this probability minus that of the second label"),
    n_labels=ITEMS["n_labels"],
    agreement=_number("share of the item's labels that are equal to the inferred label"),
    tie=ITEMS["tie"],
).detailed(
    entropy=_number("entropy of the probabilities, from 0 (certain) to 1 (all categories equally probable)"),
    gold=("bool", "whether the label is known"),
)

#: columns of `truth(...).by_coder()`
TRUTH_CODERS = _noted(
    accuracy=_number("probability that the coder gives the true label, by the model; NaN for votes"),
    **_interval("accuracy", "the interval of the accuracy, which accounts for the labels being inferred"),
    skill=_number("(accuracy - chance) / (1 - chance)"),
    spammer=_text(
        "'yes': the interval of the skill is below 0.2; 'no': it is above 0; 'too few': neither is settled; '' for "
        "votes"
    ),
    gold_accuracy=_number("share of the gold items that the coder labelled correctly"),
    n_gold=_count("number of items with a known label that the coder labelled"),
    n_items=_count("number of items that the coder labelled"),
).detailed(
    se=_number("standard error of the accuracy"),
    agreement=_number("share of the coder's labels that are equal to the consensus of the other coders"),
    chance=_number("accuracy of a coder who gives these labels equally often without looking at the items"),
    **_interval("skill", "the interval of the skill"),
    **_interval("gold", "the interval of gold_accuracy (Wilson)"),
)

#: columns of `truth(...).confusions()`
TRUTH_CONFUSIONS = _plain(
    probability=_number(
        "probability that the coder gives the label `given` if `true` is the true label; the sum over `given` is 1"
    ),
    se=STRENGTHS["se"],
    n=_number("expected number of such labels of the coder"),
    share=_number("share of the true label among all items"),
)

#: columns of `truth(...).summary()`
TRUTH_SUMMARY = _noted(
    loglik=_number("log-likelihood; NaN for votes"),
    objective=_number("the log-likelihood plus the log of the prior, which the iterations maximize"),
    n_sweeps=_count("number of iterations of the fit; 0 for votes"),
    converged=("bool", "whether the objective stopped increasing"),
    n_items=_count("number of items with a label"),
    n_coders=_count("number of coders who labelled these items; 0 for counts"),
    n_categories=_count("number of categories, declared or seen anywhere in the data"),
    n_labels=_count("number of labels of these items"),
    n_gold=_count("number of items with a known label"),
    smoothing=_number("number of labels added to every cell of the error rates"),
    diagonal=_number("number of further labels added to the correct ones"),
    expected_accuracy=_number("mean probability of the inferred labels that are not gold; NaN for votes"),
)

#: columns of `truth(...).shares()`
TRUTH_SHARES = _plain(
    share=_number("share of the items with this true label"),
    n_items=_count("number of items with this inferred label"),
)

#: columns that `truth(...).queue()` adds to the frame's rows
TRUTH_QUEUE = _plain(
    inferred=("label", "the leading label, the first of several"),
    second=("label", "the label with the second-highest probability"),
    probability=_number("probability of the leading label; for a vote its share"),
    n_labels=ITEMS["n_labels"],
    reason=_text("'no label', 'one label', 'tie', 'against the vote', 'coders of low skill', 'coders disagree'"),
)

#: columns of `truth(...).qualify()`
TRUTH_QUALIFY = _plain(
    accuracy=TRUTH_CODERS["gold_accuracy"],
    **_interval("accuracy", "its interval (Wilson, 95%)"),
    p_holm=_number("the p-value with Holm's adjustment for the number of coders in the group"),
    passed=_text("'yes': above `required` at the 5% level; 'no': below it; 'too few': neither is settled"),
    correct=_count("number of gold items labelled correctly"),
    n_gold=TRUTH_CODERS["n_gold"],
).detailed(p_value=_number("exact binomial p-value that the accuracy is not above `required`"))

# ------------------------------------------------------------------------------------------------------------ planning

#: columns of `pandas_agreement.plan`; each result has some of them
PLANS = _plain(
    width=_number("width of the interval"),
    power=_number("probability of a significant test"),
    alpha=_number("level of the test"),
    alternative=_text("the alternative hypothesis"),
    target=_number("required accuracy of the vote"),
    vote_accuracy=_number("accuracy of a vote with this number of labels"),
    pool=_count("items at hand"),
    n_judged=_count("number of items that the judge labels"),
    human_only=_count("number of human labels without a judge"),
    cost=_number("cost of both"),
    cost_human_only=_number("cost without a judge"),
    needed_items=_count("number of items needed in total"),
    more_items=_count("number of items needed in addition to those at hand"),
)


# ------------------------------------------------------------------- columns that details add to single coefficients

#: `kappa(detail=True)` and `by_pair(detail=True)`
KAPPA_DETAIL: Columns = {
    "kappa_min": _number("the smallest kappa that the coders' label distributions allow"),
    "kappa_max": _number("the largest kappa that the coders' label distributions allow"),
    "pabak": _number("prevalence- and bias-adjusted kappa, the same as s"),
    "prevalence_index": _number(
        "for two categories the share of items on which both chose the first minus that on which both chose the second"
    ),
    "bias_index": _number("for two categories how much more often the first coder uses the first category"),
}

#: `ccc(detail=True)` and `by_pair(metrics="ccc", detail=True)`
CCC_DETAIL: Columns = {
    "precision": _number("Pearson's correlation: how close the points are to a straight line"),
    "accuracy": _number(
        "C_b: how close that line is to the line of equality; ccc is the product of precision and accuracy"
    ),
    "location_shift": _number("difference between the means in standard deviations"),
    "scale_shift": _number("ratio of the standard deviations of the first and the second coder"),
}

#: `icc(detail=True)`
ICC_DETAIL: Columns = {
    "var_items": _number("variance between items, which the ratings should measure"),
    "var_coders": _number("variance between coders"),
    "var_error": _number("residual variance"),
    "sem": _number("standard error of measurement, of a single rating or of the mean of k ratings"),
    "f": _number("F test of no differences between items, which means a correlation of 0"),
    "df1": _number("degrees of freedom of the numerator"),
    "df2": _number("degrees of freedom of the denominator"),
    "p_value": _number("p-value of the F test"),
    "p_coders": _number("p-value of equal coder means, which no intraclass correlation tests"),
}

#: `kendall_w(detail=True)`
KENDALL_DETAIL: Columns = {
    "chi2": _number("chi-squared test of unrelated rankings, on the items that all coders rated"),
    "df": _number("its degrees of freedom"),
    "p_value": _number("p-value of the chi-squared test"),
}

"""The columns of every result, as data: docs, tests and frames are made from these schemas.

A result is a plain DataFrame. Named index levels identify a row, the coefficient last. The columns of a schema are
always the same, in one order, with fixed dtypes. What matters most stands at both ends of a row, because pandas cuts a
wide frame in the middle.
"""

Schema = dict[str, tuple[str, str]]  # column: (dtype, meaning)

#: column of a result: (dtype, meaning)
RESULT: Schema = {
    "estimate": ("float64", "the coefficient; NaN where it is undefined, with the reason in `note`"),
    "ci_low": ("float64", "lower end of the interval"),
    "ci_high": ("float64", "upper end of the interval"),
    "se": ("float64", "standard error, for other items labelled by these coders"),
    "observed": ("float64", "observed agreement, 0 to 1, on the scale of the weights"),
    "expected": ("float64", "agreement expected by chance, on the same scale"),
    "weights": (
        "str",
        "weights, or the level of alpha; by position they read 'linear:position', with a tolerance 'within 1'",
    ),
    "missing": ("str", "the rule for missing labels"),
    "ci_method": ("str", "how the interval was made; empty without one"),
    "ci_level": ("float64", "its level"),
    "n_categories": (
        "int64",
        "categories, declared or seen anywhere in the data, those of the group if it has its own; 0 for scores and for "
        "undeclared fractions compared as numbers, which are values and not categories",
    ),
    "n_coders": ("int64", "coders who labelled them"),
    "n_items": ("int64", "items with two or more labels: those the coefficient rests on"),
    "note": ("str", "remarks about the row; empty if there are none"),
}


def _part(schema: Schema, *names: str) -> Schema:
    return {name: schema[name] for name in names}


#: column of `by_category`
CATEGORY: Schema = {
    **_part(RESULT, "estimate", "ci_low", "ci_high", "se", "observed", "expected"),
    "pair_share": ("float64", "share of all pairs of coders of an item in which at least one chose it"),
    "p_value": ("float64", "one-sided p that the coders meet on it no more often than chance; NaN without coders"),
    "p_holm": ("float64", "the same, adjusted for the number of categories"),
    **_part(RESULT, "weights", "missing", "ci_method", "ci_level", "n_categories", "n_coders"),
    "n_labels": ("int64", "how often the category was chosen, on the items that count"),
    **_part(RESULT, "n_items", "note"),
}

#: column of `items`
ITEMS: Schema = {
    "n_labels": ("int64", "labels the item has"),
    "agreement": ("float64", "share of its pairs of labels that agree, on the scale of the weights; NaN for one label"),
    "entropy": ("float64", "entropy of its labels, 0 (one label only) to 1 (as many different ones as can be)"),
    "majority": ("label", "the label most coders chose; missing where several lead"),
    "share": ("float64", "share of the labels that the leading one has"),
    "tie": ("bool", "several labels lead"),
    "influence": ("float64", "change of the coefficient due to the item: its influence over the number of items"),
}

#: column of `coders`
CODERS: Schema = {
    "agreement": ("float64", "mean agreement with the other coders of the same items, on the scale of the level"),
    "kappa_majority": ("float64", "kappa against the majority of the others, ties split; NaN for scores"),
    "alpha_without": ("float64", "alpha of the others, at the level"),
    "alpha_change": ("float64", "what leaving this coder out does to alpha"),
    "entropy": (
        "float64",
        "entropy of the labels given, 0 (always the same) to 1 (all categories alike); not of scores",
    ),
    "bias": (
        "float64",
        "squared distance of the coder's shares from the mean coder's, on the items of `n_items`; NaN for scores",
    ),
    "favours": ("label", "the category chosen most above the others of the same items; missing for scores"),
    "favours_by": ("float64", "by how much: the coder's share of it minus the others' mean share on these items"),
    "difference": (
        "float64",
        "mean of the coder's labels minus the others' of the same items, as numbers or positions; NaN for names",
    ),
    "n_labels": ("int64", "labels the coder gave"),
    "n_items": ("int64", "of these, on items that another coder labelled too"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `margins`
MARGINS: Schema = {
    "n_labels": ("int64", "how often the coder chose the category"),
    "share": ("float64", "share of the coder's labels"),
    "mean_share": ("float64", "mean of this share over coders"),
    "difference": ("float64", "the coder's share minus the mean"),
}

#: column of a frame of tests
TESTS: Schema = {
    "statistic": ("float64", "the test statistic; for an exact test the smaller of the counts compared"),
    "df": ("float64", "degrees of freedom; NaN for an exact test"),
    "p_value": ("float64", "two-sided p-value"),
    "p_holm": ("float64", "the same, adjusted (Holm) for the number of pairs of coders in the group"),
    "n_items": ("int64", "items that the coders compared both labelled; for cochran_q that all labelled"),
    "note": ("str", "why there is no test; empty otherwise"),
}

#: column of `indices`
INDICES: Schema = {
    "kappa": ("float64", "kappa of the pair"),
    "kappa_min": ("float64", "the least kappa that these margins allow"),
    "kappa_max": ("float64", "the greatest kappa that these margins allow"),
    "pabak": ("float64", "prevalence- and bias-adjusted kappa, the same as s"),
    "prevalence_index": ("float64", "two categories: share of 'both the first' minus share of 'both the second'"),
    "bias_index": ("float64", "two categories: how much more often the first coder uses the first category"),
    "n_items": ("int64", "items that both labelled"),
}

#: column of `score_tests`
SCORE_TESTS: Schema = {
    "statistic": ("float64", "F, or chi-squared for kendall_chi2"),
    "df1": ("float64", "degrees of freedom, of the numerator for F"),
    "df2": ("float64", "degrees of freedom of the denominator; NaN for chi-squared"),
    "p_value": ("float64", "p-value"),
    "n_items": ("int64", "items with two or more ratings; for kendall those that all rated"),
    "null": ("str", "the null hypothesis"),
}

#: column of `components`
COMPONENTS: Schema = {
    "items": ("float64", "variance between items: what the ratings should measure"),
    "coders": ("float64", "variance between the levels of the coders"),
    "error": ("float64", "variance that is left"),
    "n_items": ("int64", "items with two or more ratings"),
    "n_coders": ("int64", "coders who rated them"),
}

#: column of `limits`
LIMITS: Schema = {
    "bias": ("float64", "mean of the first coder minus that of the second"),
    "bias_low": ("float64", "lower end of its interval"),
    "bias_high": ("float64", "upper end of its interval"),
    "sd": ("float64", "standard deviation of the differences"),
    "lower": ("float64", "lower limit of agreement"),
    "lower_low": ("float64", "lower end of its interval"),
    "lower_high": ("float64", "upper end of its interval"),
    "upper": ("float64", "upper limit of agreement"),
    "upper_low": ("float64", "lower end of its interval"),
    "upper_high": ("float64", "upper end of its interval"),
    "p_value": ("float64", "t test of no bias"),
    "n_items": ("int64", "items that both rated"),
}

#: column of `concordance`
CONCORDANCE: Schema = {
    "ccc": ("float64", "Lin's concordance correlation"),
    "ci_low": ("float64", "lower end of its interval"),
    "ci_high": ("float64", "upper end of its interval"),
    "precision": ("float64", "Pearson's correlation: how close to a line"),
    "accuracy": ("float64", "C_b: how close that line is to equality; ccc is the product of the two"),
    "location_shift": ("float64", "difference of the means in standard deviations"),
    "scale_shift": ("float64", "ratio of the standard deviations, first coder to second"),
    "n_items": ("int64", "items that both rated"),
}

#: column of `compare` and `contrasts`
CONTRASTS: Schema = {
    "estimate_1": ("float64", "the first coefficient"),
    "estimate_2": ("float64", "the second"),
    "difference": ("float64", "first minus second"),
    "ci_low": ("float64", "lower end of its interval"),
    "ci_high": ("float64", "upper end of its interval"),
    "se": ("float64", "its standard error"),
    "statistic": ("float64", "t; for '(all)' the F of all differences at once"),
    "df": ("float64", "degrees of freedom; for '(all)' of the numerator"),
    "ci_level": ("float64", "level of the interval"),
    "p_value": ("float64", "p-value of no difference"),
    "p_holm": ("float64", "the same, adjusted for the number of differences"),
    "n_items": ("int64", "items behind the comparison"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `versus_humans`
VERSUS: Schema = {
    "estimate": ("float64", "agreement of the judge with the humans"),
    "ceiling": ("float64", "agreement of the humans with each other, on the same items"),
    "difference": ("float64", "judge minus humans; NaN where it is undefined, with the reason in `note`"),
    "ci_low": ("float64", "lower end of its interval"),
    "ci_high": ("float64", "upper end of its interval"),
    "se": ("float64", "its standard error, for other items, these humans and this judge"),
    "statistic": ("float64", "t of no difference"),
    "df": ("float64", "its degrees of freedom"),
    "p_value": ("float64", "two-sided p of no difference"),
    "margin": ("float64", "how much below the humans is still as good as them: your decision"),
    "p_noninferior": ("float64", "one-sided p that the judge is below the humans by the margin or more"),
    "p_equivalent": ("float64", "p that the two differ by the margin or more, in either direction"),
    "p_holm": ("float64", "p_noninferior (equivalence=True: p_equivalent), adjusted for the number of rows"),
    "baseline": ("float64", "agreement with the humans of always giving their most frequent label"),
    "weights": ("str", "weights, or the level of alpha"),
    "ci_method": ("str", "how the interval was made; empty without one"),
    "ci_level": ("float64", "its level"),
    "n_humans": ("int64", "humans who labelled them"),
    "n_items": ("int64", "items with a label of the judge and two or more human labels"),
    "verdict": ("str", "'better', 'as good', 'worse' or 'not shown', with 95 % whatever the level of the interval"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `versus_humans` with `detail=True`
VERSUS_HUMAN: Schema = {
    "estimate": ("float64", "agreement of the judge with the human"),
    "ceiling": ("float64", "mean agreement of the human with the other humans"),
    **_part(VERSUS, "difference", "ci_low", "ci_high", "se", "statistic", "df", "p_value", "margin"),
    **_part(VERSUS, "p_noninferior", "p_equivalent"),
    "p_holm": ("float64", "p_noninferior, adjusted for the number of rows"),
    **_part(VERSUS, "weights", "ci_method", "ci_level"),
    "n_items": ("int64", "items with a label of the judge, of the human and of another human"),
    "note": VERSUS["note"],
}

#: column of `ceilings`
CEILINGS: Schema = {
    "estimate": (
        "float64",
        "share of the vote of the other humans that the judge's labels have, tied labels sharing it",
    ),
    "ceiling": ("float64", "the same for the human who is left out of the vote"),
    "difference": ("float64", "judge minus human"),
    "ci_low": ("float64", "lower end of its interval"),
    "ci_high": ("float64", "upper end of its interval"),
    "se": ("float64", "its standard error, for other items"),
    "ci_level": ("float64", "level of the interval"),
    "n_ties": ("int64", "items on which several labels lead; for '(mean)' whoever is left out"),
    "p_value": ("float64", "two-sided p of no difference"),
    "p_holm": ("float64", "the same, adjusted for the number of rows; those of '(mean)' among themselves"),
    "n_items": ("int64", "items with a label of the judge, of the human and of another human"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `alt_test`
ALT_TEST: Schema = {
    "winning_rate": ("float64", "omega: share of the humans against whom the judge holds its own by epsilon"),
    "advantage": ("float64", "rho: mean over humans of the share of items on which the judge is as close or closer"),
    "ties": ("float64", "mean over humans of the share of items on which both are as close"),
    "passed": ("bool", "winning_rate is one half or more"),
    "baseline": ("label", "the constant answer that does best; missing without items"),
    "baseline_winning_rate": ("float64", "omega of this constant answer"),
    "baseline_advantage": ("float64", "rho of this constant answer"),
    "baseline_passed": ("bool", "whether the constant answer passes, too"),
    "epsilon": ("float64", "what the judge is given for being cheaper: your decision"),
    "n_humans": ("int64", "humans tested: those with enough of these items"),
    "n_items": ("int64", "items with a label of the judge and two or more human labels"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `alt_test` with `detail=True`
ALT_DETAIL: Schema = {
    "judge_wins": ("float64", "share of items on which the judge is closer to the other humans"),
    "human_wins": ("float64", "share of items on which the human is"),
    "ties": ("float64", "share of items on which both are as close"),
    "difference": ("float64", "judge_wins minus human_wins"),
    "se": ("float64", "its standard error"),
    "p_value": ("float64", "one-sided p that the human is ahead by epsilon or more"),
    "p_by": ("float64", "the same, adjusted (Benjamini and Yekutieli) for the number of humans"),
    "rejected": ("bool", "the judge holds its own against this human: p_by is at most .05"),
    "epsilon": ("float64", "what the judge is given for being cheaper"),
    "n_items": ("int64", "items with a label of the judge, of the human and of another human"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `accuracy`
ACCURACY: Schema = {
    "role": ("str", "'judge' or 'human'"),
    "estimate": ("float64", "the coefficient of the coder's labels and the reference"),
    "ci_low": ("float64", "lower end of the interval"),
    "ci_high": ("float64", "upper end of the interval"),
    "se": ("float64", "standard error, for other items"),
    "ci_level": ("float64", "level of the interval"),
    "n_items": ("int64", "items with a label of the coder and a reference"),
    "note": ("str", "remarks about the row; for judges the best human, the line to beat"),
}

#: column of `error_rates`
ERROR_RATES: Schema = {
    "sensitivity": ("float64", "of the reference's items of this category, the share that the judge gave this label"),
    "sensitivity_low": ("float64", "lower end of its interval (Wilson)"),
    "sensitivity_high": ("float64", "upper end of its interval"),
    "specificity": ("float64", "of the reference's other items, the share that the judge gave another label"),
    "specificity_low": ("float64", "lower end of its interval (Wilson)"),
    "specificity_high": ("float64", "upper end of its interval"),
    "precision": ("float64", "of the judge's items with this label, the share for which it is the reference"),
    "precision_low": ("float64", "lower end of its interval (Wilson)"),
    "precision_high": ("float64", "upper end of its interval"),
    "npv": ("float64", "of the judge's items with another label, the share for which the reference is another, too"),
    "npv_low": ("float64", "lower end of its interval (Wilson)"),
    "npv_high": ("float64", "upper end of its interval"),
    "favours": ("float64", "share of the judge's labels minus that of the reference: what the judge gives too often"),
    "favours_low": ("float64", "lower end of its interval"),
    "favours_high": ("float64", "upper end of its interval"),
    "reference": ("str", "what the judge is compared with"),
    "ci_level": ("float64", "level of the intervals"),
    "n_human": ("float64", "items for which this category is the reference; tied votes count in parts"),
    "n_judge": ("float64", "items that the judge gave this label"),
    "n_items": ("int64", "items with a label of the judge and a reference"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `stability`
STABILITY: Schema = {
    "estimate": ("float64", "the value; NaN where it is undefined, with the reason in `note`"),
    "ci_low": ("float64", "lower end of the interval"),
    "ci_high": ("float64", "upper end of the interval"),
    "se": ("float64", "standard error, for other items"),
    "ci_level": ("float64", "level of the interval"),
    "n_runs": ("int64", "runs of the judge"),
    "n_items": ("int64", "items that it rests on"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `heterogeneity`
HETEROGENEITY: Schema = {
    "statistic": ("float64", "chi-squared, or t for the trend"),
    "df": ("float64", "degrees of freedom; for the trend those of the variance in the data, NaN: z"),
    "p_value": ("float64", "p-value"),
    "n_groups": ("int64", "groups with an estimate and a standard error"),
    "null": ("str", "the null hypothesis"),
}

#: column of `chance_test`
CHANCE: Schema = {
    "observed": ("float64", "observed agreement"),
    "expected": ("float64", "its mean if the null hypothesis were true"),
    "statistic": ("float64", "z: how many standard deviations of the null lie between"),
    "p_value": ("float64", "p-value"),
    "null": ("str", "the null hypothesis"),
    "n_items": ("int64", "items with two or more labels"),
    "note": ("str", "why there is no test; empty otherwise"),
}

#: column of `p_values`
P_VALUES: Schema = {
    "estimate": ("float64", "value of the coefficient"),
    "null_se": ("float64", "its standard error if the null hypothesis were true"),
    "statistic": ("float64", "z: the estimate in null standard errors"),
    "p_value": ("float64", "p-value of no agreement beyond chance"),
    "null": ("str", "the null hypothesis"),
    "n_items": ("int64", "items with two or more labels"),
    "note": ("str", "why there is no test; empty otherwise"),
}

#: column of `corrected_rate`
CORRECTED: Schema = {
    "estimate": ("float64", "share of the category by the human standard; NaN where it is undefined"),
    "ci_low": ("float64", "lower end of the interval"),
    "ci_high": ("float64", "upper end of the interval"),
    "se": ("float64", "standard error"),
    "judge_share": ("float64", "share of the category in the judge's labels of these items"),
    "human_share": ("float64", "share of the category among the human labels"),
    "reliability": ("float64", "part of the variance of the human labels that the judge's labels explain"),
    "worth": ("float64", "human labels alone that would give the same standard error"),
    "design": ("str", "how the human labels were chosen: random, separate or probability"),
    "ci_method": ("str", "how the interval was made; empty without one"),
    "ci_level": ("float64", "its level"),
    "n_human": ("int64", "judged items with a human label"),
    "n_items": ("int64", "judged items that the estimate is about"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `corrected_mean`
CORRECTED_MEAN: Schema = {
    "estimate": ("float64", "mean score by the human standard; NaN where it is undefined"),
    "ci_low": ("float64", "lower end of the interval"),
    "ci_high": ("float64", "upper end of the interval"),
    "se": ("float64", "standard error"),
    "judge_mean": ("float64", "mean of the judge's scores of all judged items"),
    "human_mean": ("float64", "mean of the human scores"),
    "reliability": ("float64", "squared correlation of judge and human"),
    "worth": ("float64", "human scores alone that would give the same standard error"),
    "design": ("str", "how the human scores were chosen: random or probability"),
    "ci_method": ("str", "how the interval was made; empty without one"),
    "ci_level": ("float64", "its level"),
    "n_human": ("int64", "judged items with a human score"),
    "n_items": ("int64", "judged items"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `position_bias`
POSITION_BIAS: Schema = {
    "estimate": ("float64", "value of the coefficient; NaN where it is undefined, with the reason in `note`"),
    "ci_low": ("float64", "lower end of the interval"),
    "ci_high": ("float64", "upper end of the interval"),
    "se": ("float64", "standard error, for other items"),
    "ci_method": ("str", "how the interval was made; empty without one"),
    "ci_level": ("float64", "its level"),
    "p_value": ("float64", "two-sided p of no effect of the position, or of equally good candidates"),
    "p_holm": ("float64", "the same, adjusted for the number of groups"),
    "n_first": ("int64", "swaps whose verdicts moved to the first slot; without swaps verdicts for the first slot"),
    "n_second": ("int64", "the same for the second slot"),
    "n_items": ("int64", "swaps behind the estimate; without swaps verdicts"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `strengths`
STRENGTHS: Schema = {
    "estimate": ("float64", "log-odds against a candidate of mean strength; of '(first)' what the first slot adds"),
    "ci_low": ("float64", "lower end of its interval"),
    "ci_high": ("float64", "upper end of its interval"),
    "se": ("float64", "its standard error"),
    "strength": ("float64", "the estimates as shares that add up to 1"),
    "wins": ("float64", "verdicts won, a tie as one half"),
    "ci_level": ("float64", "level of the interval"),
    "n": ("int64", "verdicts on the candidate"),
    "rank": ("float64", "1 is the strongest"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `diagnose`
FINDINGS: Schema = {
    "about": ("str", "the coder, pair, category or label it is about; empty for the data as a whole"),
    "severity": ("str", "high, medium or low"),
    "measure": ("str", "what was measured: a coefficient, a difference, a share, a number of labels, a test"),
    "estimate": ("float64", "its value; NaN for a test alone, and where it is undefined"),
    "ci_low": ("float64", "lower end of its interval, or a one-sided limit; NaN without one"),
    "ci_high": ("float64", "upper end of its interval, or a one-sided limit; NaN without one"),
    "p_value": (
        "float64",
        "p-value behind it, adjusted for the number of coders, pairs or categories; NaN without one",
    ),
    "threshold": (
        "float64",
        "what was compared: the limit of the interval on the far side, its width, the estimate without one, or p",
    ),
    "n_items": ("int64", "items behind it"),
    "evidence": ("str", "the same in words, with the other numbers that matter"),
    "advice": ("str", "what to do"),
}

#: column of `truth(...).by_item()` and of `consensus`
TRUTH_ITEMS: Schema = {
    "label": ("label", "the inferred label; missing on a tie that stays open, and without any label"),
    "probability": ("float64", "of that label: the posterior of a model, for a vote its share; 1 for gold"),
    "margin": ("float64", "the same minus that of the second label"),
    "entropy": ("float64", "entropy of the probabilities, 0 (certain) to 1 (all categories alike)"),
    "n_labels": ("int64", "labels the item has"),
    "agreement": ("float64", "share of its labels that equal the inferred one"),
    "tie": ("bool", "several labels lead"),
    "gold": ("bool", "the label is known"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `truth(...).by_coder()`
TRUTH_CODERS: Schema = {
    "accuracy": ("float64", "probability of the true label, by the model; NaN for votes"),
    "ci_low": ("float64", "lower end of its interval, which allows for the labels being inferred"),
    "ci_high": ("float64", "upper end of its interval"),
    "se": ("float64", "its standard error"),
    "agreement": ("float64", "share of the coder's labels that equal the consensus of the other coders"),
    "chance": ("float64", "accuracy of a coder who gives these labels as often, but does not look"),
    "skill": ("float64", "(accuracy - chance) / (1 - chance)"),
    "skill_low": ("float64", "lower end of its interval"),
    "skill_high": ("float64", "upper end of its interval"),
    "n_items": ("int64", "items the coder labelled"),
    "n_gold": ("int64", "of these, items with a known label"),
    "gold_accuracy": ("float64", "share of those that the coder labelled right"),
    "gold_low": ("float64", "lower end of its interval (Wilson)"),
    "gold_high": ("float64", "upper end of its interval"),
    "spammer": (
        "str",
        "'yes': skill is below .2; 'no': it is above 0; 'too few': the labels do not tell; '' for votes",
    ),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `truth(...).confusions()`
TRUTH_CONFUSIONS: Schema = {
    "probability": ("float64", "that the coder gives the label if the other is true; the sum over `given` is 1"),
    "se": ("float64", "its standard error"),
    "n": ("float64", "expected number of such labels of the coder"),
    "share": ("float64", "share of the true label among all items"),
}

#: column of `truth(...).summary()`
TRUTH_SUMMARY: Schema = {
    "loglik": ("float64", "log-likelihood; NaN for votes"),
    "objective": ("float64", "the same plus the log of the prior: what the sweeps raise"),
    "n_sweeps": ("int64", "sweeps of the fit; 0 for votes"),
    "converged": ("bool", "the objective stopped rising"),
    "n_items": ("int64", "items with a label"),
    "n_coders": ("int64", "coders who labelled them; 0 for counts"),
    "n_categories": ("int64", "categories, declared or seen anywhere in the data"),
    "n_labels": ("int64", "labels of these items"),
    "n_gold": ("int64", "items with a known label"),
    "smoothing": ("float64", "labels added to every cell of the error rates"),
    "diagonal": ("float64", "further ones added to the right labels"),
    "expected_accuracy": ("float64", "mean probability of the inferred labels that are not gold; NaN for votes"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `truth(...).shares()`
TRUTH_SHARES: Schema = {
    "share": ("float64", "share of the items whose true label this is"),
    "n_items": ("int64", "items whose inferred label it is"),
}

#: columns that `truth(...).queue()` adds to the frame's rows
TRUTH_QUEUE: Schema = {
    "inferred": ("label", "the leading label, the first of several"),
    "second": ("label", "the next one"),
    "probability": ("float64", "of the leading label; for a vote its share"),
    "n_labels": ("int64", "labels the item has"),
    "reason": ("str", "'no label', 'one label', 'tie', 'against the vote', 'coders of low skill', 'coders disagree'"),
}

#: column of `truth(...).thin()`
TRUTH_QUALIFY: Schema = {
    "n_gold": ("int64", "items with a known label that the coder labelled"),
    "correct": ("int64", "of these, labelled right"),
    "accuracy": ("float64", "their share"),
    "ci_low": ("float64", "lower end of its interval (Wilson, 95 %)"),
    "ci_high": ("float64", "upper end of its interval"),
    "p_value": ("float64", "exact binomial p that the accuracy is not above `required`"),
    "p_holm": ("float64", "the same, adjusted for the number of coders in the group"),
    "passed": ("str", "'yes': above `required` at the 5 % level; 'no': below it; 'too few': neither is settled"),
}

#: columns of `pandas_agreement.plan`; each result has some of them
PLANS: Schema = {
    "width": ("float64", "width of the interval"),
    "power": ("float64", "probability of a significant test"),
    "alpha": ("float64", "level of the test"),
    "alternative": ("str", "the alternative hypothesis"),
    "target": ("float64", "accuracy wanted of the vote"),
    "vote_accuracy": ("float64", "accuracy of a vote of so many labels"),
    "pool": ("int64", "items at hand"),
    "n_judged": ("int64", "items that the judge labels"),
    "human_only": ("int64", "human labels without a judge"),
    "cost": ("float64", "cost of both"),
    "cost_human_only": ("float64", "cost without a judge"),
    "needed_items": ("int64", "items needed in all"),
    "more_items": ("int64", "items needed beyond those at hand"),
}

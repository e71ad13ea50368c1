"""The columns of every result, as data: docs, tests and frames are made from these schemas.

A result is a plain DataFrame. Named index levels identify a row, the coefficient last. The columns of a schema are
always the same, in one order, with fixed dtypes.
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
    "n_items": ("int64", "items with two or more labels: those the coefficient rests on"),
    "n_coders": ("int64", "coders who labelled them"),
    "n_categories": (
        "int64",
        "categories, declared or seen anywhere in the data; those of the group if it has its own",
    ),
    "weights": (
        "str",
        "weights, or the level of alpha; by position they read 'linear:position', with a tolerance 'within 1'",
    ),
    "missing": ("str", "the rule for missing labels"),
    "ci_method": ("str", "how the interval was made; empty without one"),
    "ci_level": ("float64", "its level"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: columns of `by_category` after those of a result
CATEGORY: Schema = {
    "n_labels": ("int64", "how often the category was chosen, on the items that count"),
    "pair_share": ("float64", "share of all pairs of coders of an item in which at least one chose it"),
    "p_value": ("float64", "one-sided p that the coders meet on it no more often than chance; NaN without coders"),
    "p_holm": ("float64", "the same, adjusted for the number of categories"),
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
    "n_labels": ("int64", "labels the coder gave"),
    "n_items": ("int64", "of these, on items that another coder labelled too"),
    "agreement": ("float64", "mean agreement with the other coders of the same items"),
    "kappa_majority": ("float64", "kappa against the majority of the others, ties split"),
    "alpha_without": ("float64", "alpha of the others"),
    "alpha_change": ("float64", "what leaving this coder out does to alpha"),
    "entropy": ("float64", "entropy of the labels given, 0 (always the same) to 1 (all categories alike)"),
    "bias": ("float64", "squared distance of the coder's shares from the mean coder's, on the items of `n_items`"),
    "favours": ("label", "the category chosen most above that mean"),
    "favours_by": ("float64", "by how much"),
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
    "p_value": ("float64", "p-value of no difference"),
    "p_holm": ("float64", "the same, adjusted for the number of differences"),
    "n_items": ("int64", "items behind the comparison"),
    "ci_level": ("float64", "level of the interval"),
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
    "n_items": ("int64", "items with a label of the judge and two or more human labels"),
    "n_humans": ("int64", "humans who labelled them"),
    "verdict": ("str", "'better', 'as good', 'worse' or 'not shown', with 95 % whatever the level of the interval"),
    "weights": ("str", "weights, or the level of alpha"),
    "ci_method": ("str", "how the interval was made; empty without one"),
    "ci_level": ("float64", "its level"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `heterogeneity`
HETEROGENEITY: Schema = {
    "statistic": ("float64", "chi-squared, or z for the trend"),
    "df": ("float64", "degrees of freedom; NaN for z"),
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
    "n_items": ("int64", "items with two or more labels"),
    "null": ("str", "the null hypothesis"),
    "note": ("str", "why there is no test; empty otherwise"),
}

#: column of `p_values`
P_VALUES: Schema = {
    "estimate": ("float64", "value of the coefficient"),
    "null_se": ("float64", "its standard error if the null hypothesis were true"),
    "statistic": ("float64", "z: the estimate in null standard errors"),
    "p_value": ("float64", "p-value of no agreement beyond chance"),
    "n_items": ("int64", "items with two or more labels"),
    "null": ("str", "the null hypothesis"),
    "note": ("str", "why there is no test; empty otherwise"),
}

#: column of `position_bias`
POSITION_BIAS: Schema = {
    "estimate": ("float64", "value of the coefficient; NaN where it is undefined, with the reason in `note`"),
    "ci_low": ("float64", "lower end of the interval"),
    "ci_high": ("float64", "upper end of the interval"),
    "se": ("float64", "standard error, for other items"),
    "p_value": ("float64", "two-sided p of no effect of the position, or of equally good candidates"),
    "p_holm": ("float64", "the same, adjusted for the number of groups"),
    "n_first": ("int64", "swaps whose verdicts moved to the first slot; without swaps verdicts for the first slot"),
    "n_second": ("int64", "the same for the second slot"),
    "n_items": ("int64", "swaps behind the estimate; without swaps verdicts"),
    "ci_method": ("str", "how the interval was made; empty without one"),
    "ci_level": ("float64", "its level"),
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
    "n": ("int64", "verdicts on the candidate"),
    "rank": ("float64", "1 is the strongest"),
    "ci_level": ("float64", "level of the interval"),
    "note": ("str", "remarks about the row; empty if there are none"),
}

#: column of `diagnose`
FINDINGS: Schema = {
    "about": ("str", "the coder, pair, category or label it is about; empty for the data as a whole"),
    "severity": ("str", "high, medium or low"),
    "value": ("float64", "the number it rests on"),
    "threshold": ("float64", "what that number was compared with"),
    "evidence": ("str", "the same in words, with the other numbers that matter"),
    "advice": ("str", "what to do"),
}

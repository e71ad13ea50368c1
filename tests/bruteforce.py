"""The coefficients once more, slowly, straight from their definitions.

Nothing here is clever and nothing is shared with the library: plain loops over items, over pairs of labels of
an item, over pairs of coders, over pairs of categories. Data are rows of labels: one row per item, one position per
coder, `None` for a gap. An agreement weight or a distance is a function of two labels.

Every coefficient takes `omega`, a weight per item (a number of copies). Left out, it is the exact fraction 1,
so nominal coefficients come out as exact fractions and "no variation" is an exact question. Complex weights
give exact derivatives, hence influence values and standard errors to compare with the closed forms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations
from typing import Any

Label = Hashable
Rows = Sequence[Sequence[Label]]
Pairing = Callable[[Any, Any], Any]
Omega = Sequence[Any] | None

NAN = float("nan")


# --- Weights: agreement of two labels, 1 on the diagonal


def nominal(a: Label, b: Label) -> int:
    """Same label or not."""
    return int(a == b)


def linear(values: Sequence[float]) -> Pairing:
    """One less the distance, as a share of the longest distance."""
    longest = max(values) - min(values)
    return lambda a, b: 1 - abs(a - b) / longest


def quadratic(values: Sequence[float]) -> Pairing:
    """One less the squared distance, as a share of the longest."""
    longest = max(values) - min(values)
    return lambda a, b: 1 - (a - b) ** 2 / longest**2


def radical(values: Sequence[float]) -> Pairing:
    """One less the root of the distance, as a share of the longest."""
    longest = max(values) - min(values)
    return lambda a, b: 1 - math.sqrt(abs(a - b)) / math.sqrt(longest)


def ordinal(values: Sequence[float]) -> Pairing:
    """Gwet's ordinal weights: pairs of categories from one label to the other; only the order matters."""
    order = sorted(values)

    def pairs_between(a: float, b: float) -> int:
        steps = abs(order.index(a) - order.index(b))
        return (steps + 1) * steps // 2

    most = pairs_between(order[0], order[-1])
    return lambda a, b: 1 - pairs_between(a, b) / most


def ratio(values: Sequence[float]) -> Pairing:
    """One less the squared relative difference, as a share of the largest."""
    largest = ratio_distance(min(values), max(values))
    return lambda a, b: 1 - ratio_distance(a, b) / largest


def circular(values: Sequence[float], period: float | None = None) -> Pairing:
    """One less the squared chord between two points of a circle, as a share of the longest chord."""
    distance = circular_distance(max(values) - min(values) + 1 if period is None else period)
    longest = max(distance(a, b) for a in values for b in values)
    return lambda a, b: 1 - distance(a, b) / longest


def within(tolerance: float) -> Pairing:
    """Whether two numbers differ by at most so much."""
    return lambda a, b: int(abs(a - b) <= tolerance)


def bipolar(values: Sequence[float]) -> Pairing:
    """One less the bipolar distance, as a share of the largest."""
    distance = bipolar_distance(min(values), max(values))
    largest = max(distance(a, b) for a in values for b in values)
    return lambda a, b: 1 - distance(a, b) / largest


WEIGHTS: dict[str, Callable[..., Pairing]] = {
    "linear": linear,
    "quadratic": quadratic,
    "ordinal": ordinal,
    "radical": radical,
    "ratio": ratio,
    "circular": circular,
    "bipolar": bipolar,
}


def by_position(make: Callable[..., Pairing], categories: Sequence[Label], **options: float) -> Pairing:
    """The same weights on the places 1, 2, ... of the categories in their given order."""
    place = {label: k for k, label in enumerate(categories, start=1)}
    weight = make(list(place.values()), **options)
    return lambda a, b: weight(place[a], place[b])


def from_matrix(categories: Sequence[Label], matrix: Sequence[Sequence[float]]) -> Pairing:
    """A table of numbers as a function of two labels."""
    place = {label: k for k, label in enumerate(categories)}
    return lambda a, b: matrix[place[a]][place[b]]


# --- Distances for alpha: 0 on the diagonal, squared where the literature squares


def nominal_distance(a: Label, b: Label) -> int:
    """Same label or not."""
    return int(a != b)


def interval_distance(a: Any, b: Any) -> Any:
    """The squared difference."""
    return (a - b) ** 2


def linear_distance(a: Any, b: Any) -> Any:
    """The difference without its sign."""
    return abs(a - b)


def radical_distance(a: Any, b: Any) -> float:
    """The root of the difference without its sign."""
    return math.sqrt(abs(a - b))


def ratio_distance(a: float, b: float) -> float:
    """The squared relative difference; two zeros are equal."""
    return 0 if a == b else ((a - b) / (a + b)) ** 2


def circular_distance(period: float) -> Pairing:
    """The squared half chord of a circle with `period` places."""
    return lambda a, b: math.sin(math.pi * (a - b) / period) ** 2


def bipolar_distance(low: float, high: float) -> Pairing:
    """The squared difference against the room left to both ends of the scale; equal labels are equal."""
    return lambda a, b: 0 if a == b else (a - b) ** 2 / ((a + b - 2 * low) * (2 * high - a - b))


def jaccard_distance(a: frozenset[Any], b: frozenset[Any]) -> Any:
    """Share of the union that is not common; two empty sets are equal."""
    return 0 if a == b else 1 - Fraction(len(a & b), len(a | b))


def masi_distance(a: frozenset[Any], b: frozenset[Any]) -> Any:
    """Jaccard times monotonicity: equal 1, one inside the other 2/3, some overlap 1/3, none 0."""
    if a == b:
        return 0
    overlap = Fraction(2, 3) if a <= b or b <= a else Fraction(1, 3) if a & b else 0
    return 1 - (1 - jaccard_distance(a, b)) * overlap


# --- Which items count


def present(row: Sequence[Label]) -> list[Label]:
    """The labels an item has."""
    return [label for label in row if label is not None]


def kept(rows: Rows, missing: str) -> list[int]:
    """The numbers of the items that enter at all."""
    least = {"pairable": 2, "all": 1, "complete": len(rows[0]) if rows else 0}[missing]
    return [i for i, row in enumerate(rows) if len(present(row)) >= least]


def select(rows: Rows, missing: str, omega: Omega) -> list[tuple[Sequence[Label], Any]]:
    """The items that enter, each with its weight."""
    weights = [Fraction(1)] * len(rows) if omega is None else list(omega)
    return [(rows[i], weights[i]) for i in kept(rows, missing)]


def categories_of(rows: Rows) -> list[Any]:
    """The labels in use, sorted."""
    return sorted({label for row in rows for label in present(row)})


# --- Observed agreement, and margins


def observed(rows: Rows, weight: Pairing = nominal, missing: str = "pairable", omega: Omega = None) -> Any:
    """Mean over the items with two labels or more of the mean agreement of their ordered pairs of labels."""
    total, items = 0, 0
    for row, share in select(rows, missing, omega):
        pairs = list(permutations(present(row), 2))
        if pairs:
            total += share * sum(weight(a, b) for a, b in pairs) / len(pairs)
            items += share
    return total / items if items else NAN


def pooled_profile(rows: Rows, missing: str, omega: Omega) -> dict[Label, Any]:
    """Mean over items of the share of each label within the item."""
    profile: dict[Label, Any] = {}
    items = 0
    for row, share in select(rows, missing, omega):
        labels = present(row)
        for label in labels:
            profile[label] = profile.get(label, 0) + share * Fraction(1, len(labels))
        items += share
    return {label: total / items for label, total in profile.items()}


def coder_profiles(rows: Rows, missing: str, omega: Omega) -> list[dict[Label, Any]]:
    """For each coder who said anything, the share of each label among what they said."""
    chosen = select(rows, missing, omega)
    profiles = []
    for g in range(len(rows[0])):
        profile: dict[Label, Any] = {}
        for row, share in chosen:
            if row[g] is not None:
                profile[row[g]] = profile.get(row[g], 0) + share
        if profile:
            profiles.append({label: total / sum(profile.values()) for label, total in profile.items()})
    return profiles


def chance(first: dict[Label, Any], second: dict[Label, Any], weight: Pairing) -> Any:
    """Agreement of one label drawn from each of two distributions."""
    return sum(p * q * weight(a, b) for a, p in first.items() for b, q in second.items())


def corrected(agreement: Any, expected: Any) -> Any:
    """How much of the room above chance was used."""
    return NAN if expected == 1 or agreement != agreement else (agreement - expected) / (1 - expected)


def symmetric(weight: Pairing) -> Pairing:
    """The mean of both directions: all that pairs without order can see."""
    return lambda a, b: (weight(a, b) + weight(b, a)) * Fraction(1, 2)


# --- Chance-corrected coefficients


def pi_expected(rows: Rows, weight: Pairing = nominal, missing: str = "pairable", omega: Omega = None) -> Any:
    """Two labels drawn from the pooled distribution."""
    profile = pooled_profile(rows, missing, omega)
    return chance(profile, profile, weight)


def pi(rows: Rows, weight: Pairing = nominal, missing: str = "pairable", omega: Omega = None) -> Any:
    """Scott (1955); many coders: Fleiss (1971)."""
    return corrected(observed(rows, weight, missing, omega), pi_expected(rows, weight, missing, omega))


def kappa_expected(rows: Rows, weight: Pairing = nominal, missing: str = "pairable", omega: Omega = None) -> Any:
    """Mean over pairs of coders of the agreement of one label drawn from each."""
    profiles = coder_profiles(rows, missing, omega)
    both = weight if len(profiles) == 2 else symmetric(weight)
    pairs = [chance(first, second, both) for first, second in combinations(profiles, 2)]
    return sum(pairs) / len(pairs) if pairs else NAN


def kappa_observed(rows: Rows, weight: Pairing = nominal, missing: str = "pairable", omega: Omega = None) -> Any:
    """As `observed`, but two coders stay in their order, so that a weight may depend on who said what."""
    if len(rows[0]) > 2:
        return observed(rows, weight, missing, omega)
    doubly = [(row, share) for row, share in select(rows, missing, omega) if len(present(row)) == 2]
    items = sum(share for _, share in doubly)
    return sum(share * weight(*row) for row, share in doubly) / items if doubly else NAN


def kappa(
    rows: Rows,
    weight: Pairing = nominal,
    missing: str = "pairable",
    omega: Omega = None,
    pool: str = "coders",
) -> Any:
    """Cohen (1960, 1968); many coders: Conger (1980), Davies & Fleiss (1982)."""
    if pool == "pairs":
        return kappa_by_pairs(rows, weight, missing, omega)
    expected = kappa_expected(rows, weight, missing, omega)
    return corrected(kappa_observed(rows, weight, missing, omega), expected)


def coder_pairs(rows: Rows, missing: str, omega: Omega) -> list[tuple[Rows, list[Any]]]:
    """For each pair of coders the items both rated, and the weights of these items."""
    chosen = select(rows, missing, omega)
    tables: list[tuple[Rows, list[Any]]] = []
    for g, h in combinations(range(len(rows[0])), 2):
        shared = [(row[g], row[h], share) for row, share in chosen if row[g] is not None and row[h] is not None]
        if shared:
            tables.append(([(a, b) for a, b, _ in shared], [share for *_, share in shared]))
    return tables


def kappa_by_pairs(rows: Rows, weight: Pairing, missing: str, omega: Omega) -> Any:
    """Gain over chance, and room above chance, each summed over pairs of coders and the items they share."""
    both = weight if len(rows[0]) == 2 else symmetric(weight)
    gain, room = 0, 0
    for pair, shares in coder_pairs(rows, missing, omega):
        agreement = kappa_observed(pair, both, "complete", shares)
        expected = kappa_expected(pair, both, "complete", shares)
        gain += sum(shares) * (agreement - expected)
        room += sum(shares) * (1 - expected)
    return gain / room if room else NAN


def light_kappa(rows: Rows, weight: Pairing = nominal, missing: str = "pairable", omega: Omega = None) -> Any:
    """Light (1971): plain mean over pairs of coders of their kappas; an undefined pair is left out."""
    kappas = [kappa(pair, weight, "complete", shares) for pair, shares in coder_pairs(rows, missing, omega)]
    defined = [value for value in kappas if value == value]
    return sum(defined) / len(defined) if defined else NAN


def bias(rows: Rows, weight: Pairing = nominal, missing: str = "pairable", omega: Omega = None) -> Any:
    """Artstein & Poesio (2005): expected agreement of the mean coder less that of two different coders."""
    profiles = coder_profiles(rows, missing, omega)
    mean: dict[Label, Any] = {}
    for profile in profiles:
        for label, share in profile.items():
            mean[label] = mean.get(label, 0) + share / len(profiles)
    return chance(mean, mean, weight) - kappa_expected(rows, weight, missing, omega)


def ac_expected(
    rows: Rows,
    weight: Pairing = nominal,
    missing: str = "pairable",
    omega: Omega = None,
    categories: Any = None,
) -> Any:
    """Gwet (2008): chance agreement only where a label is uncertain."""
    labels = categories_of(rows) if categories is None else list(categories)
    if len(labels) < 2:
        return 1
    profile = pooled_profile(rows, missing, omega)
    weights = sum(weight(a, b) for a in labels for b in labels)
    uncertain = sum(share * (1 - share) for share in profile.values())
    return weights * uncertain / (len(labels) * (len(labels) - 1))


def ac2(
    rows: Rows,
    weight: Pairing = nominal,
    missing: str = "pairable",
    omega: Omega = None,
    categories: Sequence[Any] | None = None,
) -> Any:
    """Gwet's AC1, with weights AC2."""
    expected = ac_expected(rows, weight, missing, omega, categories)
    return corrected(observed(rows, weight, missing, omega), expected)


def ac1(rows: Rows, missing: str = "pairable", omega: Omega = None, categories: Any = None) -> Any:
    """Gwet (2008), unweighted."""
    return ac2(rows, nominal, missing, omega, categories)


def s(
    rows: Rows,
    weight: Pairing = nominal,
    missing: str = "pairable",
    omega: Omega = None,
    categories: Sequence[Any] | None = None,
) -> Any:
    """Bennett et al. (1954), Brennan & Prediger (1981), Randolph (2005): all categories alike."""
    labels = categories_of(rows) if categories is None else list(categories)
    total = sum(weight(a, b) for a in labels for b in labels)
    expected = Fraction(total) / len(labels) ** 2 if isinstance(total, int) else total / len(labels) ** 2
    return corrected(observed(rows, weight, missing, omega), expected)


def perreault_leigh(
    rows: Rows, missing: str = "pairable", omega: Omega = None, categories: Sequence[Any] | None = None
) -> Any:
    """Perreault & Leigh (1989): both coders of a pair know the label, or they agree once in K guesses."""
    known_by_both = s(rows, nominal, missing, omega, categories)
    return 0 if complex(known_by_both).real < 0 else known_by_both**0.5


# --- Krippendorff's alpha


def pairable_values(rows: Rows, missing: str, omega: Omega) -> list[tuple[Label, Any]]:
    """Every label that has a partner in its item, with the weight of the item."""
    chosen = [(present(row), share) for row, share in select(rows, missing, omega)]
    return [(label, share) for labels, share in chosen if len(labels) > 1 for label in labels]


def ordinal_distance(rows: Rows, categories: Sequence[Any], missing: str = "pairable", omega: Omega = None) -> Pairing:
    """Krippendorff (2011): the labels from one to the other, half of both ends, squared."""
    count = dict.fromkeys(categories, 0)
    for label, share in pairable_values(rows, missing, omega):
        count[label] += share
    order = list(categories)

    def distance(a: Any, b: Any) -> Any:
        low, high = sorted((order.index(a), order.index(b)))
        between = sum(count[label] for label in order[low : high + 1])
        return (between - (count[a] + count[b]) * Fraction(1, 2)) ** 2

    return distance


def alpha_disagreements(rows: Rows, distance: Pairing, missing: str, omega: Omega) -> tuple[Any, Any]:
    """Observed and expected disagreement: all pairs within items, and all pairs there are."""
    values = pairable_values(rows, missing, omega)
    n = sum(share for _, share in values)
    within = 0
    for row, share in select(rows, missing, omega):
        labels = present(row)
        if len(labels) > 1:
            within += share * sum(distance(a, b) for a, b in permutations(labels, 2)) / Fraction(len(labels) - 1)
    across = 0
    for first, share in values:
        for second, other in values:
            across += share * other * distance(first, second)  # a value and itself: distance 0
    return within / n, across / (n * (n - 1))


def alpha(
    rows: Rows,
    distance: Pairing | str = nominal_distance,
    missing: str = "pairable",
    omega: Omega = None,
    categories: Sequence[Any] | None = None,
) -> Any:
    """Krippendorff (2011): one less observed by expected disagreement. "ordinal" needs the margins."""
    if not pairable_values(rows, missing, omega):
        return NAN
    if distance == "ordinal":
        labels = categories_of(rows) if categories is None else categories
        distance = ordinal_distance(rows, labels, missing, omega)
    if isinstance(distance, str):
        raise ValueError(distance)
    found, expected = alpha_disagreements(rows, distance, missing, omega)
    return NAN if expected == 0 else 1 - found / expected


# --- Numbers: no gaps


def mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def covariance(x: Sequence[float], y: Sequence[float]) -> float:
    return mean([(a - mean(x)) * (b - mean(y)) for a, b in zip(x, y, strict=True)])


def icc(rows: Sequence[Sequence[float]], form: str) -> float:
    """McGraw & Wong (1996), table 4: mean squares of items, coders, within items, and residual."""
    n, k = len(rows), len(rows[0])
    grand = mean([x for row in rows for x in row])
    items, coders = [mean(row) for row in rows], [mean(column) for column in zip(*rows, strict=True)]
    MSR = k * sum((item - grand) ** 2 for item in items) / (n - 1)
    MSC = n * sum((coder - grand) ** 2 for coder in coders) / (k - 1)
    MSW = sum((rows[i][j] - items[i]) ** 2 for i in range(n) for j in range(k)) / (n * (k - 1))
    SSE = sum((rows[i][j] - items[i] - coders[j] + grand) ** 2 for i in range(n) for j in range(k))
    MSE = SSE / ((n - 1) * (k - 1))
    return {
        "ICC(1)": (MSR - MSW) / (MSR + (k - 1) * MSW),
        "ICC(1,k)": (MSR - MSW) / MSR,
        "ICC(C,1)": (MSR - MSE) / (MSR + (k - 1) * MSE),
        "ICC(C,k)": (MSR - MSE) / MSR,
        "ICC(A,1)": (MSR - MSE) / (MSR + (k - 1) * MSE + k * (MSC - MSE) / n),
        "ICC(A,k)": (MSR - MSE) / (MSR + (MSC - MSE) / n),
    }[form]


def ccc(rows: Sequence[Sequence[float]]) -> float:
    """Lin (1989); many coders: Barnhart et al. (2002), covariances over what they would be without shift and scale."""
    coders = list(zip(*rows, strict=True))
    top, bottom = 0.0, 0.0
    for x, y in combinations(coders, 2):
        top += 2 * covariance(x, y)
        bottom += covariance(x, x) + covariance(y, y) + (mean(x) - mean(y)) ** 2
    return top / bottom


def correlation(x: Sequence[float], y: Sequence[float]) -> float:
    return covariance(x, y) / math.sqrt(covariance(x, x) * covariance(y, y))


def ranks(numbers: Sequence[float]) -> list[float]:
    """How many are smaller, and the middle place among equals."""
    return [sum(b < a for b in numbers) + (sum(b == a for b in numbers) + 1) / 2 for a in numbers]


def pearson(rows: Sequence[Sequence[float]]) -> float:
    """Mean over pairs of coders."""
    return mean([correlation(x, y) for x, y in combinations(zip(*rows, strict=True), 2)])


def spearman(rows: Sequence[Sequence[float]]) -> float:
    """Mean over pairs of coders of the correlation of their ranks."""
    return mean([correlation(ranks(x), ranks(y)) for x, y in combinations(zip(*rows, strict=True), 2)])


def kendall_w_with_gaps(rows: Rows) -> float:
    """Brueckl (2011): W from the mean rank correlation of pairs of coders; a pair with n items weighs n - 1."""
    coders = [[row[g] for row in rows] for g in range(len(rows[0]))]
    coders = [scores for scores in coders if len(set(present(scores))) > 1]
    together, apart = 0.0, 0.0
    for first, second in combinations(coders, 2):
        both = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
        n = len(both)
        if n > 1:
            x, y = (ranks(scores) for scores in zip(*both, strict=True))  # type: ignore[arg-type]
            untied = (n * n - 1) / 12  # the variance of the ranks 1 to n
            together += (n - 1) * covariance(x, y) / untied
            apart += (n - 1) * (covariance(x, x) + covariance(y, y)) / 2 / untied
    numbers = [len(present(row)) for row in zip(*coders, strict=True) if len(present(row)) > 1]
    k = mean(numbers)
    return (1 + together / apart * (k - 1)) / k


def kendall_w(rows: Sequence[Sequence[float]]) -> float:
    """Kendall & Babington Smith (1939): spread of the items' summed ranks over the most there can be, with ties."""
    coders = list(zip(*rows, strict=True))
    n, k = len(rows), len(coders)
    totals = [sum(item) for item in zip(*map(ranks, coders), strict=True)]
    ties = sum(x.count(a) ** 3 - x.count(a) for x in coders for a in set(x))
    return 12 * n * covariance(totals, totals) / (k**2 * (n**3 - n) - k * ties)


def cronbach_alpha(rows: Sequence[Sequence[float]]) -> float:
    """Cronbach (1951): one minus the variances of the ratings over the variance of their sum."""
    coders, total = list(zip(*rows, strict=True)), [sum(row) for row in rows]
    k = len(coders)
    return k / (k - 1) * (1 - sum(covariance(x, x) for x in coders) / covariance(total, total))


# --- Categories


def specific(rows: Rows, category: Label, missing: str = "pairable", omega: Omega = None) -> Any:
    """Chance that another coder of the item says `category` if one does (Cicchetti & Feinstein 1990)."""
    same, said = 0, 0
    for row, share in select(rows, missing, omega):
        for a, b in permutations(present(row), 2):
            said += share * (a == category)
            same += share * (a == category and b == category)
    return same / said if said else NAN


def rate(rows: Rows, category: Label, missing: str = "pairable", omega: Omega = None) -> Any:
    """Pairs of coders who both say `category`, of the pairs in which at least one does."""
    both, either = 0, 0
    for row, share in select(rows, missing, omega):
        for a, b in combinations(present(row), 2):
            both += share * (a == category and b == category)
            either += share * (category in (a, b))
    return both / either if either else NAN


# --- Standard errors


def numeric_influence(function: Callable[..., Any], rows: Rows, items: Sequence[int]) -> list[float]:
    """What one more copy of an item would do to `function(rows, omega=...)`, times the number of items.

    The derivative is taken along the imaginary axis (Squire & Trapp 1998), where nothing is subtracted, so it
    is right to the last digits. `items` are the items that count (see `kept`).
    """
    step = 1e-30
    influence = []
    for i in items:
        omega = [complex(1)] * len(rows)
        omega[i] += 1j * step
        influence.append(len(items) * complex(function(rows, omega=omega)).imag / step)
    return influence


def influence_se(function: Callable[..., Any], rows: Rows, missing: str = "pairable") -> float:
    """Standard error from the centred influence of the items that enter under `missing`."""
    influence = numeric_influence(function, rows, kept(rows, missing))
    n = len(influence)
    centre = sum(influence) / n
    return math.sqrt(sum((u - centre) ** 2 for u in influence) / (n * (n - 1)))


def jackknife_se(function: Callable[..., Any], rows: Rows) -> float:
    """Standard error from leaving out one item at a time."""
    n = len(rows)
    without = [float(function([*rows[:i], *rows[i + 1 :]])) for i in range(n)]
    centre = sum(without) / n
    return math.sqrt((n - 1) / n * sum((value - centre) ** 2 for value in without))


# --- The definition of every coefficient, by its name

ORACLES: dict[str, Callable[..., Any]] = {
    "observed": observed,
    "kappa": kappa,
    "pi": pi,
    "ac1": ac1,
    "ac2": ac2,
    "s": s,
    "perreault_leigh": perreault_leigh,
    "alpha": alpha,
    "light_kappa": light_kappa,
    "bias": bias,
    "icc_1": partial(icc, form="ICC(1)"),
    "icc_1k": partial(icc, form="ICC(1,k)"),
    "icc_c1": partial(icc, form="ICC(C,1)"),
    "icc_ck": partial(icc, form="ICC(C,k)"),
    "icc_a1": partial(icc, form="ICC(A,1)"),
    "icc_ak": partial(icc, form="ICC(A,k)"),
    "ccc": ccc,
    "pearson": pearson,
    "spearman": spearman,
    "kendall_w": kendall_w,
    "cronbach_alpha": cronbach_alpha,
}

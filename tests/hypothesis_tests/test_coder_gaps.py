"""Tests of single coders against their definition, and against all permutations within items and within blocks."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from pandas_agreement.core.arrays import Array
from pandas_agreement.hypothesis_tests import coder_gaps
from pandas_agreement.hypothesis_tests.coder_gaps import CoderGaps, GapTest, gap_test
from pandas_agreement.hypothesis_tests.usage import step_down

Items = list[list[str]]  # the labels of each item, in the order of the coders; " " is none

ITEMS: Items = [list("xxy"), list("xyz"), list("xyy"), list("xxx"), list("xyx"), list("yxxz"), list("yxxy")]


def unequal(one: Array, two: Array, group: Array) -> Array:
    return (one != two).astype(float)


def compared(items: Items, weight: float = 1.0) -> CoderGaps:
    C = max(map(len, items))
    places = [(item, coder, ord(code)) for item, row in enumerate(items) for coder, code in enumerate(row)]
    item, coder, value = np.array([place for place in places if place[2] != ord(" ")]).T
    same = (item[:, None] == item) & (value[:, None] == value)
    apart = np.bincount(item)[item] - same.sum(1).astype(float)
    return CoderGaps(item, coder, value, apart, np.full(len(item), weight), C, 1, unequal)


def gap_test_of(items: Items, weight: float = 1.0) -> GapTest:
    return gap_test(compared(items, weight))


def gap_of(row: list[str], coder: int) -> float:
    """By definition: the disagreement with the others minus the mean over the pairs of the others."""
    others = [label for place, label in enumerate(row) if place != coder]
    pairs = [a != b for i, a in enumerate(others) for b in others[i + 1 :]]
    return float(np.mean([row[coder] != other for other in others]) - np.mean(pairs))


# -------------------------------------------------------------------------------------------- three labels or more


def test_the_gap_is_its_definition() -> None:
    test = gap_test_of(ITEMS)
    for place in range(4):
        rows = [row for row in ITEMS if len(row) > place]
        own = [np.mean([row[place] != other for i, other in enumerate(row) if i != place]) for row in rows]
        assert test.n_items[0, place] == len(rows)
        assert test.own[0, place] == pytest.approx(np.mean(own))
        assert test.gap[0, place] == pytest.approx(np.mean([gap_of(row, place) for row in rows]))


def test_variance_and_p_are_those_of_all_permutations() -> None:
    """All ways to hand a coder one of the labels of each item: 3^5 4^2."""
    test = gap_test_of(ITEMS)
    for place in range(3):
        sums = np.zeros(1)
        for row in ITEMS:
            sums = np.add.outer(sums, [gap_of(row, given) for given in range(len(row))]).ravel()
        observed, n = test.gap[0, place] * len(ITEMS), len(ITEMS)
        assert test.variance[0, place] == pytest.approx(sums.var() / n**2)
        exact = np.mean(sums > observed + 1e-9) + np.mean(np.abs(sums - observed) < 1e-9) / 2  # mid-p
        assert test.p_value[0, place] == pytest.approx(exact, abs=0.03)


def test_repeated_items_are_weights() -> None:
    one, two = gap_test_of(ITEMS, 2.0), gap_test_of(ITEMS * 2)
    for name in ("n_items", "own", "gap", "variance", "p_value"):
        np.testing.assert_allclose(getattr(one, name), getattr(two, name))


def test_without_a_difference_there_is_no_test() -> None:
    test = gap_test_of([list("xxx")] * 5 + [list("xy ")] * 5)
    assert test.n_items.tolist() == [[5, 5, 5]]
    assert np.isnan(test.p_value).all()


@pytest.mark.parametrize("same", [0, 1, 3, 5])
def test_p_of_a_distribution_with_a_long_left_tail(same: int) -> None:
    """Twelve items with one label given twice: two of five coders have a smaller gap, so the sum is binomial."""
    rows: Items = [list("yxxzw") if place >= same else list("xxyzw") for place in range(12)]  # coder 0
    chances = [math.comb(12, k) * 0.4**k * 0.6 ** (12 - k) for k in range(13)]  # of k items with the repeated label
    exact = sum(chances[:same]) + chances[same] / 2  # mid-p
    assert gap_test_of(rows).p_value[0, 0] == pytest.approx(exact, abs=0.012)


def test_small_p_of_a_skewed_sum() -> None:
    """A label that one of six coders gives differs far more than the others differ: the third moment counts."""
    exact = [math.comb(24, n) * 5 ** (24 - n) / 6**24 for n in range(8, 25)]
    p = gap_test_of([list("yxxxxx")] * 8 + [list("xxxyxx")] * 16).p_value[0, 0]
    assert p == pytest.approx(sum(exact) - exact[0] / 2, rel=0.1)  # mid-p


# ------------------------------------------------------------------------------------------------------ two labels


def pairs(n: int, C: int = 4, seed: int = 0, bad: float = 0.0) -> Items:
    """Items with labels of two coders each; coder 0 guesses in a part of them."""
    rng, rows = np.random.default_rng(seed), []
    for _ in range(n):
        truth, row = rng.choice(list("xyz")), [" "] * C
        for coder in rng.choice(C, 2, replace=False).tolist():
            guess = rng.random() < (bad if coder == 0 else 0.2)
            row[coder] = rng.choice(list("xyz")) if guess else truth
        rows.append(row)
    return rows


def coefficients(items: Items, coder: int, n_blocks: int) -> tuple[Array, Array, Array]:
    """By definition: c = Z~ (Z~'Z~ + I)^-1 L, the disagreements, and the block of each item."""
    Z = np.array([[label != " " for label in row] for row in items], float)
    D = np.array([len(set("".join(row).replace(" ", ""))) - 1.0 for row in items])
    block = np.arange(len(items)) * n_blocks // len(items)
    centred = Z - np.array([Z[block == own].mean(0) for own in block])
    shared = Z.T @ Z * (1 - np.eye(Z.shape[1]))
    against = np.eye(Z.shape[1])[coder] - shared[:, coder] / shared[:, coder].sum()
    return centred @ np.linalg.solve(centred.T @ centred + np.eye(Z.shape[1]), against), D, block


def test_moments_are_those_of_all_permutations_of_a_block() -> None:
    """Seven items are one block; its disagreements may stand in any of 5,040 orders."""
    items = pairs(7, 3, seed=2)
    test = gap_test_of(items)
    for coder in range(3):
        c, D, _ = coefficients(items, coder, 1)
        assert test.gap[0, coder] == pytest.approx(c @ D)
        sums = np.array([c @ D[list(order)] for order in permutations(range(7))])
        source = coder_gaps._between(compared(items))[0]
        assert source.variance[coder] == pytest.approx(sums.var())
        assert source.third[coder] == pytest.approx(np.mean((sums - sums.mean()) ** 3))
        assert source.information[coder] == pytest.approx(1 / (c**2).sum())


def test_blocks_are_neighbours_and_add_up() -> None:
    items = pairs(32, seed=1)
    source, batches, df = coder_gaps._between(compared(items))
    c, D, block = coefficients(items, 0, 5)
    variance = 0.0
    for own in range(5):
        deviation = D[block == own] - D[block == own].mean()
        variance += (c[block == own] ** 2).sum() * (deviation**2).sum() / (len(deviation) - 1)
    phi = overdispersion(items, 5)
    assert source.gap[0] == pytest.approx(c @ D)
    assert source.variance[0] == pytest.approx(variance * max(1, phi))
    assert df[0] == pytest.approx((6 - 4) * (1 - 5 / 32))
    assert 0 < batches[0] <= 1


def overdispersion(items: Items, n_blocks: int) -> float:
    """By definition: chi-squared of the residuals of pairs of coders over its degrees of freedom."""
    Z = np.array([[label != " " for label in row] for row in items], float)
    _, D, block = coefficients(items, 0, n_blocks)
    means = [block == own for own in block]
    Z_c, D_c = Z - np.array([Z[own].mean(0) for own in means]), D - np.array([D[own].mean() for own in means])
    rest = D_c - Z_c @ np.linalg.solve(Z_c.T @ Z_c + np.eye(Z.shape[1]), Z_c.T @ D_c)
    noise = (D_c**2).sum() / (len(items) - n_blocks)
    who = ["".join("1" if label != " " else "0" for label in row) for row in items]
    sums = [rest[[one == pair for one in who]] for pair in sorted(set(who))]
    df = (len(sums) - Z.shape[1]) * (1 - n_blocks / len(items))
    return float(sum(part.sum() ** 2 / len(part) for part in sums) / noise / df)


def test_both_kinds_of_items_have_a_weight() -> None:
    items = [*pairs(60), *([*row, " "] if len(row) == 3 else row for row in ITEMS[:5])]
    test = gap_test_of(items)
    within, between = coder_gaps._within(compared(items)), coder_gaps._between(compared(items))[0]
    w = within.information / (within.information + between.information)
    assert test.weight[0] == pytest.approx(w)
    assert test.gap[0] == pytest.approx(w * within.gap + (1 - w) * between.gap)
    assert test.variance[0] == pytest.approx(w**2 * within.variance + (1 - w) ** 2 * between.variance)
    assert within.information[0] == pytest.approx(25 / sum(3 / (2 * 1) for _ in range(5)))
    assert test.n_two[0].sum() == 120


def test_two_coders_cannot_be_told_apart() -> None:
    assert np.isnan(gap_test_of([list("xy"), list("xx")] * 30).p_value).all()


def test_a_bad_coder_of_pairs_is_found_and_no_one_else() -> None:
    test = gap_test_of(pairs(300, 6, seed=4, bad=0.9))
    assert test.p_value[0, 0] < 1e-4
    assert (test.p_value[0, 1:] > 0.01).all()


def test_rows_sorted_by_labels_are_shuffled() -> None:
    """Sorted by coder 0, neighbours are chosen by the labels, and a bad coder would be missed."""
    items = sorted(pairs(300, 6, seed=4, bad=0.9))
    data = compared(items)
    assert coder_gaps._sorted_by_labels(data, np.flatnonzero(data.size == 2)).tolist() == [True]
    data = compared(pairs(300, 6, seed=4, bad=0.9))
    assert coder_gaps._sorted_by_labels(data, np.flatnonzero(data.size == 2)).tolist() == [False]
    assert gap_test_of(items).p_value[0, 0] < 1e-4


def test_a_frequency_is_so_many_items() -> None:
    test = gap_test_of(pairs(100, 6, seed=4, bad=0.9), 3.0)
    assert test.n_items.sum() == 600
    assert test.p_value[0, 0] < 0.001


def test_of_too_many_items_a_part_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    items = pairs(100, 6, seed=4, bad=0.9)
    whole = gap_test_of(items, 10.0)
    monkeypatch.setattr(coder_gaps, "MAX_PAIRED", 500)
    part = gap_test_of(items, 10.0)
    assert part.n_items.sum() == whole.n_items.sum() / 2
    assert part.gap[0, 0] == pytest.approx(whole.gap[0, 0], abs=0.1)


def test_groups_are_tested_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [compared(pairs(80, 5, seed=seed)) for seed in (1, 2)] + [compared(pairs(50, 5, seed=3), 2.0)]
    names = ("item", "cell", "value", "apart", "weight")
    shifted = [
        replace(part, item=part.item + 1000 * place, cell=part.cell + 5 * place) for place, part in enumerate(parts)
    ]
    columns = {name: np.concatenate([getattr(part, name) for part in shifted]) for name in names}
    joined = replace(parts[0], **columns, n_groups=3)
    expected = [gap_test(part) for part in parts]
    for step in (1 << 20, 4):  # at once, and one after the other
        monkeypatch.setattr(coder_gaps, "MAX_VALUES", step)
        found = gap_test(joined)
        for name in GapTest.__dataclass_fields__:
            loop = np.concatenate([getattr(part, name) for part in expected])
            np.testing.assert_allclose(getattr(found, name), loop, rtol=1e-9, err_msg=name)


def test_a_crowd_is_compared_with_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """c = Z~ / sum of Z~ squared, without regard to partners."""
    items = pairs(40, 5, seed=1)
    monkeypatch.setattr(coder_gaps, "MAX_REGRESSED", 4)
    source, batches, _ = coder_gaps._between(compared(items))
    assert np.isnan(batches).all()
    _, D, block = coefficients(items, 0, 6)
    z = np.array([float(row[2] != " ") for row in items])
    z -= np.array([z[block == own].mean() for own in block])
    c = z / (z**2).sum()
    variance, third = 0.0, 0.0
    for own in range(6):
        deviation, m = D[block == own] - D[block == own].mean(), (block == own).sum()
        variance += (c[block == own] ** 2).sum() * (deviation**2).sum() / (m - 1)
        third += m * (c[block == own] ** 3).sum() * (deviation**3).sum() / ((m - 1) * (m - 2))
    assert source.gap[2] == pytest.approx(c @ D)
    assert source.variance[2] == pytest.approx(variance)
    assert source.third[2] == pytest.approx(third)


# ------------------------------------------------------------------------------------------------------- step down


def test_labels_that_are_left_out_are_as_if_they_had_never_been_there() -> None:
    items = [*pairs(30), *([*row, " "] if len(row) == 3 else row for row in ITEMS)]
    left = compared(items).without(np.array([True, False, False, False]))
    other = compared([[" ", *row[1:]] for row in items if set(row[1:]) != {" "}])
    for name in ("cell", "value", "apart"):
        np.testing.assert_allclose(getattr(left, name), getattr(other, name))
    np.testing.assert_allclose(gap_test(left).p_value, gap_test(other).p_value)


def test_coders_are_named_one_after_the_other() -> None:
    """Two of seven guess; who is left is tested without them."""
    rng = np.random.default_rng(3)
    truth = rng.choice(list("xyz"), 200)
    table = np.array(
        [np.where(rng.random(200) < (0.3 if c < 2 else 0.9), truth, rng.choice(list("xyz"), 200)) for c in range(7)]
    )

    def test(data: CoderGaps) -> dict[str, Array]:
        found = gap_test(data)
        return {"p_value": found.p_value, "gap": found.gap, "enough": found.gap > 0.05}

    found = step_down(compared(table.T.tolist()), test, 0.05)
    assert found["named"].tolist() == [[True, True, *[False] * 5]]
    first = test(compared(table.T.tolist()))
    worst = int(first["p_value"].argmin())
    second = test(compared([[label if c != worst else " " for c, label in enumerate(row)] for row in table.T]))
    assert found["gap"][0, worst] == first["gap"][0, worst]
    assert found["gap"][0, 1 - worst] == pytest.approx(second["gap"][0, 1 - worst])
    assert found["p_adjusted"][0, 1 - worst] == pytest.approx(
        max(7 * first["p_value"].min(), 6 * second["p_value"][0, 1 - worst])
    )


def test_nobody_is_named_of_the_last_two() -> None:
    def test(data: CoderGaps) -> dict[str, Array]:
        return {"p_value": np.array([[1e-9, 1e-9, np.nan]]), "enough": np.ones((1, 3), bool)}

    assert not step_down(compared(ITEMS[:5]), test, 0.05)["named"].any()

"""Tests of marginal homogeneity for pairs of coders, and of all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.pairs import Pairs, pair_up
from pandas_agreement.core.progress import Steps, count_steps
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.selection import keep
from pandas_agreement.data import Reading
from pandas_agreement.errors import InputError, choose
from pandas_agreement.hypothesis_tests import margins
from pandas_agreement.hypothesis_tests.margins import Test
from pandas_agreement.results import frames, schemas

MAX_CATEGORIES = 300  # of tests; a table of more has hardly an item in any of its cells
CELLS_PER_BLOCK = 1 << 22  # cells of pair tables handled at a time
ONE_WAY = "all items differ in one direction: the variance of this test is 0"
ALL = "(all)"  # in place of the coders, for a test of all of them

PAIR_TESTS: dict[str, Callable[[Array], Test]] = {
    "stuart_maxwell": margins.stuart_maxwell,
    "bhapkar": margins.bhapkar,
    "bowker": margins.bowker,
    "mcnemar": margins.mcnemar,
    "mcnemar_exact": lambda T: margins.mcnemar(T, "exact"),
    "mcnemar_chi2": lambda T: margins.mcnemar(T, "chi2"),
    "mcnemar_corrected": lambda T: margins.mcnemar(T, "corrected"),
}
TWO_ONLY = ("mcnemar", "mcnemar_exact", "mcnemar_chi2", "mcnemar_corrected", "cochran_q")


def tests_for(reading: Reading, chosen: Sequence[str] | str | None) -> list[str]:
    """The tests to run: those chosen, or those that fit the number of categories and coders."""
    K = len(reading.category_set.labels)
    if chosen is None:
        many = ["cochran_q"] if len(reading.coders) > 2 else []
        return ["mcnemar", *many] if K == 2 else ["stuart_maxwell", "bhapkar", "bowker"]
    names = [chosen] if isinstance(chosen, str) else list(chosen)
    if not names:
        raise InputError("tests= is empty", "name one, such as 'bowker'", option="tests", code="missing option")
    for name in names:
        choose("tests", name, dict.fromkeys([*PAIR_TESTS, "cochran_q"]))
        if name in TWO_ONLY and K != 2:
            problem = f"tests={name!r} is for two categories, and there are {K}"
            raise InputError(problem, "use 'stuart_maxwell', 'bhapkar' or 'bowker'", option="tests")
    return names


def marginal_tests(reading: Reading, chosen: Sequence[str] | str | None, progress: bool = False) -> pd.DataFrame:
    """One row per group, pair of coders and test."""
    names = tests_for(reading, chosen)
    if (n := reading.ratings.n_categories) > MAX_CATEGORIES:
        problem = f"tests of label distributions allow at most {MAX_CATEGORIES} categories, and there are {n:,}"
        raise InputError(problem, "merge categories, or see by_category", option="categories", code="too large")
    ratings, _ = keep(reading.ratings, "pairable", reading.coders)
    pairs = pair_up(ratings)
    of_pairs = [name for name in names if name in PAIR_TESTS]
    with count_steps(progress, len(of_pairs) * len(pairs.owner)) as steps:
        blocks = [test_of_pairs(name, pairs, ratings, steps) for name in of_pairs]
    places = [(pairs.owner, pairs.first, pairs.second)] * len(of_pairs)
    if "cochran_q" in names:
        blocks.append(_of_all(ratings))
        every = np.full(ratings.n_groups, len(reading.coders))  # the position of ALL among the names
        places.append((np.arange(ratings.n_groups), every, every))
    coders = np.array([*reading.coders, ALL], dtype=object)
    columns = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    owner, first, second = (np.concatenate(parts) for parts in zip(*places, strict=True))
    number = np.repeat(np.arange(len(blocks)), [len(each) for each, *_ in places])
    test = np.array([*of_pairs, "cochran_q"])[number]
    order = np.lexsort((number, second, first, owner))
    groups = None if reading.groups is None else reading.groups.take(owner[order])
    levels = {"coder_1": coders[first], "coder_2": coders[second], "test": test}
    index = frames.index_of(groups, {name: values[order].tolist() for name, values in levels.items()})
    return frames.result(index, {name: values[order] for name, values in columns.items()}, schemas.TESTS)


def test_of_pairs(name: str, pairs: Pairs, ratings: Ratings, steps: Steps) -> dict[str, Array]:
    """The columns of one test of all pairs."""
    parts, numbers = [], []
    for table in pair_tables(pairs, ratings.n_categories):
        parts.append(steps.done(PAIR_TESTS[name](table), len(table)))
        numbers.append(table.sum((-1, -2)))
    n_items = np.concatenate(numbers)
    found = {column: np.concatenate([getattr(t, column) for t in parts]) for column in ("statistic", "df", "p_value")}
    adjusted = margins.holm_within(found["p_value"], pairs.owner)
    remarks = Remarks(len(n_items)).add(n_items == 0, "no pairs", "no item labelled by both")
    remarks.add(remarks.none & np.isnan(found["p_value"]), "no variation", ONE_WAY)
    return found | {"p_holm": adjusted, "n_items": n_items} | remarks.columns()


def pair_tables(pairs: Pairs, n_categories: int) -> Iterator[Array]:
    """The contingency tables (p, K, K) of all pairs in order, in blocks of bounded size."""
    cells, K = pairs.ratings, n_categories
    group = np.zeros(0, np.int64) if cells.group is None else cells.group
    order = np.argsort(group, kind="stable")
    step = max(1, CELLS_PER_BLOCK // max(K * K, 1))
    for start in range(0, max(len(pairs.owner), 1), step):
        stop = min(start + step, len(pairs.owner))
        own = order[slice(*np.searchsorted(group[order], [start, stop]))]
        table = np.zeros((stop - start, K, K))
        table[group[own] - start, cells.codes[0][own], cells.codes[1][own]] = cells.weights[own]
        yield table


def _of_all(ratings: Ratings) -> dict[str, Array]:
    """The columns of Cochran's Q of each group, on the items that all active coders labelled."""
    kept, _ = keep(ratings, "complete", [])
    totals = kept.coder_totals()  # (G, C, 2)
    coders = (totals.sum(-1) > 0).sum(-1)
    positives = kept.counts.dot(np.array([[0.0, 1.0]]), None).astype(np.int64)
    side = totals.shape[1] + 1
    group = np.zeros(kept.n_items, np.int64) if kept.group is None else kept.group
    items = np.bincount(group * side + positives, kept.weights, minlength=kept.n_groups * side)
    test = margins.cochran_q(totals[..., 1], items.reshape(kept.n_groups, side), coders)
    n = items.reshape(kept.n_groups, side).sum(-1)
    columns = {"statistic": test.statistic, "df": test.df, "p_value": test.p_value, "p_holm": test.p_value}
    columns["n_items"] = n
    remarks = Remarks(kept.n_groups).add(np.isnan(test.p_value), "no items", "no item labelled by all")
    return columns | remarks.columns()

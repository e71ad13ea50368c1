"""The command line reads the frame once and makes each breakdown once, whatever is printed."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.cli.helpers import LONG
from tests.counting import Count
from tests.data_sets import CODERS

ARGUMENTS = ("labels.csv", "--coders", *CODERS)
ONCE = Counter(dict.fromkeys(["encode", "measure", "by_category", "coders", "usage_tests"], 1))
OF_REPORT = Counter(measure_pairs=1, items=1)
OF_GROUPS = Counter(group_rows=1, measure=1)
GROUP_FINDINGS = Counter(category_columns=1, usage_tests=1)


@pytest.mark.parametrize("options", [(), ("--format", "markdown")])
def test_for_people(run, labels, count: Count, options):
    assert count(run, *ARGUMENTS, *options) == ONCE
    assert count(run, *ARGUMENTS, "--by", "batch", *options) == ONCE + OF_GROUPS


def test_a_report(run, labels, count: Count):
    arguments = (*ARGUMENTS, "--report", "out.md")
    assert count(run, *arguments) == ONCE + OF_REPORT
    assert count(run, *arguments, "--by", "batch") == ONCE + OF_REPORT + OF_GROUPS + GROUP_FINDINGS


@pytest.mark.parametrize("format", ["csv", "json"])
def test_for_programs_only_what_is_written(run, labels, count: Count, format):
    assert count(run, *ARGUMENTS, "--format", format) == Counter(encode=1, measure=1)
    calls = count(run, *ARGUMENTS, "--by", "batch", "--format", format, "--fail-under", "pi=0")
    assert calls == Counter(encode=1, group_rows=1, measure=1)


@pytest.mark.parametrize("format", ["csv", "table"])
def test_the_worst_items(run, labels, count: Count, format):
    calls = count(run, *ARGUMENTS, "--by", "batch", "--worst", "3", "--format", format)
    assert calls == Counter(encode=1, group_rows=1, measure=1, items=1)


def test_a_long_file(run, labels, tmp_path, count: Count):
    long = labels.rename(columns={"item": "doc"}).melt("doc", CODERS, var_name="who", value_name="tag")
    long.to_csv(tmp_path / "long.csv", index=False)
    assert count(run, "long.csv", *LONG) == ONCE

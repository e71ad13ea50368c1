"""Judges against people on the command line."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.cli.helpers import as_csv, section_of, small
from tests.cli.test_recipe import printed_lines, value_of
from tests.judges.helpers import judged_scores

ROLES = ("--judge", "dev", "--humans", "ann", "bob", "cleo")
LONG = ("--item", "item", "--coder", "who", "--label", "tag")


def test_the_gate_is_that_of_versus_humans(run, labels):
    result = labels.agree.judges("dev", humans=["ann", "bob", "cleo"]).versus_humans(by="batch")
    low = result.loc[result["difference_low"] < -0.3, "difference_low"]
    assert 0 < len(low) < 6
    gate = ("--fail-under", "difference_low=-0.3", "--min-items", "10")
    status, out, err = run("labels.csv", *ROLES, "--by", "batch", *gate, "--format", "csv")
    assert status == 1
    assert list(as_csv(out).columns) == ["batch", "judge", *result.columns]
    assert as_csv(out)["difference"].tolist() == pytest.approx(result["difference"].tolist())
    assert err == "".join(
        f"pandas_agreement: labels.csv: difference_low is {value:.4f}, in batch {batch}, judge {judge}: "
        "--fail-under requires -0.3\n"
        for (batch, judge), value in low.items()
    )
    assert run("labels.csv", *ROLES, "--fail-under", "difference_low=-0.5", "--fail-under", "kappa=0.4")[0] == 0


def test_the_page_shows_the_verdict_and_the_call(run, labels):
    result = labels.agree.judges("dev", humans=["ann", "bob", "cleo"]).versus_humans(metrics="alpha").iloc[0]
    status, out, err = run("labels.csv", *ROLES, "--metrics", "krippendorff_alpha")
    assert (status, err) == (0, "")
    lines = section_of(out, "Judges against people")
    assert lines[0].startswith(f"- {result['verdict']}: dev agrees with people less than people agree with each other ")
    place = lines.index("Krippendorff's alpha on the same items:")
    header, row = lines[place + 1 : place + 3]
    assert header.split()[:6] == ["judge", "agreement", "among", "people", "difference", "interval"]
    cells = [f"{result[name]:.3f}" for name in ("estimate", "ceiling", "difference")]
    assert row.split()[:4] == ["dev", *cells]
    assert row.endswith(result["verdict"])
    assert section_of(out, "In Python")[-2:] == [
        "judged = df.agree.judges('dev', humans=['ann', 'bob', 'cleo'])",
        "judged.versus_humans(metrics='alpha')",
    ]


def test_long_files(run, labels, tmp_path):
    long = labels.melt("item", ["ann", "bob", "cleo", "dev"], "who", "tag").dropna()
    long.to_csv(tmp_path / "long.csv", index=False)
    wide, found = (as_csv(run(*call, *ROLES, "--format", "csv")[1]) for call in (["labels.csv"], ["long.csv", *LONG]))
    assert found["difference"].iloc[0] == pytest.approx(wide["difference"].iloc[0])


@pytest.mark.parametrize("scale", [{"level": "ordinal"}, {"weights": "linear"}])
def test_steps_of_a_scale(run, tmp_path, scale):
    frame = judged_scores()
    frame.to_csv(tmp_path / "scores.csv", index=False)
    words = [word for name, value in scale.items() for word in (f"--{name}", value)]
    out = run("scores.csv", *ROLES, *words, "--format", "csv")[1]
    expected = frame.agree.judges("dev", humans=["ann", "bob", "cleo"]).versus_humans(**scale)
    assert as_csv(out)["difference_low"].tolist() == pytest.approx(expected["difference_low"].tolist())
    (name, value), *_ = scale.items()
    assert f"judged.versus_humans(metrics='kappa', {name}='{value}')" in run("scores.csv", *ROLES, *words)[1]


def test_sets_of_labels(run, tmp_path):
    frame = judged_scores(gaps=0).astype(int).replace({1: "a", 2: "a|b", 3: "b|c"})
    frame.to_csv(tmp_path / "sets.csv", index=False)
    out = run("sets.csv", *ROLES, "--level", "masi", "--sep", "|", "--format", "csv")[1]
    judged = frame.agree.judges("dev", humans=["ann", "bob", "cleo"])
    expected = judged.versus_humans(metrics="alpha", level="masi", sep="|")
    assert as_csv(out)["difference"].tolist() == pytest.approx(expected["difference"].tolist())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--judge", "dev"), "--judge goes with --humans; such as --judge gpt --humans ann bob cleo"),
        (("--humans", "ann"), "--humans goes with --judge; such as --judge gpt --humans ann bob cleo"),
        (("--judge", "dev", "--humans", "ann", "bbo"), "--humans: no column 'bbo'; did you mean 'bob'?"),
        ((*ROLES, "--coders", "ann", "bob"), "--coders cannot be used with --judge"),
        ((*ROLES, "--at-least", "0.6"), "--at-least cannot be used with --judge"),
        ((*ROLES, "--report", "x.html"), "--report cannot be used with --judge"),
        (
            (*ROLES, "--metrics", "kappa", "alpha"),
            "--judge compares by one coefficient, and --metrics names several; name one",
        ),
        (
            (*ROLES, "--fail-under", "kappa.ci_low=0.5"),
            "the interval of this result is that of 'difference', not of 'kappa'; "
            "use --fail-under difference_low=..., or a coefficient without .ci_low",
        ),
        (("--coders", "ann", "bob", "--fail-under", "difference=0"), "no coefficient 'difference'"),
    ],
)
def test_mistakes(run, labels, arguments, message):
    status, out, err = run("labels.csv", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"pandas_agreement: labels.csv: {message}")
    assert err.count("\n") == 1


def test_numbers_and_declared_categories(run, tmp_path):
    small(tmp_path / "x.csv", "gpt,a,b\n" + "1,1,1\n2,2,1\n3,3,3\n1,2,1\n3,3,2\n2,2,2\n" * 4)
    arguments = ("x.csv", "--judge", "gpt", "--humans", "a", "b", "--categories", "1", "2", "3", "4")
    status, out, _ = run(*arguments, "--weights", "linear", "--format", "csv")
    judged = pd.read_csv(tmp_path / "x.csv").agree.judges("gpt", humans=["a", "b"], categories=[1, 2, 3, 4])
    expected = judged.versus_humans(weights="linear")["estimate"].iloc[0]
    assert (status, as_csv(out)["estimate"].iloc[0]) == (0, pytest.approx(expected))
    assert expected != pytest.approx(judged.versus_humans()["estimate"].iloc[0])
    assert "categories=[1, 2, 3, 4])" in "".join(section_of(run(*arguments)[1], "In Python"))
    assert "Cohen's kappa on the same items:" in run(*arguments)[1]
    assert "Cohen's kappa (linear weights) on the same items:" in run(*arguments, "--weights", "linear")[1]


def test_the_printed_call_gives_the_written_table(run, labels):
    arguments = ("labels.csv", *ROLES, "--by", "batch", "--metrics", "observed")
    again = value_of(printed_lines(run(*arguments)[1])).reset_index()
    assert again.to_csv(index=False, lineterminator="\n") == run(*arguments, "--format", "csv")[1]

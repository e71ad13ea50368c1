"""The command line, run as a user runs it: the example, thresholds, reports, a process of its own."""

from __future__ import annotations

import pytest

import pandas_agreement
from pandas_agreement import load_example
from pandas_agreement.example import make_example
from pandas_agreement.report import render_text
from pandas_agreement.report.contents import Contents
from tests.cli.helpers import as_csv, section_of, small
from tests.data_sets import CODERS

# ------------------------------------------------------------------------------------------------------- without a file


def test_without_arguments_the_example_is_shown(run):
    status, out, err = run()
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 100
    assert out.isascii()
    assert lines[0] == "The example that ships with pandas_agreement"
    assert [line for line in lines[1:] if line and not line.startswith(" ")] == [
        *("In short", "What stands out, and what to do", "What was measured", "How much agreement", "By batch"),
        *("Categories", "Coders", "In Python", "What next"),
    ]
    assert len(lines) <= 80
    assert [line.split()[0] for line in section_of(out, "By batch")[2:8]] == list(make_example.BATCHES)


def test_what_is_printed_is_the_beginning_of_the_report(run, labels):
    """Findings come with their advice, and pairs, items and methods are left to --report and --worst."""
    _, out, _ = run("labels.csv", "--coders", *CODERS, "--by", "batch", "--metrics", "kappa", "alpha")
    frame = labels.set_axis(range(1, 601))
    report = frame.agree.report(*CODERS, by="batch", metrics=["kappa", "alpha"], pictures=False)
    titles = ["In short", "What was measured", "How much agreement", "By batch", "Categories", "Coders"]
    sections = tuple(section for section in report.contents.sections if section.title in titles)
    expected = render_text.render(Contents("Agreement report: labels.csv", sections, ""))
    start, after = out.index("What stands out, and what to do\n"), out.index("What was measured\n")
    assert (out[:start] + out[after:]).startswith(expected)


def test_findings_come_with_their_advice(run):
    text = " ".join(" ".join(section_of(run()[1], "What stands out, and what to do")).split())
    assert text.startswith(
        "1. high: low agreement: Krippendorff's alpha is 0.509, its interval ends at 0.550, below 0.667. Do not draw "
        "conclusions yet; start with the findings below or, if there are none, the guidelines. 2. high: coder out of "
        "line (dev): The agreement beyond chance of 'dev' with the other coders is 0.44, that of the others 0.58 on "
    )
    assert "; 'dev' chooses 'bug' more often than the others on the same items, by 19 percentage points" in text


def test_the_table_holds_the_numbers_of_the_summary(run):
    _, out, _ = run()
    expected = load_example().agree.summary(*CODERS, metrics=["alpha", "observed", "kappa", "ac1"], by="batch")
    alpha, *others = expected.loc["2026-w01"].itertuples()
    interval = f"{alpha.ci_low:.3f} to {alpha.ci_high:.3f}"
    line = ["2026-w01", str(alpha.n_items), f"{alpha.estimate:.3f}", *interval.split(), "unreliable"]
    assert section_of(out, "By batch")[2].split() == [*line, *(f"{row.estimate:.3f}" for row in others)]


def test_help_and_version(run):
    status, out, err = run("--help")
    assert (status, err) == (0, "")
    assert out.startswith("usage: python -m pandas_agreement [FILE] [options]\n")
    assert "an empty cell, NA, N/A, None and null are missing.\n" in out
    assert run("--version") == (0, f"pandas_agreement {pandas_agreement.__version__}\n", "")


# -------------------------------------------------------------------------------------------------------------- reports


def test_a_report_is_written_and_nothing_else_is_printed(run, labels, tmp_path):
    arguments = ("labels.csv", "--coders", *CODERS, "--by", "batch")
    assert run(*arguments, "--report", "out.html") == (0, "out.html: wrote the agreement report of labels.csv\n", "")
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<title>Agreement report: labels.csv</title>" in page
    assert "<h2>By batch</h2>" in page
    alpha = labels.agree.alpha(*CODERS)["estimate"].iloc[0]
    assert f"Krippendorff&#x27;s alpha is {alpha:.3f} " in page


def test_a_report_as_markdown_with_the_options(run, labels, tmp_path):
    arguments = ("labels.csv", "--coders", *CODERS, "--metrics", "kappa", "--ci", "0.9", "--worst", "3")
    assert run(*arguments, "--report", "out.md") == (0, "out.md: wrote the agreement report of labels.csv\n", "")
    text = (tmp_path / "out.md").read_text(encoding="utf-8")
    options = {"metrics": ["kappa"], "ci": 0.9, "n": 3, "pictures": False, "title": "Agreement report: labels.csv"}
    assert text == labels.set_axis(range(1, 601)).agree.report(*CODERS, **options).to_markdown()


def test_a_report_of_the_example(run, tmp_path):
    assert run("--report", "out.md") == (0, "out.md: wrote the agreement report of the example\n", "")
    assert (tmp_path / "out.md").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--report", "out.pdf"],
            "argument --report: 'out.pdf' must end in .html or .md; see ",
        ),
        (["--report", "no/out.md"], "labels.csv: cannot write 'no/out.md': there is no folder 'no'; make it first\n"),
        (
            ["--report", "out.md", "--format", "csv"],
            "labels.csv: --format csv cannot be used with --report, whose ending is the format\n",
        ),
        (
            ["--report", "out.md", "--coders", "ann"],
            "labels.csv: --coders: 'ann' is a single coder; name two or more columns\n",
        ),
    ],
)
def test_what_is_wrong_with_a_report_is_said_before_the_work(run, labels, tmp_path, arguments, message):
    status, out, err = run("labels.csv", "--coders", *CODERS, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"pandas_agreement: {message}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["labels.csv"]


def test_the_answer_is_printed_first(run, labels, tmp_path):
    arguments = ("labels.csv", "--coders", *CODERS, "--at-least", "0.6", "--fail-under", "alpha=0.5")
    status, out, err = run(*arguments)
    answer = "No: Krippendorff's alpha is 0.509, 95% CI [0.467, 0.550], which is below 0.6."
    assert (status, err) == (0, "")  # --fail-under alone decides the status
    assert section_of(out, "In short")[0].strip() == answer
    run(*arguments, "--report", "out.md", "--worst", "3")
    assert answer in (tmp_path / "out.md").read_text(encoding="utf-8").replace("\\", "")
    _, out, _ = run("labels.csv", "--coders", *CODERS, "--at-least", "0.5", "--metrics", "kappa", "alpha")
    assert section_of(out, "In short")[0].startswith("Not settled: Conger's kappa is ")


# ----------------------------------------------------------------------------------------------------------- fail-under


def test_fail_under_passes(run, labels):
    arguments = ("labels.csv", "--coders", *CODERS, "--format", "csv")
    status, _, err = run(*arguments, "--fail-under", "alpha=0.3", "--fail-under", "observed=0.5")
    assert (status, err) == (0, "")


def test_fail_under_names_the_rows(run, labels):
    alpha = labels.agree.alpha(*CODERS, by="batch")["estimate"]
    low = alpha[alpha < 0.6]
    assert list(low.index) == ["2026-w01", "2026-w02", "2026-w03"]
    status, out, err = run(
        *("labels.csv", "--coders", *CODERS, "--by", "batch", "--metrics", "kappa", "--format", "csv"),
        *("--fail-under", "krippendorff_alpha=0.6"),
    )
    assert status == 1
    assert set(as_csv(out)["coefficient"]) == {"kappa", "alpha"}
    assert err == "".join(
        f"pandas_agreement: labels.csv: alpha is {value:.4f}, in batch {batch}: --fail-under requires 0.6\n"
        for batch, value in low.items()
    )


def test_undefined_fails(run, tmp_path):
    small(tmp_path / "same.csv", "a,b\nyes,yes\nyes,yes\n")
    status, _, err = run("same.csv", "--coders", "a", "b", "--format", "csv", "--fail-under", "kappa=-1")
    assert status == 1
    undefined = "kappa is undefined (only one category used): --fail-under requires -1"
    assert err.splitlines()[-1] == f"pandas_agreement: same.csv: {undefined}"


def test_fail_under_a_lower_limit_and_few_items(run, labels):
    result = labels.agree.kappa(*CODERS, by="batch")
    low, few = result[result["ci_low"] < 0.4], result[result["n_items"] < 96]
    assert (len(low), len(few)) == (3, 2)
    gate = ("--fail-under", "cohen_kappa.ci_low=0.4", "--min-items", "96")
    status, _, err = run("labels.csv", "--coders", *CODERS, "--by", "batch", "--format", "csv", *gate)
    assert status == 1
    start = "pandas_agreement: labels.csv: kappa"
    expected = [
        f"{start}.ci_low is {row['ci_low']:.4f}, in batch {batch}: --fail-under requires 0.4"
        for batch, row in low.iterrows()
    ]
    expected += [
        f"{start} rests on {row['n_items']} items, in batch {batch}: --min-items requires 96"
        for batch, row in few.iterrows()
    ]
    assert sorted(err.splitlines()) == sorted(expected)
    assert run("labels.csv", "--coders", *CODERS, "--fail-under", "kappa.ci_low=0.4", "--min-items", "70")[0] == 0

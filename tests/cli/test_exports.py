"""Exports of annotation tools at the command line: the first look, the next command, and the same numbers in Python."""

from __future__ import annotations

import json
import shlex

import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import read
from tests.cli.helpers import as_csv, section_of, small
from tests.cli.test_recipe import printed_lines
from tests.exports import samples

LOOK = """export.json: Label Studio, 4 questions
field  labels  items  coders  shared  categories
 tone       4      2       3       1  good, bad
topic       2      1       2       1  {price}, {price, service}
stars       1      1       1       0  4
kinds       1      1       1       0  {a / b, c}
"""
LEFT_OUT = (
    "left out: 1 by a model (--models), 1 cancelled, 1 empty, 1 labels of a region, 1 rectanglelabels (no label), "
    "2 spans\n"
)
NEXT = "python -m pandas_agreement export.json --field tone"


@pytest.fixture
def files(tmp_path):
    """Every sample, and tables as their coders would send them."""
    for name, content in {**samples.FILES, "export.json": json.dumps(samples.LABEL_STUDIO)}.items():
        samples.write(tmp_path, name, content)
    (tmp_path / "coders").mkdir()
    for coder, labels in {"ann": "xyxyxxyy", "bob": "xyyyxxxy"}.items():
        small(tmp_path / "coders" / f"{coder}.csv", "id,code\n" + "".join(f"{i},{x}\n" for i, x in enumerate(labels)))


def test_several_questions_end_with_the_command_that_goes_on(run, files):
    status, out, err = run("export.json")
    assert (status, out) == (2, f"{LOOK}{LEFT_OUT}\n")
    assert err == f"pandas_agreement: export.json: several questions: {NEXT}\n"
    status, out, err = run(*shlex.split(NEXT)[3:])
    assert status == 0
    assert out.startswith("export.json: Label Studio, 1 question\nfield  labels  items  coders  shared  categories\n")
    assert "Agreement report: export.json\n" in out


def test_what_was_typed_is_in_the_next_command(run, files):
    typed = ["export.json", "--models", "--ci", "0.9"]
    assert run(*typed)[2].endswith(
        "several questions: python -m pandas_agreement export.json --models --ci 0.9 --field tone\n"
    )
    out = run(*typed, "--field", "tone")[1]
    command = next(line.partition(": ")[2] for line in out.splitlines() if line.startswith("models against people"))
    assert command == (
        "python -m pandas_agreement export.json --models --ci 0.9 --field tone --judge m1 --humans 7 bob@here.org"
    )
    assert "Judges against people\n" in run(*shlex.split(command)[3:])[1]


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
@pytest.mark.parametrize("name", ["coders", "inspect.eval", "promptfoo.json"])
def test_the_printed_lines_give_the_printed_numbers(run, files, tmp_path, name):
    status, out, _ = run(name, "--format", "csv", "--where", "field=" + read(tmp_path / name)["field"].iloc[0])
    assert status == 0
    page = run(name, "--where", "field=" + read(tmp_path / name)["field"].iloc[0])[1]
    space: dict = {}
    *before, last = section_of(page, "In Python")
    exec("\n".join([*before, f"result = {last}"]), space)
    assert "import pandas as pd" not in before
    assert as_csv(out)["estimate"].tolist() == pytest.approx(space["result"]["estimate"].tolist(), nan_ok=True)


def test_of_repeated_judgments_the_newest_counts(run, tmp_path):
    tasks = [samples.task(n, who, n, accept=[x]) for n in range(8) for who, x in (("ann", "xy"[n % 2]), ("bob", "x"))]
    again = samples.task(1, "ann", 99, accept=["x"])
    small(tmp_path / "tasks.jsonl", samples.lines([again, *tasks]))
    status, out, err = run("tasks.jsonl", "--metrics", "observed", "--format", "csv")
    assert (status, err) == (0, "pandas_agreement: note: repeated judgments: 1; the newest counts (--duplicates)\n")
    assert as_csv(out)["estimate"].tolist() == [5 / 8]
    page = run("tasks.jsonl")[1]
    assert "repeated judgments: 1; the newest counts (--duplicates)\n\nAgreement report" in page
    assert "df.agree.long(duplicates='last')" in "".join(printed_lines(page))
    first = as_csv(run("tasks.jsonl", "--metrics", "observed", "--format", "csv", "--duplicates", "first")[1])
    assert first["estimate"].tolist() == [4 / 8]


def test_rows_that_are_no_labels_do_not_count(run, files):
    """Ignored, rejected and cancelled answers, and ids."""
    out = run("prodigy.jsonl")[1].splitlines()
    assert out[2].split()[:5] == ["choice", "3", "1", "2", "1"]
    assert out[4] == "left out: 1 answer ignore, 1 answer reject, 1 no label, 1 spans"
    out = run("mturk.csv")[1].splitlines()
    assert out[2].split()[:5] == ["tone", "2", "1", "2", "1"]
    assert out[5] == "left out: 1 rejected"


def test_groups_and_conditions_are_inputs_of_the_tool(run, files):
    out = run("export.json", "--field", "tone", "--by", "batch", "--where", "kind=person", "--format", "csv")[1]
    assert as_csv(out)["batch"].unique().tolist() == ["w1", "w2"]
    assert run("export.json", "--field", "tone", "--item", "text")[0] == 0
    error = run("export.json", "--field", "tone", "--by", "bacth")[2]
    assert error == "pandas_agreement: no record has 'bacth'; did you mean 'batch'?\n"


def test_a_table_of_a_tool_can_be_read_as_a_table(run, tmp_path):
    small(tmp_path / "m.csv", samples.MTURK)
    columns = ("--item", "HITId", "--coder", "WorkerId", "--label", "Answer.tone.label")
    status, out, _ = run("m.csv", *columns, "--format", "csv", "--metrics", "observed")
    assert (status, as_csv(out)["n_items"].tolist()) == (0, [1])


def test_a_sheet_for_each_coder(run, tmp_path):
    pytest.importorskip("openpyxl")
    with pd.ExcelWriter(tmp_path / "labels.xlsx") as book:
        for coder, labels in {"ann": "xyxy", "bob": "xyyy"}.items():
            pd.DataFrame({"id": range(4), "label": list(labels)}).to_excel(book, sheet_name=coder, index=False)
    status, out, _ = run("labels.xlsx", "--metrics", "observed")
    assert (status, out.splitlines()[0]) == (0, "labels.xlsx: one table per coder, 1 question")


ALONE = samples.lines([samples.task(1, None, 1, accept=["x"])])
#: the file and options that are typed, what the file holds, the line on stderr
ERRORS = {
    "flat.csv": (
        samples.FLAT_CSV,
        "this export of Label Studio does not tell questions from inputs: 'ner', 'stars', 'text', 'tone', 'topic'; "
        "name the question with --field, or export JSON instead",
    ),
    "flat.csv --field ton": (samples.FLAT_CSV, "there is no question 'ton'; did you mean 'tone'?"),
    "alone.jsonl": (
        ALONE,
        "alone.jsonl does not say who gave the answers; export a file for each coder, put the files into a folder, "
        "and name the folder",
    ),
    "tone.json --tool argila": (
        json.dumps(samples.ARGILLA),
        "--tool argila is not known; use one of 'label_studio', 'prodigy', 'webanno', 'brat', 'mturk', 'promptfoo', "
        "'inspect', 'langfuse', 'mlflow', 'phoenix', 'argilla', 'doccano', 'coders'; did you mean 'argilla'?",
    ),
    "x.json --field tone": ("[]", "x.json: no item was judged by two coders"),
    "x.json --field tone --label tag --item i": (
        "[]",
        "x.json: --label cannot be used with --field: the export of a tool has its own form",
    ),
    "x.json --field tone --item i j": (
        "[]",
        "x.json: --item names several keys, and the items of an export have one; name one",
    ),
    "one.json --field tone": (
        json.dumps(samples.LABEL_STUDIO[1:]),
        "one.json: no item was judged by two coders",
    ),
    "truth.json": (
        '[{"source": "a", "tone": 1, "tone-metadata": {}}]',
        "truth.json is an export of Ground Truth, which read does not know; read the answers of each worker with "
        "pandas, and call df.agree.long(item=..., coder=..., label=...)",
    ),
    "more.json --tool prodigy": (
        json.dumps(samples.LABEL_STUDIO),
        "record 1 of more.json is not as Prodigy writes it (KeyError: 'answer'); if another tool wrote it, name it "
        "with --tool",
    ),
}


@pytest.mark.parametrize("typed", ERRORS)
def test_errors_are_one_line(run, tmp_path, typed):
    content, expected = ERRORS[typed]
    samples.write(tmp_path, typed.split()[0], content)
    status, _, err = run(*typed.split())
    assert (status, err) == (2, f"pandas_agreement: {expected}\n")


def test_running_out_of_memory_is_not_called_damaged(run, files, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("pandas_agreement.exports.unpack.Unpacker._count", full)
    expected = "there is not enough memory to read it; read it in Python, in parts: see pandas_agreement.stream\n"
    assert run("doccano.zip")[2] == f"pandas_agreement: doccano.zip: {expected}"
    with pytest.raises(MemoryError):
        pandas_agreement.read("doccano.zip")

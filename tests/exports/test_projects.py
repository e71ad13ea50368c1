"""The example as every tool would export it gives the numbers of the example."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_agreement import AgreementWarning, load_example, read
from tests.exports.projects import MODEL, PEOPLE, files, write_exports
from tests.helpers import every

#: the coders ann, bob and cleo as the tool calls them
CALLED = {"label_studio.json": "{}@example.org", "prodigy.jsonl": "tickets-{}"}
WITH_JUDGE = {"label_studio.json": MODEL, "phoenix.json": MODEL, "langfuse.json": f"EVAL:{MODEL}", "mlflow.json": MODEL}
SOME_PEOPLE = ("promptfoo.json", "inspect.json")  # one person, who judged a part


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("exports")
    write_exports(path)
    return path


def same(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(found.reset_index(drop=True), expected.reset_index(drop=True))


def people(name: str) -> list[str]:
    return [CALLED.get(name, "{}").format(person) for person in PEOPLE]


def test_people_of_every_tool_agree_as_in_the_example(folder: Path) -> None:
    wide = load_example()
    expected = wide.agree.kappa("ann", "bob"), wide.agree.alpha(*PEOPLE)

    def check(name: str) -> None:
        long = read(folder / name).agree.long()
        same(long.kappa(*people(name)[:2]), expected[0])
        same(long.alpha(*people(name)), expected[1])

    names = {Path(name).parts[0] for name in files()} - {*SOME_PEOPLE}
    assert len(names) == 9
    every({name: (name,) for name in sorted(names)}, check)


def test_judges_from_logs_are_those_of_the_example(folder: Path) -> None:
    expected = load_example().agree.judges("dev", humans=[*PEOPLE])

    def check(name: str, judge: str) -> None:
        judged = read(folder / name, models=True).agree.long().judges(judge, humans=people(name))
        same(judged.versus_humans(), expected.versus_humans())
        same(judged.error_rates(reference="majority"), expected.error_rates(reference="majority"))

    every({name: (name, judge) for name, judge in WITH_JUDGE.items()}, check)


def test_a_person_beside_the_judge_of_a_log(folder: Path) -> None:
    wide = load_example().set_axis(range(1, 601))

    def check(name: str, judge: str, labels: Any) -> None:
        with pytest.warns(AgreementWarning, match="after seeing the score"):
            answers = read(folder / name)
        person = "ann" if name == "inspect.json" else "human"
        same(answers.agree.long().kappa(person, judge), labels.agree.kappa("ann", "dev"))

    passed = (wide[["ann", "dev"]] == "bug").where(wide[["ann", "dev"]].notna(), None)
    passed["dev"] = wide["dev"] == "bug"
    seen = passed[passed.index % 3 > 0].map(lambda cell: {True: "pass", False: "fail"}.get(cell))
    every(
        {"promptfoo.json": ("promptfoo.json", "solved", seen), "inspect.json": ("inspect.json", "judge", wide)}, check
    )

"""Workflows call parts of `.ci/run` on the supported versions, and the gate for pipelines fails when it should."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import pandas_agreement
from tests.pages import DOCS, TOP, read

GITHUB = TOP / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
GATE = read(GITHUB / "actions" / "agreement-gate" / "action.yml")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for bash")


def test_workflows_call_parts_of_the_script() -> None:
    parts = set(re.findall(r"^(\w+)\(\)", read(TOP / ".ci" / "run"), re.MULTILINE))
    called = {name for path in WORKFLOWS for name in re.findall(r"\.ci/run (\w+)", read(path))}
    assert called == {"on_this_python", "checks", "slow_tests", "site", "build"}
    assert called <= parts


def test_every_foreign_action_is_pinned() -> None:
    uses = [line for path in GITHUB.rglob("*.yml") for line in re.findall(r"uses: (.+)", read(path))]
    foreign = [line for line in uses if not line.startswith("./")]
    assert len(foreign) > 10
    assert [line for line in foreign if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", line)] == []


def test_the_matrix_has_the_supported_versions_of_python() -> None:
    (matrix,) = re.findall(r"python: \[(.+)\]", read(GITHUB / "workflows" / "tests.yml"))
    tested = re.findall(r'"([\d.]+)"', matrix)
    project = read(TOP / "pyproject.toml")
    assert tested == re.findall(r"Python :: (3\.\d+)", project)
    assert f'requires-python = ">={tested[0]}"' in project
    assert f"| python | {tested[0]} | {tested[-1]} |" in read(DOCS / "support.md").lower()


def run_gate(folder: Path, **inputs: str) -> tuple[int, str]:
    """The exit status of the gate's last step on the example, and the summary that it writes."""
    script = textwrap.dedent(GATE.rpartition("run: |\n")[2])
    pandas_agreement.load_example().to_csv(folder / "my labels.csv", index=False)
    given = {"FILE": "my labels.csv", "CODERS": "ann bob", "MIN_ITEMS": "50", "OPTIONS": "", **inputs}
    environment = {**given, "GITHUB_STEP_SUMMARY": "summary.md", "PYTHONPATH": str(TOP)}
    script = f'python() {{ "{sys.executable}" "$@"; }}\n{script}'
    done = subprocess.run(["bash", "-ec", script], cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, (folder / "summary.md").read_text(encoding="utf-8")


def test_the_gate_opens(tmp_path: Path) -> None:
    status, summary = run_gate(tmp_path, FAIL_UNDER="kappa=0.6 kappa.ci_low=0.5")
    assert status == 0
    assert "0.61" in summary


def test_the_gate_closes(tmp_path: Path) -> None:
    status, summary = run_gate(tmp_path, FAIL_UNDER="kappa.ci_low=0.5", OPTIONS="--by\nbatch\n")
    assert status == 1
    assert "2026-w01" in summary

"""The command line in a folder of its own."""

from __future__ import annotations

import pandas as pd
import pytest

from pandas_agreement import load_example
from pandas_agreement.cli import main
from tests.counting import count  # noqa: F401  (a fixture)


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run the command line in an empty folder: status, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        status = main(list(arguments))
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture
def labels(tmp_path) -> pd.DataFrame:
    """The example, written to labels.csv in the folder where `run` runs."""
    frame = load_example()
    frame.to_csv(tmp_path / "labels.csv", index=False)
    return frame

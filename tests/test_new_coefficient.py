"""CONTRIBUTING.md, "Add a coefficient in ten minutes", followed to the letter.

The code of the guide is written into files of a copy of the package, and the copy is imported in a fresh process.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pandas_agreement
from pandas_agreement.coefficients import registry

ROOT = Path(__file__).parent.parent
PACKAGE = Path(pandas_agreement.__file__).parent


def snippet(name: str = "toy") -> str:
    """The code that the guide shows, for a coefficient of this name."""
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a coefficient in ten minutes")[2]
    code = re.findall(r"```python\n(.*?)```", section, flags=re.DOTALL)[0]
    return code.replace("toy", name).replace("halfway", name.replace("toy", "halfway"))


def paste(path: Path, name: str = "toy") -> None:
    before = path.read_text(encoding="utf-8") + "\n\n" if path.exists() else ""
    path.write_text(before + snippet(name), encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The folder of the coefficients in a copy of the package."""
    shutil.copytree(PACKAGE, tmp_path / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / PACKAGE.name / "coefficients"


def run(copy: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own that finds the copy of the package before any other."""
    home = copy.parent.parent
    paths = os.pathsep.join([str(home), str(ROOT)])
    environment = os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)


def answer(copy: Path, code: str) -> Any:
    """What the code prints, as JSON."""
    done = run(copy, code)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


USE = """
import doctest, json
import numpy as np
import pandas as pd
import pandas_agreement
from tests.data_sets import scores, to_counts, to_long

df, coders = scores(60, 3).assign(batch=["x", "y"] * 30), ["ann", "bob", "cleo"]
row = df.agree.toy(*coders).iloc[0]
grouped = df.agree.toy(*coders, by="batch", detail=True)
pd.testing.assert_frame_equal(df.groupby("batch").agree.toy(*coders, detail=True), grouped)

two = scores(60, 2)
ways = [
    to_long(two).agree.long(item="doc", coder="who", label="tag"),
    pd.crosstab(two["ann"], two["bob"]).agree.crosstab(),
    to_counts(two, [1, 2, 3, 4]).agree.counts(),
]
for way in ways:
    pd.testing.assert_frame_equal(way.toy(detail=True), two.agree.toy(detail=True))

doc = pandas_agreement.AgreementAccessor.toy.__doc__
example = doctest.DocTestParser().get_doctest(doc, {}, "toy", None, None)
runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
runner.run(example, out=lambda text: None)
print(json.dumps({
    "home": pandas_agreement.__file__,
    "row": row[["estimate", "observed", "expected", "se", "ci_low", "ci_high"]].to_dict(),
    "se of observed": df.agree.observed(*coders)["se"].iloc[0],
    "se of jackknife": df.agree.toy(*coders, method="jackknife")["se"].iloc[0],
    "groups": grouped["coefficient"].to_dict(),
    "summary": df.agree.summary(*coders, metrics=["kappa", "toy"]).index.tolist(),
    "pairs": len(df.agree.by_pair(*coders, metrics="toy")),
    "alias": df.agree.halfway(*coders).index.tolist(),
    "pooled": df.agree.pooled(*coders, metrics="toy", by="batch")["estimate"].tolist(),
    "stream": pandas_agreement.stream([df[:30], df[30:]], *coders, metrics="toy")["estimate"].iloc[0],
    "dir": "toy" in dir(df.agree) and "halfway" not in dir(df.agree),
    "catalog": pandas_agreement.catalog().index.tolist(),
    "doc": doc,
    "examples": [runner.tries, runner.failures],
}))
"""


def test_a_new_coefficient_is_found_everywhere(copy: Path) -> None:
    paste(copy / "chance.py")
    found = answer(copy, USE)
    assert Path(found["home"]).is_relative_to(copy.parent)
    row = found["row"]
    assert row["expected"] == 0.5
    assert row["estimate"] == pytest.approx((row["observed"] - 0.5) / 0.5)
    assert row["se"] == pytest.approx(2 * found["se of observed"])
    assert row["se"] == pytest.approx(found["se of jackknife"], rel=0.05)
    assert row["ci_low"] < row["estimate"] < row["ci_high"]
    assert found["groups"] == {"x": "toy", "y": "toy"}
    assert found["summary"] == ["kappa", "toy"]
    assert found["pairs"] == 3
    assert found["alias"] == ["toy"]
    assert found["pooled"] == pytest.approx([row["estimate"]] * 2)  # the chance of a coin is that of every group
    assert found["stream"] == pytest.approx(row["estimate"])
    assert found["dir"]
    known = list(registry.REGISTRY)
    known.insert(known.index("alpha"), "toy")  # after those of its file
    assert found["catalog"] == known
    assert found["doc"].startswith("Toy: chance is a coin.")
    assert "CONTRIBUTING.md of this package" in found["doc"]
    assert found["examples"][0] > 0
    assert found["examples"][1] == 0


def test_any_file_of_the_coefficients_will_do_and_a_session_too(copy: Path) -> None:
    new = [copy / "brand_new.py", copy / "numeric" / "brand_new_too.py"]
    files = [path for path in [*copy.rglob("*.py"), *new] if path.name != "__init__.py"]
    names = [f"toy_{path.stem}" for path in files]
    for path, name in zip(files, names, strict=True):
        paste(path, name)
    code = f"""
import json, pandas as pd, pandas_agreement
exec({snippet("toy_of_a_session")!r})
df = pd.DataFrame({{"ann": list("yyyyyynnnn"), "bob": list("yyyyynyynn")}})
names = {[*names, "toy_of_a_session"]}
print(json.dumps([getattr(df.agree, name)()["estimate"].iloc[0] for name in names]))
"""
    assert answer(copy, code) == pytest.approx([0.4] * (len(files) + 1))
    assert {"toy_chance", "toy_records", "toy_brand_new"} <= set(names)


def test_a_coefficient_without_a_definition_fails_at_collection(copy: Path) -> None:
    paste(copy / "chance.py")
    done = run(copy, "import tests.contract")
    assert done.stderr.splitlines()[-1] == (
        "LookupError: the coefficient 'toy' has no definition to be tested against; write it as plain loops in "
        "tests/bruteforce.py and add it to ORACLES there"
    )


def test_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(pandas_agreement.InputError, match=r"^The coefficient name 'kappa' is taken\.$"):
        registry.register(registry.REGISTRY["kappa"])

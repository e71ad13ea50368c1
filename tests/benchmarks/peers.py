"""Other packages, with the least that a user writes between the frame and their call.

Packages that cannot be imported are left out. Where the whole work would take hours, a peer does a share of it, and its
time is divided by that share.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tests.benchmarks.contestants import REPLICATES, Contestant

Run = Callable[[pd.DataFrame], Any]
Array = NDArray[Any]

DRAWS = 10  # resamples of a peer that resamples in a loop
PAIRS = 25  # pairs of coders of a peer that loops over them


def coders_of(frame: pd.DataFrame) -> list[Any]:
    return [name for name in frame if name != "batch"]


def numbers(frame: pd.DataFrame) -> Array:
    """Coders x items as float with NaN for a gap, which is what krippendorff takes."""
    columns = [frame[name] for name in coders_of(frame)]
    if not isinstance(columns[0].dtype, pd.CategoricalDtype):
        return np.stack([column.to_numpy(float) for column in columns])
    codes = np.stack([column.array.codes for column in columns]).astype(float)
    codes[codes < 0] = np.nan
    return codes


def by_batch(run: Run) -> Run:
    """The same call for each batch, as everybody does it."""
    return lambda frame: frame.groupby("batch")[coders_of(frame)].apply(run).to_numpy()


def by_pair(run: Callable[[pd.Series, pd.Series], float]) -> Run:
    """The first pairs of coders, one at a time; NaN for all others."""

    def pairs(frame: pd.DataFrame) -> Array:
        found = np.full(frame.shape[1] * (frame.shape[1] - 1) // 2, np.nan)
        for number in range(PAIRS):
            both = frame[[frame.columns[0], frame.columns[number + 1]]].dropna()
            found[number] = run(both.iloc[:, 0], both.iloc[:, 1])
        return found

    return pairs


def looped(run: Callable[[pd.DataFrame], float]) -> Run:
    """A few resamples in a loop; mean and standard deviation give the ends, as quantiles of ten would not."""

    def ends(frame: pd.DataFrame) -> Array:
        found = [run(frame.sample(len(frame), replace=True, random_state=number)) for number in range(DRAWS)]
        return np.mean(found) + np.array([-1.96, 1.96]) * np.std(found, ddof=1)

    return ends


# ------------------------------------------------------------------------------------------------- the calls


def sklearn_kappa(frame: pd.DataFrame) -> float:
    return sklearn_pair(frame["c00"], frame["c01"])


def sklearn_pair(first: pd.Series, second: pd.Series) -> float:
    from sklearn.metrics import cohen_kappa_score

    return float(cohen_kappa_score(first, second))


def krippendorff_alpha(frame: pd.DataFrame, level: str = "nominal") -> float:
    import krippendorff

    return float(krippendorff.alpha(numbers(frame), level_of_measurement=level))


def krippendorff_long(frame: pd.DataFrame) -> float:
    import krippendorff

    coded = frame.assign(label=pd.factorize(frame["label"])[0].astype(float))
    wide = coded.pivot(index="coder", columns="item", values="label").to_numpy()
    return float(krippendorff.alpha(wide, level_of_measurement="nominal"))


# ------------------------------------------------------------------------------------------------- the table

MODULES = {
    "sklearn": "sklearn.metrics",
    "krippendorff": "krippendorff",
}
RESAMPLED: dict[str, Any] = {"draws": DRAWS, "share": DRAWS / REPLICATES}
PAIRED: dict[str, Any] = {"share": PAIRS / (50 * 49 / 2)}
#: task → package, what it finds, how, and what has to be known about it
CALLS: dict[str, list[tuple[str, str, Run, dict[str, Any]]]] = {
    "two coders": [("sklearn", "kappa", sklearn_kappa, {})],
    "short": [("sklearn", "kappa", sklearn_kappa, {})],
    "long": [
        ("krippendorff", "alpha", krippendorff_long, {"most_rows": 2_000_000}),
    ],
    "wide": [
        ("krippendorff", "alpha", krippendorff_alpha, {}),
    ],
    "groups, kappa": [("sklearn", "kappa", by_batch(sklearn_kappa), {})],
    "groups, alpha": [
        ("krippendorff", "alpha", by_batch(krippendorff_alpha), {}),
    ],
    "bootstrap, kappa": [("sklearn", "interval of kappa", looped(sklearn_kappa), RESAMPLED)],
    "bootstrap, alpha": [("krippendorff", "interval of alpha", looped(krippendorff_alpha), RESAMPLED)],
    "interval": [
        ("krippendorff", "alpha", lambda frame: krippendorff_alpha(frame, "interval"), {"most_rows": 200}),
    ],
    "pairs": [
        ("sklearn", "kappa", by_pair(sklearn_pair), PAIRED),
    ],
}


def importable(package: str) -> bool:
    """Imported here, so that its import is not measured; some installations fail with more than an ImportError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            importlib.import_module(MODULES[package])
        except Exception:
            return False
    return True


def peers_of(task: str, wanted: Collection[str] | None = None) -> list[Contestant]:
    """The installed peers of a task, or those wanted of them."""
    return [
        Contestant(package, "peer", finds, run, **options)
        for package, finds, run, options in CALLS.get(task, ())
        if (wanted is None or package in wanted) and importable(package)
    ]

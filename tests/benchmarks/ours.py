"""Our calls, as a user writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

import pandas_agreement  # noqa: F401  (registers df.agree)
from tests.benchmarks.contestants import REPLICATES, Contestant

Call = Callable[[pd.DataFrame], pd.DataFrame]


def _judgments(frame: pd.DataFrame) -> Any:
    return frame.agree.long(item="item", coder="coder", label="label")


def estimates(call: str, finds: str, run: Call) -> Contestant:
    """A contestant whose numbers are the column `estimate`."""
    return Contestant(call, "ours", finds, lambda frame: run(frame)["estimate"].to_numpy())


def one_of(call: str, finds: str, run: Call) -> Contestant:
    """A contestant with several coefficients, of which one is compared."""
    return Contestant(call, "ours", finds, lambda frame: run(frame).loc[finds, "estimate"])


def resampled(call: str, finds: str, run: Call) -> Contestant:
    """A contestant whose numbers are the ends of the interval."""
    return Contestant(
        call, "ours", finds, lambda frame: run(frame)[["ci_low", "ci_high"]].to_numpy()[0], draws=REPLICATES
    )


BOOTSTRAP: dict[str, Any] = {"method": "percentile", "n_resamples": REPLICATES, "rng": 1}
KAPPA = [
    estimates("kappa(ci=None)", "kappa", lambda frame: frame.agree.kappa("c00", "c01", ci=None)),
    estimates("kappa()", "kappa", lambda frame: frame.agree.kappa("c00", "c01")),
]
OURS: dict[str, list[Contestant]] = {
    "two coders": [*KAPPA, one_of("summary()", "kappa", lambda frame: frame.agree.summary("c00", "c01"))],
    "short": [*KAPPA, one_of("summary()", "kappa", lambda frame: frame.agree.summary("c00", "c01"))],
    "long": [
        estimates("alpha(ci=None)", "alpha", lambda frame: _judgments(frame).alpha(ci=None)),
        estimates("alpha()", "alpha", lambda frame: _judgments(frame).alpha()),
        estimates("pi(ci=None)", "pi", lambda frame: _judgments(frame).pi(ci=None)),
        estimates("pi()", "pi", lambda frame: _judgments(frame).pi()),
        estimates("ac1(ci=None)", "ac1", lambda frame: _judgments(frame).ac1(ci=None)),
        estimates("ac1()", "ac1", lambda frame: _judgments(frame).ac1()),
        one_of("summary()", "alpha", lambda frame: _judgments(frame).summary()),
    ],
    "wide": [
        estimates("alpha(ci=None)", "alpha", lambda frame: frame.agree.alpha(ci=None)),
        estimates("alpha()", "alpha", lambda frame: frame.agree.alpha()),
        one_of("summary()", "alpha", lambda frame: frame.agree.summary()),
    ],
    "three coders": [
        estimates("alpha()", "alpha", lambda frame: frame.agree.alpha()),
        estimates("pi()", "pi", lambda frame: frame.agree.pi()),
        estimates("ac1()", "ac1", lambda frame: frame.agree.ac1()),
        Contestant("by_item()", "ours", "agreement", lambda frame: frame.agree.by_item()["agreement"].mean()),
    ],
    "ICC": [
        estimates("icc_a1(ci=None)", "icc_a1", lambda frame: frame.agree.icc_a1(ci=None)),
        estimates("icc_a1()", "icc_a1", lambda frame: frame.agree.icc_a1()),
    ],
    "groups, kappa": [
        estimates("kappa(by=, ci=None)", "kappa", lambda frame: frame.agree.kappa(by="batch", ci=None)),
        estimates("kappa(by=)", "kappa", lambda frame: frame.agree.kappa(by="batch")),
        estimates("kappa(analytic)", "kappa", lambda frame: frame.agree.kappa(by="batch", method="analytic")),
    ],
    "groups, alpha": [
        estimates("alpha(by=, ci=None)", "alpha", lambda frame: frame.agree.alpha(by="batch", ci=None)),
        estimates("alpha(by=)", "alpha", lambda frame: frame.agree.alpha(by="batch")),
    ],
    "bootstrap, kappa": [
        resampled("kappa(percentile)", "interval of kappa", lambda frame: frame.agree.kappa(**BOOTSTRAP))
    ],
    "bootstrap, alpha": [
        resampled("alpha(percentile)", "interval of alpha", lambda frame: frame.agree.alpha(**BOOTSTRAP))
    ],
    "interval": [
        estimates("alpha(ci=None)", "alpha", lambda frame: frame.agree.alpha(level="interval", ci=None)),
        estimates("alpha()", "alpha", lambda frame: frame.agree.alpha(level="interval")),
    ],
    "pairs": [
        estimates("by_pair(ci=None)", "kappa", lambda frame: frame.agree.by_pair(ci=None)),
        estimates("by_pair()", "kappa", lambda frame: frame.agree.by_pair()),
    ],
}

"""The refusal of tables that would not fit in memory, before they are made."""

from __future__ import annotations

from pandas_agreement.errors import InputError

MAX_BYTES = 6e9


def check_memory(what: str, n_bytes: float, remedy: str, most: float | None = None) -> None:
    """Raise if `what` needs more bytes than `most`, by default `MAX_BYTES`."""
    if n_bytes > (MAX_BYTES if most is None else most):
        raise InputError(f"{what} would need about {n_bytes / 1e9:,.0f} GB", remedy, code="too large")

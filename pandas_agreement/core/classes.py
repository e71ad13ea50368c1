"""Dataclasses in a third of the time, which is half of the time that the package takes to import.

Python compiles every method of a dataclass when the class is made. Only `__init__` is needed here: that nothing is
assigned to a field later is left to the type checker, which sees the dataclass of Python.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(frozen: bool, eq: bool) -> Any:
        """A dataclass without other methods than `__init__`."""
        return dataclasses.dataclass(eq=eq, repr=False, match_args=False)

"""The type of the arrays that all computing modules take and give."""

from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]

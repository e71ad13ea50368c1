"""Sample sizes: the public names of `planning`."""

from typing import TYPE_CHECKING, Any

from pandas_agreement.errors import UnknownMethodError, nearest
from pandas_agreement.planning import judging, sample_size
from pandas_agreement.planning.judging import *  # noqa: F403
from pandas_agreement.planning.sample_size import *  # noqa: F403

__all__ = sorted([*judging.__all__, *sample_size.__all__])


def __dir__() -> list[str]:
    return __all__


def _unknown(name: str) -> Any:
    """The error for a name that is no function of `plan`."""
    if name.startswith("_"):
        raise AttributeError(name)
    raise UnknownMethodError(f"plan has no function {name!r}", nearest(name, __all__), code="unknown method")


if not TYPE_CHECKING:  # or type checkers would accept any name
    __getattr__ = _unknown

"""Sample sizes: the public names of `planning`."""

from pandas_agreement.planning import judging, sample_size
from pandas_agreement.planning.judging import *  # noqa: F403
from pandas_agreement.planning.sample_size import *  # noqa: F403

__all__ = sorted([*judging.__all__, *sample_size.__all__])


def __dir__() -> list[str]:
    return __all__

"""Sample sizes: the public names of `planning`."""

from pandas_agreement.planning.sample_size import *  # noqa: F403
from pandas_agreement.planning.sample_size import __all__ as __all__

"""From a frame to ratings: the four ways in.

Wide (a column a coder), long (a row a judgment), crosstab (two coders' table) and counts (a column a category) all end
as a `Reading`: coded ratings, the categories, the groups and the names of the coders. This is the only place where the
shape of the user's data matters, and with `labels` and `grouping` the only one that touches their dtypes.
"""

from pandas_agreement.data.long import read_long
from pandas_agreement.data.reading import Cells, Reading, set_cells
from pandas_agreement.data.tables import read_counts, read_crosstab
from pandas_agreement.data.wide import read_wide

__all__ = ["Cells", "Reading", "read_counts", "read_crosstab", "read_long", "read_wide", "set_cells"]

"""Read a frame into ratings: the five input formats.

Wide (one column per coder), long (one row per judgment), crosstab (contingency table of two coders), counts (one
column per category) and lists (all ratings of an item in one cell) all become a `Reading`: coded ratings, categories,
groups and coder names. Only this folder depends on the shape and the dtypes of the user's frame.
"""

from pandas_agreement.data.long import read_long
from pandas_agreement.data.reading import AsScores, Cells, Needs, Reading, columns_of, set_cells
from pandas_agreement.data.tables import read_counts, read_crosstab, read_lists
from pandas_agreement.data.wide import read_wide

__all__ = [
    "AsScores",
    "Cells",
    "Needs",
    "Reading",
    "columns_of",
    "read_counts",
    "read_crosstab",
    "read_lists",
    "read_long",
    "read_wide",
    "set_cells",
]

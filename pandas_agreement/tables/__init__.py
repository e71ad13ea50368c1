"""Results for readers: `table` makes a small frame of strings, `sentence` text to paste."""

from __future__ import annotations

import pandas as pd

from pandas_agreement.characters import visible
from pandas_agreement.errors import public
from pandas_agreement.interpreting import check_at_least, settled
from pandas_agreement.tables.columns import (
    Column,
    NumberForm,
    Style,
    check,
    columns_of,
    frame,
    is_matrix,
    matrix_columns,
)
from pandas_agreement.tables.sentences import matrix_sentence, text_of

__all__ = ["sentence", "table"]

#: columns that a table leaves out beside another: the sentences of a note, and chance agreement, which follows from
#: the estimate and the observed agreement
BESIDE = {"remarks": "note", "expected": "observed"}


@public
def table(result: pd.DataFrame, style: Style = "plain", digits: int = 2, at_least: float | None = None) -> pd.DataFrame:
    """A result as a small table of text, for print or a paper.

    Parameters
    ----------
    result : DataFrame
        What a method of `df.agree` returned, unchanged, rounded, or with some of its rows or columns.
    style : {'plain', 'apa'}, default 'plain'
        'apa' drops the leading zero of numbers that cannot exceed 1.
    digits : int, default 2
        Number of decimal places. A number other than 0 that would be shown as 0 has two significant digits.
    at_least : float, optional
        Add a column that compares the interval with this value: "yes" if the lower bound is at or above it, "no" if the
        upper bound is below it, otherwise "not settled", or the reason why there is no answer.

    Returns
    -------
    DataFrame
        Text with headers for readers, an empty index, and the interval in one cell. If all rows have the same
        coefficient, its name is the header of the estimate. Empty columns are left out, and so are `remarks` if there
        is `note`, and `expected` if there is `observed`. If several label columns have different levels, a column shows
        them. Findings of `diagnose` include the advice.

    See Also
    --------
    sentence : The same as text.

    Notes
    -----
    ``to_html(index=False)``, ``to_latex(index=False, escape=True)`` and
    ``to_markdown(index=False, disable_numparse=True)`` are methods of pandas. Without `disable_numparse` trailing zeros
    are lost. ``pip install "pandas-agreement[tables]"`` installs the packages that these methods need.

    Examples
    --------
    >>> import pandas_agreement
    >>> example = pandas_agreement.load_example()
    >>> pandas_agreement.table(example.agree.summary("ann", "bob", metrics=["kappa", "alpha"]), style="apa")
               Coefficient Estimate      95% CI   SE Observed    n
                     Kappa      .61  [.55, .67]  .03      .74  418
      Krippendorff's alpha      .61  [.55, .67]  .03      .74  418
    >>> pandas_agreement.table(example.agree.alpha("ann", "bob", by="batch"), at_least=0.6).head(3)
         batch Krippendorff's alpha        95% CI    SE Observed   n At least 0.6
      2026-w01                 0.33  [0.16, 0.51]  0.09     0.56  63           no
      2026-w02                 0.48  [0.32, 0.62]  0.08     0.64  74  not settled
      2026-w03                 0.38  [0.21, 0.54]  0.09     0.56  68           no
    """
    check(result, style, digits)
    if at_least is None and is_matrix(result):
        return frame(matrix_columns(result, NumberForm(style, digits)))
    columns = [each for each in columns_of(result, NumberForm(style, digits)) if not _is_said(each, result)]
    if at_least is not None:
        asked = check_at_least(at_least, result)
        before_note = len(columns) - (columns[-1].source == "note")
        columns.insert(before_note, Column("at_least", f"At least {asked:g}", settled(result, asked)))
    return frame(columns)


def _is_said(column: Column, result: pd.DataFrame) -> bool:
    """Whether another column says the same in less room."""
    return BESIDE.get(str(column.source)) in result.columns


@public
def sentence(result: pd.DataFrame, style: Style = "apa", digits: int = 2) -> str:
    """A result as text for a paper, one line per row.

    Parameters
    ----------
    result, style, digits
        As for `table`, but with 'apa' as the default.

    Returns
    -------
    str
        Group keys, the coefficient, its value and interval, and the number of items and coders. If a row is undefined,
        the text gives the reason.

    See Also
    --------
    table : The same as a table.

    Examples
    --------
    >>> import pandas_agreement
    >>> example = pandas_agreement.load_example()
    >>> print(pandas_agreement.sentence(example.agree.alpha("ann", "bob", "cleo", "dev")))
    Krippendorff's alpha = .51, 95% CI [.47, .55], 580 items
    """
    check(result, style, digits)
    form = NumberForm(style, digits)
    if is_matrix(result):
        return visible(matrix_sentence(result, form))
    return text_of(result, columns_of(result, form))

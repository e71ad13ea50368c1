"""Results for readers: `table` makes a small frame of strings, `sentence` text to paste."""

from __future__ import annotations

import pandas as pd

from pandas_agreement.tables.columns import Style, check, columns_of, fitting, frame
from pandas_agreement.tables.frame import Table
from pandas_agreement.tables.matrix import is_matrix, matrix_columns, matrix_sentence
from pandas_agreement.tables.sentences import text_of

__all__ = ["sentence", "table"]


def table(result: pd.DataFrame, style: Style = "plain", digits: int = 2, at_least: float | None = None) -> Table:
    """A result as a small table of strings, to read, print and put into a paper.

    Parameters
    ----------
    result : DataFrame
        What a method of `df.agree` returned, as it is, rounded, or with rows or columns left out.
    style : {'plain', 'apa'}, default 'plain'
        'apa' leaves out the zero before the point of numbers that cannot exceed 1.
    digits : int, default 2
        Digits after the point.
    at_least : float, optional
        Adds the answer to "is it at least so much?", row by row: "yes" if the lower limit of the interval is at or
        above it, "no" if the upper limit is below it, otherwise "not settled", or why there is no answer.

    Returns
    -------
    DataFrame
        Strings, with names for readers and an empty index. The interval is one cell. The most important columns
        come first into the 80 characters of a line, and others as they fit; columns that you have chosen are all
        there. The cells hold the whole texts. Where the table is printed, shown in a notebook or written by
        ``to_markdown()``, ``to_latex()``, ``to_html()`` or ``to_string()``, notes are letters in the last column
        with the texts below the table, and long texts are wrapped; numbers keep their digits and signs are escaped.
        great_tables' ``GT(...)`` has the notes in a column. ``pip install "pandas-agreement[tables]"`` brings what
        these need.

    See Also
    --------
    sentence : The same as text.

    Examples
    --------
    >>> import pandas_agreement
    >>> example = pandas_agreement.load_example()
    >>> pandas_agreement.table(example.agree.summary("ann", "bob", metrics=["kappa", "alpha"]), style="apa")
               Coefficient Estimate      95% CI   SE Observed Expected Coders    n
             Cohen's kappa      .61  [.55, .67]  .03      .74      .32      2  418
      Krippendorff's alpha      .61  [.55, .67]  .03      .74      .32      2  418

    Notes stand below:

    >>> pandas_agreement.table(example.assign(dev="bug").agree.by_pair("ann", "bob", "dev"))
     Coder 1 Coder 2    Coefficient Estimate        95% CI    SE Observed    n Note
         ann     bob  Cohen's kappa     0.61  [0.55, 0.67]  0.03     0.74  418
         ann     dev  Cohen's kappa     0.00                         0.42  527    a
         bob     dev  Cohen's kappa     0.00                         0.41  468    a
    <BLANKLINE>
      a. constant coder: no se
    """
    check(result, style, digits)
    if at_least is None and is_matrix(result):
        return frame(matrix_columns(result, style, digits))
    return frame(fitting(columns_of(result, style, digits, at_least), result))


def sentence(result: pd.DataFrame, style: Style = "apa", digits: int = 2) -> str:
    """A result as text to paste: one line per row.

    Parameters
    ----------
    result, style, digits
        As for `table`, but with 'apa' as the default.

    Returns
    -------
    str
        Group keys, what was measured, its value, interval, items and coders. A row that is undefined says why.

    See Also
    --------
    table : The same as a table.

    Examples
    --------
    >>> import pandas_agreement
    >>> example = pandas_agreement.load_example()
    >>> print(pandas_agreement.sentence(example.agree.alpha("ann", "bob", "cleo", "dev")))
    Krippendorff's alpha = .51, 95% CI [.47, .55], 580 items, 4 coders
    """
    check(result, style, digits)
    if is_matrix(result):
        return matrix_sentence(result, style, digits)
    return text_of(result, columns_of(result, style, digits, None))

"""`python -m pandas_agreement`: agreement of a file from the command line.

`command` is the program. `files` reads, `columns` looks at the cells, `source` brings them together with the options.
`output` prints the contents of a report as text, `recipe` gives the same in Python, and `remedies` puts errors and
warnings into the words of a shell.
"""

from pandas_agreement.cli.command import main

__all__ = ["main"]

"""`python -m pandas_agreement`: agreement of a file from the command line.

`command` has the options and exit statuses. `files` reads a file, `columns` checks its columns and `source` combines
both with the options. `output` prints the contents of a report as text, `recipe` the same call in Python, and
`remedies` formats errors and warnings for a shell.
"""

from pandas_agreement.cli.command import main

__all__ = ["main"]

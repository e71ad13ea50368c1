"""`python -m pandas_agreement`: agreement of a file from the command line.

`command` runs it and has the exit statuses, `arguments` the options. `files` reads a file, `columns` checks its columns
and `source` combines both with the options. `output` prints the contents of a report as text,
`recipe` prints the same call in Python, and `remedies` formats errors and warnings for a shell.
"""

from pandas_agreement.cli.command import main

__all__ = ["main"]

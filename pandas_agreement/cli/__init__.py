"""`python -m pandas_agreement`: agreement of a file from the command line.

`command` is the program, `source` finds out what the file holds, `files` reads it, `tables` prints.
"""

from pandas_agreement.cli.command import main

__all__ = ["main"]

"""`python -m pandas_agreement`: agreement of a file from the command line.

`command` is the program. `files` reads, `columns` looks at the cells, `source` brings them together with the options;
`sections` and `worst` say what is found, `tables` lays it out, `page` writes the report, `recipe` gives the same in
Python, and `messages` translates what the package says.
"""

from pandas_agreement.cli.command import main

__all__ = ["main"]

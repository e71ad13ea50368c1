"""`python -m pandas_agreement`: the command line."""

from pandas_agreement.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

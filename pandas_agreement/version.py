"""The version of the package, which results and reports state; `pyproject.toml` reads it here."""

VERSION = "0.3.0"

"""The notes of tables of judges, whose undefined values are differences unless they say otherwise."""

from __future__ import annotations

from pandas_agreement.results import notes


class RowNotes(notes.RowNotes):
    """The notes of n rows."""

    what = "difference"

"""The notes of tables of judges, whose undefined values are differences unless they say otherwise."""

from __future__ import annotations

from pandas_agreement.errors import shown
from pandas_agreement.judges.roles import Judged, JudgedItems
from pandas_agreement.results import notes


class RowNotes(notes.RowNotes):
    """The notes of n rows."""

    what = "difference"


def note_items(judged: Judged, items: JudgedItems, notes: RowNotes, as_names: bool = True) -> None:
    """Items that are left out, and labels of judges that nobody can share, unless they are compared as numbers."""
    many = "fewer than two human labels" if len(judged.humans) > 1 else "no human label"
    notes.count(items.too_few, f"judged item with {many} left out", f"judged items with {many} left out")
    notes.count(items.unjudged, "item without a label of the judge", "items without a label of the judge")
    what = "counted as wrong" if judged.wrong else "left out"
    one, several = f"label outside the categories {what}", f"labels outside the categories {what}"
    notes.count(judged.n_invalid.ravel(), one, several)
    if not as_names:
        return
    alone = judged.unshared() * judged.n_groups
    notes.each(f"labels that no human used: {', '.join(map(shown, labels[:3]))}" if labels else "" for labels in alone)

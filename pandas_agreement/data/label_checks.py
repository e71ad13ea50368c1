"""What is odd about labels, found in the categories: look-alikes, sets that were not split, ratios of positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pandas_agreement.data.labels import REAL, CategorySet, spellings
from pandas_agreement.errors import Remark

MAX_COMPARED_LABELS = 4096  # more different texts are no categories
MAX_SHOWN = 3  # sets of look-alikes that a message shows
SEPARATORS = ("|", ";", ",")  # of several labels in a cell


def check_labels(category_set: CategorySet, sets: bool = False) -> list[Remark]:
    """What is odd about the labels; `sets` says that cells were read as sets."""
    return unsplit_sets(category_set) if sets else look_alikes(category_set)


def look_alikes(category_set: CategorySet) -> list[Remark]:
    """Labels that differ only in case, blanks or type, unless the categories are declared."""
    if category_set.declared or len(category_set) > MAX_COMPARED_LABELS or category_set.labels.dtype.kind in "iufb":
        return []
    labels = category_set.labels.tolist()
    twins = [alike for alike in group_alikes(labels).values() if len(alike) > 1]
    if not twins:
        return []
    shown = ", ".join(" and ".join(map(repr, alike)) for alike in twins[:MAX_SHOWN])
    more = f" and {len(twins) - MAX_SHOWN} more such sets" if len(twins) > MAX_SHOWN else ""
    n = sum(map(len, twins))
    problem = f"{n} labels differ only in case, blanks or type and count as different: {shown}{more}"
    numbers = any(isinstance(label, REAL) for alike in twins for label in alike)
    remedy = f"make them one, for instance with {'.astype(str)' if numbers else '.str.strip().str.lower()'}"
    return [Remark(problem, f"{remedy}, or list all labels in categories=[...]", code="look-alike labels")]


def group_alikes(labels: Iterable[Any]) -> Mapping[str, list[Any]]:
    """Labels by what they are but for case, blanks and type.

    >>> dict(group_alikes(["Bug", "bug ", 1, "1.0"]))
    {'bug': ['Bug', 'bug '], '1': [1, '1.0']}
    """
    numbers = {text: label for label in labels if isinstance(label, REAL) for text in spellings(label)}
    groups: dict[str, list[Any]] = {}
    for label in labels:
        if isinstance(label, (str, *REAL)):
            text = " ".join(str(label).split()).casefold()
            groups.setdefault(str(numbers.get(text, text)), []).append(label)
    return groups


def unsplit_sets(category_set: CategorySet) -> list[Remark]:
    """Texts such as "x|y" that were each taken for a set of one label."""
    labels = category_set.labels
    if category_set.declared or len(labels) > MAX_COMPARED_LABELS or any(len(one) > 1 for one in labels):
        return []
    texts = [text for one in labels for text in one if isinstance(text, str)]
    mark = next((mark for mark in SEPARATORS if _is_separator(mark, texts)), None)
    if mark is None:
        return []
    first = next(text for text in texts if mark in text)
    problem = f"cells such as {first!r} were taken for a single label each"
    return [
        Remark(
            problem,
            f"if they hold several, name what separates them: sep={mark!r}",
            code="sets without sep",
        )
    ]


def _is_separator(mark: str, texts: Sequence[str]) -> bool:
    """Whether a part of some texts is found again as a part of others."""
    parts = [part.strip() for text in texts for part in set(text.split(mark))]
    return any(mark in text for text in texts) and len(set(parts)) < len(parts)


def check_ratio(category_set: CategorySet, listed: bool, asked: Mapping[str, object]) -> list[Remark]:
    """A ratio of positions in an order; `asked` holds the weights and the level of the call."""
    option = next(
        (name for name in ("level", "weights") if isinstance(asked[name], str) and asked[name] == "ratio"), None
    )
    if option is None or not category_set.ordered:
        return []
    numbers = category_set.numbers()
    if listed and numbers is not None:
        return []
    problem = f"{option}='ratio' compares positions in the order of the categories, which have no zero"
    method = "alpha" if option == "level" else "kappa"
    remedy = f"for an order write df.agree.{method}({option}='ordinal')"
    if numbers is not None:
        remedy += ", for the numbers list them as categories=[...]"
    return [Remark(problem, remedy, code="ratio of positions")]

"""What `df.agree.judges(...)` reads: the labels of judges and people, references, and runs of a judge."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.accessor.base import Base, OfSource
from pandas_agreement.accessor.names import JUDGES_CALL
from pandas_agreement.accessor.truth import Truth
from pandas_agreement.data import Reading
from pandas_agreement.data.reading import Cells, check_each, columns_of, set_cells
from pandas_agreement.errors import ColumnError, InputError, plain, shown, wrong_value
from pandas_agreement.judges.panel import Judged, Roles, declared, mark_outside, with_outside
from pandas_agreement.options import Options

#: words for a reference that is made of the humans' labels
VOTES = {"majority": "the vote of the humans", "consensus": "the majority label of the humans"}


def _as_they_are(column: pd.Series) -> pd.Series:
    """Cells are labels, unless a level compares sets."""
    return column


def _repeated_key(where: str, keys: pd.Index) -> InputError:
    """The error for an index with an entry that occurs twice."""
    problem = f"reference= is matched by index, and {where} has {shown(plain(keys[keys.duplicated()][0]))} twice"
    return InputError(problem, "give every item one entry", option="reference", code="repeated name")


def _check_keys(known: pd.Index, keys: pd.Index, where: str) -> None:
    """Raise for the index of known labels that does not fit the items."""
    if not known.is_unique:
        raise _repeated_key("its index", known)
    if any(name is not None for name in known.names) and list(known.names) != list(keys.names):
        called = [shown(name[0] if len(name) == 1 else list(name)) for name in (known.names, keys.names)]
        problem = f"reference= has an index called {called[0]}, and {where} is called {called[1]}"
        remedy = f"if both mean the same, write .rename_axis({called[1]}); else index both by the same key"
        raise InputError(problem, remedy, option="reference", code="unknown column")
    if known.nlevels != keys.nlevels or not keys.isin(known).any():
        first = [", ".join(shown(plain(key)) for key in index[:3]) or "nothing" for index in (known, keys)]
        problem = f"reference= is matched by index, and has no entry of {where}: {first[0]} beside {first[1]}"
        raise InputError(problem, "index it by item, as in gold.set_index(...)['label']", option="reference")


class JudgesData(OfSource):
    """The data of judges and people, and who is who."""

    __slots__ = ("_roles",)

    def __init__(self, source: Base, roles: Roles) -> None:
        super().__init__(source)
        self._roles = roles

    def _judged(
        self, method: str, options: Options, others: Sequence[Hashable] = (), least: int = 1, known: bool = False
    ) -> Judged:
        """Read judges, humans and `others` for a method; `known` if the others are columns of long data."""
        roles = self._roles
        if roles.run is not None:
            problem = f"{method} needs one label per item and judge, and run= says that there are several"
            raise InputError(problem, "choose one run, as in df[df['seed'] == 1]", option="run", code="several runs")
        if not roles.humans:
            raise InputError(
                f"{method} compares with humans, and humans= is empty", f"write {JUDGES_CALL}", option="humans"
            )
        if len(roles.humans) < least:
            problem = f"{method} needs {least} humans or more, and got {shown(list(roles.humans))}"
            raise InputError(problem, f"write {JUDGES_CALL}", option="humans", code="too few coders")
        source, categories, marked = self._marked(set_cells(options.level, options.sep) or _as_they_are)
        named = with_outside(categories) if marked else categories
        options = options if named is None else options.but(categories=named)
        for name in others if known else ():
            source, options = source._with_known(name, options)
        reading = source._read([*roles.judges, *roles.humans, *others], options, needs_coders=method, rows=True)
        return Judged.of(reading, roles, categories, marked)

    def _names(self) -> dict[str, list[Any]]:
        """The names that may stand for labels: of columns, and of the coders in long data."""
        columns, long = self._frame.columns.tolist(), self._source._long_columns
        if long is None:
            return {"column": columns}
        keys = [*(long[0] if isinstance(long[0], list) else [long[0]]), *long[1:]]
        coders = columns_of(self._frame, [long[1]])[0].dropna().unique().tolist()
        return {"coder": list(map(plain, coders)), "column": [name for name in columns if name not in keys]}

    def _marked(self, cells: Cells) -> tuple[Base, Any, bool]:
        """The data with labels outside the declared categories marked, the categories, and whether there are such.

        `cells` converts a column of cells to labels.
        """
        frame, roles, source = self._frame, self._roles, self._source
        if source._long_columns is not None:
            _, coder, label = source._long_columns
            who, column = columns_of(frame, [coder, label])
            if roles.categories is None:  # of one column, whose categories are those of judges and humans
                return source, None, False
            column = cells(column)
            rows = who.isin(list(roles.judges)).to_numpy()
            changed = {label: mark_outside(column, who, roles.categories, roles.invalid, rows)}
            changed = {} if changed[label] is column else changed
            return self._replaced(changed), roles.categories, bool(changed)
        humans = [cells(column) for column in columns_of(frame, roles.humans)]
        categories = declared(humans, roles.humans, roles.categories)
        if categories is None:
            return source, None, False
        columns = [cells(column) for column in columns_of(frame, roles.judges)]
        marked = [
            mark_outside(column, name, categories, roles.invalid)
            for name, column in zip(roles.judges, columns, strict=True)
        ]
        changed = {name: new for name, old, new in zip(roles.judges, columns, marked, strict=True) if new is not old}
        return self._replaced(changed), categories, bool(changed)

    def _replaced(self, columns: dict[Hashable, pd.Series]) -> Base:
        """The data with some columns replaced, in a frame of its own."""
        if not columns:
            return self._source
        frame = self._frame.copy(deep=False)
        for name, column in columns.items():
            frame[name] = column.array
        return self._source._on(frame)

    def _against(self, method: str, reference: Any, options: Options) -> tuple[Judged, Hashable]:
        """The reading for a method with a reference, and this reference."""
        if isinstance(reference, pd.Series):
            source, name = self._with_labels(reference)
            return type(self)(source, self._roles)._against(method, name, options)
        self._refuse_labels(reference)
        roles, reference = self._roles, plain(reference)
        if reference is None:
            problem = f"{method} needs a reference"
            remedy = "give reference=, such as 'majority', one of the humans or a column of known labels"
            remedy += ", or by_human=True for each human" if method == "error_rates" else ""
            raise InputError(problem, remedy, option="reference", code="missing option")
        check_each([reference])
        if reference in roles.judges:
            problem = f"reference={shown(reference)} is a judge, and a judge is no reference for itself"
            raise InputError(problem, "name a human or a column of known labels", option="reference")
        if reference not in VOTES:
            known = self._is_known_labels(reference)
            others = [] if reference in roles.humans else [reference]
            return self._judged(method, options, others, known=known), reference
        self._check_free(reference)
        least = 1 if method == "error_rates" and reference == "majority" else 2
        return self._judged(method, options, least=least), reference

    def _refuse_labels(self, reference: Any) -> None:
        """Raise for labels in place of their name, and first for labels that were inferred with a judge."""
        inside: list[Any] = []
        if isinstance(reference, Truth):  # without names it has all coders
            inside = [judge for judge in self._roles.judges if judge in (reference._coders or self._roles.judges)]
        if inside:
            problem = f"the consensus contains the judge {shown(inside[0])}, and a judge is no reference for itself"
            remedy = f"infer the labels from the humans alone: truth({', '.join(map(shown, self._roles.humans))})"
            raise InputError(problem, remedy, option="reference", column=inside[0], code="contains the judge")
        if isinstance(reference, (Truth, pd.DataFrame)):
            problem = f"reference= takes a name or a Series of labels, and got a {type(reference).__name__}"
            remedy = "choose its column of labels, as in truth.by_item()['label']"
            raise InputError(problem, remedy, option="reference", code="wrong format")

    def _with_labels(self, known: pd.Series) -> tuple[Base, Hashable]:
        """The data with known labels as a column, matched by the frame's index or in long data by item; its name."""
        frame, long = self._frame, self._source._long_columns
        keys, where = (frame.index, "the index of the frame") if long is None else (self._items(), "the item column")
        if long is None and not keys.is_unique:
            raise _repeated_key(where, keys)
        _check_keys(known.index, keys, where)
        taken = {*frame.columns, *self._roles.judges, *self._roles.humans, *VOTES}
        taken.update(*self._names().values())
        name: Hashable = "known labels" if known.name is None else known.name
        while name in taken:
            name = f"{name} (known)"
        return self._replaced({name: known.reindex(keys)}), name

    def _items(self) -> pd.Index:
        """The item of each row of long data."""
        names: Any = self._source._long_columns
        items = columns_of(self._frame, names[0] if isinstance(names[0], list) else [names[0]])
        return pd.MultiIndex.from_arrays(items) if len(items) > 1 else pd.Index(items[0])

    def _by_item(self, name: Hashable, reading: Reading) -> pd.Series:
        """A column of the frame by item of a reading; in long data it is missing or the same in all rows of an item."""
        column = columns_of(self._frame, [name])[0]
        if self._source._long_columns is None:
            return column if reading.rows is None else column.iloc[reading.rows]
        rows = pd.Series(column.array, index=self._items()).dropna()
        first = rows[~rows.index.duplicated()]
        if not first.reindex(rows.index).equals(rows):
            raise InputError(
                f"the values in {shown(name)} differ within an item", "give each item one value", column=name
            )
        return first.reindex(reading.items)

    def _check_columns(self, columns: Sequence[Hashable]) -> None:
        """Raise without columns that describe the items, and for one that holds labels."""
        if not columns:
            problem = (
                "bias needs the columns that may explain the difference between judge and humans, and none is named"
            )
            raise InputError(problem, "name them, as in bias('length', 'family')", code="missing option")
        labels = [name for name in columns if name in (*self._roles.judges, *self._roles.humans)]
        if labels:
            problem = f"{shown(labels[0])} is a judge or a human, and bias takes columns that describe the items"
            raise InputError(problem, "name other columns", column=labels[0])

    def _check_free(self, word: str) -> None:
        """Raise where a column, or in long data a coder, has the name of a vote."""
        for what, names in self._names().items():
            if word in names:
                problem = f"reference={word!r} is {VOTES[word]}, and a {what} has this name as well"
                raise InputError(problem, f"rename the {what}", option="reference", column=word, code="name taken")

    def _is_known_labels(self, reference: Hashable) -> bool:
        """Whether a reference of long data is a column, not a coder."""
        names = self._names()
        if "coder" not in names:
            return False
        found = [what for what in names if reference in names[what]]
        if len(found) > 1:
            problem = f"reference={shown(reference)} is a coder, and a column has this name as well"
            raise InputError(problem, "rename the column", option="reference", column=reference, code="name taken")
        if not found and reference in self._frame.columns:
            problem = f"reference={shown(reference)} is a column of items, coders or labels, not of known labels"
            raise InputError(problem, "name a coder or another column", option="reference", column=reference)
        if not found:
            raise ColumnError.missing(reference, [*names["coder"], *names["column"]], "coder or column")
        return found == ["column"]

    def _runs(self, runs: Any) -> tuple[Base, list[Any], list[tuple[Hashable, list[int]]]]:
        """The data with one coder per run, these coders, and the numbers of those of each judge."""
        roles = self._roles
        if roles.run is not None:
            return self._long_runs(runs)
        if self._source._long_columns is not None and runs is None and len(roles.judges) == 1:
            problem = "stability needs the column that tells the runs of a judge apart"
            raise InputError(problem, "write judges('gpt', humans=[...], run='seed')", option="run")
        if runs is None:
            return self._source, list(roles.judges), [(roles.judges[0], list(range(len(roles.judges))))]
        if not isinstance(runs, Mapping) or not runs:
            raise wrong_value("runs", runs, "must be a dict of judges and their runs, as {'gpt': ['gpt_1', 'gpt_2']}")
        found = []
        for judge, columns in runs.items():
            if isinstance(columns, str) or not isinstance(columns, (list, tuple)):
                raise wrong_value("runs", runs, "must have a list of names for every judge")
            for name in columns:
                if name not in roles.judges:
                    problem = f"runs= has {shown(name)}, which is not among the judges"
                    raise InputError(problem, "name all runs in judges(...)", option="runs", code="unknown column")
            found.append((judge, [roles.judges.index(name) for name in columns]))
        return self._source, list(roles.judges), found

    def _long_runs(self, runs: Any) -> tuple[Base, list[Any], list[tuple[Hashable, list[int]]]]:
        """Long data: a coder is a judge and a run."""
        roles, frame, columns = self._roles, self._frame, self._source._long_columns
        if runs is not None or columns is None:
            raise InputError("runs= is for wide data, and run= names the column of the runs", option="runs")
        who, run = columns_of(frame, [columns[1], roles.run])
        of_judge = who.isin(list(roles.judges)).to_numpy()
        lost = of_judge & run.isna().to_numpy()
        if lost.any():
            problem = f"{int(lost.sum())} rows of judges have no {shown(roles.run)}"
            raise InputError(problem, "every label of a judge needs a run", option="run", code="missing key")
        pairs = list(zip(map(plain, who.tolist()), map(plain, run.tolist()), strict=True))
        coder = np.empty(len(frame), dtype=object)
        coder[:] = [pair if own else pair[0] for pair, own in zip(pairs, of_judge.tolist(), strict=True)]
        seen = list(dict.fromkeys(pair for pair, own in zip(pairs, of_judge.tolist(), strict=True) if own))
        found = [(judge, [place for place, pair in enumerate(seen) if pair[0] == judge]) for judge in roles.judges]
        absent = [judge for judge, places in found if not places]
        if absent:
            raise ColumnError.missing(absent[0], list(dict.fromkeys(map(plain, who.dropna().tolist()))), "coder")
        return self._replaced({columns[1]: pd.Series(coder, dtype=object)}), seen, found

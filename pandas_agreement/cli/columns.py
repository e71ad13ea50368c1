# ----------------------------------------------------------------------------------------------- the columns


def known_columns(frame: pd.DataFrame, named: Mapping[str, Sequence[str]]) -> None:
    """Check that the columns named by each option exist, and only once."""
    for option, names in named.items():
        for name in names:
            if name not in frame.columns:
                found = _separator_hint(frame) or nearest(name, frame.columns)
                raise ColumnError(f"{option}: no column {name!r}{found}")
        twice = [name for name in names if list(names).count(name) > 1]
        if twice:
            raise InputError(f"{option}: column {twice[0]!r} is named twice")


def _separator_hint(frame: pd.DataFrame) -> str:
    """A single column whose name holds a separator: the cells were not taken apart."""
    name = str(frame.columns[0])
    found = [mark for mark in (";", "\t", "|", ",") if mark in name] if len(frame.columns) == 1 else []
    return f"; the only column is {name!r}: should it be --sep {found[0]!r}?" if found else ""


def guess_coders(frame: pd.DataFrame, by: Sequence[str]) -> list[str]:
    """All columns but the keys, unless one does not look like a coder: then the user has to say.

    A coder's column shares labels with another coder's. Names and texts differ from row to row.
    """
    hint = _separator_hint(frame)
    if hint:
        raise InputError(hint.removeprefix("; "))
    columns = [str(name) for name in frame.columns if name not in by]
    values = {name: set(frame[name].dropna().astype(str)) for name in columns}
    odd = [name for name in columns if _is_odd(name, values, int(frame[name].notna().sum()))]
    likely = [name for name in columns if name not in odd]
    if not odd and len(likely) > 1:
        return likely
    if len(likely) > 1:
        remedy = f"name the coders: --coders {' '.join(likely)}"
    else:
        remedy = "name the columns: --coders A B, or, for a row a judgment, --item I --coder C --label L"
    listed = ", ".join(map(repr, odd or columns))
    why = "all values differ, or no other column shares them"
    raise InputError(f"not every column looks like a coder's: {listed} ({why}); {remedy}")


def _is_odd(name: str, values: Mapping[str, set[str]], n: int) -> bool:
    own = values[name]
    shared = any(own & others for other, others in values.items() if other != name)
    return bool(own) and (not shared or (n >= FEW and len(own) == n))


def as_numbers(frame: pd.DataFrame, columns: Sequence[Hashable]) -> pd.DataFrame:
    """Turn the columns to numbers if every cell of all of them is a number or empty; else leave them alone.

    Together, because the same label must not be 1 in one column and "1" in the next.
    """
    if not all(_is_numeric(frame[name]) for name in columns):
        return frame
    return frame.assign(**{str(name): pd.to_numeric(frame[name]) for name in columns})


def _is_numeric(column: pd.Series) -> bool:
    if is_numeric_dtype(column.dtype):
        return not is_bool_dtype(column.dtype)
    cells = column.dropna()
    plain = not isinstance(column.dtype, pd.CategoricalDtype) and set(map(type, cells)) <= {str}
    return plain and all(map(is_number, cells.unique()))


def is_number(text: str) -> bool:
    """Whether a cell is written like a number; nan, inf and 007 are not."""
    return NUMBER.fullmatch(text) is not None and CODE.match(text) is None

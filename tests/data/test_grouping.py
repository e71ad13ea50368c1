"""Groups of rows, compared with what groupby itself says about every row."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from pandas_agreement.data.grouping import RESERVED, Groups, from_groupby, group_rows
from pandas_agreement.errors import AgreementWarning, ColumnError, InputError, counted
from pandas_agreement.results.schemas import RESULT
from tests.data_sets import scores


def make_frame():
    """Keys of all sorts, with gaps, unused categories, and an index that is neither sorted nor unique."""
    return pd.DataFrame(
        {
            "cat": pd.Categorical(["b", "a", "b", None, "a", "y", "b", "b"], categories=["x", "b", "a", "y"]),
            "size": pd.Categorical(["L", "S", "S", "L", None, "L", "L", "S"], categories=["S", "M", "L"], ordered=True),
            "text": ["u", "v", None, "u", "v", "v", "u", "v"],
            "whole": [3, 1, 3, 7, 1, 1, 3, 3],
            "float": [2.0, np.nan, 1.0, 1.0, 2.0, 2.0, 2.0, np.nan],
            "value": np.arange(8) * 10,
        },
        index=[5, 5, 2, 1, 0, 3, 5, 9],
    )


KEYS = ["cat", "size", "text", "whole", "float"]
ONE_OR_TWO = [[key] for key in KEYS] + [list(pair) for pair in itertools.combinations(KEYS, 2)]


def positions_of(groups: Groups) -> dict[int, list[int]]:
    return {code: np.flatnonzero(groups.codes == code).tolist() for code in range(len(groups.index))}


def same_key(label, key):
    label = label if isinstance(label, tuple) else (label,)
    return all((pd.isna(a) and pd.isna(b)) or a == b for a, b in zip(label, key, strict=True))


def check(groups, frame, by, dropna, index):
    """Every row is in the group whose key it has, and the groups are those of `index`."""
    pd.testing.assert_index_equal(groups.index, index)
    keys = list(frame[by].itertuples(index=False, name=None))
    assert groups.codes.dtype == np.intp
    assert len(groups.codes) == len(frame)
    for code, key in zip(groups.codes.tolist(), keys, strict=True):
        if code < 0:
            assert dropna
            assert any(pd.isna(part) for part in key)
        else:
            assert same_key(groups.index[code], key)


@pytest.mark.parametrize("by", ONE_OR_TWO, ids="-".join)
@pytest.mark.parametrize("as_index", [True, False])
def test_a_groupby_object_is_honoured(by, as_index):
    frame = make_frame()
    for observed, sort, dropna in itertools.product([True, False], repeat=3):
        settings = {"observed": observed, "sort": sort, "dropna": dropna}
        groups = from_groupby(frame.groupby(by, as_index=as_index, **settings))
        grouped = frame.groupby(by, **settings)
        check(groups, frame, by, dropna, grouped.size().index)
        assert groups.columns == set(by)
        lengths = np.bincount(groups.codes[groups.codes >= 0], minlength=len(groups.index))
        assert lengths.tolist() == grouped.size().tolist()


@pytest.mark.parametrize("by", ONE_OR_TWO, ids="-".join)
@pytest.mark.filterwarnings("ignore::pandas_agreement.errors.AgreementWarning")
def test_by_names(by):
    frame = make_frame()
    grouped = frame.groupby(by, observed=True, sort=True, dropna=True)
    groups = group_rows(frame, by)
    check(groups, frame, by, True, grouped.size().index)
    assert groups.columns == set(by)
    sums = grouped[["value"]].apply(lambda part: sorted(part["value"].tolist()))
    assert [[row * 10 for row in rows] for rows in positions_of(groups).values()] == sums.tolist()
    if len(by) == 1:
        alone = group_rows(frame, by[0])
        pd.testing.assert_index_equal(alone.index, groups.index)
        assert alone.codes.tolist() == groups.codes.tolist()


DTYPES = {
    "bool": pd.Series([True, False, True]),
    "boolean": pd.Series([True, None, False], dtype="boolean"),
    "int8": pd.Series([-128, 127, 0], dtype="int8"),
    "uint8": pd.Series([255, 0, 7], dtype="uint8"),
    "uint64": pd.Series([2**64 - 1, 2**64 - 3, 2**64 - 1], dtype="uint64"),
    "int64 far apart": pd.Series([-(2**62), 2**62, 0]),
    "int64 at the end": pd.Series([2**63 - 1, 2**63 - 2, 2**63 - 1]),
    "Int64": pd.Series([3, None, 1], dtype="Int64"),
    "float32": pd.Series([0.5, np.nan, -1.0], dtype="float32"),
    "string": pd.Series(["b", None, "a"], dtype="string"),
    "object": pd.Series(["b", None, "a"], dtype=object),
    "mixed": pd.Series(["b", 2, "a"], dtype=object),
    "integers as object": pd.Series([2, None, 1], dtype=object),
    "dates": pd.Series(pd.to_datetime(["2024-01-02", None, "2024-01-01"])),
    "time zone": pd.Series(pd.to_datetime(["2024-01-02", None, "2024-01-01"])).dt.tz_localize("UTC"),
    "durations": pd.Series(pd.to_timedelta([2, None, 1], unit="D")),
    "periods": pd.Series(pd.PeriodIndex(["2024-02", "NaT", "2024-01"], freq="M")),
    "intervals": pd.Series([pd.Interval(1, 2), pd.Interval(0, 1), pd.Interval(1, 2)]),
    "Categorical": pd.Series(["b", None, "a"], dtype=pd.CategoricalDtype(["b", "x", "a"])),
    "Categorical all used": pd.Series(["b", None, "a"], dtype=pd.CategoricalDtype(["b", "a"], ordered=True)),
    "Categorical none used": pd.Series([None, None, None], dtype=pd.CategoricalDtype(["b", "a"])),
    "all missing": pd.Series([np.nan, np.nan, np.nan]),
}


@pytest.mark.parametrize("key", DTYPES.values(), ids=DTYPES)
@pytest.mark.parametrize("rows", [3, 0])
@pytest.mark.filterwarnings("ignore::pandas_agreement.errors.AgreementWarning")
def test_one_column_gives_what_groupby_gives(key, rows):
    frame = pd.DataFrame({"key": key, "value": 1}).iloc[:rows]
    groups = group_rows(frame, "key")
    grouped = frame.groupby("key", observed=True, sort=True, dropna=True)
    pd.testing.assert_index_equal(groups.index, grouped.size().index)
    assert groups.codes.tolist() == grouped.ngroup().fillna(-1).tolist()


def test_many_groups():
    rng = np.random.default_rng(3)
    number = rng.integers(0, 500, 20_000)
    expected = pd.Series(number).groupby(number).ngroup().to_numpy()
    for key in (number, number * 7 - 100, pd.Categorical(number, categories=np.arange(600)), number.astype(str)):
        frame = pd.DataFrame({"key": key})
        groups = group_rows(frame, "key")
        grouped = frame.groupby("key", observed=True)
        pd.testing.assert_index_equal(groups.index, grouped.size().index)
        assert (groups.codes == grouped.ngroup().to_numpy()).all()
    assert (group_rows(pd.DataFrame({"key": number}), "key").codes == expected).all()


# --------------------------------------------------------------------------------------------- everything groupby takes
def small():
    return pd.DataFrame({"batch": ["q", "p", "q", "p"], "ann": [1, 2, 3, 4]}, index=["w", "xx", "y", "zz"])


ANY = {
    "function": (len, "group", [1, 2], [0, 1, 0, 1], set()),
    "dict": ({"w": "one", "xx": "two", "y": "one", "zz": "two"}, "group", ["one", "two"], [0, 1, 0, 1], set()),
    "array": (np.array([5, 5, 3, 3]), "group", [3, 5], [1, 1, 0, 0], set()),
    "list of values": ([5, 5, 3, 3], "group", [3, 5], [1, 1, 0, 0], set()),
    "list of one array": ([np.array([5, 5, 3, 3])], "group", [3, 5], [1, 1, 0, 0], set()),
    "Index": (pd.Index([5, 5, 3, 3], name="half"), "half", [3, 5], [1, 1, 0, 0], set()),
    "Categorical": (pd.Categorical(["b", "b", "a", "b"]), "group", ["a", "b"], [1, 1, 0, 1], set()),
    "Series": (pd.Series([5, 5, 3, 3], index=list(small().index), name="half"), "half", [3, 5], [1, 1, 0, 0], set()),
    "Series that is a column": (small()["batch"], "batch", ["p", "q"], [1, 0, 1, 0], {"batch"}),
    "Series made from a column": (small()["ann"] > 2, "ann", [False, True], [0, 0, 1, 1], set()),
    "Grouper of a column": (pd.Grouper(key="batch"), "batch", ["p", "q"], [1, 0, 1, 0], {"batch"}),
    "name": ("batch", "batch", ["p", "q"], [1, 0, 1, 0], {"batch"}),
    "list of one name": (["batch"], "batch", ["p", "q"], [1, 0, 1, 0], {"batch"}),
}


@pytest.mark.parametrize(("by", "name", "labels", "codes", "columns"), ANY.values(), ids=ANY)
def test_whatever_groupby_takes(by, name, labels, codes, columns):
    keys = [by] if isinstance(by, pd.Grouper) else by  # alone, a Grouper decides itself whether to sort
    for groups in (group_rows(small(), by), from_groupby(small().groupby(keys, observed=True))):
        assert not isinstance(groups.index, pd.MultiIndex)
        assert groups.index.name == name
        assert groups.index.tolist() == labels
        assert groups.codes.tolist() == codes
        assert groups.columns == columns


@pytest.mark.parametrize(
    ("by", "names", "columns"),
    [
        (["batch", len], ["batch", "group"], {"batch"}),
        ([np.array([1, 1, 2, 2]), len, "batch"], ["group_0", "group_1", "batch"], {"batch"}),
        ([pd.Grouper(key="batch"), "ann"], ["batch", "ann"], {"batch", "ann"}),
        (["ann", ["m", "n", "m", "n"]], ["ann", "group"], {"ann"}),
    ],
)
def test_several_keys_of_all_sorts(by, names, columns):
    groups = group_rows(small(), by)
    assert list(groups.index.names) == names
    assert groups.columns == columns
    grouped = small().groupby(by)
    assert groups.index.tolist() == grouped.size().index.tolist()
    assert groups.codes.tolist() == grouped.ngroup().tolist()


def test_index_levels():
    frame = small().set_index("batch", append=True)
    for groups in (group_rows(frame, "batch"), from_groupby(frame.groupby(level="batch"))):
        assert groups.index.name == "batch"
        assert groups.codes.tolist() == [1, 0, 1, 0]
        assert groups.columns == frozenset()
    assert from_groupby(frame.groupby(level=0)).index.name == "group"
    assert from_groupby(frame.groupby(level=[1, 0])).index.names == ["batch", "group"]


@pytest.mark.parametrize("by", [("k", "batch"), [("k", "batch")]])
def test_tuple_names(by):
    frame = small()
    frame.columns = pd.MultiIndex.from_tuples([("k", "batch"), ("k", "ann")])
    groups = group_rows(frame, by)
    assert groups.index.name == ("k", "batch")
    assert groups.codes.tolist() == [1, 0, 1, 0]
    assert groups.columns == {("k", "batch")}


def days():
    dates = pd.to_datetime(["2024-01-03", "2024-01-01", "2024-01-05", "2024-01-01", "2024-01-03"])
    return pd.DataFrame({"date": dates, "site": list("ababa"), "ann": range(5)}, index=[3, 3, 1, 0, 2])


def test_periods_of_time_leave_the_rows_where_they_are():
    groups = group_rows(days(), pd.Grouper(key="date", freq="D"))
    assert groups.codes.tolist() == [2, 0, 4, 0, 2]
    assert groups.index.tolist() == pd.date_range("2024-01-01", "2024-01-05").tolist()  # empty days are groups
    assert (groups.index.name, groups.columns) == ("date", {"date"})


def test_periods_of_time_with_another_key():
    groups = group_rows(days(), [pd.Grouper(key="date", freq="2D"), "site"])
    day = pd.Timestamp("2024-01-01")
    keys = [(day + pd.Timedelta(f"{2 * (d - 1) // 2}D"), s) for d, s in zip([3, 1, 5, 1, 3], "ababa", strict=True)]
    assert [groups.index[code] for code in groups.codes] == keys


@pytest.mark.parametrize("sort", [True, False])
def test_groupers_among_other_keys(sort):
    """Iterating `frame.groupby([pd.Grouper(key="batch", sort=True), "ann"])` puts rows into groups of other keys."""
    by = ["ann", pd.Grouper(key="batch", sort=sort), pd.Grouper(level=0, sort=sort)]
    frame = small().assign(ann=[1, 1, 2, 2])
    keys = list(zip(frame["ann"], frame["batch"], frame.index, strict=True))
    for groups in (group_rows(frame, by), from_groupby(frame.groupby(by))):
        assert [groups.index[code] for code in groups.codes] == keys
        assert groups.columns == {"ann", "batch"}


@pytest.mark.parametrize("grouper", [pd.Grouper(freq="D"), pd.Grouper(level="date", freq="D")], ids=["index", "level"])
@pytest.mark.parametrize("alone", [True, False])
def test_periods_of_time_in_the_index(grouper, alone):
    frame = days().set_index("date")
    groups = group_rows(frame, grouper if alone else [grouper, "site"])
    assert groups.index.get_level_values(0)[groups.codes].tolist() == frame.index.tolist()
    assert groups.columns == (set() if alone else {"site"})


@pytest.mark.parametrize("as_index", [True, False])
@pytest.mark.parametrize("key", [pd.Grouper(key="site"), pd.Grouper(key="site", sort=True)], ids=["unsorted", "sorted"])
def test_a_grouper_alone_decides_whether_to_sort(key, as_index):
    grouped = days().groupby(key, as_index=as_index)
    groups = from_groupby(grouped)
    assert groups.index.tolist() == days().groupby(key).size().index.tolist()
    assert grouped.obj["site"].tolist() == [groups.index[code] for code in groups.codes]


@pytest.mark.parametrize("as_index", [True, False])
def test_a_groupby_by_time_sorts_its_own_frame(as_index):
    grouped = days().groupby(pd.Grouper(key="date", freq="D"), as_index=as_index)
    groups = from_groupby(grouped)
    assert grouped.obj["date"].tolist() == [groups.index[code] for code in groups.codes]


def test_a_selection_of_columns_does_not_matter():
    groups = from_groupby(small().groupby("batch")[["ann"]])
    assert (groups.codes.tolist(), groups.columns) == ([1, 0, 1, 0], {"batch"})


def test_position_counts_not_the_index():
    frame = make_frame()
    expected = group_rows(frame, "whole").codes.tolist()
    for index in (range(8), range(8, 0, -1), ["same"] * 8):
        assert group_rows(frame.set_axis(index), "whole").codes.tolist() == expected
        assert from_groupby(frame.set_axis(index).groupby("whole")).codes.tolist() == expected


def test_a_series_is_matched_by_its_index_as_in_groupby():
    key = pd.Series([1, 2, 3, 3], index=["zz", "y", "xx", "w"], name="half")
    assert group_rows(small(), key).codes.tolist() == [2, 2, 1, 0]


@pytest.mark.parametrize("by", ["batch", ["batch", "ann"], len, lambda label: label])
def test_an_empty_frame_has_no_groups(by):
    groups = group_rows(small().iloc[:0], by)
    assert (len(groups.codes), len(groups.index)) == (0, 0)


def test_the_frame_is_not_changed():
    frame = make_frame()
    before = frame.copy(deep=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for by in [*ONE_OR_TWO, lambda label: label % 2, pd.Grouper(key="text")]:
            codes = group_rows(frame, by).codes
            codes[:] = 0
            from_groupby(frame.groupby(by, observed=False)).codes[:] = 0
    pd.testing.assert_frame_equal(frame, before)


# ---------------------------------------------------------------------------------------------- warnings and errors
@pytest.mark.parametrize(
    ("by", "lost", "shown"),
    [
        ("text", 1, "'text'"),
        (["text"], 1, "['text']"),
        (["float", "text"], 3, "['float', 'text']"),
        ({5: "a"}, 5, "..."),
    ],
)
def test_rows_without_a_key(by, lost, shown):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        groups = group_rows(make_frame(), by)
    assert (groups.codes == -1).sum() == lost
    of = "of 8 rows"
    which = counted(lost, f"{of} has no group key and is left out", f"{of} have no group key and are left out")
    assert [(w.category, str(w.message)) for w in caught] == [
        (
            AgreementWarning,
            f"{which}. df.groupby({shown}, dropna=False).agree makes them a group of their own.",
        )
    ]


def test_a_groupby_object_that_drops_rows_is_taken_at_its_word():
    assert (from_groupby(make_frame().groupby("text")).codes == -1).sum() == 1


def raises(error, message, frame, by):
    with pytest.raises(error) as caught:
        group_rows(frame, by)
    assert str(caught.value) == message


UNKNOWN = "No column 'bach'. Did you mean 'batch'?"
#: frame, by= and the message
REFUSED = [
    *((small(), by, UNKNOWN) for by in ("bach", ["bach"], ["ann", "bach"], ["ann", "batch", "bach", "ann"])),
    (small().iloc[:1], ["bach"], UNKNOWN),
    (small().rename_axis("doc"), 7, "No column 7. There are: 'batch', 'ann', 'doc'."),
    (small(), ("batch", "ann"), "by=('batch', 'ann') is a single name. Several keys are a list: by=['batch', 'ann']."),
    (pd.concat([small(), small()], axis=1), "batch", "by='batch' stands for 2 columns. A key is one column."),
    (
        small().rename_axis("ann"),
        "ann",
        "by='ann' cannot group the rows: 'ann' is both an index level and a column label, which is ambiguous.",
    ),
    (
        pd.DataFrame({"batch": [["a"], ["b"]]}),
        "batch",
        "by='batch' cannot group the rows: unhashable type: 'list'.",
    ),
    (small(), np.array([1, 2]), "by=... cannot group the rows: Grouper and axis must be same length."),
    (small(), [], "by=[] cannot group the rows: No group keys passed!"),
    (small(), ["batch", "batch"], "Two group keys are called 'batch'. Rename one of them."),
]


@pytest.mark.parametrize(("frame", "by", "message"), REFUSED, ids=[case[2] for case in REFUSED])
def test_what_is_refused(frame, by, message):
    raises(ColumnError if message.startswith("No column") else InputError, message, frame, by)


RENAMES = {
    "column": (small().rename(columns={"batch": "coder"}), "coder", "df.rename(columns={'coder': 'coder_key'})"),
    "level": (small().rename_axis("coder"), "coder", "df.rename_axis(index={'coder': 'coder_key'})"),
    "Series": (small(), small()["batch"].rename("coder"), "key.rename('coder_key')"),
}


@pytest.mark.parametrize(("frame", "by", "remedy"), RENAMES.values(), ids=RENAMES)
def test_names_of_results_are_refused(frame, by, remedy):
    message = f"A group key cannot be called 'coder', as results have that name. Rename it: {remedy}."
    raises(InputError, message, frame, by)
    with pytest.raises(InputError) as caught:
        from_groupby(frame.groupby(by))
    assert str(caught.value) == message


def test_reserved_names_are_those_of_results():
    assert set(RESULT) <= set(RESERVED)
    assert {"category", "coder", "coder_1", "coder_2", "coefficient"} <= set(RESERVED)
    assert len(set(RESERVED)) == len(RESERVED)


@pytest.mark.skipif(not hasattr(pd.DataFrame({"a": [1]}).groupby("a"), "axis"), reason="groups of columns are gone")
@pytest.mark.filterwarnings("ignore:DataFrame.groupby with axis=1:FutureWarning")
def test_groups_of_columns():
    with pytest.raises(InputError) as caught:
        from_groupby(small()[["ann"]].groupby(["x"], axis=1))
    assert str(caught.value) == "groupby(axis=1) groups columns, and agreement needs groups of rows. Group the rows."


def test_a_selection_of_a_groupby_chooses_coders_and_categories() -> None:
    df = scores(40, 3).assign(batch=["x", "y"] * 20)
    picked = df.groupby("batch")[["ann", "cleo"]].agree.kappa(detail=True)
    assert_frame_equal(picked, df.agree.kappa("ann", "cleo", by="batch", detail=True))
    counts = pd.DataFrame({"x": [2, 1], "y": [0, 1], "z": [5, 5], "g": [1, 1]})
    assert counts.groupby("g")[["x", "y"]].agree.counts().pi(detail=True)["n_categories"].tolist() == [2]

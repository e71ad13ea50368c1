"""Formats of spans with a file per document and coder: WebAnno TSV 3 and brat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_agreement import InputError, read
from tests.exports import samples
from tests.exports.samples import archive
from tests.helpers import every

#: two layers, of which one has no feature, and relations between their spans
HEAD = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Entity|kind|note
#T_SP=webanno.custom.Mark|
#T_SP=webanno.custom.Event|ROLE_webanno.custom.Event:who_webanno.custom.Link|webanno.custom.Entity|time
#T_RL=webanno.custom.Rel|type|BT_webanno.custom.Entity


"""
COLUMNS = ("Entity.kind", "Entity.note", "Mark", "slot", "slot", "Event.time", "type", "rel")


def line(unit: str, place: str, token: str, **cells: str) -> str:
    """One line of a file; what is not named is nothing."""
    names = {"kind": 0, "note": 1, "mark": 2, "role": 3, "slot": 4, "time": 5, "type": 6, "rel": 7}
    row = ["_"] * len(COLUMNS)
    for name, cell in cells.items():
        row[names[name]] = cell
    return "\t".join([unit, place, token, *row, ""]) + "\n"


def folder(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    return root


def spans_of(text: str, tmp_path: Path, field: str) -> list[tuple[Any, ...]]:
    found = read({"ann": folder(tmp_path, {"d.tsv": HEAD + text}) / "d.tsv"}, field)
    marked = found[found["start"].notna()].astype({"start": int, "end": int})
    assert set(found["item"]) == {"d"}
    return list(marked[["start", "end", "label"]].itertuples(index=False, name=None))


#: lines of a file, the field, and the spans that it holds
CASES: dict[str, tuple[str, str, list[tuple[Any, ...]]]] = {
    "a token": ("#Text=One two\n" + line("1-1", "0-3", "One", kind="A", note="*"), "Entity.kind", [(0, 3, "A")]),
    "no value": (line("1-1", "0-3", "One", kind="A", note="*"), "Entity.note", [(0, 3, None)]),
    "a layer without features": (line("1-1", "0-3", "One", mark="*"), "Mark", [(0, 3, "Mark")]),
    "several tokens, and sentences": (
        line("1-1", "0-3", "One", kind="A[1]") + "\n#Text=two\n" + line("2-1", "4-7", "two", kind="A[1]"),
        "Entity.kind",
        [(0, 7, "A")],
    ),
    "stacked": (
        line("1-1", "0-3", "One", kind="A[1]|B[2]|B") + line("1-2", "4-7", "two", kind="B[2]"),
        "Entity.kind",
        [(0, 3, "A"), (0, 7, "B"), (0, 3, "B")],
    ),
    "equal neighbours": (
        line("1-1", "0-3", "One", kind="A") + line("1-2", "4-7", "two", kind="A"),
        "Entity.kind",
        [(0, 3, "A"), (4, 7, "A")],
    ),
    "parts of tokens": (
        line("1-1", "0-3", "One") + line("1-1.1", "1-3", "ne", kind="A[4]") + line("1-2", "4-7", "two", kind="A[4]"),
        "Entity.kind",
        [(1, 7, "A")],
    ),
    "escapes": (
        line("1-1", "0-3", "One", kind=r"a\|b\[1\]\_\->\;\*\\[1]|\_|\\") + line("1-2", "4-7", "two", kind=r"x\ty\nz"),
        "Entity.kind",
        [(0, 3, "a|b[1]_->;*\\"), (0, 3, "_"), (0, 3, "\\"), (4, 7, "x\ty\nz")],
    ),
    "slots and relations are not spans": (
        line("1-1", "0-3", "One", kind="A", role="agent", slot="1-2[3]", time="now", type="of", rel="1-2[0_3]"),
        "Event.time",
        [(0, 3, "now")],
    ),
    "wide characters": (
        "#Text=\U0001f600 a \U0001f600 b\n" + line("1-1", "0-2", "\U0001f600", kind="A") + line("1-2", "3-4", "a")
        # the text is escaped as in 3.1, and begins before the first token
        + "\n#Text= \\ud83d\\ude00\\tb\n" + line("2-1", "11-13", "\U0001f600", kind="A")
        + line("2-2", "14-15", "b", kind="B"),
        "Entity.kind",
        [(0, 1, "A"), (9, 10, "A"), (11, 12, "B")],
    ),
    "a token with a tab": (line("1-1", "0-3", "O\te", kind="A"), "Entity.kind", [(0, 3, "A")]),
}  # fmt: skip


def test_what_a_file_of_webanno_holds(tmp_path: Path) -> None:
    def check(name: str, text: str, field: str, expected: list[Any]) -> None:
        assert spans_of(text, tmp_path / name.replace(" ", "_"), field) == expected

    every({name: (name, *case) for name, case in CASES.items()}, check)


def test_spans_without_a_character_are_counted(tmp_path: Path) -> None:
    text = HEAD + line("1-1", "0-3", "One", kind="A") + line("1-1.1", "1-1", "", kind="B")
    found = read({"ann": folder(tmp_path, {"d.tsv": text}) / "d.tsv"}, "Entity.kind")
    assert found["label"].tolist() == ["A"]
    assert found.attrs["source"]["left_out"] == {"span without a character": 1}


def project(kind: str = "tsv") -> dict[str, str]:
    """The files of a project: three documents, of which bob did not open the last."""
    body = "#Text=One two\n" + line("1-1", "0-3", "One", kind="A") + line("1-2", "4-7", "two")
    none = "#FORMAT=WebAnno TSV 3.3\n\n\n#Text=One two\n1-1\t0-3\tOne\t\n1-2\t4-7\ttwo\t\n"  # layers in use are named
    coders = {"d1.txt/ann": HEAD + body, "d1.txt/bob": HEAD + body, "d2.txt/ann": HEAD + body, "d2.txt/bob": none}
    coders |= {"d1.txt/INITIAL_CAS": none, "d3.txt/ann": none}
    return {
        **{f"annotation/{name}.{kind}": text for name, text in coders.items()},
        "curation/d1.txt/CURATION_USER.tsv": HEAD + body,
        "source/d1.txt": "One two",
        "exportedproject-123.json": "{}",
    }


def test_a_project_is_read_without_curation_and_import(tmp_path: Path) -> None:
    found = read(folder(tmp_path / "project", project()), "Entity.kind")
    assert list(found[["item", "coder", "label"]].fillna("-").itertuples(index=False, name=None)) == [
        ("d1.txt", "ann", "A"),
        ("d1.txt", "bob", "A"),
        ("d2.txt", "ann", "A"),
        ("d2.txt", "bob", "-"),
        ("d3.txt", "ann", "-"),
    ]
    assert found["length"].unique().tolist() == [7]
    assert found.attrs["source"] == {"tool": "webanno", "left_out": {"initial import": 1}}
    packed = tmp_path / "project.zip"
    packed.write_bytes(archive({**project(), "annotation_ser/d1.txt/ann.ser": b"\xff\xfe"}))
    pd.testing.assert_frame_equal(read(packed, "Entity.kind"), found)


def test_one_document_of_a_project(tmp_path: Path) -> None:
    files = sorted(folder(tmp_path, project()).glob("annotation/d1.txt/*.tsv"))
    found = read(files, "Entity.kind")
    assert found[["item", "coder"]].to_numpy().tolist() == [["d1.txt", "ann"], ["d1.txt", "bob"]]


#: what a file begins with, and the version that is named
OLD = {
    "2": " # de.ner.type.NamedEntity | value\n#id=1\n#text=One two\n1-1\tOne\tO\t\n",
    "1": "#id=1\n#text=One two\n1\tOne\t_\tNN\n",
    "4.0": "#FORMAT=WebAnno TSV 4.0\n",
    "": "#FORMAT=WebAnno TSV",
}


@pytest.mark.parametrize("version", OLD)
def test_other_versions_are_refused_by_their_number(version: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(folder(tmp_path, {"old.tsv": OLD[version]}) / "old.tsv")
    assert str(caught.value) == (
        f"old.tsv is WebAnno TSV {version}, and read knows version 3. Export it again as WebAnno TSV v3.3."
    )


def test_a_project_in_another_format_says_which_to_choose(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(folder(tmp_path, project("xmi")))
    assert str(caught.value) == (
        "The project holds its annotations as .xmi files, which read does not know. "
        "Export the project again with the format WebAnno TSV v3.3."
    )


def test_a_line_that_does_not_fit_the_header(tmp_path: Path) -> None:
    for cells in ("A", "[A[1]" + "\t_" * 7):
        path = folder(tmp_path, {"d.tsv": f"{HEAD}1-1\t0-3\tOne\t{cells}\t\n"}) / "d.tsv"
        with pytest.raises(InputError, match=r"Record 1 of d\.tsv is not as WebAnno TSV writes it \(ValueError"):
            read(path)


# ---------------------------------------------------------------------------------------------------------------- brat

ANN = """T1\tPER 0 3\tAda
T2\tORG 8 10;12 14\tx y
R1\tOf Arg1:T1 Arg2:T2
E1\tBorn:T1
A1\tNegation T1
*\tEquiv T1 T2
#1\tAnnotatorNotes T1\tTRUE?
"""
COLLECTION = {
    "ann/d1.ann": ANN,
    "ann/d2.ann": "",
    "bob/d1.ann": "T3\tPER 0 3\tAda\r\n",
    **{f"{who}/{doc}.txt": "Ada was\r\nin a \U0001f600 town." for who in ("ann", "bob") for doc in ("d1", "d2")},
    "ann/annotation.conf": "[entities]\nPER\nORG\n",
    "bob/.stats_cache": "x",
}


def test_brat_reads_a_folder_per_coder(tmp_path: Path) -> None:
    root = folder(tmp_path / "marked", COLLECTION)
    found = read({"ann": root / "ann", "bob": root / "bob"})
    rows = found[["item", "coder", "label", "start", "end"]].astype(object).where(found.notna(), None)
    assert list(rows.itertuples(index=False, name=None)) == [
        ("d1", "ann", "PER", 0, 3),
        ("d1", "ann", "ORG", 8, 10),
        ("d1", "ann", "ORG", 12, 14),
        ("d1", "bob", "PER", 0, 3),
        ("d2", "ann", None, None, None),  # its file is empty; bob has none
    ]
    assert found["length"].unique().tolist() == [len("Ada was\r\nin a \U0001f600 town.")]
    pd.testing.assert_frame_equal(read(root), found)
    packed = tmp_path / "marked.zip"
    packed.write_bytes(archive(COLLECTION))
    pd.testing.assert_frame_equal(read(packed), found)
    some = read([root / "ann" / "d1.ann", root / "bob" / "d1.ann"])
    pd.testing.assert_frame_equal(some, found.query("item == 'd1'"))


def test_a_span_that_a_coder_has_twice_is_read_once(tmp_path: Path) -> None:
    """Two triggers of events in brat, or stacked spans of WebAnno, at one place with one label."""
    root = folder(tmp_path, {"ann/d1.ann": ANN + "T9\tPER 0 3\tAda\n", "bob/d1.ann": ANN})
    found = read(root)
    assert found.attrs["source"]["left_out"] == {"marked twice": 1}
    assert found.agree.spans(length=99).f1(ci=None)["n_spans"].tolist() == [6]
    stacked = "#Text=One two\n" + line("1-1", "0-3", "One", kind="A[1]|A[2]|B[3]")
    assert spans_of(stacked, tmp_path, "Entity.kind") == [(0, 3, "A"), (0, 3, "B")]


def test_brat_without_the_texts(tmp_path: Path) -> None:
    root = folder(tmp_path, {"ann/d1.ann": ANN, "bob/d1.ann": f"\ufeff{ANN}"})
    found = read(root)
    assert "length" not in found.columns
    assert found["coder"].value_counts().to_dict() == {"ann": 3, "bob": 3}


def test_a_line_that_brat_does_not_write(tmp_path: Path) -> None:
    path = folder(tmp_path, {"ann/d1.ann": "T1\tPER 0-3\tAda\n"})
    with pytest.raises(InputError, match=r"Record 1 of d1\.ann is not as brat writes it"):
        read(path)


# ------------------------------------------------------------------------------------------------------ df.agree.spans


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
def test_spans_of_a_project_need_no_names(tmp_path: Path) -> None:
    """Bob saw d2 and marked nothing, and did not see d3."""
    found = read(folder(tmp_path / "project", project()), "Entity.kind")
    named = found.agree.spans(item="item", coder="coder", start="start", end="end", label="label", length="length")
    summary = found.agree.spans().summary(ci=None, detail=True)
    pd.testing.assert_frame_equal(named.summary(ci=None, detail=True), summary)
    assert summary["n_items"].unique().tolist() == [2]
    assert summary.loc["f1", "estimate"] == pytest.approx(2 / 3)
    notes = summary[["note", "remarks"]].drop_duplicates().to_numpy().tolist()
    assert notes[0] == ["not seen", "1 pair of document and coder has no row: not seen"]
    for chosen, n in (("absent", 2), ("seen", 3)):
        told = found.agree.spans(unmarked=chosen).f1(ci=None)
        assert (told["n_items"].tolist(), told["note"].tolist()) == ([n], [""])
    with pytest.raises(InputError, match="1 of 6 pairs of document and coder have no row"):
        found.agree.spans(unmarked="raise")


def test_spans_are_about_one_question(tmp_path: Path) -> None:
    found = read(folder(tmp_path / "project", project()))
    assert found["field"].nunique() == 1
    several = pd.concat([found, found.assign(field="Mark")])
    several.attrs = found.attrs
    with pytest.raises(InputError) as caught:
        several.agree.spans()
    assert caught.value.remedy == "keep one: df[df['field'] == 'Entity.kind']"
    several[several["field"] == "Mark"].agree.spans()
    several.attrs = {}  # as merge leaves it
    with pytest.raises(InputError, match="questions, and spans need one"):
        several.agree.spans()


def test_what_an_export_says_of_nothing_marked(tmp_path: Path) -> None:
    """Label Studio, Prodigy and brat have a trace of who saw a document; doccano has none."""
    studio = read(samples.LABEL_STUDIO, "ner")
    assert studio.query("kind == 'person'").agree.spans().f1(detail=True)["remarks"].str.contains("not seen").all()
    marks = [{"start": 0, "end": 3, "label": "PER"}]
    tasks = [samples.task(1, who, 1, spans=spans) for who, spans in (("ann", marks), ("bob", []))]
    prodigy = read([*tasks, samples.task(2, "ann", 2, spans=marks)], "spans")
    assert prodigy.agree.spans().f1(ci=None)[["n_items", "n_spans"]].to_numpy().tolist() == [[1, 1]]
    root = folder(tmp_path / "marked", COLLECTION)
    assert read(root).agree.spans().f1(ci=None)["n_items"].tolist() == [1]
    members = {
        "ann.jsonl": [{"id": 1, "text": "Ada", "label": [[0, 3, "PER"]]}],
        "bob.jsonl": [{"id": 1, "text": "Ada", "label": []}, {"id": 2, "text": "Bob", "label": [[0, 3, "PER"]]}],
    }
    paths = {name[:3]: samples.write(tmp_path, name, samples.lines(rows)) for name, rows in members.items()}
    doccano = read(paths)
    with pytest.raises(InputError, match="have no row"):
        doccano.agree.spans()
    assert doccano.agree.spans(unmarked="seen").f1(ci=None)["n_items"].tolist() == [2]

"""Where things live: imports point down the layers, numbers do not reach pandas, tests stand in the same folders."""

from __future__ import annotations

import ast
import pkgutil
import sys
from functools import cache
from pathlib import Path

import pytest

import pandas_agreement
from tests.helpers import none_of

PACKAGE = "pandas_agreement"
HOME = Path(pandas_agreement.__file__).parent

#: lowest first; a folder or module at the top level may import those of lower layers, and its own
LAYERS = [
    {"characters", "version"},
    {"errors"},
    {"scales"},
    {"core"},
    {"coefficients"},
    {"inference", "hypothesis_tests"},
    {"formatting"},
    {"options"},
    {"data", "results", "example", "exports"},
    {"engine"},
    {"breakdown", "judges", "preferences", "spans", "streaming", "planning", "interpreting"},
    {"truth"},
    {"plan", "plotting", "tables", "testing"},
    {"report"},
    {"accessor", "dask"},
    {"registration"},
    {""},  # the package itself: its public names
    {"cli"},
    {"__main__"},
]
WITHOUT_PANDAS = ("core", "coefficients", "inference", "hypothesis_tests", "truth.kernels")


def path_of(module: str) -> Path:
    path = HOME.joinpath(*module.split(".")) if module else HOME
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


MODULES = sorted(
    ["", *(found.name.removeprefix(f"{PACKAGE}.") for found in pkgutil.walk_packages([str(HOME)], f"{PACKAGE}."))]
)


@cache
def nodes(module: str) -> list[ast.AST]:
    """Every node of a module's code, itself first."""
    return list(ast.walk(ast.parse(path_of(module).read_text(encoding="utf-8"))))


@cache
def imports(module: str) -> frozenset[str]:
    """Every import of a module, also those inside functions: full dotted names."""
    names: set[str] = set()
    for node in nodes(module):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


@cache
def ours(module: str) -> frozenset[str]:
    """The modules of the package that a module imports."""
    found = set()
    for name in imports(module):
        if name.split(".")[0] != PACKAGE:
            continue
        other = name.removeprefix(PACKAGE).removeprefix(".")
        while other not in MODULES:
            other = other.rpartition(".")[0]
        found.add(other)
    return frozenset(found - {module})


@cache
def reached(module: str) -> frozenset[str]:
    """Whatever a module imports, directly or through others; a module brings the folder it lies in."""
    seen: set[str] = set()
    todo = [module]
    while todo:
        for other in ours(todo.pop()):
            folder = other.rpartition(".")[0]
            new = {other, *([folder] if folder else [])} - seen
            seen |= new
            todo += new
    return frozenset(seen)


def layer_of(module: str) -> int:
    top = module.partition(".")[0]
    return next(number for number, layer in enumerate(LAYERS) if top in layer)


def test_every_folder_has_a_layer() -> None:
    tops = {module.partition(".")[0] for module in MODULES}
    assert tops == set().union(*LAYERS)


def points_down(module: str, other: str) -> bool:
    return layer_of(other) < layer_of(module) or other.partition(".")[0] == module.partition(".")[0]


def test_imports_point_down() -> None:
    none_of(
        [
            f"{module} reaches {other}"
            for module in MODULES
            for other in (reached(module) - {""} if module else ours(module))
            if not points_down(module, other)
        ]
    )


def test_numbers_do_not_reach_pandas() -> None:
    numbers = [name for name in MODULES if f"{name}.".startswith(tuple(f"{top}." for top in WITHOUT_PANDAS))]
    assert {name.partition(".")[0] for name in numbers} == {top.partition(".")[0] for top in WITHOUT_PANDAS}
    none_of(
        [
            f"{module} through {other}"
            for module in numbers
            for other in {module, *reached(module)}
            if any(name.split(".")[0] == "pandas" for name in imports(other))
        ]
    )


def test_no_module_is_named_like_one_of_the_standard_library() -> None:
    names = {module: module.rpartition(".")[2] for module in MODULES}
    none_of([module for module, name in names.items() if name in sys.stdlib_module_names and name != "__main__"])


def test_nothing_slow_is_imported_at_the_top() -> None:
    slow = ("scipy", "matplotlib", "import dask", "from dask")
    tops = [
        (module, ast.unparse(node))
        for module in MODULES
        for node in nodes(module)[0].body
        if isinstance(node, (ast.Import, ast.ImportFrom))
    ]
    none_of([f"{module}: {line}" for module, line in tops if any(word in line for word in slow)])


def test_a_function_is_imported_by_the_name_that_its_module_has() -> None:
    private = [
        f"{module}: {name}"
        for module in MODULES
        for name in imports(module)
        if name.startswith(PACKAGE) and name.rpartition(".")[2].startswith("_") and "__" not in name
    ]
    none_of(private)


# ------------------------------------------------------------------------------------------- text is for people only

MESSAGES = {"note", "evidence", "advice", "problem", "remedy", "message", "warning", "error"}
LOOKS_INTO = {
    "partition",
    "rpartition",
    "split",
    "rsplit",
    "startswith",
    "endswith",
    "find",
    "index",
    "count",
    "replace",
}
LOOKS_INTO |= {"removeprefix", "removesuffix", "search", "match", "fullmatch", "findall", "finditer", "sub", "subn"}
#: notes on a row of a result are joined with "; ", and taken apart where this is known
JOINED = {("core.remarks", "remarks_in")}


def is_message(node: ast.expr) -> bool:
    """The text of an error, a warning, a note or a finding: `error`, `str(error)`, `row.note`, `row["note"]`."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("str", "repr") and node.args:
        return is_message(node.args[0])
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and node.slice.value in MESSAGES
    return (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")) in MESSAGES


def reads_text(node: ast.AST) -> bool:
    """Whether code looks for words in a message, or takes one apart."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn, ast.Eq, ast.NotEq)):
        others = [node.left, *node.comparators]
        return any(map(is_message, others)) and not any(isinstance(o, ast.Constant) and o.value == "" for o in others)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOOKS_INTO:
        return any(map(is_message, [node.func.value, *node.args]))
    return False


def readers(module: str) -> list[str]:
    """Code of a module that reads the text of a message."""
    excused = [node for node in nodes(module) if (module, getattr(node, "name", "")) in JOINED]
    skipped = {id(inner) for node in excused for inner in ast.walk(node)}
    return [ast.unparse(node) for node in nodes(module) if id(node) not in skipped and reads_text(node)]


def test_no_code_reads_the_text_of_messages() -> None:
    none_of([f"{module}: {code}" for module in MODULES for code in readers(module)])


@pytest.mark.parametrize(
    ("code", "reads"),
    [
        ("'gaps' in row.note", True),
        ("repr(name) in str(error)", True),
        ("re.sub('1 items', '1 item', note)", True),
        ("re.search('x', str(warning))", True),
        ("row['note'].partition(';')", True),
        ("error.code == 'unknown column'", False),
        ("note == ''", False),
        ("warning.option == 'by'", False),
        ("'x' in names", False),
        ("label.startswith('x')", False),
    ],
)
def test_what_counts_as_reading(code: str, reads: bool) -> None:
    assert any(map(reads_text, ast.walk(ast.parse(code)))) == reads


RAISED = {"InputError", "LabelTypeError", "ColumnError", "UnknownMethodError", "warn", "wrong_value"}


def texts(node: ast.expr) -> str:
    """The constant parts of an argument that is a text."""
    inner = ast.walk(node) if isinstance(node, (ast.Constant, ast.JoinedStr)) else ()
    return "".join(part.value for part in inner if isinstance(part, ast.Constant) and isinstance(part.value, str))


def test_the_remedy_stands_in_a_field_of_its_own() -> None:
    calls = [
        (module, node)
        for module in MODULES
        for node in nodes(module)
        if isinstance(node, ast.Call) and node.args and "; " in texts(node.args[0])
    ]
    none_of([f"{module}: {ast.unparse(call)}" for module, call in calls if ast.unparse(call.func) in RAISED])


TESTS = Path(__file__).parent
FOLDERS = sorted({path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")} - {Path()})


def test_folders_of_tests_are_those_of_the_package() -> None:
    none_of([folder for folder in FOLDERS if not (HOME / folder / "__init__.py").exists()])
    # so that two files may have the same name
    none_of([folder for folder in FOLDERS if not (TESTS / folder / "__init__.py").exists()])


def test_a_class_has_a_name_of_its_own() -> None:
    names = [node.name for module in MODULES for node in nodes(module) if isinstance(node, ast.ClassDef)]
    assert sorted({name for name in names if names.count(name) > 1}) == []

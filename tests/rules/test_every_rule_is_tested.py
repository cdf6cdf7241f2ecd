"""Every rule of `docs/rules.md` has a test here and is cited by the code that carries it out."""

import ast
import re
from dataclasses import fields
from pathlib import Path

from uno_sim import RuleSet

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| \*\*([CDP]\d+a?)\*\* \|", re.MULTILINE)
ID = re.compile(r"\b[CDP]\d+a?\b")
RANGE = re.compile(r"\b([CDP])(\d+) to \1(\d+)\b")
EXPECTED = {
    *(f"C{number}" for number in range(1, 15)),
    *(f"D{number}" for number in range(1, 13)),
    *(f"P{number}" for number in range(1, 11)),
    "D9a",
}


def rule_document() -> str:
    return (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def functions_of(path: Path) -> list[ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def ids_in_name(name: str) -> set[str]:
    """Return the rule ids in the name of a test: `test_c4_d9a_...` or `..._c4_d9a`."""
    words = name.split("_")
    ids = [word for word in words if re.fullmatch(r"[cdp]\d+a?", word)]
    return {word[0].upper() + word[1:] for word in ids}


def cited_ids(text: str) -> set[str]:
    """Return the rule ids that a text names, those within `C8 to C10` too."""
    ids = set(ID.findall(text))
    for letter, begin, end in RANGE.findall(text):
        ids |= {f"{letter}{number}" for number in range(int(begin), int(end) + 1)}
    return ids


def docstring_ids(path: Path) -> set[str]:
    """Return the rule ids in the docstrings of a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    nodes = [node for node in ast.walk(tree) if isinstance(node, documented)]
    return set().union(*(cited_ids(ast.get_docstring(node) or "") for node in nodes))


def rule_files() -> list[Path]:
    """Return the modules that hold the rules."""
    package = ROOT / "uno_sim"
    files = [path for path in (package / "rules").glob("*.py") if path.name != "__init__.py"]
    others = (package / name for name in ("cards.py", "rule_set.py", "knowledge/memory.py"))
    return sorted([*others, *files])


def test_the_document_has_every_rule_once():
    ids = ROW.findall(rule_document())
    assert sorted(ids) == sorted(EXPECTED)


def test_every_rule_has_a_test():
    ids: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for function in functions_of(path):
            if function.name.startswith("test_"):
                ids |= ids_in_name(function.name)
    assert ids == EXPECTED


def test_every_rule_is_cited_by_a_docstring():
    cited = set().union(*(docstring_ids(path) for path in rule_files()))
    assert EXPECTED - cited == set()


def test_no_docstring_cites_a_rule_that_does_not_exist():
    for path in rule_files():
        assert docstring_ids(path) - EXPECTED == set(), path.name


def test_the_document_says_which_file_holds_a_rule():
    text = rule_document()
    table = text[text.index("## Where the rules are in the code") :]
    rows = re.findall(r"^\| ([^|]*) \| `([^`]+)` \|$", table, re.MULTILINE)
    listed = {name: cited_ids(ids) for ids, name in rows}
    found = {path.relative_to(ROOT).as_posix(): docstring_ids(path) for path in rule_files()}
    for name, ids in listed.items():
        assert ids - found[name] == set(), name
    assert set().union(*listed.values()) == EXPECTED


def test_every_option_stands_in_the_document():
    text = rule_document()
    options = text[text.index("## Options") : text.index("## Worked examples")]
    for field in fields(RuleSet):
        assert f"`{field.name}`" in options

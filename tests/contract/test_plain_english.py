"""Code, messages and documents are in the terms of statistics: none of the words that the project once used instead."""

import ast
import re
import tokenize
from pathlib import Path

import pytest

import posteriori as pt

SOURCE = Path(pt.__file__).parent
ROOT = Path(__file__).parents[2]
MODULES = sorted(SOURCE.rglob("*.py"))
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    SOURCE / "reports" / "template.html",
]
#: First words of a docstring: verbs that the field has others for.
OPENINGS = {"Give", "Gives", "Say", "Says", "Tell", "Tells", "Word", "Words", "Refuse", "Refuses", "Ask", "Asks"}
#: Participles that name nothing, as names of variables, parameters, functions and fields.
NAMES = {"held", "kept", "seen", "asked", "given", "found", "judged", "told", "listed", "spoken", "said"}
#: Words, and what the field has instead of each.
WORDS = {
    r"class shares?": "class frequencies, base rates",
    r"gaps?": "missing values",
    r"cur(?:e|es|ed)": "remedy, what to do",
    r"forecasts?|forecasted": "predicted probability",
    r"told(?: apart)?": "separated, reported",
    r"roughness|rough": "inaccurate, poor",
    r"too sure|surer|less sure": "overconfident, confident",
    r"answers by true class": "confusion matrix",
    r"drown\w*": "dominating",
    r"yardsticks?": "decrement estimate",
    r"carried back": "to user units",
    r"believing|believed": "posterior fit",
    r"faults? of the program": "internal error",
    r"how to do it again": "reproduce",
    r"how it errs|where it errs": "errors",
    r"the house": "the package",
    r"a class a file|one class a file|a file a|a column a|a row a|a line a": "one X per Y",
}
#: Words with another meaning in a file, or names in a contract: what users' code and stored files have must stay.
ALLOWED = {
    "gap": {  # how far an objective can be from its optimum (`solution_.gap`), or the property of CSS
        "decisions/prior_shift.py",
        "estimators/kernels/kernel_logistic_regression.py",
        "estimators/regression/binary_regression.py",
        "estimators/regression/logistic_regression.py",
        "estimators/wrappers/prior_shift.py",
        "reports/sections/fit_diagnostics.py",
        "reports/template.html",
        "solvers/base.py",
        "storage/rules/arrays.py",
        "docs/command.md",
        "docs/decisions.md",
    },
    "gaps": {
        "plots/curves/trace.py",
        "docs/displays.md",
        "docs/command.md",
        "reports/assemble.py",
    },  # a field; a JSON key
    "cure": {  # `note.cure`, an alias of `remedy`, and the JSON key
        "cli/output/description.py",
        "messages/notes.py",
        "reports/description.py",
        "reports/sections/fit_diagnostics.py",
        "storage/old_names.py",
        "docs/command.md",
    },
    "cured": {"fits/link_regression.py", "messages/notes.py"},  # the code of a note, "separation-cured"
    "told": {"storage/old_names.py"},
    "forecast": {"decisions/calibration.py", "plots/decisions/reliability.py"},  # a column of the frame of curves
    "a column a": {"input/formula/factors.py"},  # "declare a column a category"
    "found": {"comparisons/crossover.py"},  # an alias of `exists`
}
PATTERN = re.compile("|".join(rf"(?P<w{i}>\b(?:{word})\b)" for i, word in enumerate(WORDS)), re.IGNORECASE)


def texts(path):
    """Yield the comments and strings of a module, or the lines of a page, with their line numbers."""
    if path.suffix != ".py":
        yield from enumerate(path.read_text(encoding="utf8").splitlines(), 1)
        return
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type in (tokenize.COMMENT, tokenize.STRING):
                yield token.start[0], token.string


def names_of(tree):
    """Yield the names that a module gives to variables, parameters, functions and classes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield (node.id if isinstance(node, ast.Name) else node.attr), node.lineno


def place(path):
    """Return a path as `ALLOWED` and the names of tests have it."""
    return path.relative_to(SOURCE if SOURCE in path.parents else ROOT).as_posix()


def is_allowed(word, path):
    return place(path) in ALLOWED.get(word.lower(), ())


@pytest.mark.parametrize("path", MODULES + PAGES, ids=place)
def test_words_are_those_of_the_field(path):
    matches = [(line, match) for line, text in texts(path) for match in PATTERN.finditer(text)]
    faults = [
        f"line {line}: {match.group()!r}; write: {list(WORDS.values())[int(match.lastgroup[1:])]}"
        for line, match in matches
        if not is_allowed(match.group(), path)
    ]
    assert not faults


@pytest.mark.parametrize("path", MODULES, ids=place)
def test_docstrings_begin_with_a_plain_verb_and_names_are_nouns(path):
    tree = ast.parse(path.read_text(encoding="utf8"))
    documented = [node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
    openings = [(node, (ast.get_docstring(node) or "").split(" ")[0]) for node in documented]
    assert [f"{getattr(node, 'name', path.stem)}: {word}" for node, word in openings if word in OPENINGS] == []
    names = [(name, line) for name, line in names_of(tree) if name.strip("_") in NAMES]
    assert [f"line {line}: {name}" for name, line in names if not is_allowed(name, path)] == []


def test_no_allowance_is_left_over():
    """Every exception above is needed: a word that is gone leaves the list."""
    needed = {
        (match.group().lower(), place(path))
        for path in MODULES + PAGES
        for _, text in texts(path)
        for match in PATTERN.finditer(text)
    }
    for path in MODULES:
        needed |= {
            (name, place(path)) for name, _ in names_of(ast.parse(path.read_text(encoding="utf8"))) if name in NAMES
        }
    assert {(word, where) for word, places in ALLOWED.items() for where in places} <= needed


def test_no_class_name_is_defined_twice():
    places = {}
    for path in MODULES:
        for node in ast.parse(path.read_text(encoding="utf8")).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(place(path))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}

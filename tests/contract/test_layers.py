"""What importing costs, what a small fit loads, and what every source file keeps to."""

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import posteriori as pt

SOURCE = Path(pt.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))

LOADED = """
import sys
{code}
heavy = ("numba", "sklearn", "numpy", "scipy", "pandas", "polars", "pyarrow")
print(",".join(name for name in heavy if name in sys.modules))
"""


def loaded(code):
    """Give the heavy packages that a new process has loaded after some code."""
    result = subprocess.run(
        [sys.executable, "-c", LOADED.format(code=code)], capture_output=True, text=True, timeout=120, check=True
    )
    return set(filter(None, result.stdout.strip().split(",")))


def test_importing_the_package_imports_nothing_heavy():
    assert loaded("import posteriori; dir(posteriori); posteriori.__version__") == set()


SMALL = "rows = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]; y = [0, 0, 1, 0, 1, 1]"


MODELS = ["LogisticRegression()", "LogisticRegression(prior=1.0)", "GaussianClassifier()", "NaiveBayes()"]


def test_a_first_small_fit_compiles_nothing():
    """None of them in one process: what the first would load, the last would still find."""
    fits = "; ".join(f"pt.{model}.fit(rows, y).predict_proba(rows)" for model in MODELS)
    found = loaded(f"import posteriori as pt; {SMALL}; {fits}")
    assert "numba" not in found
    assert "sklearn" in found


def test_types_are_published():
    assert (SOURCE / "py.typed").exists()


def test_the_version_is_that_of_the_installed_package():
    assert pt.__version__ == version("posteriori")


@pytest.mark.parametrize("name", pt.__all__)
def test_every_public_name_resolves_to_itself_and_is_documented(name):
    value = getattr(pt, name)
    assert value.__name__ == name
    assert value.__module__.startswith("posteriori.")
    assert value.__doc__
    assert name in dir(pt)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = pt.nonsense


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_source_file_is_short_and_says_what_it_is(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 400
    assert text.startswith('"""')
    assert not re.search(r"\b(TODO|FIXME|XXX)\b(?! *\(?#\d+)", text)


#: The only places that know of tables in memory: the tables themselves, the engine that reads them, input validation.
MEMORY = ("tables", "engines", "input")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_tables_in_memory_are_named_only_where_they_are_made_and_read(path):
    if path.relative_to(SOURCE).parts[0] not in MEMORY:
        text = path.read_text(encoding="utf-8")
        assert "MemoryTable" not in text
        assert not re.search(r"\bfor \w+ in \w*\.?table\.blocks\(|range\(\w*\.?table\.n_partitions\)", text)

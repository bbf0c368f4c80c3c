"""Every phrase on the right side of the phrase book runs; so do the blocks of shell commands in the documents."""

import re
import shlex
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from posteriori.cli.commands.demo import PENGUINS
from posteriori.cli.main import program

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "docs" / "phrase_book.md"
PHRASES = re.findall(r"^\| .+? \| `(.+)` \|$", BOOK.read_text(encoding="utf-8"), re.M)


@cache
def names():
    """Run the programs of the page from the root of the project, and give what they define."""
    defined = {"__name__": "phrase book"}
    for program_text in re.findall(r"^```python\n(.*?)^```$", BOOK.read_text(encoding="utf-8"), re.M | re.S):
        text = program_text.replace('"tests/golden', f'"{ROOT.as_posix()}/tests/golden')
        exec(compile(text, "phrase_book.md", "exec"), defined)
    return defined


def test_the_book_has_phrases_for_three_languages():
    text = BOOK.read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## From R", "## From Stata", "## From scikit-learn",
    ]  # fmt: skip
    assert len(PHRASES) > 50
    for word in ("glm(", 'type = "response"', "vcov", "confint", "anova", "relevel", "`logit ", "mlogit", "margins",
                 "firthlogit", "C=0.5", "class_weight", "predict_proba", "make_pipeline"):  # fmt: skip
        assert word in text


@pytest.mark.parametrize("phrase", PHRASES, ids=range(len(PHRASES)))
def test_a_phrase_runs(phrase, tmp_path):
    assert eval(phrase, {**names(), "folder": tmp_path}) is not None or phrase.startswith("pt.save")


def commands(document):
    """Give the lines of a document's fenced blocks that call the command."""
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks = re.findall(r"^```[a-z]*\n(.*?)^```$", text, re.M | re.S)
    lines = [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("posteriori ")]


@pytest.mark.parametrize("document", ["README.md", "docs/command.md"])
def test_the_commands_of_a_document_run_one_after_the_other(document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = PENGUINS.read_text().splitlines(keepends=True)
    Path("penguins.csv").write_text("".join(rows))
    Path("new.csv").write_text("".join([rows[0], *(row for row in rows[1:40] if ",," not in row and "NA" not in row)]))
    Path("births.csv").write_bytes((ROOT / "tests" / "golden" / "csv" / "birthwt.csv").read_bytes())
    Path("costs.csv").write_text("action,Adelie,Chinstrap,Gentoo\nkeep,0,1,1\nask,0.2,0.2,0.2\n")
    lines = commands(document)
    assert lines
    for line in lines:
        words = shlex.split(line)
        given = Path(words[words.index("<") + 1]).read_bytes() if "<" in words else None
        words = words[: words.index("<")] if "<" in words else words
        done = CliRunner().invoke(program, words[1:], input=given)
        assert done.exit_code == 0, f"{line}\n{done.output}"

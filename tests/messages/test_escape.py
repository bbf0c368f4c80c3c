"""What a file or a frame calls its columns never reaches a terminal, a message or a page as controls."""

import pickle
import warnings

import pandas as pd
import pytest

import posteriori as pt
from posteriori.messages.errors import DataTypeError
from posteriori.messages.escape import escape_controls
from posteriori.messages.notes import Note

#: ESC, C0, DEL, C1, marks of direction, breaks of lines and paragraphs, half of a pair.
HOSTILE = [
    *map(chr, range(32)),
    *map(chr, range(0x7F, 0xA0)),
    *"\u200e\u200f\u202a\u202e\u2066\u2069\u2028\u2029\ud800",
]


@pytest.mark.parametrize("kind", [pt.DataError, DataTypeError, pt.ModelFileError])
def test_no_error_contains_a_character_that_a_terminal_interprets(kind):
    for mark in HOSTILE:
        text = str(kind(f"column 'a{mark}b'"))
        assert text.isprintable()
        assert text == f"column 'a{ascii(mark)[1:-1]}b'"
    again = pickle.loads(pickle.dumps(kind("a\x1b")))
    assert (type(again), str(again)) == (kind, r"a\x1b")


def test_a_warning_about_a_column_escapes_its_name():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Note("aliased", "column \x1b[2J\u202e", remedy="drop it\nError: forged").warn()
    assert str(caught[0].message) == r"column \x1b[2J\u202e drop it\nError: forged"


def test_text_that_can_be_printed_stays_as_it_is():
    for text in ("", "größe · π ≤ 1 · 価格 · 😀", "C:\\new"):
        assert escape_controls(text) == text


def test_a_latex_table_protects_what_would_be_read_as_an_argument_of_the_line_break():
    data = pd.DataFrame({"[2em]x": [0.0, 1, 2, 3, 1, 2], "*z\x1b\n": [1.0, 0, 1, 1, 0, 0], "y": [0, 0, 1, 1, 1, 0]})
    table = pt.TableClassifier(pt.LogisticRegression(prior=1.0)).fit(data, "y").summary().to_latex()
    assert r"{[}2em]x" in table
    assert r"{*}z\textbackslash{}x1b\textbackslash{}n" in table
    assert not any(line.startswith(("[", "*")) for line in table.splitlines())

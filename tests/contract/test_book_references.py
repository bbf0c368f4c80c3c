"""Every equation and section that a docstring cites is in the book, and the equation in that section.

The fixed form is ``Book: [Bishop] Eq. 4.99, §4.3.3``. Several equations of one section are ``Eq. 4.4-4.7 and 4.9, §…``,
several sections follow one another (``Eq. 4.7, §4.1.1, and 4.10, §4.1.2``), and equations that span sections are cited
with a range of sections or the section that contains them.
"""

import json
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src" / "posteriori"
INDEX = json.loads((HERE / "book_index.json").read_text())
NUMBER, SECTION = r"\d+(?:\.\d+)?", r"\d+(?:\.\d+)*"
RANGE = rf"{NUMBER}(?:-{NUMBER})?"
CITED = re.compile(rf"(?:Eq\. |, and |, )({RANGE}(?:(?:, | and ){RANGE})*), §({SECTION})(?:-({SECTION}))?")


def citations():
    """Return (file, book, what is cited of it) for every book of every paragraph that begins with Book:."""
    found = []
    for file in sorted(SOURCE.rglob("*.py")):
        for match in re.finditer(r"Book: (.*?)(?=\n\s*\n|\"\"\")", file.read_text(), flags=re.DOTALL):
            paragraph = " ".join(match.group(1).replace("\n    #", " ").split())
            parts = re.split(r"\[(\w+)\]", paragraph)
            for book, cited in zip(parts[1::2], parts[2::2], strict=True):
                if book in INDEX:  # what follows a semicolon is another work
                    own = cited.split(";")[0]
                    found.append((f"{file.relative_to(SOURCE)}: [{book}]{own}", book, own))
    return found


def section_of(book, number):
    last = int(number.rpartition(".")[2])
    in_book = number.startswith(INDEX[book]["prefix"]) and ("." in number) == bool(INDEX[book]["prefix"])
    return next((s for s, (a, b) in INDEX[book]["equations"].items() if in_book and a <= last <= b), None)


def sections_of(book, equations):
    """Return the sections of all equations of a list such as ``4.4-4.7 and 4.9``."""
    sections = []
    for first, last in re.findall(rf"({NUMBER})(?:-({NUMBER}))?", equations):
        low, high = (int(n.rpartition(".")[2]) for n in (first, last or first))
        prefix = first.rpartition(".")[0]
        numbers = [f"{prefix}.{n}" if prefix else str(n) for n in range(low, high + 1)]
        sections += [section_of(book, number) for number in numbers]
    return list(dict.fromkeys(sections))


def complaint(book, equations, first, last):
    """Return what is wrong with a citation, or nothing."""
    sections = sections_of(book, equations)
    if None in sections or not sections:
        return f"Eq. {equations} is not in the book"
    contains = last is None and all(s == first or s.startswith(f"{first}.") for s in sections)
    right = first == sections[0] and last is None if len(sections) == 1 else contains or (
        last is not None and (first, last) == (sections[0], sections[-1])
    )  # fmt: skip
    return "" if right else f"Eq. {equations} is in §{', '.join(sections)}"


CITATIONS = citations()


@pytest.mark.parametrize("book", INDEX)
def test_every_cited_equation_is_in_the_cited_section(book):
    wrong = []
    for where, own, cited in CITATIONS:
        if own == book:
            told = [complaint(book, *match.groups()) for match in CITED.finditer(cited)]
            wrong += [f"{where}: {what}" for what in told if what]
    assert not wrong, "\n".join(wrong)


def test_every_citation_of_an_equation_has_the_fixed_form():
    wrong = [
        where for where, _, cited in CITATIONS
        if cited.count("Eq. ") != sum(match.group().startswith("Eq.") for match in CITED.finditer(cited))
    ]  # fmt: skip
    assert not wrong, "\n".join(wrong)


def test_every_cited_section_is_in_the_book():
    wrong = [
        f"{where}: §{section}"
        for where, book, cited in CITATIONS
        for section in re.findall(rf"§({SECTION})", cited)
        if section not in INDEX[book]["sections"]
    ]
    assert not wrong, "\n".join(wrong)


def test_there_are_citations_of_every_book():
    assert {book for _, book, _ in CITATIONS} == set(INDEX)
    assert len(CITATIONS) > 200


@pytest.mark.parametrize(
    ("cited", "right"),
    [
        ("Eq. 4.99, §4.3.3", True),
        ("Eq. 4.99, §4.3", False),
        ("Eq. 4.99, §4.3.2", False),
        ("Eq. 4.199, §4.3.3", False),
        ("Eq. 4.126-4.137, §4.4", True),
        ("Eq. 4.87-4.110, §4.3.2-4.3.4", True),
        ("Eq. 4.87-4.110, §4.3.2-4.3.3", False),
    ],
)
def test_the_rule_tells_right_from_wrong(cited, right):
    (match,) = CITED.finditer(cited)
    assert (complaint("Bishop", *match.groups()) == "") is right

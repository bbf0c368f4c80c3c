"""The page of pictures: its code runs, and it shows every Display there is."""

import doctest
from pathlib import Path

import posteriori as pt

PAGE = Path(__file__).parents[2] / "docs" / "displays.md"


def test_the_code_of_the_page_runs_and_gives_what_it_says():
    result = doctest.testfile(str(PAGE), module_relative=False, raise_on_error=True)
    assert result.attempted > 40
    assert result.failed == 0


def test_every_display_is_in_the_table_of_the_page_and_in_an_example():
    text = PAGE.read_text(encoding="utf-8")
    examples = "\n".join(line for line in text.splitlines() if line.startswith((">>>", "...")))
    displays = [name for name in pt.__all__ if name.endswith("Display")]
    assert len(displays) >= 11
    for name in displays:
        assert f"`pt.{name}`" in text, name
        assert f"pt.{name}.from_" in examples, name

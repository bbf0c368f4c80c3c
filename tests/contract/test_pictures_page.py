"""The page of the books' pictures says what the figures' docstrings say, about all of them."""

import importlib.util
from pathlib import Path

import pytest

from posteriori.plots.figures import FIGURES

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_its_script_writes(script):
    assert (DOCS / "pictures.md").read_text(encoding="utf-8") == script.page(), "run: python docs/pictures.py"


def test_the_page_has_a_row_for_every_figure_and_for_nothing_else():
    rows = [
        line.split("|") for line in (DOCS / "pictures.md").read_text(encoding="utf-8").splitlines() if "| `" in line
    ]
    assert [row[2].strip(" `") for row in rows] == list(FIGURES)


def test_the_code_of_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / "pictures.md").read_text(encoding="utf-8")
    exec(text.split("```python\n")[1].split("```")[0], {})
    assert (tmp_path / "jordan_7_2.svg").stat().st_size > 0


def test_a_cell_holds_no_bar_that_would_end_it(script):
    assert script._cell("It teaches P(y | x)\nand more.", "It teaches ") == "P(y \\| x) and more."


def test_the_sheet_has_every_picture_and_is_small(script, tmp_path):
    from PIL import Image

    for name in FIGURES:
        Image.new("RGB", (640, 480), "red").save(tmp_path / f"{name}.png")
    drawn = script.sheet(tmp_path).convert("RGB")
    red = sum(count for count, colour in drawn.getcolors(2**24) if colour[0] > 200 and colour[1] < 60)
    assert red == pytest.approx(len(FIGURES) * script.HEIGHT * (640 * script.HEIGHT // 480), rel=1e-3)
    assert (DOCS / "pictures.png").stat().st_size < 600_000

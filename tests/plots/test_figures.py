"""What every picture of the books obeys, found through the table of figures; each is drawn three times, and shared."""

import inspect
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt

import posteriori as pt
from posteriori.plots.figures import FIGURES

#: The figures of each book, in its order.
BOOKS = {
    "jordan": ["7_1", "7_2", "7_3", "7_5", "7_6", "7_7", "7_8", "7_9", "7_11", "7_12", "7_14"],
    "mitchell": ["1"],
    "bishop": ["4_1", "4_2", "4_3", "4_4", "4_5", "4_6", "4_7", "4_9", "4_11", "4_13"],
    "sugiyama": ["28_3", "28_4", "28_6"],
    "deuschle": ["3_1", "3_2", "3_3", "3_4", "3_5", "3_6", "3_7", "3_8"],
}
NAMES = [f"{book}_{number}" for book, numbers in BOOKS.items() for number in numbers]


@dataclass(frozen=True)
class Drawing:
    """A figure that was drawn: its Display, what its axes show, and how many windows it opened."""

    display: Any
    shown: list[Any]
    opened: int


@cache
def drawing(name: str, seed: int | None = 0, given: bool = False) -> Drawing:
    """Draw a figure once; `given` draws it on axes of a figure made before."""
    ax = plt.subplots()[1] if given else None
    before = len(plt.get_fignums())
    display = getattr(pt.figures, name)(ax=ax, random_state=seed)
    opened = len(plt.get_fignums()) - before
    if given:
        assert display.figure_ is ax.figure
    return Drawing(display, contents(display.figure_), opened)


def contents(figure: Any) -> list[Any]:
    """Give the numbers and words that the axes of a figure show, wherever the axes stand."""
    return [
        [
            ax.get_title(),
            ax.get_xlabel(),
            ax.get_ylabel(),
            [text.get_text() for text in ax.texts if text not in _cutting(ax)],
            [np.asarray(line.get_xydata(), dtype=float) for line in ax.lines],
            [np.asarray(image.get_array(), dtype=float) for image in ax.images],
            [patch.get_path().vertices for patch in ax.patches],
            [array for drawn in ax.collections for array in _arrays(drawn)],
        ]
        for ax in shown(figure)
    ]


def _cutting(ax: Any) -> list[Any]:
    """Give the numbers on contour lines: where they stand, and cut the lines, depends on the size of the axes."""
    return [text for drawn in ax.collections for text in getattr(drawn, "labelTexts", [])]


def _arrays(drawn: Any) -> list[Any]:
    if getattr(drawn, "labelTexts", []):
        return [np.asarray(drawn.levels)]
    array = drawn.get_array()
    colours = [] if array is None else [np.ma.filled(np.ma.asarray(array, dtype=float), np.nan)]
    return [*colours, np.asarray(drawn.get_offsets(), dtype=float), *(path.vertices for path in drawn.get_paths())]


def shown(figure: Any) -> list[Any]:
    """Give the axes that are to be seen: not those that were divided into panels."""
    return [ax for ax in figure.axes if ax.axison or ax.has_data()]


def same(a: Any, b: Any) -> bool:
    """Compare nested lists of words and arrays."""
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, str):
        return a == b
    return a.shape == b.shape and np.array_equal(a, b, equal_nan=True)


def draws_rows(name: str) -> bool:
    """Return whether the rows of a figure are random, by its docstring."""
    (kind,) = re.findall(
        r"^random_state : (seed of the rows|accepted for consistency;)", figure_doc(name), re.MULTILINE
    )
    return kind == "seed of the rows"


def figure_doc(name: str) -> str:
    """Return the docstring of a figure."""
    return inspect.getdoc(getattr(pt.figures, name)) or ""


def test_the_table_lists_the_figures_of_the_books_in_their_order():
    assert list(FIGURES) == NAMES
    assert pt.figures.__all__ == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_has_the_same_signature_and_cites_its_book(name):
    figure = getattr(pt.figures, name)
    assert figure.__name__ == name
    parameters = inspect.signature(figure).parameters
    assert {each: value.default for each, value in parameters.items()} == {"ax": None, "random_state": 0}
    book, _, number = name.partition("_")
    cited = re.escape(f"Book: [{book.title()}] Fig. {number.replace('_', '.')}")
    assert re.search(rf"^{cited}(?![\d.]*\d)", figure_doc(name), re.MULTILINE)
    assert "It teaches" in figure_doc(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_draws_something_with_words_on_its_axes(name):
    drawn = drawing(name)
    assert drawn.opened == 1
    assert drawn.display.ax_ in drawn.display.figure_.axes
    assert shown(drawn.display.figure_)
    for ax in shown(drawn.display.figure_):
        assert ax.has_data()
        assert ax.get_title() or (ax.get_xlabel() and ax.get_ylabel())
    assert any(ax.get_xlabel() for ax in shown(drawn.display.figure_))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_a_figure_draws_the_same_on_given_axes_and_opens_no_other(name):
    drawn = drawing(name, given=True)
    assert drawn.opened == 0
    assert same(drawn.shown, drawing(name).shown)


@pytest.mark.parametrize("name", NAMES)
def test_another_random_state_draws_other_rows_where_there_are_rows_of_chance(name):
    assert same(drawing(name, seed=1).shown, drawing(name).shown) != draws_rows(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_can_be_rendered(name, tmp_path):
    drawing(name).display.figure_.savefig(tmp_path / "figure.png", dpi=20)
    assert (tmp_path / "figure.png").stat().st_size > 500


def test_two_pictures_of_a_figure_differ_where_a_number_does():
    _, (left, right) = plt.subplots(1, 2)
    for ax, height in ((left, 1.0), (right, 2.0)):
        ax.plot([0.0, 1.0], [0.0, height])
        ax.scatter([0.0], [height])
    first, second = contents(left.figure)
    assert same(first, first)
    assert not same(first, second)

"""What is learned from the batches of a frame is what is learned from the frame, however it is divided."""

from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import posteriori as pt
from posteriori.input.coding.choices import learn_coding
from posteriori.input.formula.learning import learn_formula
from posteriori.input.formula.parser.terms import read_formula
from posteriori.input.frames.batches import Batch, Batches, FrameBatches, survey
from posteriori.input.frames.identifiers import Identity
from posteriori.input.frames.kinds import CellTypes
from posteriori.input.frames.level_sets import LevelSet

SIZES = [1, 7, 50, 1000]
LIBRARIES = {"pandas": lambda frame: frame, "polars": pl.from_pandas, "pyarrow": pa.Table.from_pandas}


@dataclass(frozen=True)
class Parts(Batches):
    """Frames as the batches of two partitions, the second of them with all but the first frame."""

    frames: tuple

    @property
    def names(self):
        return nw.from_native(self.frames[0]).columns

    @property
    def n_partitions(self):
        return 2

    def batches(self, partition):
        for frame in self.frames[:1] if partition == 0 else self.frames[1:]:
            yield Batch(nw.from_native(frame))

    def origin(self, partition, row):
        return f"row {row} of part {partition}"


def table(n=50):
    rng = np.random.default_rng(2)
    age = rng.gamma(3.0, size=n)
    age[::9] = np.nan
    color = rng.choice(["red", "blue", "green"], n).astype(object)
    color[::11] = None
    return pd.DataFrame({
        "age": age, "w": rng.normal(size=n), "k": rng.integers(1, 4, n), "color": color,
        "late": ["a"] * (n - 2) + ["z", "b"],
        "smoke": rng.random(n) < 0.5, "size": pd.Categorical(rng.choice(["S", "M"], n), ["S", "M", "L"], ordered=True),
        "empty": [None] * n,
    })  # fmt: skip


def frames(library, frame=None):
    return nw.from_native(LIBRARIES[library](table() if frame is None else frame), eager_only=True)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("missing", ["auto", "indicator"])
@pytest.mark.parametrize("reference", ["first", "most-frequent", {"color": "red"}])
def test_a_coding_learned_from_batches_is_that_of_the_frame(library, rows, missing, reference):
    frame, weights = frames(library), np.random.default_rng(1).integers(1, 4, 50).astype(float)
    options = {
        "types": {"k": "category"}, "reference": reference, "missing": missing, "treatment": True,
        "allows_missing": True,
    }  # fmt: skip
    whole = learn_coding(frame, weights=weights, **options)
    coding = learn_coding(FrameBatches(frame, weights, rows), **options)
    for mine, yours in zip(coding.columns, whole.columns, strict=True):
        assert (mine.name, mine.kind, mine.levels, mine.reference) == (
            yours.name, yours.kind, yours.levels, yours.reference,
        )  # fmt: skip
        assert mine.fill == (yours.fill if yours.fill is None else pytest.approx(yours.fill, rel=1e-14))
    assert {column.name: column.kind for column in whole.columns}["empty"] == "number"
    assert {column.name: column.levels for column in whole.columns}["late"] == ("a", "b", "z")


CELLS = {
    "number": st.one_of(st.none(), st.floats(-9, 9)),
    "boolean": st.one_of(st.none(), st.booleans()),
    "text": st.one_of(st.none(), st.sampled_from(["a", "b", "B", "3", "NA"])),
}


@given(
    kinds=st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=3),
    n_rows=st.integers(1, 12),
    cuts=st.lists(st.integers(0, 12), max_size=4),
    data=st.data(),
)
def test_any_division_into_batches_gives_one_coding(kinds, n_rows, cuts, data):
    cells = {
        f"c{j}": data.draw(st.lists(CELLS[kind], min_size=n_rows, max_size=n_rows)) for j, kind in enumerate(kinds)
    }
    types = {"number": pl.Float64, "boolean": pl.Boolean, "text": pl.String}
    frame = pl.DataFrame(cells, schema={f"c{j}": types[kind] for j, kind in enumerate(kinds)})
    places = [0, *sorted(min(cut, n_rows) for cut in cuts), n_rows]
    source = Parts(tuple(frame[first:last] for first, last in pairwise(places)))
    options = {"reference": "most-frequent", "missing": "auto", "treatment": True, "allows_missing": True}
    declared = {f"c{j}": "category" for j, kind in enumerate(kinds) if kind == "text"}
    whole = learn_coding(nw.from_native(frame), types=declared, **options)
    assert learn_coding(source, types=declared, **options) == whole


FORMULAS = [
    "w + bs(k, df=3, degree=1) + color", "cr(w, df=4) * smoke", "poly(w, 3) + scale(w) + C(k)", "center(w):late",
    "C(size, Sum) + I(w > 0)", "0 + C(smoke) + standardize(w)", "bs(exp(w), degree=2, df=3)", "1",
]  # fmt: skip


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_learned_from_batches_is_that_of_the_frame(library, rows, formula):
    frame = frames(library, table().assign(color=lambda frame: frame.color.fillna("red")))
    written, options = read_formula(formula, frame.columns), {"types": "auto", "reference": "most-frequent"}
    whole = learn_formula(formula, written, frame, **options)
    coding = learn_formula(formula, written, FrameBatches(frame, rows=rows), **options)
    assert coding.names_out == whole.names_out
    mine, yours = (each.apply(frame).to_numpy() if each.names_out else None for each in (coding, whole))
    np.testing.assert_array_equal(mine, yours)


def test_cells_that_a_formula_needs_at_once_must_fit_into_memory():
    frame = frames("polars")
    written = read_formula("bs(w, df=4) + k", frame.columns)
    options = {"types": "auto", "reference": "first"}
    with pt.options(max_memory=1000):
        with pytest.raises(pt.DataError, match=r"need all cells of 'w' in memory, more than .* GiB"):
            learn_formula("bs(w, df=4) + k", written, FrameBatches(frame, rows=10), **options)
        learn_formula("w + k", read_formula("w + k", frame.columns), FrameBatches(frame, rows=10), **options)


def test_missing_cells_of_all_batches_are_counted_in_one_error():
    frame = frames("polars")
    options = {"types": {"empty": "ignore"}, "reference": "first", "missing": "auto", "treatment": True}
    with pytest.raises(pt.DataError) as whole:
        learn_coding(frame, allows_missing=False, **options).apply(frame, learning=True)
    with pytest.raises(pt.DataError) as parts:
        learn_coding(FrameBatches(frame, rows=7), allows_missing=False, check_missing=True, **options)
    assert str(parts.value) == str(whole.value)
    written = read_formula("age + color", frame.columns)
    for source in (frame, FrameBatches(frame, rows=7)):
        with pytest.raises(pt.DataError, match="by column: 'age' 6, 'color' 5"):
            learn_formula("age + color", written, source, types="auto", reference="first")


COLUMNS = [
    (["1", "x"], [2.0, 3.5], "category"),
    ([True, False], [1.0, 2.0], "category"),
    ([True, False], [None, None], "boolean"),
    ([None, None], ["a", "b"], "category"),
    ([None, None], [None, None], "number"),
    ([1.0, None], [2, 3], "number"),
    ([], ["a", "a"], "category"),
    ([Decimal("1.5")], [2.5], "number"),
    ([Decimal("1.5")], [None], "number"),
]


@pytest.mark.parametrize(("first", "second", "kind"), COLUMNS)
def test_the_kind_of_a_column_whose_type_changes_between_batches(first, second, kind):
    one, other = (nw.from_native(pd.Series(cells, dtype=_dtype(cells)), series_only=True) for cells in (first, second))
    for parts in ([one, other], [other, one]):
        types = CellTypes.of(parts[0]).merge(CellTypes.of(parts[1]))
        assert types.kind() == kind


def _dtype(cells):
    numbers = [isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells]
    return object if not any(numbers) and cells != [True, False] else None


def test_levels_of_a_column_whose_type_changes_are_sorted_as_text():
    source = Parts((pd.DataFrame({"x": [3, 10]}), pd.DataFrame({"x": ["b", "10"]}), pd.DataFrame({"x": [2.0, None]})))
    options = {"types": "auto", "reference": "first", "missing": "auto", "treatment": True, "allows_missing": True}
    (column,) = learn_coding(source, **options).columns
    assert (column.kind, column.levels) == ("category", ("10", "2", "3", "b"))


def test_empty_batches_change_nothing():
    frame = table()
    source = Parts((frame[:0], frame[:20], frame[:0], frame[20:]))
    options = {"types": "auto", "reference": "most-frequent", "missing": "auto", "treatment": True}
    assert learn_coding(source, allows_missing=True, **options) == learn_coding(
        nw.from_native(frame), allows_missing=True, **options
    )
    nothing = learn_coding(Parts((frame[:0], frame[:0])), allows_missing=True, **options)
    assert {column.kind for column in nothing.columns} == {"number", "boolean"}


IDENTIFIERS = [
    ("name", [f"p{i}" for i in range(12)], "a different value in every row"),
    ("name", [f"p{i % 11}" for i in range(12)], ""),
    ("day", [f"2024-01-{i % 9 + 1:02}" for i in range(12)], "dates or times as text, such as '2024-01-01'"),
    ("day", list(pd.date_range("2024-01-01", periods=12).date), "dates or times, such as 2024-01-01"),
    ("row_id", list(range(12)), "a different number in every row"),
    ("row_id", [*range(11), 0], ""),
    ("age", list(range(12)), ""),
    ("price", [Decimal(i) / 4 for i in range(12)], ""),
    ("name", ["a", None, "b", None] * 3, ""),
]


@pytest.mark.parametrize(("name", "cells", "cause"), IDENTIFIERS)
@pytest.mark.parametrize("rows", [1, 3, 5, 12])
def test_identifiers_and_dates_are_recognized_across_batches(name, cells, cause, rows):
    frame = nw.from_native(pd.DataFrame({name: cells}))
    merged = survey(FrameBatches(frame, rows=rows), lambda batch: Identity.of(batch.frame[name]))
    assert cause in merged.cause(name)
    assert bool(cause) == bool(merged.cause(name))
    assert merged.cause(name) == Identity.of(frame[name]).cause(name)


def test_levels_keep_the_order_that_the_type_of_all_batches_declares():
    series = nw.from_native(pd.Series(pd.Categorical(["M", "S"], ["S", "M"])), series_only=True)
    text = nw.from_native(pd.Series(["M", "A"]), series_only=True)
    assert LevelSet.of(series).merge(LevelSet.of(series)).order == ("S", "M")
    assert LevelSet.of(series).merge(LevelSet.of(text)).order == ("A", "M", "S")

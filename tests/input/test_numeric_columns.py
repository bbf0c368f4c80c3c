"""Columns of plain numbers are read together, and mean what they mean one by one."""

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import posteriori as pt
from posteriori.input.frames.numeric_columns import plain_numbers

N = 24
COLUMNS = {
    "whole": np.arange(N) % 7,
    "word": np.array(["u", "v", "w"] * 8, dtype=object),
    "half": np.linspace(-1.0, 1.0, N, dtype=np.float32),
    "gappy": np.where(np.arange(N) % 5 == 0, np.nan, np.arange(N) ** 0.5),
    "truth": np.arange(N) % 4 == 0,
    "large": 2**60 + 2**50 * (np.arange(N) * 7 % 5) + 1,
}
Y = np.array(["no", "yes", "yes"] * 8)


def in_pandas(**more):
    return pd.DataFrame({**COLUMNS, **more})


def libraries():
    plain = in_pandas()
    return {
        "pandas": plain,
        "an index in disorder": plain.set_axis(np.arange(N)[::-1]),
        "an index that repeats": plain.set_axis([3] * N),
        "nullable": plain.convert_dtypes(),
        "arrow inside pandas": plain.convert_dtypes(dtype_backend="pyarrow"),
        "polars": pl.from_pandas(plain),
        "arrow": pa.Table.from_pandas(plain, preserve_index=False),
    }


def read_one_by_one(monkeypatch):
    """Leave no column plain."""
    monkeypatch.setattr("posteriori.input.frames.numeric_columns.PLAIN", ())


@pytest.mark.parametrize("library", libraries())
@pytest.mark.parametrize("missing", ["auto", "drop", "indicator"])
@pytest.mark.parametrize("model", [pt.NaiveBayes(), pt.LogisticRegression(prior=1.0)], ids=["naive", "linear"])
def test_columns_read_together_are_coded_as_columns_read_one_by_one(library, missing, model, monkeypatch):
    frame = libraries()[library]
    if missing == "auto" and isinstance(model, pt.LogisticRegression):
        frame = nw.from_native(frame).drop("gappy").to_native()
    table = pt.TableClassifier(model, missing=missing).fit(frame, Y)
    whole = nw.from_native(frame).filter([i % 5 != 0 for i in range(N)]).to_native() if missing == "drop" else frame
    together = nw.from_native(table.coding_.apply(nw.from_native(whole)))
    likely = table.predict_proba(whole)
    read_one_by_one(monkeypatch)
    alone = pt.TableClassifier(model, missing=missing).fit(frame, Y)
    assert alone.coding_ == table.coding_
    coded = nw.from_native(alone.coding_.apply(nw.from_native(whole)))
    assert coded.schema == together.schema
    for name in coded.columns:
        np.testing.assert_array_equal(coded[name].to_numpy(), together[name].to_numpy())
    np.testing.assert_allclose(alone.predict_proba(whole), likely, rtol=1e-12)


def test_a_column_of_plain_numbers_takes_no_step_of_its_own(monkeypatch):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 50)), columns=[f"c{j}" for j in range(50)])
    expected = pt.TableClassifier(pt.NaiveBayes()).fit(frame, np.arange(30) % 2).predict_proba(frame)

    def one_by_one(*_):
        raise AssertionError("a column was read by itself")

    for module in ("coding.coding", "frames.cells"):
        monkeypatch.setattr(f"posteriori.input.{module}.number_cells", one_by_one)
    monkeypatch.setattr("posteriori.input.frames.kinds.CellTypes.of", one_by_one)
    monkeypatch.setattr("posteriori.input.features._numbers", one_by_one)
    found = pt.TableClassifier(pt.NaiveBayes()).fit(frame, np.arange(30) % 2).predict_proba(frame)
    np.testing.assert_array_equal(found, expected)


def test_types_that_no_array_has_are_left_to_be_read_one_by_one():
    frame = nw.from_native(pl.DataFrame({"a": [1, 2], "b": pl.Series([1, 2], dtype=pl.Int128), "c": ["x", "y"]}))
    names, found = plain_numbers(frame, ["a", "b", "c"])
    assert names == ["a"]
    assert found.tolist() == [[1.0], [2.0]]
    names, found = plain_numbers(frame, [])
    assert names == []
    assert found.shape == (2, 0)


def test_the_frame_that_was_given_is_not_written_to():
    frame = in_pandas()
    before = frame.copy(deep=True)
    pt.TableClassifier(pt.NaiveBayes(), missing="indicator").fit(frame, Y).predict(frame)
    pd.testing.assert_frame_equal(frame, before)

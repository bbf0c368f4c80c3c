"""A table classifier fitted to the batches of a frame is that of the whole frame."""

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import posteriori as pt
from posteriori.input.frames.batches import Batch, Batches, FrameBatches
from tests.input.test_batches import Parts

LIBRARIES = {"pandas": lambda frame: frame, "polars": pl.from_pandas, "pyarrow": pa.Table.from_pandas}


def table(n=400, missing=True):
    rng = np.random.default_rng(4)
    x, z = rng.normal(size=(2, n))
    color = rng.choice(["red", "blue", "green"], n).astype(object)
    smoke = rng.random(n) < 0.4
    eta = x - 0.5 * z + (color == "red") + smoke
    species = np.array(["a", "b", "c"])[(eta + rng.logistic(size=n) > 0).astype(int) + (eta + rng.logistic(size=n) > 2)]
    if missing:
        z[::17] = np.nan
        color[5::40] = None
    return pd.DataFrame({
        "x": x, "z": z, "color": color, "smoke": smoke, "size": pd.Categorical(rng.choice(["S", "M"], n), ["S", "M"]),
        "w": rng.integers(0, 3, n).astype(float), "o": rng.normal(size=n) / 4, "species": species,
        "low": np.where(species == "a", "no", "yes"),
    })  # fmt: skip


def rows_of(library, frame):
    return nw.from_native(LIBRARIES[library](frame), eager_only=True)


MODELS = [
    (pt.LogisticRegression(), {"missing": "indicator"}, "species"),
    (pt.LogisticRegression(), {"missing": "drop", "reference": "most-frequent"}, "low"),
    (pt.LogisticRegression(), {"missing": "drop", "positive": "no"}, "low"),
    (pt.LogisticRegression(prior=1.0), {"types": {"z": "ignore", "color": "ignore"}}, "species"),
    (pt.GaussianClassifier(), {"missing": "drop"}, "species"),
    (pt.GaussianClassifier(shared=False), {"missing": "indicator"}, "low"),
    (pt.NaiveBayes(), {}, "species"),
    (pt.NaiveBayes(), {"missing": "indicator"}, "low"),
    (pt.NaiveBayes(), {"missing": "drop", "types": {"size": "ignore"}}, "species"),
    (pt.JointTable(smoothing=1.0), {"types": {"x": "ignore", "z": "ignore"}, "missing": "drop"}, "low"),
    (pt.LeastSquaresClassifier(), {"missing": "drop"}, "low"),
]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(("model", "options", "target"), MODELS, ids=str)
@pytest.mark.parametrize("rows", [37, 400])
def test_a_fit_to_batches_is_the_fit_to_the_frame(library, model, options, target, rows):
    other = "low" if target == "species" else "species"
    frame = rows_of(library, table().drop(columns=[other, "o"]))
    whole = pt.TableClassifier(model, **options).fit(frame.to_native(), target, sample_weight="w")
    parts = pt.TableClassifier(model, **options).fit(FrameBatches(frame, rows=rows), target, sample_weight="w")
    X = frame.drop([target, "w"]).to_native() if options.get("missing") != "drop" else None
    X = frame.drop_nulls().drop([target, "w"]).to_native() if X is None else X
    if library == "polars" and options.get("missing") == "drop":
        X = X.filter(pl.col("z").is_not_nan())
    score = "predict_proba" if hasattr(whole, "predict_proba") else "decision_function"
    np.testing.assert_allclose(getattr(parts, score)(X), getattr(whole, score)(X), rtol=0, atol=1e-10)
    for name in ("n_rows_", "weight_", "n_dropped_", "target_", "offset_", "n_features_in_"):
        assert getattr(parts, name) == getattr(whole, name), name
    assert parts.classes_.tolist() == whole.classes_.tolist()
    assert parts.classes_.dtype == whole.classes_.dtype
    assert parts.estimator_.frame_library_ == whole.estimator_.frame_library_
    assert parts.get_feature_names_out().tolist() == whole.get_feature_names_out().tolist()


FORMULAS = ["low ~ x + bs(z, df=4) * color", "low ~ C(size) + poly(x, 2) - 1", "low ~ . - w - o - species", "low ~ 1"]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_fitted_to_batches_is_that_fitted_to_the_frame(library, formula):
    frame = rows_of(library, table())
    model = pt.TableClassifier(pt.LogisticRegression(), formula=formula, missing="drop")
    whole = model.fit(frame.to_native(), sample_weight="w", offset="o")
    expected, names = whole.estimator_.coef_, whole.coefficient_names_
    parts = pt.TableClassifier(pt.LogisticRegression(), formula=formula, missing="drop")
    parts.fit(FrameBatches(frame, rows=61), sample_weight="w", offset="o")
    np.testing.assert_allclose(parts.estimator_.coef_, expected, rtol=0, atol=1e-10)
    np.testing.assert_allclose(parts.standard_errors(), whole.standard_errors(), rtol=1e-9)
    assert list(parts.coefficient_names_) == list(names)
    assert parts.summary().to_text() == whole.summary().to_text()


def test_a_model_of_batches_is_saved_and_loaded_as_any_other(tmp_path):
    frame = rows_of("polars", table().drop(columns=["o", "low"]))
    parts = pt.TableClassifier(pt.NaiveBayes()).fit(FrameBatches(frame, rows=50), "species", "w")
    pt.save(parts, tmp_path / "nb.model")
    loaded = pt.load(tmp_path / "nb.model")
    np.testing.assert_array_equal(loaded.predict_proba(frame.to_native()), parts.predict_proba(frame.to_native()))


def errors(frame, model, **columns):
    messages = []
    for source in (frame.to_native(), FrameBatches(frame, rows=50)):
        with pytest.raises(pt.DataError) as raised:
            model.fit(source, **columns)
        messages.append(str(raised.value))
    return messages


FAULTS = [
    ({}, {"y": "species"}, "cell(s) are missing"),
    ({"types": {"color": "number"}, "missing": "drop"}, {"y": "species"}, "declared numeric"),
    ({"missing": "drop"}, {"y": "spec"}, "there is no column 'spec'"),
    ({"missing": "drop", "types": {"nothing": "ignore"}}, {"y": "species"}, "types names"),
    ({"missing": "drop"}, {"y": "species", "sample_weight": "species"}, "two roles"),
    ({"missing": "drop"}, {"y": "one"}, "target 'one' has one class"),
    ({"missing": "indicator"}, {"y": "gaps"}, "label(s) are missing"),
    ({"missing": "drop"}, {"y": "nothing"}, "all 400 rows have a missing value"),
    ({"formula": "low ~ x", "missing": "drop"}, {"y": "species"}, "y is a different one"),
    ({"formula": "lo ~ x", "missing": "drop"}, {}, "the formula's target: there is no column 'lo'"),
    ({"missing": "indicator"}, {"y": "species", "offset": "x", "sample_weight": "z"}, "sample_weight"),
]


@pytest.mark.parametrize(("options", "columns", "words"), FAULTS)
def test_errors_are_those_of_the_frame(options, columns, words):
    frame = table()
    if columns.get("y") in ("one", "gaps", "nothing"):
        labels = {"one": "a", "gaps": frame["species"].where(frame.index % 90 != 3), "nothing": None}
        frame[columns["y"]] = labels[columns["y"]]
    whole, parts = errors(rows_of("polars", frame), pt.TableClassifier(pt.LogisticRegression(), **options), **columns)
    assert words in whole
    assert words in parts
    if "declared numeric" not in words and words != "sample_weight":
        assert parts == whole


def test_an_invalid_cell_is_named_by_its_row_in_the_frame():
    frame = table(missing=False).drop(columns=["low", "o"])
    frame.loc[0:9, "w"] = 0.0
    frame.loc[207, "x"] = np.inf
    frame.loc[207, "w"] = 1.0
    model = pt.TableClassifier(pt.LogisticRegression())
    with pytest.raises(pt.DataError, match=r"column 'x': 1 cell.*the first in row 207"):
        model.fit(FrameBatches(nw.from_native(frame), rows=100), "species", "w")


def test_an_error_in_a_later_batch_says_where_its_rows_begin():
    frame = table(missing=False).drop(columns=["low", "o"])
    frame.loc[207, "w"] = -1.0
    with pytest.raises(pt.DataError, match=r"among the rows that begin with row 200 .* 1 of 100 weights are negative"):
        pt.TableClassifier(pt.LogisticRegression()).fit(FrameBatches(nw.from_native(frame), rows=100), "species", "w")


def test_labels_of_several_types_are_an_error():
    parts = Parts((
        pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]}), pd.DataFrame({"x": [1.0, 2.0], "y": [1, 2]}),
    ))  # fmt: skip
    with pytest.raises(pt.DataError, match="labels mix int and str"):
        pt.TableClassifier(pt.NaiveBayes()).fit(parts, "y")


def test_categories_and_classes_that_only_later_batches_have():
    frame = table(missing=False).drop(columns=["low", "o", "w"]).sort_values(["color", "species"])
    source = Parts(tuple(frame[start : start + 40] for start in range(0, 400, 40)))
    whole = pt.TableClassifier(pt.LogisticRegression()).fit(frame, "species")
    parts = pt.TableClassifier(pt.LogisticRegression()).fit(source, "species")
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=0, atol=1e-10)


class Counting(Batches):
    """Batches of a frame that records the number of rows of each."""

    def __init__(self, frame, rows):
        self.inner, self.read = FrameBatches(frame, rows=rows), []

    @property
    def names(self):
        return self.inner.names

    def batches(self, partition):
        for batch in self.inner.batches(partition):
            self.read.append(len(batch.frame))
            yield Batch(batch.frame, first_row=batch.first_row)

    def origin(self, partition, row):
        return self.inner.origin(partition, row)


@pytest.mark.parametrize("model", [pt.LogisticRegression(), pt.GaussianClassifier(), pt.NaiveBayes()], ids=str)
def test_no_more_than_a_batch_is_read_at_a_time(model):
    source = Counting(rows_of("pandas", table(missing=False).drop(columns=["low", "o", "w"])), rows=64)
    pt.TableClassifier(model).fit(source, "species")
    assert max(source.read) == 64
    assert len(source.read) % 7 == 0


def test_what_needs_all_rows_in_memory_says_so():
    frame = nw.from_native(table(missing=False).drop(columns=["low", "o", "w"]))
    model = pt.TableClassifier(pt.LogisticRegression(solver="online", random_state=0))
    with pytest.raises(pt.DataError, match="a frame in batches can be read in order only"):
        model.fit(FrameBatches(frame, rows=50), "species")
    wrapped = pt.TableClassifier(pt.OneVsRest(pt.LogisticRegression()))
    with pytest.raises(pt.DataError, match="OneVsRest needs all rows in memory"):
        wrapped.fit(FrameBatches(frame, rows=50), "species")
    with pytest.raises(pt.DataError, match="have their target, weights and offset in columns"):
        model.fit(FrameBatches(frame, rows=50), np.zeros(400))

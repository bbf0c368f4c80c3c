"""Masks, dates, objects and large whole numbers in arrays: the right answer, or an error that says what is wrong."""

import datetime
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

import posteriori as pt

MODELS = {
    "logistic": pt.LogisticRegression(prior=1.0),
    "bayes": pt.BayesianLogisticRegression(),
    "gaussian": pt.GaussianClassifier(),
    "naive": pt.NaiveBayes(),
    "categories": pt.NaiveBayes(families="categorical"),
    "squares": pt.LeastSquaresClassifier(),
    "kernel": pt.KernelLogisticRegression(),
    "rest": pt.OneVsRest(pt.LogisticRegression(prior=1.0)),
    "pairs": pt.OneVsOne(pt.GaussianClassifier()),
    "table": pt.TableClassifier(pt.LogisticRegression(prior=1.0)),
    "reject": pt.RejectOption(pt.GaussianClassifier(), 0.8),
}
every_model = pytest.mark.parametrize("name", MODELS)
N = 40


def rows():
    rng = np.random.default_rng(5)
    return rng.integers(0, 5, (N, 3)).astype(float), np.arange(N) % 2


def masked(X, at=(3, 1), hidden=1e6):
    values = X.copy()
    values[at] = hidden
    found = np.ma.array(values, mask=False)
    found[at] = np.ma.masked
    return found


# --- masks


@every_model
def test_a_mask_that_hides_nothing_changes_nothing(name):
    X, y = rows()
    model = clone(MODELS[name]).fit(np.ma.array(X, mask=False), np.ma.array(y, mask=False))
    np.testing.assert_array_equal(model.predict(np.ma.array(X)), clone(MODELS[name]).fit(X, y).predict(X))


@every_model
@pytest.mark.parametrize("given", [lambda X: X, list], ids=["array", "list of rows"])
def test_masked_cells_are_missing_in_fit_and_predict(name, given):
    X, y = rows()
    holed = X.copy()
    holed[3, 1] = np.nan
    fitted = clone(MODELS[name]).fit(X, y)
    if name in ("naive", "categories"):
        known = clone(MODELS[name]).fit(holed, y)
        found = clone(MODELS[name]).fit(given(masked(X)), y)
        np.testing.assert_array_equal(found.predict_proba(X), known.predict_proba(X))
        np.testing.assert_array_equal(fitted.predict_proba(given(masked(X))), fitted.predict_proba(holed))
        return
    for call in (lambda: clone(MODELS[name]).fit(given(masked(X)), y), lambda: fitted.predict(given(masked(X)))):
        with pytest.raises(pt.DataError, match=r"NaN.*column 1: 1 cell\(s\), the first in row 3"):
            call()


@pytest.mark.parametrize("kind", [np.int64, np.bool_, object])
def test_masks_of_whole_numbers_truth_values_and_objects_are_missing_cells_too(kind):
    X, y = rows()
    plain = (X > 2).astype(kind)
    holed = plain.astype(float)
    holed[3, 1] = np.nan
    mask = np.zeros(X.shape, bool)
    mask[3, 1] = True
    found = pt.NaiveBayes(families="categorical").fit(np.ma.array(plain, mask=mask), y)
    known = pt.NaiveBayes(families="categorical").fit(holed, y)
    np.testing.assert_array_equal(found.predict_proba(holed), known.predict_proba(holed))


@every_model
def test_masked_labels_are_rejected_with_their_number(name):
    X, y = rows()
    labels = np.ma.array(y, mask=np.arange(N) % 5 == 2)
    with pytest.raises(pt.DataError, match=r"8 of 40 values of y are masked, the first is row 2"):
        clone(MODELS[name]).fit(X, labels)


def test_masked_weights_offsets_and_counts_are_rejected_with_their_number():
    X, y = rows()
    some = np.ma.array(np.ones(N), mask=np.arange(N) > 36)
    for model in (pt.LogisticRegression(prior=1.0), pt.NaiveBayes(), pt.OneVsRest(pt.NaiveBayes())):
        with pytest.raises(pt.DataError, match="3 of 40 values of sample_weight are masked"):
            model.fit(X, y, sample_weight=some)
    with pytest.raises(pt.DataError, match="3 of 40 values of offset are masked"):
        pt.LogisticRegression(prior=1.0).fit(X, y, offset=some)
    with pytest.raises(pt.DataError, match="3 of 40 values of successes are masked"):
        pt.counts(successes=some, trials=np.ones(N))


# --- dates


@every_model
@pytest.mark.parametrize("kind", ["M8[D]", "m8[s]"])
@pytest.mark.parametrize("given", [lambda X: X, lambda X: X.astype(object), list], ids=["array", "objects", "list"])
def test_dates_and_times_in_arrays_are_rejected_in_fit_and_predict(name, kind, given):
    X, y = rows()
    dates = given(X.astype(np.int64).astype(kind))
    fitted = clone(MODELS[name]).fit(X, y)
    for call in (lambda: clone(MODELS[name]).fit(dates, y), lambda: fitted.predict(dates)):
        with pytest.raises(pt.DataError, match=r"a date or a time|dates or times"):
            call()


def test_missing_dates_are_rejected_as_cells_and_as_labels():
    X, y = rows()
    missing = np.full(X.shape, np.datetime64("NaT", "D"))
    with pytest.raises(pt.DataTypeError, match=r"dates or times.*gives days since the first"):
        pt.LogisticRegression().fit(missing, y)
    with pytest.raises(pt.DataError, match=r"8 label\(s\) are missing \(NaT\), the first is row 2"):
        pt.NaiveBayes().fit(X, np.where(np.arange(N) % 5 == 2, np.datetime64("NaT", "D"), np.datetime64("2020-01-01")))


# --- objects


ODD = {
    "beyond": (10**400, "beyond the largest float"),
    "fraction beyond": (Fraction(10**400), "beyond the largest float"),
    "complex": (1j, "Complex data not supported"),
    "date": (datetime.date(2020, 1, 1), "a date or a time"),
    "moment": (np.datetime64("2020-01-01"), "a date or a time"),
    "span": (np.timedelta64(1, "D"), "a date or a time"),
    "bytes": (b"1", "could not convert string to float"),
    "dict": ({}, "A dict is not a number"),
    "signaling": (Decimal("sNaN"), "signaling NaN"),
    "NA": (pd.NA, "NAType"),
}


@every_model
@pytest.mark.parametrize("kind", ODD)
def test_an_object_that_is_no_number_is_named_with_its_place(name, kind):
    X, y = rows()
    value, said = ODD[kind]
    cells = X.astype(object)
    cells[4, 2] = value
    fitted = clone(MODELS[name]).fit(X, y)
    for call in (lambda: clone(MODELS[name]).fit(cells, y), lambda: fitted.predict(cells)):
        with pytest.raises(pt.DataError, match=rf"{said}.*In column 2, row 4"):
            call()


@pytest.mark.parametrize("kind", ODD)
def test_an_object_that_is_no_number_is_named_among_weights(kind):
    X, y = rows()
    value, said = ODD[kind]
    weights = np.ones(N, dtype=object)
    weights[7] = value
    for model in (pt.LogisticRegression(prior=1.0), pt.NaiveBayes(), pt.KernelLogisticRegression()):
        with pytest.raises(pt.DataError, match=rf"sample_weight must be numbers.*{said}.*In row 7"):
            model.fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("weights", [{}, set(), iter([1.0]), [1.0] * 39 + [[1.0]], "a", np.zeros(N, "V4")])
def test_weights_that_are_no_vector_are_rejected(weights):
    X, y = rows()
    with pytest.raises(pt.DataError, match="sample_weight must be numbers"):
        pt.LogisticRegression(prior=1.0).fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("label", [[1], (1, 2), np.array([1.0, 2.0]), Decimal("sNaN")])
def test_labels_that_are_no_single_values_are_rejected(label):
    X, y = rows()
    labels = y.tolist()
    labels[5] = label
    with pytest.raises(pt.DataError):
        pt.NaiveBayes().fit(X, labels)


@every_model
@pytest.mark.parametrize("names", [[0, "a", "b"], [None, "a", "b"], [("a",), "b", 3], ["", "a", "b"]])
def test_names_of_several_types_are_rejected_or_used(name, names):
    X, y = rows()
    frame = pd.DataFrame(X, columns=pd.Index(names, tupleize_cols=False))
    if names[0] == "":
        clone(MODELS[name]).fit(frame, y).predict(frame)
        return
    with pytest.raises(pt.DataError, match="names"):
        clone(MODELS[name]).fit(frame, y).predict(frame)


@pytest.mark.parametrize(
    "values", [[(1, 2)], [{"a": 1}], [{1}], [frozenset([1])], [Decimal("sNaN")], [object(), object()]]
)
def test_objects_in_a_column_that_are_no_categories_are_rejected(values):
    X, y = rows()
    frame = pd.DataFrame({"a": X[:, 0], "b": pd.Series((values * N)[:N], dtype=object)})
    with pytest.raises(pt.DataError, match="'b'"):
        pt.NaiveBayes().fit(frame, y)
    with pytest.raises(pt.DataError, match="'b'"):
        pt.NaiveBayes().fit(pl.DataFrame({"a": X[:, 0], "b": pl.Series([object()] * N, dtype=pl.Object)}), y)


# --- whole numbers that float64 does not hold apart

LARGE = [2**53, 2**53 + 1]


@pytest.mark.parametrize("model", [pt.JointTable(), pt.NaiveBayes(families="categorical")], ids=["joint", "naive"])
@pytest.mark.parametrize(
    "given",
    [
        np.array,
        lambda cells: np.array(cells, np.uint64),
        lambda cells: np.array(cells, object),
        lambda cells: pd.DataFrame(cells, columns=["id"]),
        lambda cells: pl.DataFrame({"id": [cell for [cell] in cells]}),
        lambda cells: pa.table({"id": [cell for [cell] in cells]}),
    ],
    ids=["int64", "uint64", "object", "pandas", "polars", "arrow"],
)
def test_categories_that_would_merge_are_rejected_by_column(model, given):
    y = [0, 1] * 20
    with pytest.raises(
        pt.DataError, match=r"column ('id'|0) has categories of 2\^53 or more .such as 9007199254740992"
    ):
        clone(model).fit(given([[cell] for cell in LARGE * 20]), y)
    small = clone(model).fit(given([[cell] for cell in [1, 2] * 20]), y)
    with pytest.warns((pt.UnseenCategoryWarning, pt.NotIdentifiedWarning)):
        small.predict(given([[cell] for cell in LARGE]))


@pytest.mark.parametrize("gap", [False, True])
@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_declared_categories_beyond_2_to_53_stay_distinct_and_in_order(library, gap):
    cells = [*LARGE * 20, None] if gap else LARGE * 20
    y = ([0, 1] * 20 + [0])[: len(cells)]
    make = {
        "pandas": lambda: pd.DataFrame({"id": pd.array(cells, dtype="Int64")}),
        "polars": lambda: pl.DataFrame({"id": cells}),
        "arrow": lambda: pa.table({"id": cells}),
    }[library]
    model = pt.TableClassifier(pt.NaiveBayes(), types={"id": "category"}).fit(make(), y)
    assert (model.predict(make())[:40] == y[:40]).all()
    assert model.coding_.columns[0].levels == tuple(map(str, LARGE))


def refused(function, words):
    with pytest.raises(pt.DataError, match=words):
        function()


def test_masked_values_are_rejected_wherever_parameters_and_rows_are_read():
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(N, 2)), np.arange(N) % 2
    one = np.ma.array([0.5, 0.5], mask=[True, False])
    p = np.ma.array(np.full(N, 0.5), mask=np.arange(N) == 2)
    fitted = pt.LogisticRegression(prior=1.0).fit(X, y)
    for function in (
        lambda: pt.LogisticRegression(prior=pt.GaussianPrior(sd=one)).fit(X, y),
        lambda: pt.LogisticRegression(prior=pt.GaussianPrior(precision=np.ma.array(np.eye(2), mask=np.eye(2)))).fit(
            X, y
        ),
        lambda: pt.CostSensitive(fitted, costs=np.ma.array(np.eye(2), mask=np.eye(2))).fit(X, y),
        lambda: pt.PriorShift(fitted, one).fit(X, y),
        lambda: pt.GaussianClassifier(class_priors=one).fit(X, y),
        lambda: pt.ModelAverage([fitted, fitted], weights=one).fit(X, y),
        lambda: pt.NaiveBayes().partial_fit(X, y, classes=np.ma.array([0, 1], mask=[True, False])),
        lambda: pt.LogisticRegression().fit(X, y, start=(one, 0.0)),
        lambda: pt.LogisticRegression(prior=1.0, basis=pt.GaussianBasis(one, 1.0)).fit(X, y),
        lambda: pt.GaussianMixtureLink(one, [1.0, 2.0], [1.0, 1.0]),
        lambda: pt.laplace(lambda z: -(z @ z), one),
        lambda: pt.RiskCoverageDisplay.from_predictions(y, p),
        lambda: pt.LogisticRegression().fit(X, y).covariance("cluster", X=X, y=y, groups=np.ma.array(y, mask=p.mask)),
    ):
        refused(function, "masked|missing")


@pytest.mark.slow
def test_labels_under_a_mask_are_missing_in_a_report(tmp_path):
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(N, 1)), np.arange(N) % 2
    fitted = pt.LogisticRegression().fit(X, y)
    gaps = y.astype(float)
    gaps[2] = np.nan
    masked = pt.report(fitted, X, np.ma.array(y, mask=np.arange(N) == 2), tmp_path / "masked.html")
    assert masked.headline == pt.report(fitted, X, gaps, tmp_path / "gaps.html").headline


def test_groups_are_labels_of_one_type_and_none_is_missing():
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(N, 1)), np.arange(N) % 2
    fitted = pt.LogisticRegression().fit(X, y)
    days = np.where(y == 1, np.datetime64("NaT", "D"), np.datetime64("2020-01-01"))
    for groups, words in (
        ([None, *range(N - 1)], "1 are missing, the first in row 0"),
        (days, f"{N // 2} are missing, the first in row 1"),
        (np.array([1, "a"] * (N // 2), dtype=object), "labels of one type"),
        ([[1], [1, 2]] * (N // 2), "one label for each row"),
    ):
        refused(lambda groups=groups: fitted.covariance("cluster", X=X, y=y, groups=groups), words)


@pytest.mark.filterwarnings("ignore:.*have zero variance")
@pytest.mark.parametrize("kind", [None, "number", "category", "boolean"])
def test_objects_that_cannot_be_compared_are_values_or_rejected(kind):
    y = np.arange(N) % 2
    halves = [Decimal("1.5"), Decimal(0)] * (N // 2)
    for cells in (
        [Decimal("sNaN"), *halves[1:]],
        [Decimal("sNaN"), *(["a", "b"] * N)[: N - 1]],
        [np.longdouble("1e4000"), *([0.0, 1.0] * N)[: N - 1]],
        [np.longdouble(i % 2) for i in range(N)],
        [np.complex64(1), *([0.0, 1.0] * N)[: N - 1]],
        ["\ud800", "a"] * (N // 2),
    ):
        frame = pd.DataFrame({"x": np.arange(N) % 7, "b": pd.Series(cells, dtype=object)})
        model = pt.TableClassifier(pt.NaiveBayes(), types={} if kind is None else {"b": kind})
        with suppress(pt.DataError):
            model.fit(frame, y).predict(frame)


def test_halves_of_surrogate_pairs_are_rejected_by_name():
    frame = pd.DataFrame(np.eye(4)).set_axis(pd.Index(["a", "\ud800", "c", "d"], dtype=object), axis=1)
    for model in (pt.TableClassifier(pt.LogisticRegression(prior=1.0)), pt.LogisticRegression(prior=1.0)):
        refused(lambda model=model: model.fit(frame, [0, 1, 0, 1]), "not valid Unicode: .*ud800")


def test_longer_floats_beyond_the_range_are_rejected_without_a_warning():
    big = np.longdouble("1e4000")
    if np.isinf(big):
        pytest.skip("no longer floats here")
    X = np.ones((N, 2))
    for cells in (X.astype(np.longdouble), X.astype(object)):
        cells[3, 1] = big
        refused(lambda cells=cells: pt.LSPC().fit(cells, np.arange(N) % 2), "infinity|beyond the largest float")
    refused(lambda: pt.LogisticRegression().fit([[Decimal("1e400")]] * N, np.arange(N) % 2), "beyond the largest float")

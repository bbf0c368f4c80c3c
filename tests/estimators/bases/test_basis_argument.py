"""Linear models over phi(x): the basis argument, starts, explanations."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import posteriori as pt

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 2))
TWO = X[:, 0] * X[:, 1] + 0.7 * RNG.normal(size=300) > 0
THREE = np.digitize(X[:, 0] ** 2 + X[:, 1] + RNG.normal(size=300), [0.0, 1.5])
BASES = [
    pt.PolynomialBasis(3),
    pt.GaussianBasis([-1.0, 1.0], 1.0),
    pt.GaussianBasis([[0.0, 0.0], [1.0, 1.0]], 1.0),
    pt.SigmoidBasis([-1.0, 1.0], 0.5),
    pt.KernelBasis("median", 8),
    pt.CustomBasis({"product": lambda rows: rows[:, 0] * rows[:, 1], "rows": lambda rows: rows}),
]
every_basis = pytest.mark.parametrize("basis", BASES, ids=lambda basis: type(basis).__name__)
both = pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])


# --- basis


@every_basis
@both
def test_a_basis_inside_equals_fitting_on_the_transformed_rows(basis, y):
    inside = pt.LogisticRegression(basis=basis).fit(X, y)
    phi = basis.fit_transform(X)
    outside = pt.LogisticRegression().fit(phi, y)
    np.testing.assert_allclose(inside.coef_, outside.coef_, rtol=0, atol=1e-12)
    np.testing.assert_allclose(inside.predict_proba(X), outside.predict_proba(phi), rtol=0, atol=1e-12)
    assert inside.n_features_in_ == 2
    assert inside.coef_.shape[1] == phi.shape[1] == len(inside.coefficient_names_)
    assert list(inside.coefficient_names_) == basis.get_feature_names_out().tolist()


def test_a_polynomial_makes_exclusive_or_separable():
    corners, xor = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), [0, 1, 1, 0]
    plain = pt.LogisticRegression().fit(corners, xor)
    np.testing.assert_allclose(plain.predict_proba(corners), 0.5, atol=1e-12)
    with pytest.warns(pt.NotIdentifiedWarning) as said:
        model = pt.LogisticRegression(basis=pt.PolynomialBasis(2)).fit(corners, xor)
    assert model.fit_status_ == "separated"
    assert model.predict(corners).tolist() == xor
    assert any("'x0 x1'" in str(warning.message) for warning in said)


def test_two_gaussian_bumps_separate_a_class_in_the_middle_of_another():
    """[Bishop] Fig. 4.12: two bumps make classes linear that are not so in x."""
    rng = np.random.default_rng(1)
    inner = np.vstack([rng.normal(m, 0.15, size=(50, 2)) for m in ((-1.0, -1.0), (0.0, 0.0))])
    outer = np.vstack([rng.normal(m, 0.15, size=(50, 2)) for m in ((-1.0, 0.5), (0.8, -0.8))])
    rows, y = np.vstack([inner, outer]), np.repeat([0, 1], 100)
    basis = pt.GaussianBasis([[-1.0, -1.0], [0.0, 0.0]], 0.5)
    assert (pt.LogisticRegression(prior=1e-3, basis=basis).fit(rows, y).predict(rows) == y).all()
    assert (pt.LogisticRegression(prior=1e-3).fit(rows, y).predict(rows) == y).mean() < 0.9


def test_columns_keep_their_names_and_notes_name_the_columns_of_the_basis():
    frame = pd.DataFrame(np.c_[X[:, 0] > 0, X[:, 1]].astype(float), columns=["bit", "size"])
    with pytest.warns(pt.CollinearityWarning, match=r"'bit\^2' = 1 x 'bit'"):
        model = pt.LogisticRegression(basis=pt.PolynomialBasis(2)).fit(frame, TWO)
    assert list(model.feature_names_in_) == ["bit", "size"]
    assert model.coefficient_names_ == ("bit", "size", "bit^2", "bit size", "size^2")
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["size", "bit"]])


@both
def test_sparse_rows_go_through_a_basis_block_by_block(y):
    rows = np.where(np.abs(X) < 0.5, 0.0, X)
    dense = pt.LogisticRegression(basis=pt.PolynomialBasis(2)).fit(rows, y)
    sparse = pt.LogisticRegression(basis=pt.PolynomialBasis(2)).fit(sp.csr_array(rows), y)
    np.testing.assert_allclose(sparse.predict_proba(sp.csr_array(rows)), dense.predict_proba(rows), atol=1e-12)


def test_gaps_are_named_by_the_users_own_column_in_fit_and_in_predict():
    frame = pd.DataFrame(X, columns=["x", "y"])
    model = pt.LogisticRegression(basis=pt.SigmoidBasis([0.0], 1.0))
    gap = frame.copy()
    gap.loc[[7, 9], "y"] = np.nan
    gap.loc[8, "x"] = np.inf
    for call in (lambda: model.fit(gap, TWO), lambda: model.fit(frame, TWO).predict(gap)):
        with pytest.raises(
            pt.DataError, match=r"column 'y': 2 cell\(s\), the first in row 7; 1 more in column\(s\) 'x'"
        ):
            call()


@pytest.mark.slow
def test_blocks_of_any_number_give_the_same_and_phi_is_never_stored():
    import tracemalloc

    rng = np.random.default_rng(2)
    rows = rng.normal(size=(120_000, 2))
    y = rows[:, 0] ** 2 + rng.normal(size=len(rows)) > 1
    model = pt.LogisticRegression(basis=pt.PolynomialBasis(5)).fit(rows[:2000], y[:2000])
    model.fit(rows, y)  # loads the kernels
    tracemalloc.start()
    with pt.options(threads=2):  # each thread holds the phi of one block
        model.fit(rows, y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 0.9 * 8 * rows.shape[0] * 20  # phi(X) alone would be 120,000 x 20
    outside = pt.LogisticRegression().fit(pt.PolynomialBasis(5).fit_transform(rows), y)
    np.testing.assert_allclose(model.coef_, outside.coef_, rtol=1e-9, atol=1e-11)


def test_something_else_than_a_basis_is_refused_with_the_list_of_bases():
    with pytest.raises(pt.DataError, match="CustomBasis, GaussianBasis, KernelBasis, PolynomialBasis, SigmoidBasis"):
        pt.LogisticRegression(basis="polynomial").fit(X, TWO)


@every_basis
def test_models_with_a_basis_are_saved_and_loaded_unless_it_is_code(basis, tmp_path):
    model = pt.LogisticRegression(basis=basis).fit(X, THREE)
    if isinstance(basis, pt.CustomBasis):
        with pytest.raises(pt.ModelFileError, match="CustomBasis"):
            pt.save(model, tmp_path / "model")
        return
    pt.save(model, tmp_path / "model")
    loaded = pt.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.coefficient_names_ == model.coefficient_names_


# --- the other linear models


OTHERS = [
    pt.LeastSquaresClassifier(),
    pt.LeastSquaresClassifier(precision=2.0),
    pt.Perceptron(max_iter=20, keep="pocket"),
    pt.Perceptron(max_iter=20, order="shuffled", keep="average", random_state=0),
]
every_other = pytest.mark.parametrize("model", OTHERS, ids=repr)


@every_basis
@every_other
@both
@pytest.mark.filterwarnings("ignore::posteriori.ConvergenceWarning")
def test_a_basis_inside_any_linear_model_equals_fitting_on_the_transformed_rows(basis, model, y):
    inside = clone(model).set_params(basis=basis).fit(X, y)
    phi = basis.fit_transform(X)
    outside = clone(model).fit(phi, y)
    np.testing.assert_allclose(inside.coef_, outside.coef_, rtol=0, atol=1e-12)
    np.testing.assert_allclose(inside.decision_function(X), outside.decision_function(phi), rtol=0, atol=1e-12)
    assert (inside.predict(X) == outside.predict(phi)).all()
    assert list(inside.coefficient_names_) == basis.get_feature_names_out().tolist()
    assert inside.n_features_in_ == 2
    told = inside.explain(X)
    np.testing.assert_allclose(told.total, inside.decision_function(X), rtol=0, atol=1e-10)


@every_other
@pytest.mark.parametrize("basis", [pt.PolynomialBasis(2), pt.KernelBasis(1.0, 5)], ids=repr)
def test_later_parts_go_through_the_basis_of_the_first(model, basis):
    parts = clone(model).set_params(basis=basis).partial_fit(X[:100], TWO[:100])
    phi = basis.fit(X[:100]).transform(X)
    outside = clone(model).partial_fit(phi[:100], TWO[:100]).partial_fit(phi[100:], TWO[100:])
    parts.partial_fit(X[100:], TWO[100:])
    np.testing.assert_allclose(parts.coef_, outside.coef_, rtol=0, atol=1e-10)
    np.testing.assert_allclose(parts.decision_function(X), outside.decision_function(phi), rtol=0, atol=1e-10)


def test_models_merge_behind_one_basis_and_not_behind_two():
    def fitted(basis, rows):
        return pt.LeastSquaresClassifier(basis=basis).fit(X[rows], TWO[rows])

    halves = slice(0, 150), slice(150, 300)
    one, two = (fitted(pt.PolynomialBasis(2), half) for half in halves)
    whole = fitted(pt.PolynomialBasis(2), slice(0, 300))
    np.testing.assert_allclose(one.merge(two).coef_, whole.coef_, atol=1e-10)
    np.testing.assert_allclose(one.merge(two).decision_function(X), whole.decision_function(X), atol=1e-10)
    one, two = (fitted(pt.KernelBasis(1.0, 5), half) for half in halves)
    with pytest.raises(pt.DataError, match="centers"):
        one.merge(two)


def test_the_perceptron_learns_exclusive_or_through_a_polynomial():
    corners, xor = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0]
    with pytest.warns(pt.ConvergenceWarning, match="not separated"):
        assert not pt.Perceptron(max_iter=50).fit(corners, xor).converged_
    model = pt.Perceptron(basis=pt.PolynomialBasis(2)).fit(corners, xor)
    assert model.converged_
    assert model.predict(corners).tolist() == xor


# --- start


def starts(y):
    gaussian = pt.GaussianClassifier().fit(X, y)
    best = pt.LogisticRegression().fit(X, y)
    wild = (1e8 * np.random.default_rng(3).normal(size=best.coef_.shape), np.zeros(len(best.coef_)))
    return {"model": gaussian, "form": gaussian.as_linear(), "optimum": best, "pair": (best.coef_, [0.0]), "wild": wild}


@both
@pytest.mark.parametrize("parametrization", ["symmetric", "reference"])
@pytest.mark.parametrize("solver", ["auto", "irls"])
@pytest.mark.parametrize("prior", [None, 3.0])
def test_a_start_changes_the_sweeps_and_not_the_maximum(y, parametrization, solver, prior):
    def model():
        return pt.LogisticRegression(parametrization=parametrization, solver=solver, prior=prior)

    plain = model().fit(X, y)
    for name, start in starts(y).items():
        found = model().fit(X, y, start=start)
        assert found.fit_status_ == plain.fit_status_ == "ok", name
        np.testing.assert_allclose(found.coef_, plain.coef_, rtol=0, atol=1e-9, err_msg=name)
        np.testing.assert_allclose(found.intercept_, plain.intercept_, rtol=0, atol=1e-9, err_msg=name)
    again = model().fit(X, y, start=plain)
    assert again.solution_.sweeps == 1 < plain.solution_.sweeps
    assert again.n_iter_ == 0


def test_a_start_over_the_columns_of_a_basis_is_of_use():
    model = pt.LogisticRegression(basis=pt.PolynomialBasis(2))
    plain = model.fit(X, TWO)
    coef, sweeps = plain.coef_, plain.solution_.sweeps
    again = pt.LogisticRegression(basis=pt.PolynomialBasis(2)).fit(X, TWO, start=plain)
    assert again.solution_.sweeps == 1 < sweeps
    np.testing.assert_allclose(again.coef_, coef, atol=1e-12)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.slow
def test_a_start_changes_the_sweeps_and_not_the_maximum_where_a_sample_goes_before(classes):
    rng = np.random.default_rng(4)
    n, d = 40_000, (80 if classes == 2 else 30)
    rows = rng.normal(size=(n, d))
    y = np.digitize(rows @ rng.normal(size=d) / 4 + rng.logistic(size=n), [0.0, 1.5][: classes - 1])
    plain = pt.LogisticRegression().fit(rows, y)
    gaussian = pt.GaussianClassifier().fit(rows, y)
    wild = (1e4 * rng.normal(size=plain.coef_.shape), np.zeros(len(plain.coef_)))
    for start in (plain, gaussian, wild):
        found = pt.LogisticRegression().fit(rows, y, start=start)
        assert found.fit_status_ == "ok"
        np.testing.assert_allclose(found.coef_, plain.coef_, rtol=0, atol=1e-8)
        if start is plain:
            assert found.solution_.sweeps <= 2 < plain.solution_.sweeps


def test_a_start_changes_nothing_under_separation_or_aliases():
    rows = np.c_[X, X[:, 0] + X[:, 1]]
    start = (np.array([[5.0, -3.0, 2.0]]), [1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for y in (TWO, rows[:, 0] > 0):
            plain, begun = pt.LogisticRegression().fit(rows, y), pt.LogisticRegression().fit(rows, y, start=start)
            assert begun.fit_status_ == plain.fit_status_ != "ok"
            np.testing.assert_allclose(begun.coef_, plain.coef_, rtol=1e-8, atol=1e-9)


def test_a_start_without_an_intercept_and_one_from_scikit_learn():
    from sklearn.linear_model import LogisticRegression

    theirs = LogisticRegression(C=np.inf).fit(X, THREE)
    plain = pt.LogisticRegression(fit_intercept=False).fit(X, THREE)
    found = pt.LogisticRegression(fit_intercept=False).fit(X, THREE, start=theirs)
    np.testing.assert_allclose(found.coef_, plain.coef_, atol=1e-9)


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ((np.zeros((1, 3)), [0.0]), r"start.*over 3 column\(s\).*over 2 column\(s\) \(0, 1\)"),
        ((np.zeros((3, 2)), np.zeros(3)), "3 classes, but there are 2"),
        ((np.zeros((2, 2, 2)), [0.0]), "shapes"),
        ((np.array([[np.inf, 0.0]]), [0.0]), "not finite"),
        (("a", "b"), "must be numbers"),
        ("zero", "start must be a fitted linear model"),
        (pt.LogisticRegression(), "start must be a fitted linear model"),
    ],
)
def test_a_start_that_cannot_be_is_refused(start, message):
    with pytest.raises(pt.DataError, match=message):
        pt.LogisticRegression().fit(X, TWO, start=start)


# --- explain


@both
@pytest.mark.parametrize("basis", [None, pt.PolynomialBasis(2)], ids=repr)
@pytest.mark.parametrize("parametrization", ["symmetric", "reference"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_contributions_sum_to_the_linear_predictor(y, basis, parametrization, fit_intercept):
    model = pt.LogisticRegression(basis=basis, parametrization=parametrization, fit_intercept=fit_intercept).fit(X, y)
    told = model.explain(X[:50])
    shape = (50, 3) if y is THREE else (50,)
    assert told.contributions.shape == (*shape, model.coef_.shape[1])
    assert told.names == model.coefficient_names_
    wanted = model.linear_predictor(X[:50])
    np.testing.assert_allclose(told.baseline + told.contributions.sum(axis=-1), wanted, rtol=0, atol=1e-13)
    np.testing.assert_allclose(told.total, wanted, rtol=0, atol=1e-13)


def test_contributions_are_measured_from_the_mean_row():
    model = pt.LogisticRegression().fit(X + 1000.0, TWO)
    told = model.explain((X + 1000.0).mean(axis=0)[None])
    np.testing.assert_allclose(told.contributions, 0.0, atol=1e-12)
    np.testing.assert_allclose(told.baseline, model.linear_predictor((X + 1000.0).mean(axis=0)[None])[0], atol=1e-12)


@both
def test_an_offset_is_a_part_of_its_own(y):
    offset = np.random.default_rng(5).normal(size=(300,) if y is TWO else (300, 3))
    model = pt.LogisticRegression().fit(X, y, offset=offset)
    told = model.explain(X, offset=offset)
    np.testing.assert_allclose(told.total, model.linear_predictor(X, offset), atol=1e-13)
    assert "offset" in told.to_frame().columns
    with pytest.raises(pt.DataError, match="offset"):
        model.explain(X)


def test_an_explanation_is_a_frame_of_the_library_the_rows_came_in():
    import polars as pl

    frame = pl.DataFrame({"x": X[:, 0], "baseline": X[:, 1]})
    told = pt.LogisticRegression().fit(frame, THREE).explain(frame[:4])
    table = told.to_frame()
    assert isinstance(table, pl.DataFrame)
    assert table.columns == ["row", "class", "baseline", "x", "baseline_", "total"]
    assert table.shape == (12, 6)
    np.testing.assert_allclose(table["total"].to_numpy().reshape(4, 3), told.total)
    pandas = told.to_frame("pandas")
    np.testing.assert_allclose(pandas[["baseline", "x", "baseline_"]].sum(axis=1), pandas["total"], atol=1e-13)


def test_the_largest_contributions_come_first():
    told = pt.LogisticRegression().fit(X, TWO).explain([[0.1, 3.0]])
    sizes = [abs(value) for _, value in told.top(0)]
    assert sizes == sorted(sizes, reverse=True)
    assert {name for name, _ in told.top(0)} == {"x0", "x1"}


def test_rows_with_gaps_are_not_explained():
    with pytest.raises(pt.DataError, match="NaN"):
        pt.LogisticRegression().fit(X, TWO).explain([[np.nan, 0.0]])

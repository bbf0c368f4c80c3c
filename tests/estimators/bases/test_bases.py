"""Each basis: its formula, its names, its edges."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import expit
from sklearn.preprocessing import PolynomialFeatures

import posteriori as pt
from posteriori.tables.features import Features
from posteriori.tables.memory import MemoryTable
from posteriori.tables.schema import numbered

ROWS = arrays(np.float64, (7, 3), elements=st.floats(-10, 10))


def table(X):
    return MemoryTable(Features(X, numbered(X.shape[1])))


def every_basis():
    return [
        pt.PolynomialBasis(3),
        pt.GaussianBasis([-1.0, 0.5], [1.0, 2.0]),
        pt.GaussianBasis([[0.0, 1.0, 2.0], [1.0, 1.0, 1.0]], 3.0),
        pt.SigmoidBasis([-1.0, 0.5], 0.3),
        pt.KernelBasis(2.0, "all"),
        pt.KernelBasis("median", 3),
        pt.CustomBasis({"sums": lambda rows: rows.sum(axis=1), "two": lambda rows: rows[:, :2]}),
    ]


@pytest.mark.parametrize("basis", every_basis(), ids=lambda basis: type(basis).__name__)
def test_phi_of_a_row_depends_on_that_row_alone_and_has_the_columns_it_names(basis):
    X = np.random.default_rng(0).normal(size=(20, 3))
    phi = basis.bind(table(X))
    whole = phi(X)
    assert whole.shape == (20, phi.n_columns)
    assert len(set(phi.titles(["a", "b", "c"]))) == phi.n_columns
    np.testing.assert_allclose(np.vstack([phi(X[i : i + 1]) for i in range(20)]), whole, rtol=1e-14, atol=0)


@pytest.mark.parametrize("basis", every_basis(), ids=lambda basis: type(basis).__name__)
def test_binding_changes_nothing_in_the_basis_and_the_transformer_uses_the_same_map(basis):
    X = np.random.default_rng(1).normal(size=(20, 3))
    before = dict(vars(basis))
    phi = basis.bind(table(X))
    assert vars(basis) == before
    np.testing.assert_array_equal(basis.fit(X).transform(X), phi(X))


@given(ROWS, st.integers(1, 4))
def test_polynomials_are_those_of_scikit_learn_in_the_same_order(X, degree):
    theirs = PolynomialFeatures(degree, include_bias=False).fit(X)
    ours = pt.PolynomialBasis(degree).fit(X)
    tiny = np.finfo(np.float64).tiny  # numbers below it have fewer digits, and the orders of multiplying differ
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), rtol=1e-13, atol=tiny)
    names = ["a", "b", "c"]
    assert ours.get_feature_names_out(names).tolist() == theirs.get_feature_names_out(names).tolist()


def test_gaussian_bumps_follow_their_formula():
    X = np.array([[0.3, -1.0]])
    found = pt.GaussianBasis([0.0, 2.0], 0.7).fit(X)
    wanted = [np.exp(-((x - mu) ** 2) / (2 * 0.49)) for x in X[0] for mu in (0.0, 2.0)]
    np.testing.assert_allclose(found.transform(X)[0], wanted, rtol=1e-14)
    assert found.get_feature_names_out(["u", "v"])[3] == "gauss(v; 2)"
    points = pt.GaussianBasis([[0.0, 2.0], [1.0, 1.0]], [0.7, 3.0]).fit(X)
    wanted = [np.exp(-(0.3**2 + 3.0**2) / (2 * 0.49)), np.exp(-(0.7**2 + 2.0**2) / 18.0)]
    np.testing.assert_allclose(points.transform(X)[0], wanted, rtol=1e-14)
    assert points.get_feature_names_out(["u", "v"])[0] == "gauss(u, v; 0, 2)"


def test_sigmoids_follow_their_formula_and_do_not_overflow():
    basis = pt.SigmoidBasis([1.0], 0.5).fit([[0.0]])
    np.testing.assert_allclose(basis.transform([[0.3]])[0, 0], expit(-0.7 / 0.5), rtol=1e-15)
    assert basis.transform([[-1e300], [1e300]]).ravel().tolist() == [0.0, 1.0]


def test_a_tiny_width_is_not_squared_to_nothing():
    basis = pt.GaussianBasis([0.0], 1e-200).fit([[0.0]])
    np.testing.assert_allclose(basis.transform([[1e-200]])[0, 0], np.exp(-0.5), rtol=1e-14)


def test_kernels_sit_on_the_distinct_rows_and_the_median_rule_is_over_those():
    X = np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 4.0], [-0.0, 0.0], [0.0, 1.0]])
    phi = pt.KernelBasis("median", "all").fit(X).phi_
    assert phi.centers.tolist() == [[0.0, 0.0], [0.0, 1.0], [3.0, 4.0]]
    assert phi.widths.tolist() == [np.sqrt(18.0)] * 3


def test_landmarks_are_rows_as_many_as_asked_for_whatever_their_order_and_repetition():
    X = np.random.default_rng(2).normal(size=(500, 2)).round(1)
    first = pt.KernelBasis(1.0, 40).fit(X).phi_.centers
    again = pt.KernelBasis(1.0, 40).fit(np.random.default_rng(3).permutation(np.repeat(X, 3, axis=0))).phi_.centers
    np.testing.assert_array_equal(first, again)
    assert len(np.unique(first, axis=0)) == 40
    assert {tuple(row) for row in first} <= {tuple(row) for row in X + 0.0}
    assert len(pt.KernelBasis(1.0, 40).fit(np.repeat(X[:7], 9, axis=0)).phi_.centers) == len(np.unique(X[:7], axis=0))


def test_landmarks_are_spread_over_the_rows_and_the_same_from_many_blocks():
    X = np.random.default_rng(6).uniform(size=(200_000, 1))
    centers = pt.KernelBasis(1.0, 1000).fit(X).phi_.centers
    assert len(centers) == 1000
    assert np.histogram(centers, bins=10, range=(0, 1))[0].min() > 60
    np.testing.assert_array_equal(pt.KernelBasis(1.0, 1000).fit(X[::-1]).phi_.centers, centers)


def test_rows_of_weight_zero_are_no_centres():
    rng = np.random.default_rng(3)
    X, y, weights = rng.normal(size=(60, 2)), rng.integers(0, 2, 60), (np.arange(60) % 3 > 0).astype(float)
    model = pt.LogisticRegression(basis=pt.KernelBasis("median", 6), prior=1.0)
    held = model.fit(X, y, sample_weight=weights).predict_proba(X)
    left = model.fit(X[weights > 0], y[weights > 0]).predict_proba(X)
    np.testing.assert_array_equal(held, left)


def test_functions_are_named_by_keys_by_themselves_or_by_number():
    X = [[1.0, 2.0]]

    def radius(rows):
        return np.hypot(rows[:, 0], rows[:, 1])

    def names(functions):
        return pt.CustomBasis(functions).fit(X).get_feature_names_out().tolist()

    assert names(radius) == ["radius"]
    assert names([radius, lambda rows: rows]) == ["radius", "f1[0]", "f1[1]"]
    assert names({"r": radius}) == ["r"]


REFUSED = {
    "a degree that is no whole number": (pt.PolynomialBasis(1.5), "degree=1.5"),
    "more terms than there is room for": (pt.PolynomialBasis(400), "terms, more than"),
    "no centre": (pt.GaussianBasis([], 1.0), "at least one"),
    "a centre twice": (pt.GaussianBasis([1.0, 1.0], 1.0), "must differ"),
    "a centre that is not finite": (pt.SigmoidBasis([np.nan], 1.0), "must be finite"),
    "points for sigmoids": (pt.SigmoidBasis([[0.0, 1.0, 2.0]], 1.0), r"shape \(m,\)"),
    "a width of zero": (pt.GaussianBasis([0.0], 0.0), "positive number"),
    "widths for other centres": (pt.GaussianBasis([0.0], [1.0, 2.0]), "each of the 1 centre"),
    "points of another space": (pt.GaussianBasis([[0.0]], 1.0), "1 coordinate"),
    "an unknown bandwidth": (pt.KernelBasis("mean", "all"), "'median'"),
    "unknown centres": (pt.KernelBasis(1.0, "some"), "'all'"),
    "no landmark": (pt.KernelBasis(1.0, 0), "from 1 up"),
    "text for functions": (pt.CustomBasis("x"), "must be a dict"),
    "no function": (pt.CustomBasis([]), "there is none"),
    "something else than a function": (pt.CustomBasis({"a": 3}), "of 'a' is not one"),
    "a function of another length": (pt.CustomBasis({"a": lambda rows: rows[1:]}), "'a' must return"),
    "a function that fails": (pt.CustomBasis({"a": lambda rows: rows[:, 9]}), "'a' failed"),
    "a function of all rows": (pt.CustomBasis({"a": lambda rows: rows - rows.mean(axis=0)}), "that row only"),
    "a function that writes into the rows": (pt.CustomBasis({"a": lambda rows: rows.sort()}), "'a' failed"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses(name):
    basis, message = REFUSED[name]
    X = np.random.default_rng(4).normal(size=(9, 3))
    with pytest.raises(pt.DataError, match=message):
        basis.fit(X)
    with pytest.raises(pt.DataError, match=message):
        pt.LogisticRegression(basis=basis).fit(X, np.arange(9) % 2)


def test_the_median_rule_refuses_a_single_point():
    with pytest.raises(pt.DataError, match="two different rows"):
        pt.KernelBasis("median", "all").fit([[1.0], [1.0]])


def test_a_product_named_like_a_column_is_refused():
    frame = pd.DataFrame([[1.0, 2.0, 3.0]], columns=["x", "y", "x y"])
    with pytest.raises(pt.DataError, match="two columns the name 'x y'"):
        pt.PolynomialBasis(2).fit(frame)


def test_cells_that_are_not_finite_are_named_by_the_users_own_column():
    frame = pd.DataFrame({"x": [1.0, 2.0, np.inf], "y": [1.0, 2.0, 3.0]})
    for basis in (pt.GaussianBasis([0.0], 1.0), pt.PolynomialBasis(2)):
        with pytest.raises(pt.DataError, match=r"infinity.*column 'x': 1 cell\(s\), the first in row 2"):
            basis.fit(frame)


def test_numbers_that_the_basis_makes_too_large_are_named_by_its_column():
    basis = pt.PolynomialBasis(2).fit([[1.0]])
    with pytest.raises(pt.DataError, match=r"The basis has values that are not finite.*'x0\^2'.*row 1"):
        basis.transform([[1.0], [1e200]])


def test_single_precision_stays_so():
    X = np.random.default_rng(5).normal(size=(5, 2)).astype(np.float32)
    assert pt.PolynomialBasis(2).fit_transform(X).dtype == np.float32


def test_a_failed_fit_leaves_the_old_one_whole():
    basis = pt.KernelBasis("median", "all").fit([[0.0], [1.0]])
    with pytest.raises(pt.DataError):
        basis.fit([[1.0], [1.0]])
    assert basis.transform([[0.0]]).shape == (1, 2)

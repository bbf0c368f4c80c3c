"""Gaussian families: densities, degenerate columns, and rows far away."""

import numpy as np
import pytest
import scipy.stats as st

from posteriori.backends.backend import ARRAYS
from posteriori.families.gaussian.diagonal import DiagonalGaussian
from posteriori.families.gaussian.full import FullGaussian
from posteriori.families.gaussian.spherical import SphericalGaussian
from posteriori.statistics.gram import Gram

FAMILIES = [
    family(shared=shared, estimate_by=estimate)
    for family in (DiagonalGaussian, SphericalGaussian, FullGaussian)
    for shared in (False, True)
    for estimate in ("ml", "unbiased")
] + [DiagonalGaussian(shared="all"), DiagonalGaussian(shared="all", estimate_by="unbiased")]


def data(seed=0, n=60, d=3, n_classes=3):
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % n_classes
    mixing = 2 * np.eye(d) + rng.normal(size=(d, d)) / 2
    return rng.normal(size=(n, d)) @ mixing + codes[:, None], codes, rng.random(n) + 0.5


@pytest.fixture(autouse=True)
def _as_an_engine_runs_them():
    with np.errstate(all="ignore"):
        yield


def fitted(family, X, codes, weights=None, n_classes=3):
    weights = np.ones(len(X)) if weights is None else weights
    return family.estimate(family.summarize(X, codes, weights, n_classes, ARRAYS))


def covariance(family, X, codes, weights, k):
    """Compute the covariance of class k by the definitions, row by row of the books."""
    K, d = codes.max() + 1, X.shape[1]
    lost = family.estimate_by == "unbiased"
    scatters, totals = [], []
    for c in range(K):
        w = weights[codes == c][:, None]
        away = X[codes == c] - (w * X[codes == c]).sum(axis=0) / w.sum()
        scatters.append((w * away).T @ away)
        totals.append(w.sum())
    if family.shared:
        matrix, divisor = sum(scatters), sum(totals) - lost * K
    else:
        matrix, divisor = scatters[k], totals[k] - lost
    if isinstance(family, FullGaussian):
        return matrix / divisor
    if isinstance(family, SphericalGaussian) or family.shared == "all":
        return np.eye(d) * np.trace(matrix) / (d * divisor)
    return np.diag(np.diag(matrix)) / divisor


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_the_log_density_is_that_of_scipy_with_the_books_covariance(family):
    X, codes, weights = data()
    parameters = fitted(family, X, codes, weights)
    found = family.log_density(parameters, X, ARRAYS)
    for k in range(3):
        mean = np.average(X[codes == k], axis=0, weights=weights[codes == k])
        wanted = st.multivariate_normal(mean, covariance(family, X, codes, weights, k)).logpdf(X)
        np.testing.assert_allclose(found[:, k], wanted, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_the_discriminant_differs_from_the_log_density_by_a_term_common_to_the_classes(family):
    X, codes, weights = data()
    parameters = fitted(family, X, codes, weights)
    apart = family.discriminant(parameters, X, ARRAYS) - family.log_density(parameters, X, ARRAYS)
    np.testing.assert_allclose(apart - apart[:, :1], 0, atol=1e-10)


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_far_rows_are_decided_as_nearer_ones_in_the_same_direction(family):
    X, codes, weights = data(3)
    parameters = fitted(family, X, codes, weights)
    rng = np.random.default_rng(1)
    directions = rng.normal(size=(40, 3))
    near = family.discriminant(parameters, directions * 1e6, ARRAYS)
    for size in (1e9, 1e20, 1e100, 1e200, 1e300):
        far = family.discriminant(parameters, directions * size, ARRAYS)
        assert np.isfinite(far).all()
        assert (far.argmax(axis=1) == near.argmax(axis=1)).all()


@pytest.mark.parametrize("family", [family for family in FAMILIES if not isinstance(family, FullGaussian)], ids=repr)
def test_far_rows_with_missing_cells_are_scored_without_the_missing_cells(family):
    X, codes, weights = data(3)
    parameters = fitted(family, X, codes, weights)
    row = np.array([[1e250, np.nan, 1e250], [-1e250, np.nan, 1e3]])
    far = family.discriminant(parameters, row, ARRAYS)
    part = fitted(family, X[:, [0, 2]], codes, weights)
    if not isinstance(family, SphericalGaussian) and family.shared != "all":
        wanted = family.discriminant(part, row[:, [0, 2]], ARRAYS)
        assert (far.argmax(axis=1) == wanted.argmax(axis=1)).all()
    assert np.isfinite(far).all()


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_infinite_cells_are_nan_in_every_class(family):
    X, codes, weights = data()
    X[:, 1] = 7.0  # left out: nothing times infinity must not hide it
    parameters = fitted(family, X, codes, weights)
    found = family.discriminant(
        parameters, np.array([[0.0, np.inf, 0.0], [-np.inf, 0.0, 0.0], [0.0, 0.0, 0.0]]), ARRAYS
    )
    assert np.isnan(found).all(axis=1).tolist() == [True, True, False]


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
@pytest.mark.parametrize("scale", [1e-170, 1e-150, 1e-9, 1e9, 1e150, 1e160])
def test_units_of_a_column_change_no_difference_between_classes(family, scale):
    X, codes, weights = data()
    units = np.full(3, scale) if isinstance(family, SphericalGaussian) or family.shared == "all" else [1.0, scale, 1.0]
    plain = family.discriminant(fitted(family, X, codes, weights), X, ARRAYS)
    scaled = family.discriminant(fitted(family, X * units, codes, weights), X * units, ARRAYS)
    np.testing.assert_allclose(scaled - scaled[:, :1], plain - plain[:, :1], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
@pytest.mark.parametrize("offset", [1e6, 1e9])
def test_an_offset_changes_the_differences_little(family, offset):
    X, codes, weights = data()
    shifted = X + np.array([0.0, offset, 0.0])
    plain = family.discriminant(fitted(family, X, codes, weights), X, ARRAYS)
    found = family.discriminant(fitted(family, shifted, codes, weights), shifted, ARRAYS)
    np.testing.assert_allclose(found - found[:, :1], plain - plain[:, :1], atol=2e-15 * offset * 50)


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_sampling_then_fitting_recovers(family):
    X, codes, weights = data()
    parameters = fitted(family, X, codes, weights)
    drawn_codes = np.arange(30_000) % 3
    drawn = family.sample(parameters, drawn_codes, np.random.default_rng(0))
    again = fitted(family, drawn, drawn_codes)
    sd = X.std(axis=0)
    np.testing.assert_allclose(again.mean / sd, parameters.mean / sd, atol=0.05)
    apart = family.log_density(again, drawn, ARRAYS) - family.log_density(parameters, drawn, ARRAYS)
    own = apart[np.arange(len(drawn)), drawn_codes]
    assert np.sqrt((own**2).mean()) < 0.05


def test_marginalising_a_cell_is_leaving_its_column_out():
    X, codes, weights = data()
    family = DiagonalGaussian()
    gaps = X.copy()
    gaps[:, 1] = np.nan
    parameters = fitted(family, X, codes, weights)
    part = fitted(family, X[:, [0, 2]], codes, weights)
    np.testing.assert_allclose(
        family.log_density(parameters, gaps, ARRAYS), family.log_density(part, X[:, [0, 2]], ARRAYS), rtol=1e-12
    )


def test_a_constant_column_at_an_awkward_value_has_no_spread():
    X, codes, weights = data()
    for value in (0.1, 1e9 / 3, 1e-300, 1e300):
        X[:, 1] = value
        for family in (DiagonalGaussian(), FullGaussian(), FullGaussian(shared=False)):
            stats = family.summarize(X, codes, weights, 3, ARRAYS)
            half = family.summarize(X[:30], codes[:30], weights[:30], 3, ARRAYS).merge(
                family.summarize(X[30:], codes[30:], weights[30:], 3, ARRAYS)
            )
            for s in (stats, half):
                (note,) = family.notes(s, ("a", "b", "c"), np.arange(3))
                assert note.columns == ("b",)
                assert "left out" in note.message


@pytest.mark.parametrize("shared", [True, False])
def test_a_dependent_column_changes_nothing_but_the_note(shared):
    X, codes, weights = data()
    more = np.column_stack([X, X[:, 0] - 2 * X[:, 1]])
    family = FullGaussian(shared=shared)
    plain = family.discriminant(fitted(family, X, codes, weights), X, ARRAYS)
    found = family.discriminant(fitted(family, more, codes, weights), more, ARRAYS)
    # in linear coordinates of the plane the densities differ by a common factor only where it is shared
    if shared:
        np.testing.assert_allclose(found - found[:, :1], plain - plain[:, :1], rtol=1e-7, atol=1e-7)
    stats = family.summarize(more, codes, weights, 3, ARRAYS)
    (note,) = family.notes(stats, ("a", "b", "c", "d"), np.array(["x", "y", "z"]))
    assert note.columns == ("a", "b", "d")
    assert note.classes == (() if shared else ("x", "y", "z"))
    assert "shrinkage=" in note.remedy


def test_ranks_do_not_depend_on_units():
    X, codes, weights = data()
    for scale in (1e-9, 1e9, 1e-150):
        stats = FullGaussian(shared=False).summarize(X * [1, scale, 1], codes, weights, 3, ARRAYS)
        assert FullGaussian(shared=False).notes(stats, ("a", "b", "c"), np.arange(3)) == ()


def test_the_pooled_gram_is_one_matrix_and_the_sum_of_those_of_the_classes():
    X, codes, weights = data()
    pooled = FullGaussian(shared=True).summarize(X, codes, weights, 3, ARRAYS)
    own = FullGaussian(shared=False).summarize(X, codes, weights, 3, ARRAYS)
    assert isinstance(pooled, Gram)
    assert pooled.scatter.shape == (1, 3, 3)
    np.testing.assert_allclose(own.scatter.sum(axis=0), pooled.scatter[0], rtol=1e-12)

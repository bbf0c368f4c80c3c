"""Densities of one or two columns of a fitted model: the others are integrated out, not held."""

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import trapezoid

import posteriori as pt
from posteriori.families.marginals import gaussian_modes, log_marginal

RNG = np.random.default_rng(5)
CODE = RNG.integers(0, 2, 150)
X = RNG.normal(size=(150, 3)) @ RNG.normal(size=(3, 3)) + CODE[:, None] * [1.0, -0.5, 2.0]
POSITIVE = np.exp(0.4 * X)
SHARES = 1.0 / (1.0 + np.exp(-X))
COUNTS = RNG.poisson(2.0 + 3.0 * CODE[:, None], (150, 3)).astype(float)
PARTS = RNG.dirichlet([2.0, 3.0, 4.0], 150)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical", "low-rank"])
@pytest.mark.parametrize("columns", [(1,), (0, 2), (2, 1)])
def test_the_marginal_of_a_gaussian_has_its_means_and_covariances(covariance, shared, columns):
    model = pt.GaussianClassifier(covariance=covariance, shared=shared).fit(X, CODE)
    matrices = np.repeat(model.covariance_[None], 2, axis=0) if shared else model.covariances_
    kept, cells = list(columns), X[:20, columns]
    expected = [
        stats.multivariate_normal(model.means_[k][kept], matrices[k][np.ix_(kept, kept)]).logpdf(cells) for k in (0, 1)
    ]
    np.testing.assert_allclose(log_marginal(model.density_, columns, cells), np.transpose(expected), rtol=1e-9)
    np.testing.assert_array_equal(gaussian_modes(model.density_, columns), model.means_[:, kept])


def of_gamma(table, k):
    return stats.gamma(table["shape"][k], scale=table["scale"][k])


COLUMNS = {
    "gaussian": (X, "gaussian", lambda t, k: stats.norm(t["mean"][k], np.sqrt(t["variance"][k]))),
    "gamma": (POSITIVE, "gamma", of_gamma),
    "beta": (SHARES, "beta", lambda t, k: stats.beta(t["alpha"][k], t["beta"][k])),
    "exponential": (POSITIVE, "exponential", lambda t, k: stats.expon(scale=1.0 / t["rate"][k])),
    "poisson": (COUNTS, "poisson", lambda t, k: stats.poisson(t["rate"][k])),
    "binomial": (COUNTS, pt.Binomial(trials=20), lambda t, k: stats.binom(20, t["probability"][k])),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_an_independent_column_keeps_its_own_density(name):
    rows, family, known = COLUMNS[name]
    model = pt.NaiveBayes(families=family).fit(rows, CODE)
    cells = rows[:25, 2]
    logs = log_marginal(model.density_, (2,), cells[:, None])
    for k in (0, 1):
        expected = known(model.table(2), k)
        log = expected.logpmf if hasattr(expected.dist, "pmf") else expected.logpdf
        np.testing.assert_allclose(logs[:, k], log(cells), rtol=1e-9, atol=1e-12)
    pair = log_marginal(model.density_, (0, 2), rows[:25, [0, 2]])
    alone = [log_marginal(model.density_, (j,), rows[:25, [j]]) for j in (0, 2)]
    np.testing.assert_allclose(pair, alone[0] + alone[1], rtol=1e-12)


def test_parts_of_a_whole_that_are_left_out_become_one_part():
    model = pt.NaiveBayes(families="dirichlet").fit(PARTS, CODE)
    alpha = np.stack([model.table(j)["alpha"] for j in range(3)], axis=1)
    at = np.linspace(0.01, 0.99, 50)
    alone = log_marginal(model.density_, (1,), at[:, None])
    for k in (0, 1):
        expected = stats.beta(alpha[k, 1], alpha[k, [0, 2]].sum()).logpdf(at)
        np.testing.assert_allclose(alone[:, k], expected, rtol=1e-9)
    fine = np.linspace(0.0, 1.0, 4001)
    grid = np.column_stack([np.full(4001, 0.3), fine])
    inner = np.exp(log_marginal(model.density_, (1, 0), grid))
    np.testing.assert_allclose(
        trapezoid(inner, fine, axis=0), np.exp(log_marginal(model.density_, (1,), np.array([[0.3]])))[0], rtol=1e-5
    )


def test_integrating_a_pair_over_one_column_leaves_the_other():
    model = pt.NaiveBayes(families={(0, 1): "gaussian"}).fit(X, CODE)
    fine = np.linspace(-40.0, 40.0, 20001)
    pair = np.exp(log_marginal(model.density_, (0, 1), np.column_stack([np.full(20001, 0.7), fine])))
    alone = np.exp(log_marginal(model.density_, (0,), np.array([[0.7]])))
    np.testing.assert_allclose(trapezoid(pair, fine, axis=0), alone[0], rtol=1e-9)
    assert gaussian_modes(model.density_, (0, 2)) is not None


def test_outside_the_domain_there_is_no_mass():
    model = pt.NaiveBayes(families="gamma").fit(POSITIVE, CODE)
    assert np.isneginf(log_marginal(model.density_, (0, 1), np.array([[-1.0, 1.0]]))).all()
    assert gaussian_modes(model.density_, (0, 1)) is None


def test_a_column_without_a_density_of_its_own_is_rejected():
    model = pt.NaiveBayes(families="multinomial").fit(COUNTS, CODE)
    with pytest.raises(pt.DataError, match="group of 3 columns jointly"):
        log_marginal(model.density_, (0,), np.array([[1.0]]))
    whole = np.column_stack([PARTS[:, 0], 1.0 - PARTS[:, 0]])
    model = pt.NaiveBayes(families="dirichlet").fit(whole, CODE)
    with pytest.raises(pt.DataError, match="one follows from the others"):
        log_marginal(model.density_, (0, 1), whole)


@pytest.mark.filterwarnings("ignore::posteriori.DegenerateVarianceWarning")
def test_a_column_of_zero_variance_is_rejected():
    flat = np.column_stack([X[:, 0], np.ones(150), 2.0 * X[:, 0]])
    for model in (pt.GaussianClassifier(), pt.GaussianClassifier(covariance="diagonal"), pt.NaiveBayes()):
        model.fit(flat, CODE)
        with pytest.raises(pt.DataError, match="variance is zero"):
            log_marginal(model.density_, (1,), flat[:, [1]])
    with pytest.raises(pt.DataError, match="perfectly correlated"):
        log_marginal(pt.GaussianClassifier().fit(flat, CODE).density_, (0, 2), flat[:, [0, 2]])
    model = pt.NaiveBayes(families="poisson").fit(np.column_stack([COUNTS[:, 0], np.zeros(150)]), CODE)
    with pytest.raises(pt.DataError, match="variance is zero"):
        log_marginal(model.density_, (1,), np.array([[0.0], [1.0]]))

"""Jeffreys' prior: its gradient, its optimum, and the equivalences that every likelihood here keeps."""

import numpy as np
import pytest

import posteriori as pt
from posteriori.engines.select import engine_for
from posteriori.fits.existence.rank import gauge_of
from posteriori.input.training import read_training
from posteriori.links.logit import Logit
from posteriori.links.softmax import Softmax
from posteriori.objectives.jeffreys import JeffreysLikelihood
from posteriori.objectives.prepare import objective_of, survey
from posteriori.priors.gaussian import as_prior
from posteriori.priors.jeffreys import JeffreysPrior

LINKS = {"logit": Logit(), "softmax": Softmax(3), "softmax, reference": Softmax(3, reference=1)}


def rows(n=60, d=3, K=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * [1.0, 10.0, 0.1][:d] + [0.0, 5.0, 1.0][:d]
    return X, rng.permutation(np.arange(n) % K)


def objective(link, weights=None):
    X, y = rows(K=link.n_classes)
    table = read_training(object(), X, y, weights).table
    plain = objective_of(survey(engine_for(table)), link, None, True, 4000)
    gauge = gauge_of(plain, np.zeros((plain.units.n_coefficients, 0)))
    return JeffreysLikelihood(plain.engine, link, plain.units, plain.prior, gauge)


def fit(X, y, **parameters):
    given = {key: parameters.pop(key) for key in ("sample_weight", "offset") if key in parameters}
    return pt.LogisticRegression(prior="jeffreys", **parameters).fit(X, y, **given)


@pytest.mark.parametrize("name", LINKS)
def test_the_gradient_is_that_of_the_value(name):
    likelihood = objective(LINKS[name], weights=np.random.default_rng(1).uniform(0.5, 3, 60))
    w = likelihood.fixed(0.7 * np.random.default_rng(2).standard_normal(likelihood.n_parameters))
    point, h = likelihood.curvature(w), 1e-5
    differences = [
        (likelihood.slope(w + h * e).value - likelihood.slope(w - h * e).value) / (2 * h) for e in np.eye(len(w))
    ]
    np.testing.assert_allclose(point.gradient, likelihood.fixed(np.array(differences)), atol=1e-7)
    np.testing.assert_allclose(likelihood.along(w, np.ones_like(w), np.array([0.0])), [point.value], rtol=1e-14)


@pytest.mark.parametrize("K", [2, 3])
def test_the_value_is_the_log_likelihood_and_half_the_log_determinant_in_the_users_units(K):
    X, y = rows(K=K)
    model = fit(X, y, parametrization="reference")
    Z = np.column_stack([np.ones(len(X)), X])
    P = model.predict_proba(X)[:, 1:]
    information = np.einsum("na,nj,nl->ajl", P, Z, Z)
    whole = np.einsum("na,nb,nj,nl->ajbl", -P, P, Z, Z)
    for a in range(K - 1):
        whole[a, :, a, :] += information[a]
    size = (K - 1) * Z.shape[1]
    _, log_det = np.linalg.slogdet(whole.reshape(size, size))
    assert -model.solution_.objective == pytest.approx(model.log_likelihood_ + 0.5 * log_det, abs=1e-10)


@pytest.mark.parametrize("K", [2, 3])
def test_a_saturated_table_adds_half_a_count_to_every_cell(K):
    """One group a coefficient: the mode under Jeffreys' prior of a multinomial is (n_k + 1/2) / (n + K/2)."""
    counts = np.array([[3, 0, 5], [1, 7, 2]])[:, :K]
    p = fit([[0.0], [1.0]], counts).predict_proba([[0.0], [1.0]])
    np.testing.assert_allclose(p, (counts + 0.5) / (counts.sum(axis=1, keepdims=True) + K / 2), atol=1e-8)


def test_parametrisations_are_one_model():
    X, y = rows()
    first, other = fit(X, y), fit(X, y, parametrization="reference", reference=2)
    np.testing.assert_allclose(other.predict_proba(X), first.predict_proba(X), atol=1e-9)
    assert other.solution_.objective == pytest.approx(first.solution_.objective, abs=1e-9)


@pytest.mark.parametrize("K", [2, 3])
def test_weights_counts_repetition_and_sparse_rows_agree(K):
    import scipy.sparse as sp

    X, y = rows(K=K)
    times = np.random.default_rng(3).integers(1, 4, len(y))
    wanted = fit(np.repeat(X, times, axis=0), np.repeat(y, times)).predict_proba(X)
    for model in (
        fit(X, y, sample_weight=times),
        fit(X, np.eye(K)[y] * times[:, None]),
        fit(sp.csr_array(X), y, sample_weight=times),
    ):
        np.testing.assert_allclose(model.predict_proba(X), wanted, atol=1e-8)


def test_an_offset_is_part_of_the_predictor():
    X, y = rows(K=2)
    plain, offset = fit(X, y), 0.3 * X[:, 0]
    moved = fit(X, y, offset=offset)
    # an offset in the span of the columns moves its coefficient and nothing else
    np.testing.assert_allclose(moved.coef_[0, 0] + 0.3, plain.coef_[0, 0], atol=1e-7)
    np.testing.assert_allclose(moved.predict_proba(X, offset=offset), plain.predict_proba(X), atol=1e-8)


def test_units_change_nothing_but_units():
    X, y = rows()
    first, other = fit(X, y), fit(X * 1e6 - 3e7, y)
    np.testing.assert_allclose(other.predict_proba(X * 1e6 - 3e7), first.predict_proba(X), atol=1e-8)


def test_aliased_columns_are_named_and_change_no_probability():
    X, y = rows(K=2)
    with pytest.warns(pt.CollinearityWarning, match="combinations of others"):
        double = fit(np.column_stack([X, 2 * X[:, 0]]), y)
    assert double.fit_status_ == "aliased"
    wanted = fit(X, y).predict_proba(X)
    np.testing.assert_allclose(double.predict_proba(np.column_stack([X, 2 * X[:, 0]])), wanted, atol=1e-8)


@pytest.mark.parametrize("seed", range(10))
def test_few_separated_rows_converge(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((8, 2)) * 3, np.arange(8) % 2
    X[y == 1, 0] += 20.0
    model = fit(X, y)
    assert (model.fit_status_, model.solution_.converged) == ("ok", True)
    assert np.abs(model.coef_).max() < 10


def test_too_few_iterations_are_reported():
    X, y = rows(K=2)
    with pytest.warns(pt.ConvergenceWarning):
        model = fit(X, y, max_iter=1)
    assert model.fit_status_ == "not_converged"


def test_the_name_is_read_and_others_are_refused():
    assert as_prior("jeffreys") == JeffreysPrior()
    with pytest.raises(pt.DataError, match=r"'jeffreys'.*'evidence'.*not 'cauchy'"):
        as_prior("cauchy")


def test_more_coefficients_than_a_matrix_has_room_for_are_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(pt.DataError, match="needs the information matrix"):
        fit(rng.standard_normal((10, 4001)), np.arange(10) % 2)

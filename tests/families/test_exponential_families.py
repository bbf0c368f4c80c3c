"""Poisson, exponential, binomial, gamma, beta and Dirichlet columns: densities, equations, extremes."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import digamma, gammaln, polygamma

import posteriori as pt
from posteriori.backends.backend import ARRAYS
from posteriori.families.beta import Beta
from posteriori.families.binomial import Binomial
from posteriori.families.dirichlet import Dirichlet
from posteriori.families.dirichlet_likelihood import concentrations, maximize_likelihood
from posteriori.families.exponential import Exponential
from posteriori.families.gamma import Gamma, shape_of
from posteriori.families.gamma_function import log_less_digamma, stirling, trigamma_less_inverse
from posteriori.families.multinomial import Multinomial
from posteriori.families.poisson import Poisson

RNG = np.random.default_rng(0)
CODES = np.arange(60) % 2


def fitted(family, columns, codes=CODES, weights=None, n_classes=2):
    weights = np.ones(len(columns)) if weights is None else weights
    return family.estimate(family.summarize(columns, codes, weights, n_classes, ARRAYS))


def reference(family, parameters, columns, k):
    """Give scipy's log density of class k."""
    shown = [family.describe(parameters, j) for j in range(columns.shape[1])]
    value = {name: np.array([table[name][k] for table in shown]) for name in shown[0]}
    if isinstance(family, Poisson):
        return stats.poisson.logpmf(columns, value["rate"]).sum(axis=1)
    if isinstance(family, Binomial):
        return stats.binom.logpmf(columns, family.trials, value["probability"]).sum(axis=1)
    if isinstance(family, Exponential):
        return stats.expon.logpdf(columns, scale=1 / value["rate"]).sum(axis=1)
    if isinstance(family, Gamma):
        return stats.gamma.logpdf(columns, value["shape"], scale=value["scale"]).sum(axis=1)
    if isinstance(family, Beta):
        return stats.beta.logpdf(columns, value["alpha"], value["beta"]).sum(axis=1)
    if isinstance(family, Dirichlet):
        return stats.dirichlet.logpdf(columns.T, value["alpha"])
    return stats.multinomial.logpmf(columns, columns.sum(axis=1).astype(int), value["probability"])


EXAMPLES = [
    (Poisson(), RNG.poisson(3.0, (60, 2)).astype(float)),
    (Binomial(7), RNG.binomial(7, 0.4, (60, 2)).astype(float)),
    (Exponential(), RNG.exponential(2.0, (60, 2))),
    (Gamma(), RNG.gamma(3.0, 2.0, (60, 2))),
    (Beta(), RNG.beta(2.0, 3.0, (60, 2))),
    (Dirichlet(), RNG.dirichlet([1.0, 2.0, 3.0], 60)),
    (Multinomial(), RNG.multinomial(9, [0.2, 0.3, 0.5], 60).astype(float)),
]
every = pytest.mark.parametrize(("family", "columns"), EXAMPLES, ids=[type(f).__name__ for f, _ in EXAMPLES])


@every
def test_log_densities_are_scipys(family, columns):
    parameters = fitted(family, columns)
    found = family.log_density(parameters, columns, ARRAYS)
    for k in (0, 1):
        np.testing.assert_allclose(found[:, k], reference(family, parameters, columns, k), rtol=1e-10, atol=1e-11)


@every
def test_no_other_parameters_are_likelier(family, columns):
    if isinstance(family, Multinomial):
        family = Multinomial(0.0)
    parameters = fitted(family, columns)
    best = family.log_density(parameters, columns, ARRAYS)[np.arange(60), CODES].sum()
    rng = np.random.default_rng(1)
    for _ in range(20):
        weights = rng.exponential(size=60)  # the parameters of the same rows with other weights
        other = fitted(family, columns, weights=weights)
        assert family.log_density(other, columns, ARRAYS)[np.arange(60), CODES].sum() < best


@every
def test_a_cell_outside_the_domain_makes_its_row_nan_and_no_other(family, columns):
    parameters = fitted(family, columns)
    bad = columns.copy()
    bad[4, 1] = -3.0
    for method in (family.log_density, family.discriminant):
        scores = method(parameters, bad, ARRAYS)
        assert np.flatnonzero(np.isnan(scores).any(axis=1)).tolist() == [4]
        assert np.isnan(scores[4]).all()


@pytest.mark.parametrize("lag", [1e-20, 1e-12, 1e-6, 1e-3, 0.1, 1.0, 10.0, 700.0])
def test_the_shape_solves_its_equation_to_rounding(lag):
    a = shape_of(np.array([lag]))
    assert log_less_digamma(a)[0] == pytest.approx(lag, rel=1e-14)


@pytest.mark.parametrize("a", [1e-3, 0.7, 5.0, 63.9, 64.0, 100.0, 500.0])
def test_series_and_functions_meet(a):
    x = np.array([a])
    assert stirling(x)[0] == pytest.approx(gammaln(a) - (a * np.log(a) - a), rel=1e-11)
    assert log_less_digamma(x)[0] == pytest.approx(np.log(a) - digamma(a), rel=1e-11)
    assert trigamma_less_inverse(x)[0] == pytest.approx(polygamma(1, a) - 1 / a, rel=1e-10)


@pytest.mark.parametrize("scale", [1e-3, 0.05, 1.0, 30.0])
@pytest.mark.parametrize("J", [2, 3, 10])
def test_dirichlet_parameters_are_recovered_from_their_expected_logs(J, scale):
    alpha = np.random.default_rng(2).gamma(1.0, size=(50, J)) * scale + 1e-6
    logs = digamma(alpha) - digamma(alpha.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(maximize_likelihood(logs), alpha, rtol=1e-11)


def test_a_gamma_column_of_a_million_and_spread_one_keeps_its_digits_in_any_parts():
    rng = np.random.default_rng(0)
    columns, codes = rng.normal(size=(3000, 1)) + 1e6, np.arange(3000) % 2
    whole = fitted(Gamma(), columns, codes)
    for k in (0, 1):
        x = columns[codes == k]
        assert whole.shape[k, 0] == pytest.approx(x.mean() ** 2 / x.var(), rel=1e-5)
    parts = [Gamma().summarize(columns[i : i + 7], codes[i : i + 7], np.ones(len(columns[i : i + 7])), 2, ARRAYS)
             for i in range(0, 3000, 7)]  # fmt: skip
    merged = parts[0]
    for part in parts[1:]:
        merged = merged.merge(part)
    np.testing.assert_allclose(Gamma().estimate(merged).shape, whole.shape, rtol=1e-7)


@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e200])
def test_units_change_no_gamma_or_exponential_discriminant(unit):
    columns = np.random.default_rng(3).gamma(2.0, size=(60, 2))
    for family in (Gamma(), Exponential()):
        plain = family.discriminant(fitted(family, columns), columns, ARRAYS)
        scaled = family.discriminant(fitted(family, columns * unit), columns * unit, ARRAYS)
        np.testing.assert_allclose(scaled - scaled[:, :1], plain - plain[:, :1], atol=1e-9)


def test_a_class_without_spread_takes_the_pooled_precision_about_its_own_mean():
    logs = np.log(np.array([[0.3, 0.7], [0.5, 0.5]]))
    logs[0] -= 0.1
    alpha = concentrations(np.array([3.0, 1.0]), logs)
    own = alpha[0].sum()
    np.testing.assert_allclose(alpha[1], np.array([0.5, 0.5]) * own / 0.75)
    assert np.isinf(concentrations(np.array([3.0, 1.0]), np.log(np.array([[0.3, 0.7], [0.5, 0.5]])))).all()


def test_a_gamma_cell_near_the_largest_float_gives_probabilities_and_a_label():
    rng = np.random.default_rng(0)
    X, y = 1e-3 * rng.gamma(2.0, [[1.0], [3.0]] * 30), np.arange(60) % 2
    model = pt.NaiveBayes(families="gamma").fit(X, y)
    far = np.array([[1.7e308]])
    with pytest.warns(UserWarning, match="impossible under every class"):
        assert model.predict(far)[0] in (0, 1)
    with pytest.warns(UserWarning, match="impossible under every class"):
        np.testing.assert_allclose(model.predict_proba(far), [[0.5, 0.5]])
    half = pt.NaiveBayes(families="gamma").fit(X * np.where(y, 1e303, 1.0)[:, None], y)
    assert half.predict([[1e307]])[0] == 1


def test_an_exponential_cell_near_the_largest_float_is_of_the_class_of_the_largest_mean():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = 1e-300 * rng.standard_exponential((90, 2)) * (1 + y)[:, None]
    model = pt.NaiveBayes(families="exponential").fit(X, y)
    assert model.predict([[1e308, 1e308], [1e300, 0.0]]).tolist() == [2, 2]
    np.testing.assert_array_equal(model.predict_proba([[1.7e308, 1.7e308]]), [[0.0, 0.0, 1.0]])


@pytest.mark.parametrize("unit", [1e-310, 1e-320])
def test_waiting_times_whose_rate_is_above_all_floats_are_rejected(unit):
    with pytest.raises(pt.DataError, match="beyond the range of floats"):
        pt.NaiveBayes(families="exponential").fit(RNG.exponential(size=(60, 2)) * unit, CODES)


@pytest.mark.parametrize(("family", "unit"), [("gamma", 1e-310), ("gaussian", 1e-307)])
def test_weights_above_all_floats_are_rejected(family, unit):
    model = pt.NaiveBayes(families=family).fit((1.0 + RNG.random((60, 2))) * unit, CODES)
    with pytest.raises(pt.DataError, match="beyond the range of floats"):
        model.as_linear()


def test_counts_that_sum_to_more_than_a_float_are_rejected():
    with pytest.raises(pt.DataError, match="sum to more than the largest float"):
        pt.NaiveBayes(families="multinomial").fit(np.full((60, 2), 1e307), CODES)


def test_counts_of_rates_beyond_whole_numbers_are_drawn():
    counts = np.where(CODES[:, None] == 0, 1e20, 4e300) * np.ones((60, 2))
    rows, classes = pt.NaiveBayes(families="poisson").fit(counts, CODES).sample(40, random_state=0)
    np.testing.assert_allclose(rows, np.where(classes == 0, 1e20, 4e300)[:, None] * np.ones(2), rtol=1e-8)
    rows, _ = pt.NaiveBayes(families="multinomial").fit(counts, CODES).sample(40, random_state=0)
    assert (rows >= 0).all()

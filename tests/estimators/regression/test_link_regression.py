"""Discriminative models together: likelihoods of weighted counts, parameters that cannot be, words for strangers."""

import numpy as np
import pytest
from scipy.stats import multinomial
from sklearn.exceptions import NotFittedError

import posteriori as pt

LINKS = ["logit", "probit", "cloglog", "loglog", "cauchit"]


def grouped(n=24, n_classes=2, seed=0):
    """Give columns from zero up, class counts with some empty rows, and whole weights with some zeros."""
    rng = np.random.default_rng(seed)
    X = np.abs(rng.normal(size=(n, 2)))
    counts = rng.multinomial(6, np.full(n_classes, 1.0 / n_classes), size=n) * (rng.random(n) < 0.9)[:, None]
    return X, counts, rng.integers(0, 4, n)


def models():
    named = {link: (pt.BinaryRegression(link=link), 2) for link in LINKS}
    return named | {"noisy-or": (pt.NoisyOr(), 2), "softmax": (pt.LogisticRegression(), 3)}


@pytest.mark.parametrize("name", models())
@pytest.mark.parametrize("share", [1.0, 0.37])
def test_the_likelihood_of_weighted_counts_is_that_of_their_distribution(name, share):
    model, n_classes = models()[name]
    X, counts, weights = grouped(n_classes=n_classes)
    weights = share * weights
    model.fit(X, counts, sample_weight=weights)
    rows = multinomial.logpmf(counts, counts.sum(axis=1), model.predict_proba(X))
    assert model.log_likelihood_ == pytest.approx(float(weights @ rows), rel=1e-12)
    assert model.aic_ == pytest.approx(2 * model.n_parameters_ - 2 * float(weights @ rows), rel=1e-12)


@pytest.mark.parametrize("name", models())
def test_a_row_of_counts_of_weight_three_has_the_likelihood_of_three_rows(name):
    model, n_classes = models()[name]
    X, counts, weights = grouped(n_classes=n_classes)
    weighted = model.fit(X, counts, sample_weight=weights)
    measures = [weighted.log_likelihood_, weighted.deviance_, weighted.aic_, weighted.bic_]
    copied = model.fit(np.repeat(X, weights, axis=0), np.repeat(counts, weights, axis=0))
    assert measures == pytest.approx([copied.log_likelihood_, copied.deviance_, copied.aic_, copied.bic_], rel=1e-12)


def test_weights_that_are_not_whole_leave_a_ratio_of_likelihoods_as_it_was():
    X, counts, weights = grouped()
    half = weights + 0.5
    small, large = (pt.BinaryRegression().fit(columns, counts, sample_weight=half) for columns in (X[:, :1], X))
    ratio = pt.likelihood_ratio_test(small, large)
    assert ratio.statistic == pytest.approx(small.deviance_ - large.deviance_, rel=1e-10)


# --- parameters


@pytest.mark.parametrize("kind", [pt.LogisticRegression, pt.BinaryRegression, pt.NoisyOr])
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"max_iter": 1.5}, "max_iter=1.5 must be a whole number from 1 up"),
        ({"max_iter": "many"}, "max_iter='many' must be a whole number from 1 up"),
        ({"max_iter": True}, "max_iter=True must be a whole number from 1 up"),
        ({"tol": "fine"}, "tol='fine' must be positive"),
        ({"tol": None}, "tol=None must be positive"),
        ({"tol": np.nan}, "tol=nan must be positive"),
    ],
    ids=str,
)
def test_limits_that_are_no_numbers_are_refused_in_words(kind, given, words):
    with pytest.raises(pt.DataError, match=words):
        kind(**given).fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])


@pytest.mark.parametrize("kind", [pt.LogisticRegression, pt.BinaryRegression])
@pytest.mark.parametrize("given", ["no", None, 2])
def test_an_intercept_is_there_or_not(kind, given):
    with pytest.raises(pt.DataError, match=r"fit_intercept=.* is not known: use one of True, False"):
        kind(fit_intercept=given).fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])


def test_text_and_truth_of_numpy_are_parameters_like_any_other():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    model = pt.BinaryRegression(fit_intercept=np.True_, on_separation=np.str_("raise"), max_iter=np.int64(50)).fit(X, y)
    np.testing.assert_array_equal(model.coef_, pt.BinaryRegression().fit(X, y).coef_)
    assert pt.NoisyOr(leak=np.False_).fit([[1.0], [1.0], [2.0]], [0, 1, 0]).leak_ == 0.0


# --- words


@pytest.mark.parametrize("kind", [pt.KernelLogisticRegression, pt.LSPC])
def test_a_penalty_named_precision_is_named_in_the_translation(kind):
    own = f"in {kind.__name__} the parameter is precision"
    with pytest.raises(TypeError, match=rf"C=4\.0 corresponds to prior=0\.25 in posteriori .*; {own}=0\.25"):
        kind(C=4.0)
    with pytest.raises(TypeError, match=own):
        kind().set_params(penalty="l2")


def test_the_translation_says_where_there_is_no_penalty():
    with pytest.raises(TypeError, match=r"C=1\.0 corresponds to prior=1\.0 in .*; NoisyOr has no parameter prior"):
        pt.NoisyOr(C=1.0)
    with pytest.raises(TypeError, match=r"prior=1\.0 in posteriori \(prior = 1/C, the precision of a .* prior\)$"):
        pt.BinaryRegression(C=1.0)


def test_a_noisy_or_has_no_distances_before_it_is_fitted():
    with pytest.raises(NotFittedError):
        pt.NoisyOr().signed_distance([[1.0]])

"""Weights at the ends of the float range: the same answers as at its middle, or an error of our own."""

import numpy as np
import pytest

import posteriori as pt

#: Models whose answer does not depend on the unit of weights.
FREE = {
    "logit": pt.LogisticRegression(),
    "softmax": pt.LogisticRegression(),
    "gradient": pt.LogisticRegression(solver="gradient"),
    **{link: pt.BinaryRegression(link=link) for link in ("probit", "cloglog", "loglog", "cauchit")},
    "noisy-OR": pt.NoisyOr(),
    "Gaussian": pt.GaussianClassifier(),
    "naive Bayes": pt.NaiveBayes(),
    "gamma": pt.NaiveBayes(families="gamma"),
}
#: Models in which weights are set against a prior or a penalty.
HELD = {
    "prior": pt.LogisticRegression(prior=1.0),
    "Jeffreys": pt.LogisticRegression(prior="jeffreys"),
    "kernel logistic": pt.KernelLogisticRegression(),
    "LSPC": pt.LSPC(),
    "Bayesian": pt.BayesianLogisticRegression(prior=1.0),
    "evidence": pt.BayesianLogisticRegression(),
}
UNITS = [5e-324, 2.0**-1000, 2.0**1000, 1e306, 1.7e308]


def rows(name):
    rng = np.random.default_rng(0)
    X = np.abs(rng.standard_normal((40, 2)))
    y = (X[:, 0] + rng.logistic(size=40) > 0.7).astype(int)
    return X, y + (rng.random(40) < 0.4) if name == "softmax" else y


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("name", FREE)
def test_the_unit_of_weights_does_not_matter_without_a_prior(name, unit):
    X, y = rows(name)
    model = FREE[name]
    plain = model.fit(X, y).predict_proba(X)
    heavy = model.fit(X, y, sample_weight=np.full(len(y), unit))
    assert getattr(heavy, "fit_status_", "ok") == "ok"
    np.testing.assert_allclose(heavy.predict_proba(X), plain, rtol=0, atol=1e-7)


@pytest.mark.filterwarnings("ignore::posteriori.ConvergenceWarning")
@pytest.mark.parametrize("name", HELD)
def test_beside_a_prior_extreme_weights_give_the_limit_or_an_error_that_names_them(name):
    X, y = rows(name)
    found = {}
    for unit in UNITS:
        try:
            found[unit] = HELD[name].fit(X, y, sample_weight=np.full(len(y), unit)).predict_proba(X)
        except pt.DataError as error:
            assert "the weights of the rows sum to" in str(error)  # noqa: PT017
            continue
        assert np.isfinite(found[unit]).all()
    if name != "kernel logistic":  # its heavy limit does not exist where the kernels separate the rows
        for units in (UNITS[:2], UNITS[2:]):
            for other in units[1:]:
                if units[0] in found and other in found:
                    # the limit of kernel least squares is that of an ill-conditioned system
                    atol = 1e-3 if name == "LSPC" else 1e-7
                    np.testing.assert_allclose(found[other], found[units[0]], rtol=0, atol=atol)


def test_counts_at_the_end_of_the_floats_are_brought_into_range():
    counts = np.array([[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]])
    plain, heavy = (pt.LogisticRegression().fit([[0.0], [1.0], [2.0]], unit * counts) for unit in (1.0, 2.0**1021))
    np.testing.assert_allclose(heavy.coef_, plain.coef_, rtol=1e-9)


def test_weights_too_far_apart_for_sums_of_floats_are_an_error():
    with pytest.raises(pt.DataError, match=r"weights range from .* beyond the precision of floating-point sums"):
        pt.LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1], sample_weight=[5e-324, 1.0, 1e300, 1.0])


@pytest.mark.parametrize("value", [1.7e308, 1e300, 5e-324])
@pytest.mark.filterwarnings("ignore::posteriori.NotIdentifiedWarning")
def test_a_gamma_model_predicts_at_the_ends_of_the_floats(value):
    X = np.random.default_rng(0).gamma(0.5, 1e-2, size=(40, 2)) + 1e-300
    model = pt.NaiveBayes(families="gamma").fit(X, np.arange(40) % 3)
    rows = [[value, value], [1.0, value]]
    assert np.isin(model.predict(rows), model.classes_).all()
    assert np.isfinite(model.predict_proba(rows)).all()

"""A prior about another model's weights."""

import numpy as np
import pytest
from scipy.special import log_softmax

import posteriori as pt

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 3))
THREE = np.digitize(X[:, 0] + RNG.normal(size=300), [-0.5, 0.5])
TWO = THREE > 0
BITS = (X > 0).astype(float)
MODELS = {
    "gaussian, two": (lambda: pt.GaussianClassifier().fit(X, TWO), X, TWO),
    "gaussian, three": (lambda: pt.GaussianClassifier().fit(X, THREE), X, THREE),
    "bernoulli naive Bayes, two": (lambda: pt.NaiveBayes(families="bernoulli").fit(BITS, TWO), BITS, TWO),
    "bernoulli naive Bayes, three": (lambda: pt.NaiveBayes(families="bernoulli").fit(BITS, THREE), BITS, THREE),
    "logistic, two": (lambda: pt.LogisticRegression(prior=50.0).fit(X, TWO), X, TWO),
    "logistic, three": (lambda: pt.LogisticRegression(prior=50.0).fit(X, THREE), X, THREE),
}
every_model = pytest.mark.parametrize("name", MODELS)
both = pytest.mark.parametrize("parametrization", ["symmetric", "reference"])


def forms(model):
    return [model, model.as_linear()] if hasattr(model, "as_linear") else [model, (model.coef_, model.intercept_)]


@every_model
@both
def test_a_huge_precision_gives_the_models_own_probabilities(name, parametrization):
    make, rows, y = MODELS[name]
    model = make()
    for form in forms(model):
        prior = pt.GaussianPrior.around(form, 1e13, intercept_precision=1e13)
        found = pt.LogisticRegression(prior=prior, parametrization=parametrization).fit(rows, y)
        np.testing.assert_allclose(found.predict_proba(rows), model.predict_proba(rows), rtol=0, atol=1e-10)


@every_model
@both
def test_no_precision_gives_plain_maximum_likelihood(name, parametrization):
    make, rows, y = MODELS[name]
    prior = pt.GaussianPrior.around(make(), 0.0)
    found = pt.LogisticRegression(prior=prior, parametrization=parametrization).fit(rows, y)
    plain = pt.LogisticRegression(parametrization=parametrization).fit(rows, y)
    np.testing.assert_allclose(found.predict_proba(rows), plain.predict_proba(rows), rtol=0, atol=1e-12)


@both
def test_only_weights_are_penalised_unless_the_intercept_is_too(parametrization):
    model = pt.GaussianClassifier(class_priors=[0.8, 0.1, 0.1]).fit(X, THREE)
    prior = pt.GaussianPrior.around(model, 1e13)
    found = pt.LogisticRegression(prior=prior, parametrization=parametrization).fit(X, THREE)
    differences = found.coef_ - found.coef_[0]
    np.testing.assert_allclose(differences, model.coef_ - model.coef_[0], atol=1e-9)
    shares = found.predict_proba(X).mean(axis=0)  # a free intercept makes the mean probabilities the class shares
    np.testing.assert_allclose(shares, np.bincount(THREE) / 300, atol=1e-8)
    assert np.abs(found.intercept_ - found.intercept_[0] - (model.intercept_ - model.intercept_[0])).max() > 0.5


def test_a_moderate_precision_minimises_the_objective_written_down():
    from scipy.optimize import minimize

    model = pt.GaussianClassifier().fit(X, THREE)
    found = pt.LogisticRegression(prior=pt.GaussianPrior.around(model, 20.0)).fit(X, THREE)
    mean = model.coef_ - model.coef_.mean(axis=0)

    def objective(flat):
        w, b = flat[:9].reshape(3, 3), flat[9:]
        logs = log_softmax(X @ w.T + b, axis=1)
        return -logs[np.arange(300), THREE].sum() + 10.0 * ((w - mean) ** 2).sum()

    best = minimize(objective, np.zeros(12), tol=1e-12)
    assert objective(np.concatenate([found.coef_.ravel(), found.intercept_])) <= best.fun + 1e-9
    np.testing.assert_allclose(found.coef_.ravel(), best.x[:9], atol=1e-4)


def test_the_symmetric_coefficients_sum_to_zero():
    model = pt.GaussianClassifier().fit(X + 100.0, THREE)
    found = pt.LogisticRegression(prior=pt.GaussianPrior.around(model, 5.0)).fit(X + 100.0, THREE)
    np.testing.assert_allclose(found.coef_.sum(axis=0), 0.0, atol=1e-9)


def test_a_form_over_other_columns_is_refused_and_both_widths_are_named():
    prior = pt.GaussianPrior.around(pt.GaussianClassifier().fit(X, TWO).as_linear(), 1.0)
    with pytest.raises(pt.DataError, match=r"weights over 3 column\(s\).*over 4 column\(s\)"):
        pt.LogisticRegression(prior=prior).fit(np.c_[X, X[:, 0] ** 2], TWO)
    with pytest.raises(pt.DataError, match=r"weights over 3 column\(s\).*over 9 column\(s\)"):
        pt.LogisticRegression(prior=prior, basis=pt.PolynomialBasis(2)).fit(X, TWO)


@both
def test_a_form_for_other_classes_is_refused(parametrization):
    four = pt.GaussianClassifier().fit(X, np.arange(300) % 4)
    prior = pt.GaussianPrior.around(four, 1.0)
    for y, counts in ((THREE, "4 classes, but there are 3"), (TWO, "4 classes, but there are 2")):
        with pytest.raises(pt.DataError, match=counts):
            pt.LogisticRegression(prior=prior, parametrization=parametrization).fit(X, y)
    two = pt.GaussianPrior.around(pt.GaussianClassifier().fit(X, TWO), 1.0)
    with pytest.raises(pt.DataError, match="2 classes, but there are 3"):
        pt.LogisticRegression(prior=two, parametrization=parametrization).fit(X, THREE)


def test_what_has_no_weights_is_refused():
    with pytest.raises(pt.DataError, match="must be a fitted linear model"):
        pt.GaussianPrior.around("lda", 1.0)
    with pytest.raises(pt.DataError, match="quadratic"):
        pt.GaussianPrior.around(pt.GaussianClassifier(shared=False).fit(X, TWO), 1.0)
    with pytest.raises(pt.DataError, match="not finite"):
        pt.GaussianPrior.around(([[np.nan]], [0.0]), 1.0)
    with pytest.raises(pt.DataError, match="shapes"):
        pt.GaussianPrior.around((np.zeros((3, 2)), np.zeros(2)), 1.0)


def test_a_model_with_such_a_prior_is_saved_and_loaded(tmp_path):
    prior = pt.GaussianPrior.around(pt.GaussianClassifier().fit(X, THREE).as_linear(), 2.0)
    model = pt.LogisticRegression(prior=prior).fit(X, THREE)
    pt.save(model, tmp_path / "model")
    loaded = pt.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(loaded.fit(X, THREE).coef_, model.coef_)

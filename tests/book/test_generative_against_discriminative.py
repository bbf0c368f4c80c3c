"""[Mitchell] 4: where naive Bayes is true, it and logistic regression learn the same classifier as rows grow many."""

import numpy as np
import pytest

import posteriori as pt

PRIORS = np.array([0.3, 0.5, 0.2])
MEANS = np.array([[0.0, 0.0, 0.0], [0.8, -0.4, 0.0], [-0.3, 0.5, 1.0]])
SPREADS = np.array([1.0, 0.7, 2.0])


def draw(n, n_classes, seed=0):
    """Draw rows of a Gaussian naive Bayes model whose variances the classes share."""
    rng = np.random.default_rng(seed)
    y = rng.choice(n_classes, n, p=PRIORS[:n_classes] / PRIORS[:n_classes].sum())
    return MEANS[y] + SPREADS * rng.standard_normal((n, 3)), y


def generative(X, y):
    """Give intercept and weights of naive Bayes as a linear form, class by class against class 0."""
    form = pt.NaiveBayes(shared=True).fit(X, y).as_linear()
    weights = np.c_[form.intercept, form.coef]
    return (weights - weights[0])[1:].ravel()


def discriminative(X, y):
    """Give the same of logistic regression, with standard errors."""
    model = pt.LogisticRegression(parametrization="reference").fit(X, y)
    weights = np.c_[model.intercept_, model.coef_]
    weights = weights if len(weights) == 1 else weights[1:]
    return weights.ravel(), model.standard_errors()


@pytest.mark.parametrize(("n", "n_classes"), [(1_000_000, 2), (250_000, 3)])
@pytest.mark.slow
def test_naive_bayes_and_logistic_regression_agree_on_many_rows_that_naive_bayes_made(n, n_classes):
    X, y = draw(n, n_classes)
    (weights, errors), linear = discriminative(X, y), generative(X, y)
    # where its model is true naive Bayes is efficient, so the difference varies less than logistic regression does
    assert (np.abs(weights - linear) < 4 * errors).all()
    log_priors = np.log(PRIORS[1:n_classes] / PRIORS[0])
    slopes = (MEANS[1:n_classes] - MEANS[0]) / SPREADS**2
    offsets = log_priors - 0.5 * ((MEANS[1:n_classes] / SPREADS) ** 2).sum(axis=1)
    truth = np.c_[offsets, slopes].ravel()
    assert (np.abs(weights - truth) < 4 * errors).all()
    assert (np.abs(linear - truth) < 4 * errors).all()


def test_the_difference_shrinks_as_rows_are_added():
    gaps = []
    for n in (1_000, 30_000, 900_000):
        X, y = draw(n, 2, seed=1)
        gaps.append(np.abs(discriminative(X, y)[0] - generative(X, y)).max())
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 0.02


def test_with_few_rows_naive_bayes_is_ahead_where_it_is_true():
    X, y = draw(4_000, 2, seed=2)
    noise = np.random.default_rng(3).standard_normal((4_000, 12))  # columns that tell nothing
    models = {"naive Bayes": pt.NaiveBayes(shared=True), "logistic": pt.LogisticRegression()}
    curves = pt.learning_curves(models, np.c_[X, noise], y, sizes=[30, 2_000], repeats=15, random_state=0)
    ahead = curves.scores["log_loss"][1] - curves.scores["log_loss"][0]
    assert ahead[0].mean() > 2 * ahead[0].std(ddof=1) / np.sqrt(15)
    assert abs(ahead[1].mean()) < 0.01

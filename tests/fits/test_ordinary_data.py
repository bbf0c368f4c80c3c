"""Five hundred ordinary data sets: no warning of ours, none of numpy's."""

import numpy as np
import pytest

import posteriori as pt

#: Models whose fits must have nothing to say about data without a fault.
MODELS = (pt.LogisticRegression(), pt.GaussianClassifier(), pt.GaussianClassifier(shared=False), pt.NaiveBayes())


def ordinary(seed):
    """Give rows of overlapping classes: mixed scales and offsets, a yes-no column, sometimes correlated columns."""
    rng = np.random.default_rng(seed)
    d, K = int(rng.integers(1, 7)), int(rng.integers(2, 5))
    n = int(rng.integers(40, 80)) * d * K
    X = rng.standard_normal((n, d))
    if rng.random() < 0.5:
        X = X @ (np.eye(d) + 0.4 * rng.standard_normal((d, d)))
    scores = X @ rng.standard_normal((d, K)) * 0.7 + rng.gumbel(size=(n, K))
    X = X * 10.0 ** rng.integers(-3, 4, d) + rng.choice([0.0, 1.0, 100.0], d)
    if d > 1 and rng.random() < 0.5:
        X[:, 0] = X[:, 0] > np.median(X[:, 0])
    return X, scores.argmax(axis=1)


@pytest.mark.parametrize("first", range(0, 500, 100))
@pytest.mark.slow
def test_ordinary_data_raise_no_warning(first):
    for seed in range(first, first + 100):
        X, y = ordinary(seed)
        model = MODELS[0] if seed % 2 else MODELS[(seed // 2) % len(MODELS)]  # warnings are errors in the tests
        model.fit(X, y)
        assert model.fit_status_ == "ok", seed
        assert model.fit_notes_ == [], seed
        assert np.isfinite(model.predict_proba(X)).all(), seed

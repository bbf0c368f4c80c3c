"""A separating plane drawn at random, as Ng and Jordan (2002) did where logistic regression has no maximum."""

import zlib

import numpy as np
from numba import njit
from sklearn.base import BaseEstimator, ClassifierMixin

import posteriori as pt

#: A prior so weak that it decides nothing but which of many separating planes is taken: nearly the widest margin.
WHISPER = 1e-6
STEPS = 2000


class RandomPlane(ClassifierMixin, BaseEstimator):
    """Logistic regression; where a plane separates the training rows, one of those planes, drawn at random.

    Planes are vectors (w, b) of the unit ball with t_i (w'x_i + b) > 0 for all rows; one is drawn by 2,000 steps of
    hit-and-run from the plane of widest margin. The seed is a checksum of the rows.
    """

    def fit(self, X, y):
        """Fit, and draw where the rows are separated."""
        base = pt.LogisticRegression(prior=WHISPER, inference=False).fit(X, y)
        self.classes_ = base.classes_
        w = np.r_[base.coef_[0], base.intercept_]
        signed = np.where(y == base.classes_[1], 1.0, -1.0)[:, None] * np.c_[X, np.ones(len(X))]
        self.separated_ = bool((signed @ w > 0).all())
        if self.separated_:
            w = walk(np.ascontiguousarray(signed), w / (1.001 * np.linalg.norm(w)), STEPS, zlib.crc32(signed.tobytes()))
        self.coef_, self.intercept_ = w[None, :-1], w[-1:]
        return self

    def decision_function(self, X):
        """Give the side of the plane."""
        return X @ self.coef_[0] + self.intercept_[0]

    def predict(self, X):
        """Give the class of the side."""
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


@njit(cache=True)
def walk(signed, w, steps, seed):
    """Go to a uniform point of each of many random chords of {w : signed w > 0, |w| <= 1}."""
    np.random.seed(seed)  # noqa: NPY002  the generator that compiled code has
    n, d = signed.shape
    margins = signed @ w
    for _ in range(steps):
        u = np.random.standard_normal(d)  # noqa: NPY002
        rates = signed @ u
        uu, uw, ww = u @ u, u @ w, w @ w
        root = np.sqrt(uw * uw - uu * (ww - 1.0))
        low, high = (-uw - root) / uu, (-uw + root) / uu
        for i in range(n):
            if rates[i] > 0:
                low = max(low, -margins[i] / rates[i])
            elif rates[i] < 0:
                high = min(high, -margins[i] / rates[i])
        s = low + (high - low) * np.random.random()  # noqa: NPY002
        w = w + s * u
        margins = margins + s * rates
    return w

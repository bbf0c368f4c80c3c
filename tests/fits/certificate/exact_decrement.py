"""The Newton decrement at returned coefficients, in 60 digits: what certificates are judged by."""

import mpmath as mp
import numpy as np

from tests.links.exact_links import EXACT

DIGITS = 60


def binary_decrement(model, X, y, *, link="logit", weights=None, offset=None, counts=None, precision=None, mean=None):
    """Compute sqrt(g'H^-1 g) of a model with one score at its `intercept_` and `coef_`, without an intercept too.

    `precision` is (d + 1,) or (d + 1, d + 1), `mean` (d + 1,), the intercept first; `counts` (n, 2) replace y and
    weights.
    """
    mp.mp.dps = DIGITS
    rows, w = _rows(model, X), _numbers([model.intercept_[0], *model.coef_[0]])
    if counts is None:
        counts = np.eye(2)[y] * (np.ones(len(rows)) if weights is None else weights)[:, None]
    keep = range(len(w)) if model.fit_intercept else range(1, len(w))
    g, H = mp.zeros(len(w), 1), mp.zeros(len(w), len(w))
    shift = [mp.mpf(0)] * len(rows) if offset is None else _numbers(np.ravel(offset))
    for row, (lost, won), away in zip(rows, counts, shift, strict=True):
        eta = mp.fdot(row, w) + away
        n0, n1 = mp.mpf(float(lost)), mp.mpf(float(won))
        if n0 + n1 == 0:
            continue
        _, hazards, bends = EXACT[link].terms(eta)
        slope = (n0 * hazards[0] if n0 else 0) - (n1 * hazards[1] if n1 else 0)
        bend = (n0 * bends[0] if n0 else 0) + (n1 * bends[1] if n1 else 0)
        _add(g, H, row, slope, bend)
    if precision is not None:
        _add_prior(g, H, w, precision, mean)
    return _decrement(g, H, keep)


def softmax_decrement(model, X, y, K, *, weights=None, precision=None, mean=None):
    """Compute the decrement of K classes; `precision` and `mean` are (K, d + 1), of vectors that each class has.

    Without a prior class 0 has no vector of its own: the decrement depends on contrasts alone.
    """
    mp.mp.dps = DIGITS
    rows = _rows(model, X)
    w = [_numbers([b, *row]) for b, row in zip(model.intercept_, model.coef_, strict=True)]
    p, first = len(rows[0]), 0 if precision is not None else 1
    places = [(k, j) for k in range(first, K) for j in range(0 if model.fit_intercept else 1, p)]
    g, H = mp.zeros(len(places), 1), mp.zeros(len(places), len(places))
    weights = np.ones(len(rows)) if weights is None else weights
    for row, own, weight in zip(rows, y, weights, strict=True):
        s = mp.mpf(float(weight))
        if s == 0:
            continue
        eta = [mp.fdot(row, each) for each in w]
        top = max(eta)
        powers = [mp.exp(each - top) for each in eta]
        total = mp.fsum(powers)
        P = [each / total for each in powers]
        for a, (k, i) in enumerate(places):
            g[a] += s * (P[k] - (k == own)) * row[i]
            for b, (m, j) in enumerate(places):
                H[a, b] += s * (P[k] * ((k == m) - P[m])) * row[i] * row[j]
    if precision is not None:
        for a, (k, i) in enumerate(places):
            held = mp.mpf(float(precision[k][i]))
            g[a] += held * (w[k][i] - (0 if mean is None else mp.mpf(float(mean[k][i]))))
            H[a, a] += held
        for i in range(p):  # the common shift of coefficients without a prior is flat: any stiffness will do
            if all(precision[k][i] == 0 for k in range(K)):
                size = max(abs(H[a, a]) for a, (_, j) in enumerate(places) if j == i) if model.fit_intercept else 0
                for a, (_, j) in enumerate(places):
                    for b, (_, m) in enumerate(places):
                        H[a, b] += size * (i == j == m)
    return _decrement(g, H, range(len(places)))


def _numbers(values):
    return [mp.mpf(float(value)) for value in values]


def _rows(model, X):
    dense = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
    return [[mp.mpf(int(model.fit_intercept)), *_numbers(row)] for row in dense]


def _add(g, H, row, slope, bend):
    for i, a in enumerate(row):
        g[i] += slope * a
        bent = bend * a
        for j in range(i + 1):
            H[i, j] += bent * row[j]
            H[j, i] = H[i, j]


def _add_prior(g, H, w, precision, mean):
    P = np.diag(precision) if np.ndim(precision) == 1 else np.asarray(precision)
    off = [a - b for a, b in zip(w, _numbers(np.zeros(len(w)) if mean is None else mean), strict=True)]
    for i in range(len(w)):
        for j in range(len(w)):
            held = mp.mpf(float(P[i, j]))
            g[i] += held * off[j]
            H[i, j] += held


def _decrement(g, H, keep):
    """Solve in units of the roots of the diagonal."""
    keep = list(keep)
    size = [mp.sqrt(abs(H[i, i])) or mp.mpf(1) for i in keep]
    scaled = mp.matrix(
        [[H[i, j] / a / b for j, b in zip(keep, size, strict=True)] for i, a in zip(keep, size, strict=True)]
    )
    slope = mp.matrix([g[i] / a for i, a in zip(keep, size, strict=True)])
    return float(mp.sqrt(abs((slope.T * mp.lu_solve(scaled, slope))[0])))


def kernel_decrement(model, X, y, weights):
    """Compute the decrement of a kernel logistic regression over all its coefficients, with kernels in 60 digits."""
    mp.mp.dps = DIGITS
    precision, h = mp.mpf(float(model.precision)), mp.mpf(float(model.bandwidth_))
    scale = _numbers(np.ones(X.shape[1]) if model.scale_ is None else model.scale_)
    centers, theta = [_numbers(row) for row in model.centers_], [_numbers(row) for row in model.coef_]
    K, m = len(theta), len(centers)
    g, H = mp.matrix([precision * value for own in theta for value in own]), precision * mp.eye(K * m)
    for x, own, s in zip(map(_numbers, X), y, _numbers(weights), strict=True):
        row = [
            mp.exp(-mp.fsum(((a - b) / t) ** 2 for a, b, t in zip(x, c, scale, strict=True)) / (2 * h * h))
            for c in centers
        ]
        powers = [mp.exp(mp.fdot(row, each)) for each in theta]
        P = [each / mp.fsum(powers) for each in powers]
        for a in range(K):
            for i in range(m):
                g[a * m + i] += s * (P[a] - (a == own)) * row[i]
                for b in range(K):
                    for j in range(m):
                        H[a * m + i, b * m + j] += s * P[a] * ((a == b) - P[b]) * row[i] * row[j]
    return _decrement(g, H, range(K * m))


def noisy_or_decrement(model, X, y, weights, without=()):
    """Compute the decrement of a noisy-OR over its coefficients above zero, the leak first, but for some of them."""
    mp.mp.dps = DIGITS
    theta = _numbers([model.leak_, *model.theta_])
    free = [j for j, value in enumerate(theta) if value > 0 and j not in without]
    g, H = mp.zeros(len(theta), 1), mp.zeros(len(theta), len(theta))
    for x, own, weight in zip(X, y, _numbers(weights), strict=True):
        row = [mp.mpf(int(model.leak)), *_numbers(x)]
        odds = mp.expm1(mp.fdot(row, theta))  # P(y = 1) / P(y = 0)
        _add(g, H, row, -weight / odds if own else weight, weight * (1 + odds) / odds**2 if own else 0)
    return _decrement(g, H, free)

"""Digits of coefficients and standard errors against maxima found in 50-digit arithmetic."""

import mpmath as mp
import numpy as np
import pytest

import posteriori as pt

CASES = [(seed, n, d, K) for seed, (n, d, K) in enumerate([(20, 1, 2), (30, 2, 2), (40, 3, 2), (30, 1, 3), (40, 2, 3)])]
SCALES = [1.0, 1e-6, 1e5]


def drawn(seed, n, d, K, scale):
    """Draw rows far from the origin, in odd units, whose classes overlap."""
    rng = np.random.default_rng(100 + seed)
    X = rng.standard_normal((n, d))
    scores = np.column_stack([np.zeros(n), *(X @ rng.standard_normal(d) for _ in range(K - 1))])
    y = (scores + rng.gumbel(size=(n, K))).argmax(axis=1)
    y[:K] = np.arange(K)
    return np.float64(scale) * (X + 3.0), y


def exact(X, y, K):
    """Maximise the likelihood of contrasts to class 0 by Newton in 50 digits; give coefficients and standard errors."""
    mp.mp.dps = 50
    rows = [[mp.mpf(1), *(mp.mpf(float(x)) for x in row)] for row in X]
    p = len(rows[0])
    m = (K - 1) * p
    units = [mp.mpf(1), *(mp.mpf(float(s)) for s in np.abs(X).max(axis=0))]
    rows = [[x / u for x, u in zip(row, units, strict=True)] for row in rows]
    w = mp.zeros(m, 1)
    for _ in range(60):
        g, H = mp.zeros(m, 1), mp.zeros(m, m)
        for row, label in zip(rows, y, strict=True):
            e = [mp.exp(mp.fsum(row[j] * w[k * p + j] for j in range(p))) for k in range(K - 1)]
            P = [value / (1 + mp.fsum(e)) for value in e]
            for a in range(K - 1):
                for i in range(p):
                    g[a * p + i] += row[i] * ((label == a + 1) - P[a])
                    for b in range(K - 1):
                        weight = P[a] * ((a == b) - P[b])
                        for j in range(p):
                            H[a * p + i, b * p + j] += weight * row[i] * row[j]
        step = mp.lu_solve(H, g)
        w += step
        if mp.norm(step) < mp.mpf(10) ** -40:
            break
    V = H**-1
    size = units * (K - 1)
    return [w[i] / size[i] for i in range(m)], [mp.sqrt(V[i, i]) / size[i] for i in range(m)]


def digits(found, wanted):
    """Give the log relative error: how many digits are right, at most 15."""
    errors = [abs((mp.mpf(float(a)) - b) / b) for a, b in zip(found, wanted, strict=True)]
    return [float(-mp.log10(max(error, mp.mpf(10) ** -15))) for error in errors]


@pytest.fixture(scope="module")
def measured():
    coefficients, errors = [], []
    for number, case in enumerate(CASES):
        X, y = drawn(*case, SCALES[number % 3])
        K = case[3]
        known, known_errors = exact(X, y, K)
        model = pt.LogisticRegression(parametrization="reference" if number % 2 else "symmetric").fit(X, y)
        assert model.fit_status_ == "ok"
        whole = np.column_stack([model.intercept_, model.coef_])
        found = whole if K == 2 else whole[1:] - whole[0]
        coefficients += digits(found.ravel(), known)
        errors += digits(model.standard_errors(), known_errors)
    return coefficients, errors


def test_coefficients_have_eleven_digits_and_at_worst_eight(measured):
    coefficients, _ = measured
    assert np.median(coefficients) >= 11
    assert min(coefficients) >= 8


def test_standard_errors_have_eleven_digits_and_at_worst_eight(measured):
    _, errors = measured
    assert np.median(errors) >= 11
    assert min(errors) >= 8

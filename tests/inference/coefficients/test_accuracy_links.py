"""Digits of coefficients and both kinds of standard errors, through every link, against maxima found in 50 digits."""

import mpmath as mp
import numpy as np
import pytest

import posteriori as pt
from tests.inference.coefficients.test_accuracy import SCALES, digits
from tests.links.exact_links import EXACT

LINKS = ["probit", "cloglog", "loglog", "cauchit"]
SHAPES = [(20, 1), (30, 2), (40, 3)]


def drawn(seed, n, d, link, scale):
    """Draw rows far from the origin, in odd units, whose classes overlap."""
    rng = np.random.default_rng(200 + seed)
    X = rng.standard_normal((n, d))
    eta = X @ rng.standard_normal(d) - 0.2
    p = np.exp(pt.BinaryRegression(link=link)._link(np.arange(2)).log_probabilities(eta[:, None]))[:, 1]
    y = (rng.random(n) < p).astype(int)
    y[:4] = [0, 1, 0, 1]
    return np.float64(scale) * (X + 3.0), y


def exact(X, y, link, start):
    """Maximise by Newton in 50 digits; give coefficients, and errors by observed and by expected information."""
    mp.mp.dps = 50
    units = [mp.mpf(1), *(mp.mpf(float(s)) for s in np.abs(X).max(axis=0))]
    rows = [[mp.mpf(1) / units[0], *(mp.mpf(float(x)) / u for x, u in zip(row, units[1:], strict=True))] for row in X]
    p = len(units)
    w = mp.matrix([mp.mpf(float(value)) * unit for value, unit in zip(start, units, strict=True)])
    for _ in range(60):
        g, H, E = mp.zeros(p, 1), mp.zeros(p, p), mp.zeros(p, p)
        for row, label in zip(rows, y, strict=True):
            eta = mp.fsum(row[j] * w[j] for j in range(p))
            _, hazards, bends = EXACT[link].terms(eta)
            slope = hazards[1] if label else -hazards[0]
            for i in range(p):
                g[i] += row[i] * slope
                for j in range(p):
                    H[i, j] += bends[label] * row[i] * row[j]
                    E[i, j] += hazards[0] * hazards[1] * row[i] * row[j]
        step = mp.lu_solve(H, g)
        w += step
        if mp.norm(step) < mp.mpf(10) ** -40:
            break
    else:
        raise AssertionError("Newton in 50 digits did not settle")
    errors = [[mp.sqrt((matrix**-1)[i, i]) / units[i] for i in range(p)] for matrix in (H, E)]
    return [w[i] / units[i] for i in range(p)], *errors


@pytest.fixture(scope="module", params=LINKS)
def measured(request):
    found = {"coefficients": [], "observed": [], "expected": []}
    for number, (n, d) in enumerate(SHAPES):
        X, y = drawn(number, n, d, request.param, SCALES[number])
        model = pt.BinaryRegression(link=request.param).fit(X, y)
        assert model.fit_status_ == "ok"
        whole = np.concatenate([model.intercept_, model.coef_[0]])
        known, observed, expected = exact(X, y, request.param, whole)
        found["coefficients"] += digits(whole, known)
        found["observed"] += digits(model.standard_errors("observed"), observed)
        found["expected"] += digits(model.standard_errors("expected"), expected)
    return found


@pytest.mark.parametrize("what", ["coefficients", "observed", "expected"])
def test_there_are_eleven_digits_and_at_worst_eight(measured, what):
    assert np.median(measured[what]) >= 11
    assert min(measured[what]) >= 8

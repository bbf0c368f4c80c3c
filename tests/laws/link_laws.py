"""The laws of links: probabilities, losses and their derivatives, right in both tails."""

import numpy as np
from scipy.special import logsumexp

from posteriori.links.binary import BinaryLink

#: Predictors of ordinary size on which derivatives are compared with differences.
STEP = 2e-3


def check_link(link, seed=0, margins=(40.0, 300.0, 800.0, 1000.0), tails=True):
    """Check every law of a link; `tails=False` for one whose predictors have a narrower domain."""
    rng = np.random.default_rng(seed)
    eta = 2.0 * rng.standard_normal((50, link.n_scores))
    eta[:5] = 0.0  # ties between classes
    eta = inside(link, eta)
    counts = some_counts(link, rng, len(eta))
    check_probabilities(link, eta)
    check_loss(link, eta, counts)
    check_derivatives(link, eta, counts)
    check_counts_are_linear(link, eta, counts, some_counts(link, rng, len(eta)))
    check_odds(link, eta, counts)
    check_start(link, rng)
    if tails:
        for margin in margins:
            check_tails(link, margin, rng)


def inside(link, eta):
    """Bring predictors into the link's domain, as far from its lower end as differences need."""
    low, _ = link.domain
    return low + 0.5 + np.abs(eta) if np.isfinite(low) else eta


def some_counts(link, rng, n):
    """Draw class counts: single labels, weighted ones, and grouped ones."""
    counts = rng.integers(0, 4, (n, link.n_classes)) * rng.uniform(0.2, 3.0, (n, 1))
    one = np.eye(link.n_classes)[rng.integers(0, link.n_classes, n)]
    return np.where(rng.random((n, 1)) < 0.5, one, counts)


def check_probabilities(link, eta):
    """Probabilities are positive, sum to one, and are as many as there are classes."""
    log_p = link.log_probabilities(eta)
    assert log_p.shape == (len(eta), link.n_classes)
    assert (log_p <= 0).all()
    np.testing.assert_allclose(logsumexp(log_p, axis=1), 0.0, atol=4e-15)


def check_loss(link, eta, counts):
    """The loss is minus the log probability of what was counted."""
    wanted = -(counts * link.log_probabilities(eta)).sum(axis=1)
    for curvature in (True, False):
        parts = link.parts(eta, counts, curvature=curvature)
        np.testing.assert_allclose(parts.loss, wanted, rtol=1e-13, atol=1e-15)
        assert (parts.curvature is not None) is curvature


def check_derivatives(link, eta, counts):
    """Score and curvature are the differences of loss and score (fourth order, error below 1e-9)."""
    parts = link.parts(eta, counts, curvature=True)
    n, q = eta.shape
    assert parts.score.shape == (n, q)
    assert parts.curvature.shape == (n, q, q)
    np.testing.assert_allclose(parts.curvature, parts.curvature.transpose(0, 2, 1), atol=1e-15)
    for j in range(q):
        loss = difference(lambda e: link.parts(e, counts, curvature=False).loss, eta, j)
        score = difference(lambda e: link.parts(e, counts, curvature=False).score, eta, j)
        np.testing.assert_allclose(parts.score[:, j], loss, rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(parts.curvature[:, :, j], score, rtol=1e-8, atol=1e-9)


def difference(function, eta, j):
    """Give the derivative along one predictor by central differences of fourth order."""
    unit = STEP * np.eye(eta.shape[1])[j]
    near = function(eta + unit) - function(eta - unit)
    far = function(eta + 2 * unit) - function(eta - 2 * unit)
    return (8 * near - far) / (12 * STEP)


def check_counts_are_linear(link, eta, counts, others):
    """Counts are rows put together: losses, scores and curvatures add up; no count, no loss."""
    mine, yours = (link.parts(eta, each, curvature=True) for each in (counts, others))
    both = link.parts(eta, counts + others, curvature=True)
    for name in ("loss", "score", "curvature"):
        np.testing.assert_allclose(
            getattr(both, name), getattr(mine, name) + getattr(yours, name), rtol=1e-12, atol=1e-13
        )
    nothing = link.parts(eta, np.zeros_like(counts), curvature=True)
    assert not nothing.loss.any()
    assert not nothing.score.any()
    assert not nothing.curvature.any()


def check_odds(link, eta, counts):
    """The odds are count times p_k / (1 - p_k), least over classes counted and the others.

    Exact where one class was counted. Where several were, the proof of overlap holds with any count from the class's
    own up to the row's total, so the odds must lie between the two.
    """
    odds = link.parts(eta, counts, curvature=False).odds
    if isinstance(link, BinaryLink):
        check_proof(link, eta, counts, odds)
        return
    low, high = brute_force_odds(link, eta, counts)
    one = (counts > 0).sum(axis=1) == 1
    np.testing.assert_allclose(odds[one], low[one], rtol=1e-10)
    assert (odds >= low * (1 - 1e-10)).all()
    assert (odds <= high * (1 + 1e-10)).all()


def check_proof(link, eta, counts, odds):
    """The odds of another link of two classes are such that the proof of overlap which rests on them is one.

    A class counted n times has the slope u = n h and the curvature v = n c. A step that moves eta by at most
    t / sqrt(v of the row), t^2 below the odds, must leave u - v |step| positive. Where curvature may be negative there
    is no such proof, and the odds say so by being zero.
    """
    if not link.is_concave:
        assert not odds.any()
        return
    whole = link.parts(eta, counts, curvature=True).curvature[:, 0, 0]
    for k in range(2):
        one = link.parts(eta, counts * np.eye(2)[k], curvature=True)
        u, v = np.abs(one.score[:, 0]), one.curvature[:, 0, 0]
        assert (v >= 0).all()
        bent = (counts[:, k] > 0) & (v > 0)
        assert (v[bent] * np.sqrt(odds[bent] / whole[bent]) <= u[bent] * (1 + 1e-10)).all()
        only = bent & (counts[:, 1 - k] == 0)
        np.testing.assert_allclose(odds[only], u[only] / (v[only] / u[only]), rtol=1e-10)


def brute_force_odds(link, eta, counts):
    """Give the least odds with each class's own count, and with the row's total."""
    log_p = link.log_probabilities(eta)
    K = link.n_classes
    low, high = np.full(len(eta), np.inf), np.full(len(eta), np.inf)
    for k in range(K):
        log_odds = log_p[:, k] - logsumexp(np.delete(log_p, k, axis=1), axis=1)
        for y in range(K):
            seen = (counts[:, y] > 0) & (y != k)
            odds = np.exp(np.minimum(log_odds, 700.0))
            low = np.where(seen, np.minimum(low, counts[:, y] * odds), low)
            high = np.where(seen, np.minimum(high, counts.sum(axis=1) * odds), high)
    return low, high


def check_start(link, rng):
    """The predictors of a model without columns give back its class probabilities."""
    priors = rng.dirichlet(np.ones(link.n_classes))
    start = link.start(priors)
    assert start.shape == (link.n_scores,)
    np.testing.assert_allclose(np.exp(link.log_probabilities(start[None]))[0], priors, rtol=1e-12)


def check_tails(link, margin, rng):
    """Far out, logs and losses are finite, sum to one, and the small ones keep their digits."""
    signs = rng.choice([-1.0, 1.0], (20, link.n_scores))
    eta = inside(link, margin * signs)
    log_p = link.log_probabilities(eta)
    assert np.isfinite(log_p).all()
    assert (log_p <= 0).all()
    np.testing.assert_allclose(logsumexp(log_p, axis=1), 0.0, atol=4e-15)
    _check_complements(log_p)
    for y in range(link.n_classes):
        counts = np.tile(np.eye(link.n_classes)[y], (len(eta), 1))
        parts = link.parts(eta, counts, curvature=True)
        np.testing.assert_allclose(parts.loss, -log_p[:, y], rtol=1e-13)
        for values in (parts.score, parts.curvature):
            assert np.isfinite(values).all()
        assert (np.abs(parts.score) <= 1e3 * margin * (1.0 + parts.loss[:, None])).all()


def _check_complements(log_p):
    """The log of a probability near one is minus the sum of the others, not a difference that rounds to zero."""
    top = log_p.argmax(axis=1)
    rows = np.arange(len(log_p))
    others = log_p.copy()
    others[rows, top] = -np.inf
    rest = np.exp(logsumexp(others, axis=1))
    np.testing.assert_allclose(log_p[rows, top], np.log1p(-rest), rtol=1e-12)

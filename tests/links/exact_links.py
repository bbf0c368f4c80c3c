"""Distribution functions in arbitrary precision: F, 1 - F, f and f'/f of each link of two classes."""

from dataclasses import dataclass

import mpmath as mp


@dataclass(frozen=True)
class Exact:
    """F and 1 - F, each computed; the density; the slope of its log."""

    cdf: object
    sf: object
    density: object
    slope: object

    def terms(self, eta):
        """Give log P, hazards and second derivatives of the minus logs, class 0 first."""
        P = [self.sf(eta), self.cdf(eta)]
        f, r = self.density(eta), self.slope(eta)
        hazards = [f / each for each in P]
        second_derivatives = [hazards[0] * (hazards[0] + r), hazards[1] * (hazards[1] - r)]
        return [mp.log(each) for each in P], hazards, second_derivatives


def normal(z):
    return mp.erfc(-z / mp.sqrt(2)) / 2


def mixture(means, sds, weights):
    """Give the mixture of Gaussians with these components."""
    parts = [(mp.mpf(m), mp.mpf(s), mp.mpf(w)) for m, s, w in zip(means, sds, weights, strict=True)]

    def density(e):
        return mp.fsum(w * mp.npdf((e - m) / s) / s for m, s, w in parts)

    return Exact(
        lambda e: mp.fsum(w * normal((e - m) / s) for m, s, w in parts),
        lambda e: mp.fsum(w * normal((m - e) / s) for m, s, w in parts),
        density,
        lambda e: -mp.fsum(w * mp.npdf((e - m) / s) / s * (e - m) / s**2 for m, s, w in parts) / density(e),
    )


def mixed(link):
    return mixture(link.means, link.sds, link.weights)


EXACT = {
    "logit": Exact(
        lambda e: 1 / (1 + mp.exp(-e)),
        lambda e: 1 / (1 + mp.exp(e)),
        lambda e: 1 / ((1 + mp.exp(-e)) * (1 + mp.exp(e))),
        lambda e: -mp.tanh(e / 2),
    ),
    "probit": Exact(normal, lambda e: normal(-e), mp.npdf, lambda e: -e),
    "cloglog": Exact(
        lambda e: -mp.expm1(-mp.exp(e)),
        lambda e: mp.exp(-mp.exp(e)),
        lambda e: mp.exp(e - mp.exp(e)),
        lambda e: 1 - mp.exp(e),
    ),
    "loglog": Exact(
        lambda e: mp.exp(-mp.exp(-e)),
        lambda e: -mp.expm1(-mp.exp(-e)),
        lambda e: mp.exp(-e - mp.exp(-e)),
        lambda e: mp.exp(-e) - 1,
    ),
    "cauchit": Exact(
        lambda e: mp.atan2(1, -e) / mp.pi,
        lambda e: mp.atan2(1, e) / mp.pi,
        lambda e: 1 / (mp.pi * (1 + e**2)),
        lambda e: -2 * e / (1 + e**2),
    ),
}

"""Links of a user's own, from functions that can be pickled; their reprs are the same in every process."""

import numpy as np
from scipy.special import expit, log_ndtr, ndtr

import posteriori as pt


def logistic_density(eta):
    return 0.25 / np.cosh(0.5 * eta) ** 2


def normal_cdf(eta):
    return ndtr(eta)


def log_normal_cdf(eta):
    return log_ndtr(eta)


def normal_density(eta):
    return np.exp(-0.5 * eta**2) / np.sqrt(2.0 * np.pi)


def log_normal_sf(eta):
    return log_ndtr(-eta)


def student_cdf(eta):
    """Student's t with two degrees of freedom."""
    return 0.5 + 0.5 * eta / np.sqrt(2.0 + eta**2)


def student_density(eta):
    return (2.0 + eta**2) ** -1.5


def log_student_cdf(eta):
    """1 - x / sqrt(2 + x^2) is 2 / ((2 + x^2) (1 + x / sqrt(2 + x^2))) for x > 0: nothing is subtracted."""
    size = np.abs(eta)
    root = np.sqrt(2.0 + size**2)
    small = 0.5 * 2.0 / (root * (root + size))
    return np.where(eta < 0, np.log(small), np.log1p(-small))


def log_student_sf(eta):
    return log_student_cdf(-eta)


#: The probit written by hand, with its logs and without.
NORMAL = pt.Link(normal_cdf, normal_density, log_cdf=log_normal_cdf, log_sf=log_normal_sf)
PLAIN_NORMAL = pt.Link(normal_cdf, normal_density)
LOGISTIC = pt.Link(expit, logistic_density)
#: Heavy tails, not concave.
STUDENT = pt.Link(student_cdf, student_density, log_cdf=log_student_cdf, log_sf=log_student_sf)
#: Two bumps: the probability rises in two steps.
BUMPS = pt.GaussianMixtureLink(means=[-2.0, 2.0], sds=[0.7, 1.0], weights=[0.375, 0.625])
TAILS = pt.GaussianMixtureLink(means=[0.0, 0.0], sds=[1.0, 3.0], weights=[0.875, 0.125])

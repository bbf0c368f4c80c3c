"""The laws of statistics: merging is associative, has a zero, and parts make the whole."""

import dataclasses

import numpy as np

from posteriori.statistics.base import Joined
from posteriori.statistics.fourth_gram import FourthGram
from posteriori.statistics.gram import Gram
from posteriori.statistics.moments import Moments
from posteriori.statistics.sample import Sample
from posteriori.statistics.triangle import Triangle
from posteriori.statistics.within_scatter import WithinScatter

#: How many roundings a mean of some hundred rows may be off, in units of the column's peak.
ROUNDINGS = 128 * np.finfo(np.float64).eps


def check_statistics(parts, whole):
    """Check the laws on the statistics of consecutive parts of some rows and those of all of them."""
    first, *others = parts
    zero = whole.zero()
    assert_same(zero.merge(whole), whole, exact=True)
    assert_same(whole.merge(zero), whole, exact=True)
    assert_same(zero.merge(zero), zero, exact=True)
    forward = first
    for part in others:
        forward = forward.merge(part)
    backward = parts[-1]
    for part in parts[-2::-1]:
        backward = part.merge(backward)
    assert_same(forward, backward)
    assert_same(forward, whole)


def assert_same(found, wanted, exact=False):
    """Compare two statistics field by field: to the bit, or to what rounding allows."""
    assert type(found) is type(wanted)
    if isinstance(wanted, Triangle):  # R is known by R'R: where ranks are lacking its rows are not unique
        _assert_same_values(found.factor.T @ found.factor, wanted.factor.T @ wanted.factor, False, "R'R")
        return
    if isinstance(wanted, Sample):
        found, wanted = _settled(found), _settled(wanted)
    if isinstance(wanted, Joined):
        assert len(found.parts) == len(wanted.parts)
        for mine, yours in zip(found.parts, wanted.parts, strict=True):
            assert_same(mine, yours, exact)
    elif isinstance(wanted, WithinScatter) and not exact:  # as for a triangle, R is known by R'R
        assert_same(_multiplied(found), _multiplied(wanted))
    elif isinstance(wanted, Moments | Gram):
        _assert_same_moments(_taught(found), _taught(wanted), exact)
    else:
        for field in dataclasses.fields(wanted):
            _assert_same_values(getattr(found, field.name), getattr(wanted, field.name), exact, field.name)


def _multiplied(within):
    """Give the scatter matrix that a triangle about class means stands for."""
    scatter = (within.factor.T @ within.factor)[None]
    return Gram(within.scale, within.weight, within.mean, scatter)


def _settled(sample):
    """Give a sample cut to its quota, in the order of its rows: what it stands for."""
    kept = sample.trimmed()
    order = np.argsort(kept.rows)
    return Sample(sample.quota, kept.hashes[order], kept.codes[order], kept.rows[order])


def _assert_same_values(found, wanted, exact, name):
    if dataclasses.is_dataclass(wanted):
        assert_same(found, wanted, exact)
    elif isinstance(wanted, tuple):
        assert len(found) == len(wanted)
        for mine, yours in zip(found, wanted, strict=True):
            _assert_same_values(mine, yours, exact, name)
    elif exact or np.asarray(wanted).dtype.kind in "iub":
        np.testing.assert_array_equal(found, wanted, err_msg=name)
    else:
        finite = np.abs(np.asarray(wanted)[np.isfinite(wanted)])
        size = max(1.0, float(finite.max(initial=0.0)))
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12 * size, err_msg=name)


def _taught(moments):
    """Give the moments with the means of classes that no row has, which say nothing, set to zero."""
    weight = moments.weight if moments.weight.ndim == 2 else moments.weight[:, None]
    return dataclasses.replace(moments, mean=np.where(weight > 0, moments.mean, 0.0))


def _assert_same_moments(found, wanted, exact):
    """Means agree to roundings of the column's peak; scatters to what such an error of the mean can do."""
    if exact:
        for field in dataclasses.fields(wanted):
            np.testing.assert_array_equal(getattr(found, field.name), getattr(wanted, field.name))
        return
    np.testing.assert_array_equal(found.scale, wanted.scale)
    np.testing.assert_allclose(found.weight, wanted.weight, rtol=1e-13)
    unit = np.where(wanted.scale > 0, wanted.scale, 1.0)
    np.testing.assert_allclose(found.mean / unit, wanted.mean / unit, rtol=0, atol=ROUNDINGS)
    S = wanted.scatter
    if isinstance(wanted, FourthGram):
        _assert_same_higher_moments(found, wanted)
    if isinstance(wanted, Moments):
        W = wanted.weight
        allowed = 2 * np.sqrt(W * S) * ROUNDINGS + W * ROUNDINGS**2 + ROUNDINGS * S
    else:
        W = wanted.weight.sum()
        sd = np.sqrt(np.diagonal(S, axis1=1, axis2=2))
        pair = sd[:, :, None] + sd[:, None, :]
        allowed = np.sqrt(W) * pair * ROUNDINGS + W * ROUNDINGS**2 + ROUNDINGS * sd[:, :, None] * sd[:, None, :]
    assert (np.abs(found.scatter - S) <= allowed).all(), np.abs(found.scatter - S) / np.maximum(allowed, 1e-300)


def _assert_same_higher_moments(found, wanted):
    """Third and fourth moments agree to what an error of the mean by some roundings of the peak can do."""
    sd = np.sqrt(np.diagonal(wanted.scatter, axis1=1, axis2=2))
    kurtosis = np.sqrt(np.diagonal(wanted.fourth, axis1=1, axis2=2))  # sums of squares of e^2, so products bound sums
    W = np.maximum(wanted.weight, 1.0)[:, None]
    blur = ROUNDINGS * np.sqrt(W)
    third = (kurtosis + blur * sd)[:, :, None] * (blur + ROUNDINGS * sd)[:, None, :]
    allowed = third + 4.0 * blur[:, :, None] * sd[:, :, None] * sd[:, None, :]
    assert (np.abs(found.third - wanted.third) <= allowed + np.swapaxes(allowed, 1, 2)).all()
    pair = (kurtosis + blur * sd)[:, :, None] * (ROUNDINGS * kurtosis + 4.0 * blur * (sd + ROUNDINGS))[:, None, :]
    assert (np.abs(found.fourth - wanted.fourth) <= pair + np.swapaxes(pair, 1, 2)).all()

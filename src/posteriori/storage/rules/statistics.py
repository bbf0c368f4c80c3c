"""Rules for statistics: sums that rows can have, and that merging never overflows."""

import numpy as np

from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.families.beta import Beta
from posteriori.families.dirichlet import Dirichlet
from posteriori.models.generative_summary import Summary
from posteriori.statistics.counts import Counts
from posteriori.statistics.fourth_gram import FourthGram
from posteriori.statistics.gram import Gram
from posteriori.statistics.joint_counts import JointCounts, cell_keys
from posteriori.statistics.log_means import LogMeans
from posteriori.statistics.moments import Moments
from posteriori.statistics.within_scatter import WithinScatter
from posteriori.storage.registry import RULES
from posteriori.sweeps.least_squares import WithinSummary

#: Logarithms of numbers are above this.
SMALLEST_LOG = -746.0


@RULES.of(Counts)
def counts(value: Counts, where: str) -> None:
    """Check that counts of any shape are finite and not negative."""
    require.FINITE_NOT_NEGATIVE.check(value.values, value.values.shape, f"{where}.values")


@RULES.of(Moments, Gram, WithinScatter)
def scaled(value: Moments | Gram | WithinScatter, where: str) -> None:
    """Check that units are powers of two that no mean exceeds, so that merging never overflows."""
    mantissa, _ = np.frexp(value.scale)
    if not np.isin(mantissa, (0.0, 0.5)).all():
        fail(f"{where}.scale", "contains a number that is not a power of two")
    if (np.abs(value.mean) / 4.0 > value.scale).any():
        fail(f"{where}.mean", "is larger than the scale of its column")


@RULES.of(Moments)
def moments(value: Moments, where: str) -> None:
    """Check that sums of squares are those of rows in units of the scale."""
    if (value.scatter / 256.0 > value.weight).any():
        fail(f"{where}.scatter", "is larger than the weights allow")


@RULES.of(Gram)
def gram(value: Gram, where: str) -> None:
    """Check that there is one scatter matrix for all classes, or one for each."""
    if len(value.scatter) not in (1, len(value.weight)):
        fail(f"{where}.scatter", f"has shape {value.scatter.shape} for {len(value.weight)} classes")
    own = value.weight.sum(keepdims=True) if value.pooled else value.weight
    if (np.abs(value.scatter) / 256.0 > own[:, None, None]).any():
        fail(f"{where}.scatter", "is larger than the weights allow")
    require.covariances(value.scatter, f"{where}.scatter")


@RULES.of(FourthGram)
def fourth_moments(value: FourthGram, where: str) -> None:
    """Check that moments are those of rows in units of the scale."""
    most = 2.0**16 * value.weight[:, None, None]
    if (np.abs(value.third) > most).any() or (value.fourth > most).any():
        fail(f"{where}.fourth", "is larger than the weights allow")


@RULES.of(WithinScatter)
def within(value: WithinScatter, where: str) -> None:
    """Check that the factor is a triangle of the size that the weights allow."""
    if len(value.factor) > value.factor.shape[1] or np.tril(value.factor, -1).any():
        fail(f"{where}.factor", "is not upper triangular")
    if ((value.factor / 16.0) ** 2).sum(axis=0).max(initial=0.0) > value.weight.sum():
        fail(f"{where}.factor", "is larger than the weights allow")
    if not value.weight.any():
        fail(f"{where}.weight", "is zero for every class")


@RULES.of(LogMeans)
def log_means(value: LogMeans, where: str) -> None:
    """Check that lags are differences of logarithms of floats, which are between -745 and 710."""
    if (value.lag > 2000.0).any():
        fail(f"{where}.lag", "is larger than any difference of logarithms")


@RULES.of(JointCounts)
def cells(value: JointCounts, where: str) -> None:
    """Check that cells are in order, each once."""
    keys = cell_keys(value.codes, [int(size) + 1 for size in value.codes.max(axis=0, initial=0)])
    if not (keys[:-1] < keys[1:]).all():
        fail(f"{where}.codes", "are not in order, each once")


@RULES.of(WithinSummary)
def within_summary(value: WithinSummary, where: str) -> None:
    """Check that statistics are for the classes and columns of the fit."""
    shape = (len(value.classes), len(value.schema.columns))
    for part in (value.within, *value.fourth):
        require.instance(part, (WithinScatter, FourthGram), f"{where}.fourth")
        if part.mean.shape != shape:  # type: ignore[attr-defined]
            fail(f"{where}.within or fourth", f"is for classes and columns {part.mean.shape}, not {shape}")  # type: ignore[attr-defined]


@RULES.of(Summary)
def summary(value: Summary, where: str) -> None:
    """Check that every group has statistics of its family, for all classes."""
    n_classes = len(value.classes)
    require.WEIGHT.check(value.weight.values, (n_classes,), f"{where}.weight")
    if not value.weight.values.any():
        fail(f"{where}.weight", "is zero for every class")
    if len(value.groups) != len(value.statistics):
        fail(f"{where}.statistics", f"has {len(value.statistics)} entries for {len(value.groups)} groups")
    for i, (group, part) in enumerate(zip(value.groups, value.statistics, strict=True)):
        field = f"{where}.statistics[{i}]"
        require.instance(part, group.family.statistics_type, field)
        if part.n_classes != n_classes:
            fail(field, f"is for {part.n_classes} classes, not {n_classes}")
        if isinstance(part, JointCounts):
            require.close(part.counts.sum(axis=1), value.weight.values, f"{field}.counts",
                        "do not sum to the weights of the classes", rtol=1e-6)  # fmt: skip
        if isinstance(part, Counts):
            limit = group.family.largest_sum
            require.Numbers(0.0, limit, f"a count above {limit:g}").check(
                part.values, part.values.shape, f"{field}.values"
            )
        if isinstance(group.family, Beta | Dirichlet) and (part.mean < SMALLEST_LOG).any():  # type: ignore[attr-defined]
            fail(f"{field}.mean", "contains logarithms below that of the smallest number")
        fault = group.family.inconsistency(part, len(group.columns))
        if fault is not None:
            fail(f"{field}{fault[0]}", fault[1])

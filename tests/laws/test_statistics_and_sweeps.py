"""Every sweep turns the parts of a table into statistics that merge into those of the whole."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from posteriori.designs.units import Units
from posteriori.families.bernoulli import Bernoulli
from posteriori.families.categorical import Categorical
from posteriori.families.gamma import Gamma
from posteriori.families.gaussian.diagonal import DiagonalGaussian
from posteriori.families.gaussian.full import FullGaussian
from posteriori.families.gaussian.shrinkage import ShrunkGaussian
from posteriori.families.gaussian.spherical import SphericalGaussian
from posteriori.families.joint_density import Group
from posteriori.families.joint_table import JointTableFamily
from posteriori.families.multinomial import Multinomial
from posteriori.families.poisson import Poisson
from posteriori.fits.noisy_or.rounding import ColumnsSweep
from posteriori.inference.bayes.corrected.estimate import LeadSweep, SliceSweep
from posteriori.inference.bayes.corrected.expansion import DerivativesSweep
from posteriori.links.logit import Logit
from posteriori.links.softmax import Softmax
from posteriori.models.posterior.gaussian import GaussianPosterior
from posteriori.priors.quadratic import Quadratic
from posteriori.statistics.base import ClassStatistics, Joined, Statistics
from posteriori.statistics.counts import Counts
from posteriori.statistics.curvature import Curvature, Slope, Total
from posteriori.statistics.extremes import Largest, Marked
from posteriori.statistics.fourth_gram import FourthGram
from posteriori.statistics.gram import Gram
from posteriori.statistics.group_sums import GroupSums
from posteriori.statistics.invalid_cells import InvalidCells
from posteriori.statistics.joint_counts import JointCounts
from posteriori.statistics.levels import Levels
from posteriori.statistics.log_means import LogMeans
from posteriori.statistics.means import Means
from posteriori.statistics.moments import Moments
from posteriori.statistics.positive_cells import PositiveCells
from posteriori.statistics.row_summary import RowSummary
from posteriori.statistics.sample import Sample
from posteriori.statistics.smallest_hashes import SmallestHashes
from posteriori.statistics.triangle import Triangle
from posteriori.statistics.twofold import Twofold
from posteriori.statistics.within_scatter import WithinScatter
from posteriori.sweeps.base import Sweep, Together
from posteriori.sweeps.generative import CellSweep, GenerativeSweep, LevelSweep, UnseenSweep
from posteriori.sweeps.information import GroupScoreSweep, InformationSweep, ScoreTestSweep
from posteriori.sweeps.kernel_residual import KernelResidual, ResidualSums
from posteriori.sweeps.kernel_sums import ClassCurvatureSweep, NormalSweep
from posteriori.sweeps.landmarks import LandmarkSweep
from posteriori.sweeps.least_squares import WithinSweep
from posteriori.sweeps.leave_one_out import LeaveOneOutSweep, Spectrum
from posteriori.sweeps.leverage import LeverageSweep
from posteriori.sweeps.likelihood import CurvatureSweep, LadderSweep, ProductSweep, SlopeSweep, ThinnedSweep
from posteriori.sweeps.marginal_effects import EffectsSweep
from posteriori.sweeps.noisy_or import TriggerSweep
from posteriori.sweeps.reductions import LargestSweep, MarkedSweep, SumSweep
from posteriori.sweeps.row_summary import FractionalSweep, LengthSweep, RowSweep
from posteriori.sweeps.sample import SampleSweep, TriangleSweep
from posteriori.sweeps.score_sizes import ScoreSizes
from posteriori.sweeps.sketch import SketchSweep
from posteriori.sweeps.survey import FiniteSweep, Survey
from posteriori.sweeps.twofold import TwofoldSlope
from tests.laws.discovery import members
from tests.laws.rows import any_rows, with_offset
from tests.laws.statistics_laws import assert_same, check_statistics


@st.composite
def survey(draw):
    rows = draw(any_rows(sparse=True))
    if sp.issparse(rows.block.features):  # absent cells are zeros, so no shift
        rows = replace(rows, offset=0.0)
    return Survey(), rows


@st.composite
def survey_of_bad_cells(draw):
    rows = draw(any_rows(gaps=True, extreme=False))
    X = rows.block.features.copy()
    X[-1, 0] = np.inf
    return Tallies(Survey()), replace(rows, block=replace(rows.block, features=X))


class Tallies(Sweep):
    """The tally of a survey: of columns with bad cells nothing else is kept."""

    def __init__(self, inner):
        self.inner = inner

    def __call__(self, block):
        with np.errstate(all="ignore"):
            return self.inner(block).parts[0]


@st.composite
def sample(draw):
    rows = draw(any_rows(extreme=False))
    quota = np.full(rows.n_classes, draw(st.integers(1, 6)))
    threshold = np.full(rows.n_classes, 2**64 - 1, dtype=np.uint64)
    return SampleSweep(quota, threshold), rows


@st.composite
def triangle(draw):
    rows = draw(any_rows(sparse=True))
    if sp.issparse(rows.block.features):
        rows = replace(rows, offset=0.0)
    return TriangleSweep(rows.units), rows


@st.composite
def likelihood(draw, kind, extra=()):
    rows = draw(any_rows(sparse=True, counts=True))
    if sp.issparse(rows.block.features) and rows.offset:
        rows = draw(any_rows(extreme=False, sparse=True, counts=True))
    K = rows.n_classes
    link = Logit() if K == 2 else Softmax(K, reference=draw(st.sampled_from([None, 0, K - 1])))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if draw(st.booleans()):
        rows = with_offset(rows, link.n_scores, rng)
    shape = (link.n_scores, rows.n_columns + 1)
    w = rng.standard_normal(shape)
    more = {name: rng.standard_normal(shape) for name in extra}
    if kind is LadderSweep:
        more["lengths"] = np.array([0.5, 0.1])
    if kind is ThinnedSweep:
        more["fraction"] = draw(st.sampled_from([0.05, 0.5, 1.0]))
    return kind(link, rows.units, w, **more), rows


@st.composite
def sketch(draw):
    sweep, rows = draw(likelihood(SlopeSweep))
    return SketchSweep(sweep.link, sweep.units), rows


@st.composite
def twofold(draw):
    rows = draw(any_rows(extreme=False, sparse=True, counts=True))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    K = rows.n_classes
    link = Logit() if K == 2 else Softmax(K, reference=draw(st.sampled_from([None, 0, K - 1])))
    w = rng.standard_normal((link.n_scores, rows.n_columns + 1))
    exponents = rng.integers(-2, 3, rows.n_columns)
    return TwofoldSlope(link, rows.units, w[:, 0], w[:, 1:], exponents, rng.standard_normal((w.size, w.size))), rows


@st.composite
def derivatives(draw, kind):
    rows = draw(any_rows(extreme=False, counts=True))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    w = rng.standard_normal((1 if rows.n_classes == 2 else rows.n_classes, rows.n_columns + 1))
    root = rng.standard_normal((draw(st.integers(1, w.size)), w.size))
    flat = Quadratic(np.zeros(w.size), np.ones(w.size))
    posterior = GaussianPosterior(rows.units, w, root, flat, None)
    more = [rng.standard_normal((size, len(root))) for size in (2, 3)] if kind is SliceSweep else []
    return kind(posterior, *more), rows


@st.composite
def generative(draw):
    rows = draw(any_rows(gaps=True))
    family = draw(st.sampled_from([DiagonalGaussian(), DiagonalGaussian(shared=True), SphericalGaussian()]))
    return GenerativeSweep((whole_group(family, rows),), rows.n_classes, True), rows


@st.composite
def generative_full(draw):
    rows = draw(any_rows())
    family = FullGaussian(shared=draw(st.booleans()))
    return GenerativeSweep((whole_group(family, rows),), rows.n_classes, False), rows


@st.composite
def generative_tables(draw):
    rows = draw(any_rows(gaps=True, cells=2))
    d = rows.n_columns
    first = tuple(range(0, d, 2))
    groups = [Group(Categorical(1.0, (3,) * len(first)), first)]
    if d > 1:
        groups.append(Group(Bernoulli(), tuple(range(1, d, 2))))
    return GenerativeSweep(tuple(groups), rows.n_classes, True), rows


@st.composite
def generative_fourth(draw):
    rows = draw(any_rows())
    family = ShrunkGaussian(shared=draw(st.booleans()), shrinkage="ledoit-wolf")
    return GenerativeSweep((whole_group(family, rows),), rows.n_classes, False), rows


@st.composite
def within(draw):
    rows = draw(any_rows())
    return WithinSweep(rows.n_classes, draw(st.booleans())), rows


@st.composite
def generative_cells(draw):
    rows = draw(any_rows(cells=4))
    family = JointTableFamily(sizes=(5,) * rows.n_columns)
    return GenerativeSweep((whole_group(family, rows),), rows.n_classes, False), rows


@st.composite
def generative_means(draw):
    rows = draw(any_rows(gaps=True, cells=4))
    return GenerativeSweep((whole_group(Poisson(), rows),), rows.n_classes, True), rows


@st.composite
def generative_log_means(draw):
    rows = draw(any_rows(gaps=True, extreme=False))
    positive = replace(rows.block, features=np.exp(rows.block.features))
    rows = replace(rows, block=positive)
    return GenerativeSweep((whole_group(Gamma(), rows),), rows.n_classes, True), rows


@st.composite
def generative_sparse(draw):
    rows = draw(any_rows(gaps=True, cells=2))
    family = draw(st.sampled_from([Multinomial(), Bernoulli(), Poisson(), DiagonalGaussian()]))
    rows = replace(rows, block=replace(rows.block, features=sp.csr_array(rows.block.features)))
    return GenerativeSweep((whole_group(family, rows),), rows.n_classes, True), rows


@st.composite
def cells(draw):
    rows = draw(any_rows(gaps=True, cells=4))
    return CellSweep((whole_group(Bernoulli(), rows),), draw(st.booleans())), rows


@st.composite
def unseen(draw):
    rows = draw(any_rows(gaps=True, cells=5))
    sizes = (3,) * rows.n_columns
    return UnseenSweep(whole_group(Categorical(1.0, sizes), rows), sizes), rows


@st.composite
def triggers(draw):
    rows = draw(any_rows(sparse=True, counts=True))
    y = rows.block.targets
    two = y[:, :2].copy() if y.ndim == 2 else y % 2
    return TriggerSweep(), replace(rows, n_classes=2, block=replace(rows.block, targets=two))


@st.composite
def levels(draw):
    rows = draw(any_rows(gaps=True, cells=draw(st.sampled_from([3, 4000]))))
    return LevelSweep(tuple(range(rows.n_columns))), rows


@st.composite
def together(draw):
    rows = draw(any_rows())
    return Together((Survey(), TriangleSweep(rows.units))), rows


def whole_group(family, rows):
    return Group(family, tuple(range(rows.n_columns)))


@st.composite
def by_row(draw, kind, *more, **values):
    """Draw a sweep of a likelihood with rows that have further values each."""
    sweep, rows = draw(likelihood(SlopeSweep))
    block = replace(rows.block, **{name: value(rows.block.n_rows) for name, value in values.items()})
    return kind(sweep.link, sweep.units, sweep.w, *more), replace(rows, block=block)


@st.composite
def row_summary(draw):
    rows = draw(any_rows(counts=True))
    n = rows.block.n_rows
    if draw(st.booleans()):
        rows = with_offset(rows, 2, np.random.default_rng(n))
    given = importance_of_rows(n) if draw(st.booleans()) else None
    block = replace(rows.block, given_weights=given, log_coefficients=np.arange(float(n)))
    return RowSweep(rows.n_classes), replace(rows, block=block)


@st.composite
def of_each_row(draw, kind, function):
    return kind(function), draw(any_rows(extreme=False))


@st.composite
def lengths(draw):
    return LengthSweep(3), draw(any_rows())


@st.composite
def fractional(draw):
    rows = draw(any_rows())
    return FractionalSweep(), replace(
        rows, block=replace(rows.block, given_weights=importance_of_rows(rows.block.n_rows))
    )


@st.composite
def finite(draw):
    return FiniteSweep(), draw(any_rows(gaps=True, extreme=False))


@st.composite
def landmarks(draw):
    return LandmarkSweep(draw(st.integers(1, 9)), draw(st.sampled_from([None, 3]))), draw(any_rows(cells=3))


@st.composite
def kernel_residual(draw):
    rows = draw(any_rows(extreme=False, counts=True))
    link = Logit() if rows.n_classes == 2 else Softmax(rows.n_classes)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    theta, step = rng.standard_normal((2, link.n_scores, rows.n_columns))
    block = replace(rows.block, features=np.exp(-(rows.block.features**2)))  # kernels are at most one
    return KernelResidual(link, theta, 0.1 * step, 0.5, 3, 0.0), replace(rows, block=block)


@st.composite
def some_columns(draw):
    sweep, rows = draw(likelihood(SlopeSweep))
    units = Units(sweep.units.centre[:1], sweep.units.scale[:1], sweep.units.intercept)
    w = sweep.w[:, : units.n_coefficients]
    return ColumnsSweep(SlopeSweep(sweep.link, units, w), np.zeros(1, dtype=np.intp)), rows


def first_is_positive(block):
    return block.dense()[:, 0] > 0


def dense_rows(block):
    return block.dense()


@st.composite
def leverage(draw):
    sweep, rows = draw(likelihood(SlopeSweep))
    half = np.random.default_rng(draw(st.integers(0, 2**32 - 1))).standard_normal((sweep.w.size, sweep.w.size))
    return LeverageSweep(sweep.link, sweep.units, sweep.w, half @ half.T), rows


@st.composite
def normal(draw):
    rows = draw(any_rows(extreme=False, counts=True))
    return NormalSweep(rows.n_classes), rows


@st.composite
def leave_one_out(draw):
    rows = draw(any_rows(extreme=False, counts=True))
    d, K = rows.n_columns, rows.n_classes
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values, vectors = rng.uniform(300.0, 400.0, d), np.linalg.qr(rng.standard_normal((d, d)))[0]
    turns = (np.arange(d), rng.standard_normal((d, d)))
    shares = (np.arange(1), np.arange(1, K))
    spectra = [Spectrum(own, turn, values, vectors, rng.standard_normal((d, len(own))))
               for own, turn in zip(shares, turns, strict=True)]  # fmt: skip
    return LeaveOneOutSweep(tuple(spectra), np.array([0.1, 10.0]), K), rows


def importance_of_rows(n):
    return 0.5 + np.arange(n) % 3


def groups_of_rows(n):
    return (np.arange(n) * 7) % 4


def further_columns(n):
    return np.sin(np.arange(2.0 * n)).reshape(n, 2)


#: How to draw each sweep with rows it takes. A sweep without an entry fails the test below.
SWEEPS = {
    Survey: [survey()],
    FiniteSweep: [finite()],
    RowSweep: [row_summary()],
    LengthSweep: [lengths()],
    FractionalSweep: [fractional()],
    SumSweep: [of_each_row(SumSweep, dense_rows)],
    LargestSweep: [of_each_row(LargestSweep, dense_rows)],
    MarkedSweep: [of_each_row(MarkedSweep, first_is_positive)],
    LandmarkSweep: [landmarks()],
    KernelResidual: [kernel_residual()],
    ColumnsSweep: [some_columns()],
    SampleSweep: [sample()],
    TriangleSweep: [triangle()],
    SketchSweep: [sketch()],
    TwofoldSlope: [twofold()],
    ScoreSizes: [likelihood(ScoreSizes)],
    **{kind: [derivatives(kind)] for kind in (DerivativesSweep, LeadSweep, SliceSweep)},
    SlopeSweep: [likelihood(SlopeSweep)],
    CurvatureSweep: [likelihood(CurvatureSweep)],
    ThinnedSweep: [likelihood(ThinnedSweep)],
    LadderSweep: [likelihood(LadderSweep, ("step",))],
    ProductSweep: [likelihood(ProductSweep, ("vector",))],
    InformationSweep: [likelihood(InformationSweep), by_row(InformationSweep, True, given_weights=importance_of_rows)],
    GroupScoreSweep: [by_row(GroupScoreSweep, groups=groups_of_rows)],
    ScoreTestSweep: [by_row(ScoreTestSweep, extra=further_columns)],
    EffectsSweep: [likelihood(EffectsSweep)],
    LeverageSweep: [leverage()],
    ClassCurvatureSweep: [likelihood(ClassCurvatureSweep), by_row(ClassCurvatureSweep, True)],
    NormalSweep: [normal()],
    LeaveOneOutSweep: [leave_one_out()],
    GenerativeSweep: [
        generative(),
        generative_full(),
        generative_fourth(),
        generative_tables(),
        generative_cells(),
        generative_means(),
        generative_log_means(),
        generative_sparse(),
    ],
    WithinSweep: [within()],
    CellSweep: [cells()],
    UnseenSweep: [unseen()],
    LevelSweep: [levels()],
    TriggerSweep: [triggers()],
    Together: [together()],
}
#: Which sweep makes each kind of statistics.
MAKERS = {
    Joined: survey(),
    Moments: survey(),
    RowSummary: row_summary(),
    Largest: of_each_row(LargestSweep, dense_rows),
    Marked: of_each_row(MarkedSweep, first_is_positive),
    SmallestHashes: landmarks(),
    ResidualSums: kernel_residual(),
    InvalidCells: survey_of_bad_cells(),
    Sample: sample(),
    Triangle: triangle(),
    Slope: likelihood(SlopeSweep),
    Curvature: likelihood(CurvatureSweep),
    Total: likelihood(ProductSweep, ("vector",)),
    GroupSums: by_row(GroupScoreSweep, groups=groups_of_rows),
    Counts: generative_tables(),
    JointCounts: generative_cells(),
    Gram: generative_full(),
    FourthGram: generative_fourth(),
    WithinScatter: within(),
    Levels: levels(),
    PositiveCells: triggers(),
    Means: generative_means(),
    LogMeans: generative_log_means(),
    Twofold: twofold(),
}
CASES = [(kind, number) for kind, drawn in SWEEPS.items() for number in range(len(drawn))]


def test_every_sweep_of_the_package_is_tested_by_the_laws():
    assert set(members(Sweep)) == set(SWEEPS)


def test_every_kind_of_statistics_of_the_package_is_tested_by_the_laws():
    assert set(members(Statistics)) - {Statistics, ClassStatistics} == set(MAKERS)


@pytest.mark.parametrize(("kind", "number"), CASES, ids=lambda value: getattr(value, "__name__", str(value)))
@given(data=st.data())
def test_merging_the_statistics_of_parts_gives_those_of_the_whole(kind, number, data):
    sweep, rows = data.draw(SWEEPS[kind][number])
    assert type(sweep) is kind
    check_statistics([sweep(part) for part in rows.parts()], sweep(rows.block))


@pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_statistics_are_a_monoid(kind, data):
    sweep, rows = data.draw(MAKERS[kind])
    whole = sweep(rows.block)
    assert kind in kinds_in(whole)
    check_statistics([sweep(part) for part in rows.parts()], whole)


@pytest.mark.parametrize(("kind", "number"), CASES, ids=lambda value: getattr(value, "__name__", str(value)))
@given(data=st.data())
def test_a_sweep_is_pure(kind, number, data):
    sweep, rows = data.draw(SWEEPS[kind][number])
    before = contents(rows.block)
    first = sweep(rows.block)
    for mine, yours in zip(contents(rows.block), before, strict=True):
        np.testing.assert_array_equal(mine, yours)
    assert_same(sweep(rows.block), first, exact=True)


@given(rows=any_rows(extreme=False), factor=st.sampled_from([1.0, 2.0, 3.0]))
def test_the_survey_of_weighted_rows_is_that_of_copies(rows, factor):
    block = replace(rows.block, weights=np.full(rows.block.n_rows, factor))
    copies = np.repeat(rows.block.features, int(factor), axis=0)
    _, moments = Survey()(block).parts
    np.testing.assert_allclose(moments.mean[0], copies.mean(axis=0), rtol=0, atol=1e-13)
    np.testing.assert_allclose(
        moments.scatter[0] * moments.scale**2, len(copies) * copies.var(axis=0), rtol=1e-12, atol=1e-14
    )
    assert (moments.weight == len(copies)).all()


def test_a_scatter_keeps_its_digits_beside_an_offset_of_a_million():
    X = np.random.default_rng(0).standard_normal((3000, 2))
    from posteriori.tables.block import Block

    parts = [Survey()(Block(X[i : i + 7] + 1e6, None, None, None, i)).parts[1] for i in range(0, 3000, 7)]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.merge(part)
    found = whole.scatter[0] * whole.scale**2 / 3000
    np.testing.assert_allclose(found, (X + 1e6).var(axis=0), rtol=1e-9)


def test_a_class_that_comes_late_fills_its_quota_in_the_sample():
    from posteriori.tables.block import Block

    y = np.repeat([1, 0], 40)  # sorted by class, as many files are
    sweep = SampleSweep(np.array([3, 3]), np.full(2, 2**64 - 1, dtype=np.uint64))
    parts = [sweep(Block(np.zeros((4, 1)), y[i : i + 4], None, None, i)) for i in range(0, 80, 4)]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.merge(part)
    assert np.bincount(whole.trimmed().codes).tolist() == [3, 3]
    assert_same(whole, sweep(Block(np.zeros((80, 1)), y, None, None, 0)))


def kinds_in(statistics):
    inner = statistics.parts if isinstance(statistics, Joined) else ()
    if isinstance(statistics, Curvature):
        inner = (statistics.slope,)
    return {type(statistics)}.union(*(kinds_in(part) for part in inner)) if inner else {type(statistics)}


def contents(block):
    X = block.features
    values = [X.data.copy(), X.indices.copy()] if sp.issparse(X) else [X.copy()]
    return values + [part.copy() for part in (block.targets, block.weights, block.offset) if part is not None]

"""LSPC: its closed form, its leave-one-out, its fallback, its edges."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import posteriori as pt
from posteriori.fits.kernels import lspc as inside
from posteriori.fits.kernels.lspc import NormalEquations
from tests.storage.test_hostile_files import write_unchecked


def drawn(n=60, d=2, K=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % K)
    return rng.standard_normal((n, d)) + 1.2 * rng.standard_normal((K, d))[y], y


def gram(X, centers, h):
    return np.exp(-((X[:, None, :] - centers) ** 2).sum(axis=2) / (2 * h**2))


def by_hand(X, counts, model):
    """Solve eq. 28.5's equations for each class, over its own centres where the model has such."""
    weights = counts.sum(axis=1)
    theta = np.zeros((counts.shape[1], len(model.centers_)))
    for k in range(counts.shape[1]):
        own = np.ones(len(model.centers_), bool)
        if isinstance(model.centers, str) and model.centers == "own-class":
            members = X[counts[:, k] > 0]
            own = np.array([(members == center).all(axis=1).any() for center in model.centers_])
        Phi = gram(X, model.centers_[own], model.bandwidth_)
        left = Phi.T @ (weights[:, None] * Phi) + model.precision_ * np.eye(own.sum())
        theta[k, own] = np.linalg.solve(left, Phi.T @ counts[:, k])
    return theta


CENTERS = ["all", "own-class", 12]
every_centers = pytest.mark.parametrize("centers", CENTERS, ids=str)


@every_centers
@pytest.mark.parametrize("d", [1, 8])
@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_coefficients_solve_the_equations_of_the_book(centers, d, K, weighted):
    X, y = drawn(n=80, d=d, K=K)
    weights = np.random.default_rng(3).uniform(0.2, 3.0, 80) if weighted else np.ones(80)
    model = pt.LSPC(centers=centers, precision=0.3).fit(X, y, sample_weight=weights if weighted else None)
    wanted = by_hand(X, np.eye(K)[y] * weights[:, None], model)
    np.testing.assert_allclose(model.coef_, wanted, rtol=0, atol=1e-9)
    outputs = gram(X, model.centers_, model.bandwidth_) @ wanted.T
    np.testing.assert_allclose(model.scores(X), outputs, rtol=0, atol=1e-10)
    left = np.maximum(outputs, 0.0)
    np.testing.assert_allclose(model.predict_proba(X), left / left.sum(axis=1, keepdims=True), rtol=0, atol=1e-9)


@every_centers
def test_rows_met_twice_and_weights_are_the_same(centers):
    X, y = drawn(n=40)
    X = np.round(X)  # some points in several classes
    repeats = np.random.default_rng(2).integers(1, 4, 40)
    settings = {"bandwidth": "cv", "precision": "cv", "centers": centers}
    weighted = pt.LSPC(**settings).fit(X, y, sample_weight=repeats)
    copied = pt.LSPC(**settings).fit(np.repeat(X, repeats, axis=0), np.repeat(y, repeats))
    assert (weighted.bandwidth_, weighted.precision_) == (copied.bandwidth_, copied.precision_)
    np.testing.assert_allclose(weighted.coef_, copied.coef_, rtol=0, atol=1e-9)
    np.testing.assert_allclose(weighted.coef_, by_hand(X, np.eye(3)[y] * repeats[:, None], weighted), atol=1e-6)


@every_centers
@pytest.mark.parametrize("d", [1, 6])
def test_leave_one_out_is_what_refits_without_each_row_give(centers, d):
    X, y = drawn(n=30, d=d)
    weights = np.random.default_rng(1).uniform(0.5, 2.0, 30)
    model = pt.LSPC(bandwidth="cv", precision="cv", centers=centers).fit(X, y, sample_weight=weights)
    tried, counts = model.cross_validation_, np.eye(3)[y] * weights[:, None]
    assert tried["error"].shape == (8, 13)
    best = np.unravel_index(tried["error"].argmin(), tried["error"].shape)
    assert (model.bandwidth_, model.precision_) == (tried["bandwidth"][best[0]], tried["precision"][best[1]])
    for b, p in ((1, 4), (4, 6), (7, 0)):
        h, precision = tried["bandwidth"][b], tried["precision"][p]
        total = 0.0
        for i in range(30):
            kept = np.arange(30) != i
            for k in range(3):
                own = (y == k) if isinstance(centers, str) and centers == "own-class" else slice(None)
                Phi = gram(X, model.centers_[own], h)
                left = Phi[kept].T @ (weights[kept, None] * Phi[kept]) + precision * np.eye(Phi.shape[1])
                output = Phi[i] @ np.linalg.solve(left, Phi[kept].T @ counts[kept, k])
                total += weights[i] * (output - (y[i] == k)) ** 2
        assert tried["error"][b, p] == pytest.approx(total / weights.sum(), rel=1e-7)


def test_one_of_both_may_be_cross_validated():
    X, y = drawn()
    model = pt.LSPC(precision="cv").fit(X, y)
    assert model.bandwidth_ == pt.LSPC().fit(X, y).bandwidth_
    assert model.cross_validation_["error"].shape == (1, 13)
    model = pt.LSPC(bandwidth="cv", precision=0.5).fit(X, y)
    assert model.precision_ == 0.5
    assert model.cross_validation_["error"].shape == (8, 1)
    assert not hasattr(pt.LSPC().fit(X, y), "cross_validation_")


def test_sums_in_order_are_those_of_partitions(monkeypatch):
    X, y = drawn(n=3000)
    one = pt.LSPC(centers=200).fit(X, y)
    assert pt.LSPC(centers=200).fit(X, y).coef_.tobytes() == one.coef_.tobytes()
    monkeypatch.setattr(inside, "IN_ORDER_FROM", 0)
    other = pt.LSPC(centers=200).fit(X, y)
    np.testing.assert_allclose(other.predict_proba(X), one.predict_proba(X), rtol=0, atol=1e-8)


def test_normal_equations_of_codes_and_counts_agree():
    from posteriori.bases.kernel_centers import Distinct
    from posteriori.input.training import read_training

    X, y = drawn()
    table = read_training(pt.LSPC(), X, y).table
    mine, yours = NormalEquations.of(table, 3), NormalEquations.of(Distinct(X, np.eye(3)[y]).table(), 3)
    np.testing.assert_allclose(mine.gram, yours.gram, atol=1e-12)
    np.testing.assert_allclose(mine.cross, yours.cross, atol=1e-12)


# --- where the outputs are rounded to zero


def test_far_away_the_answer_is_the_prior_and_said_to_be():
    X, y = drawn(n=50, K=2)
    model = pt.LSPC().fit(X, y, sample_weight=np.where(y == 1, 3.0, 1.0))
    far = np.array([[1e3, 0.0], [1e200, -1e200], [1e308, 1e308]])
    assert model.uses_prior(far).all()
    assert not model.uses_prior(X).any()
    np.testing.assert_allclose(model.predict_proba(far), np.tile(model.class_priors_, (3, 1)), rtol=1e-15)
    np.testing.assert_allclose(model.class_priors_, [0.25, 0.75])
    assert model.predict(far).tolist() == [1, 1, 1]
    np.testing.assert_allclose(model.scores(far), 0.0, atol=0.0)


def test_a_row_that_no_class_claims_has_the_prior():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 1, 0]
    model = pt.LSPC(bandwidth=0.8, precision=1e-3).fit(X, y)
    model.model_ = replace(model.model_, coef=-np.abs(model.coef_))
    assert model.uses_prior([[1.0]]).tolist() == [True]
    np.testing.assert_allclose(model.predict_proba([[1.0]]), [[0.5, 0.5]])


def test_where_kernels_hardly_exist_their_quotients_keep_their_digits():
    model = pt.LSPC(bandwidth=1.0, centers="own-class").fit([[0.0], [0.5], [2.0], [2.5]], [0, 0, 1, 1])
    x = np.array([[-36.9]])  # exp(-x^2 / 2) is about 1e-296, and below 1e-308 from the second class's centres on
    p = model.predict_proba(x)
    assert not model.uses_prior(x).any()
    np.testing.assert_allclose(p, [[1.0, 0.0]], atol=1e-15)
    x = np.array([[39.6]])  # every kernel is subnormal or zero
    exponents = -((x - model.centers_.ravel()) ** 2) / 2
    outputs = np.maximum(np.exp(exponents - exponents.max()) @ model.coef_.T, 0.0)
    np.testing.assert_allclose(model.predict_proba(x), outputs / outputs.sum(), rtol=1e-12)


def test_a_class_counted_nowhere_has_no_share():
    X, _ = drawn(n=20)
    counts = np.zeros((20, 3))
    counts[np.arange(20), np.arange(20) % 2] = 1.0
    for centers in CENTERS:
        model = pt.LSPC(centers=centers, precision="cv").fit(X, counts)
        p = model.predict_proba(np.vstack([X, [[1e9, 0.0]]]))
        assert (p[:, 2] == 0).all()
        assert np.isfinite(p).all()


# --- answers, files, faults


@pytest.mark.parametrize("K", [2, 3])
def test_the_decision_is_the_prediction(K):
    X, y = drawn(K=K)
    model = pt.LSPC().fit(X, y)
    rows = np.vstack([X, [[1e6, 0.0]]])
    scores = model.decision_function(rows)
    decided = (scores > 0).astype(int) if K == 2 else scores.argmax(axis=1)
    np.testing.assert_array_equal(decided, model.predict(rows))
    np.testing.assert_array_equal(model.margins(X, y) > 0, model.predict(X) == y)


def test_frames_files_and_labels(tmp_path):
    X, y = drawn()
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = pt.LSPC(bandwidth="cv", precision="cv").fit(frame, np.array(["x", "y", "z"])[y])
    pt.save(model, tmp_path / "m")
    loaded = pt.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.predict_log_proba(frame), model.predict_log_proba(frame))
    assert loaded.predict(frame).tolist() == model.predict(frame).tolist()


@pytest.mark.parametrize(
    ("part", "value"),
    [("bandwidth", -1.0), ("coef", np.zeros((3, 2))), ("centers", np.full((60, 2), np.inf)), ("precision", 0.0)],
)
def test_a_file_whose_parts_do_not_fit_is_refused(part, value, tmp_path):
    X, y = drawn()
    model = pt.LSPC().fit(X, y)
    model.model_ = replace(model.model_, **{part: value})
    write_unchecked(model, tmp_path / "m")
    with pytest.raises(pt.ModelFileError, match=part):
        pt.load(tmp_path / "m")


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"precision": 0.0}, "precision=0.0 must be a positive number, or 'cv'"),
        ({"precision": "loo"}, "'cv'"),
        ({"centers": "own"}, "'all' | 'own-class'"),
        ({"centers": -3}, "from 1 up"),
        ({"bandwidth": np.inf}, "must be a positive number"),
    ],
    ids=lambda value: str(value).replace(" ", "_")[:30],
)
def test_parameters_that_cannot_be_are_refused_in_words(parameters, words):
    X, y = drawn()
    with pytest.raises(pt.DataError, match=words.replace("|", r"\|")):
        pt.LSPC(**parameters).fit(X, y)


def test_the_command_knows_both_by_name():
    from posteriori.estimators.catalogue import make

    assert isinstance(make("lspc", precision="cv"), pt.LSPC)
    assert isinstance(make("kernel-logistic"), pt.KernelLogisticRegression)

"""The perceptron: its bound, its two kernels, its choices of weights, and what it says when there is no plane."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import posteriori as pt
import posteriori.solvers.ordered.perceptron as solver
from posteriori.backends.backend import ARRAYS, COMPILED, backend_for

XOR, PARITY = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 1, 1, 0])


def separable(seed, n=60, d=3, K=2):
    """Draw rows that planes through a margin separate."""
    rng = np.random.default_rng(seed)
    W = rng.standard_normal((1, d + 1)) if K == 2 else np.eye(K, d + 1, 1)
    X = rng.standard_normal((6 * n, d))
    scores = X @ W[:, 1:].T + W[:, 0]
    if K == 2:
        y, margin = (scores[:, 0] > 0).astype(int), np.abs(scores[:, 0])
    else:
        y, margin = scores.argmax(axis=1), np.diff(np.sort(scores, axis=1)[:, -2:])[:, 0]
    kept = np.concatenate([np.flatnonzero(y == k)[np.argsort(-margin[y == k])[: n // K]] for k in range(K)])
    return X[kept], y[kept], W


def quiet(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.ConvergenceWarning)
        return model.fit(X, y)


@given(seed=st.integers(0, 2**32 - 1), order=st.sampled_from(["cyclic", "shuffled"]))
def test_separable_rows_are_separated_within_the_bound(seed, order):
    X, y, W = separable(seed)
    if len(np.unique(y)) < 2:
        return
    model = pt.Perceptron(order=order, random_state=0, max_iter=10**5).fit(X, y)
    phi = np.column_stack([np.ones(len(X)), X])
    gamma = (np.where(y == 1, 1, -1) * (phi @ W[0]) / np.linalg.norm(W[0])).min()
    assert model.converged_
    assert model.fit_status_ == "ok"
    assert model.n_updates_ <= (np.linalg.norm(phi, axis=1).max() / gamma) ** 2
    assert (model.predict(X) == y).all()
    assert (model.margins(X, y) > 0).all()


@pytest.mark.parametrize("K", [3, 5])
def test_many_classes_are_separated_by_one_rule(K):
    X, y, W = separable(1, n=120, K=K, d=K)
    model = pt.Perceptron(max_iter=10**4).fit(X, y)
    assert model.converged_
    assert model.coef_.shape == (K, K)
    assert (model.predict(X) == y).all()
    assert (model.margins(X, y) > 0).all()
    np.testing.assert_allclose(model.coef_.sum(axis=0), 0.0, atol=1e-12)  # what one class gains another loses
    phi = np.column_stack([np.ones(len(X)), X])
    own = (phi * W[y]).sum(axis=1)[:, None] - phi @ W.T
    gamma = own[np.arange(K) != y[:, None]].min() / np.linalg.norm(W)
    assert model.n_updates_ <= 2 * (np.linalg.norm(phi, axis=1).max() / gamma) ** 2  # Kesler's rows are (phi, -phi)


@pytest.mark.parametrize("keep", ["last", "pocket", "average"])
def test_without_a_separating_plane_it_says_so(keep):
    with pytest.warns(pt.ConvergenceWarning, match="not separated within 7 passes"):
        model = pt.Perceptron(max_iter=7, keep=keep).fit(XOR, PARITY)
    assert not model.converged_
    assert model.n_iter_ == 7
    assert model.fit_status_ == "not_converged"
    (note,) = model.fit_notes_
    assert ("keep='pocket'" in note.remedy) == (keep != "pocket")
    assert not hasattr(model, "predict_proba")


def test_the_pocket_keeps_the_fewest_mistakes():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 2))
    y = (X[:, 0] + 0.8 * rng.standard_normal(300) > 0).astype(int)
    models = {keep: quiet(pt.Perceptron(keep=keep, max_iter=60), X, y) for keep in ("last", "pocket", "average")}
    mistakes = {keep: int((model.margins(X, y) <= 0).sum()) for keep, model in models.items()}
    assert mistakes["pocket"] < mistakes["last"]
    assert mistakes["average"] < mistakes["last"]
    assert f"They make {mistakes['pocket']}." in models["pocket"].fit_notes_[0].message


def test_the_average_is_over_all_rows_visited():
    X, y = np.array([[1.0], [2.0], [-1.0], [0.5]]), np.array([1, 0, 1, 0])
    model = quiet(pt.Perceptron(keep="average", max_iter=3), X, y)
    w, seen = np.zeros(2), []
    for _ in range(3):
        for x, t in zip(X[:, 0], np.where(y == 1, 1, -1), strict=True):
            phi = np.array([1.0, x])
            if t * (w @ phi) <= 0:
                w = w + t * phi
            seen.append(w)
    np.testing.assert_allclose([model.intercept_[0], model.coef_[0, 0]], np.mean(seen, axis=0), rtol=1e-13)


@pytest.mark.parametrize("keep", ["last", "pocket", "average"])
@pytest.mark.parametrize("K", [2, 3, 4])
@pytest.mark.parametrize("cells", ["real", "whole", "far"])
def test_both_kernels_give_the_same_bits(monkeypatch, K, cells, keep):
    rng = np.random.default_rng(K)
    X, y = rng.standard_normal((250, 4)), rng.integers(0, K, 250)
    if cells == "whole":
        X = np.round(2 * X)  # many rows fall exactly on the boundary
    if cells == "far":
        X = X * np.array([1.0, 1e9, 1e-9, 1.0]) + 1e3
    found = []
    for backend in (ARRAYS, COMPILED):
        monkeypatch.setattr(solver, "backend_for", lambda n_values, backend=backend: backend)
        found.append(quiet(pt.Perceptron(keep=keep, max_iter=8, rate=0.3, trace=True), X, y))
    mine, yours = found
    assert mine.n_updates_ == yours.n_updates_ > 100
    for name in ("coef_", "intercept_"):
        np.testing.assert_array_equal(getattr(mine, name), getattr(yours, name))
    for name in ("row", "before", "after"):
        np.testing.assert_array_equal(getattr(mine.trace_, name), getattr(yours.trace_, name))


def test_kernels_may_change_between_passes(monkeypatch):
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((200, 3)), rng.integers(0, 2, 200)
    alone = quiet(pt.Perceptron(max_iter=6), X, y)
    used = []

    def noted(visited):
        used.append(backend := backend_for(visited))
        return backend

    monkeypatch.setattr(solver, "PRICE", 2**13)
    monkeypatch.setattr(solver, "backend_for", noted)
    np.testing.assert_array_equal(quiet(pt.Perceptron(max_iter=6), X, y).coef_, alone.coef_)
    assert used[0] is ARRAYS
    assert used[-1] is COMPILED


def test_many_blocks_are_visited_as_one_run_of_rows(monkeypatch):
    from posteriori.tables import table

    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((500, 3)), rng.integers(0, 3, 500)
    fits = []
    for values in (table.BLOCK_VALUES, 64):
        monkeypatch.setattr(table, "BLOCK_VALUES", values)
        fits.append(quiet(pt.Perceptron(max_iter=3, trace=True, order="shuffled", random_state=0), X, y))
    assert fits[0].n_updates_ == fits[1].n_updates_
    np.testing.assert_array_equal(fits[0].trace_.row, fits[1].trace_.row)
    np.testing.assert_array_equal(fits[0].coef_, fits[1].coef_)


def test_the_kernels_agree_with_a_plain_loop():
    rng = np.random.default_rng(3)
    X, y = np.round(rng.standard_normal((80, 3)), 1), rng.integers(0, 3, 80)
    model = quiet(pt.Perceptron(max_iter=4), X, y)
    W, updates = np.zeros((3, 4)), 0
    for _ in range(4):
        for x, k in zip(X, y, strict=True):
            phi = np.concatenate([[1.0], x])
            scores = W @ phi
            own, scores[k] = scores[k], -np.inf
            if own <= scores.max():
                W[scores.argmax()] -= phi
                W[k] += phi
                updates += 1
    assert model.n_updates_ == updates
    np.testing.assert_allclose(np.column_stack([model.intercept_, model.coef_]), W, rtol=0, atol=1e-12)


def test_the_trace_holds_every_step():
    X, y, _ = separable(5)
    model = pt.Perceptron(trace=True).fit(X, y)
    assert len(model.trace_) == model.n_updates_
    w = np.zeros(4)
    for number, (step, row, before, after) in enumerate(model.trace_):
        assert step == number
        np.testing.assert_array_equal(before, w)
        w = w + (1 if y[row] == 1 else -1) * np.concatenate([[1.0], X[row]])
        np.testing.assert_array_equal(after, w)
    np.testing.assert_array_equal(w, np.concatenate([model.intercept_, model.coef_[0]]))
    frame = model.trace_.to_frame("pandas")
    assert list(frame.columns[:3]) == ["step", "row", "before[0]"]
    assert not hasattr(pt.Perceptron().fit(X, y), "trace_")


def test_a_shuffled_trace_names_the_rows_of_the_table():
    X, y, _ = separable(6)
    model = pt.Perceptron(trace=True, order="shuffled", random_state=4).fit(X, y)
    steps = np.where(y == 1, 1, -1)[model.trace_.row, None] * np.column_stack([np.ones(len(X)), X])[model.trace_.row]
    np.testing.assert_allclose(model.trace_.after - model.trace_.before, steps, atol=1e-12)
    again = pt.Perceptron(order="shuffled", random_state=4).fit(X, y)
    np.testing.assert_array_equal(model.coef_, again.coef_)


def test_a_row_on_the_boundary_is_given_the_second_class():
    model = pt.Perceptron().fit([[-1.0], [1.0]], ["a", "b"])
    assert model.decision_function([[0.0]]).tolist() == [0.0]
    assert model.predict([[0.0]]).tolist() == ["b"]


def test_the_rate_changes_no_decision():
    X, y, _ = separable(7)
    slow, fast = pt.Perceptron(rate=0.25).fit(X, y), pt.Perceptron(rate=8.0).fit(X, y)
    assert slow.n_updates_ == fast.n_updates_
    np.testing.assert_array_equal(32 * slow.coef_, fast.coef_)


def test_passes_by_partial_fit_are_passes_of_fit():
    X, y, _ = separable(8)
    whole = pt.Perceptron(trace=True).fit(X, y)
    parts = pt.Perceptron(trace=True)
    for _ in range(whole.n_iter_):
        parts.partial_fit(X[:20], y[:20], classes=[0, 1]).partial_fit(X[20:], y[20:])
    np.testing.assert_array_equal(parts.coef_, whole.coef_)
    assert parts.n_updates_ == whole.n_updates_ == len(parts.trace_)
    assert parts.n_iter_ == 2 * whole.n_iter_
    assert parts.converged_
    with pytest.raises(pt.DataError, match="first call of partial_fit"):
        parts.partial_fit(X, y, classes=[0, 1, 2])


def test_the_pocket_of_partial_fit_is_never_empty():
    model = pt.Perceptron(keep="pocket").partial_fit([[2.0]], [1], classes=[0, 1])
    assert (model.intercept_.tolist(), model.coef_.tolist()) == ([1.0], [[2.0]])


def test_the_averages_of_partial_fit_are_over_all_calls():
    X, y, _ = separable(9)
    parts = pt.Perceptron(keep="average")
    for rows in (slice(0, 30), slice(30, 60)):
        parts.partial_fit(X[rows], y[rows], classes=[0, 1])
    once = quiet(pt.Perceptron(keep="average", max_iter=1), X, y)
    np.testing.assert_array_equal(parts.coef_, once.coef_)


def test_distances_are_scores_over_the_length_of_the_weights():
    X, y, _ = separable(10)
    model = pt.Perceptron().fit(X, y)
    np.testing.assert_allclose(model.signed_distance(X), model.decision_function(X) / np.linalg.norm(model.coef_))


def test_a_frame_of_numbers_keeps_its_names():
    X, y, _ = separable(11)
    model = pt.Perceptron().fit(pd.DataFrame(X, columns=["a", "b", "c"]), y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.coef_, pt.Perceptron().fit(X, y).coef_)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rate": 0.0}, "rate=0.0 must be a positive number"),
        ({"rate": np.inf}, "rate=inf must be a positive number"),
        ({"max_iter": 0}, "max_iter=0 must be a whole number"),
        ({"order": "random"}, "'cyclic', 'shuffled'"),
        ({"keep": "best"}, "'last', 'pocket', 'average'"),
        ({"trace": 1}, "trace=1 is not known"),
    ],
)
def test_parameters_that_cannot_be_are_refused(parameters, message):
    with pytest.raises(pt.DataError, match=message):
        pt.Perceptron(**parameters).fit(XOR, PARITY)


def test_cells_that_cannot_be_used_are_refused_by_place():
    X = XOR.copy()
    X[2, 1] = np.nan
    with pytest.raises(pt.DataError, match=r"column 1: 1 cell.s., the first in row 2"):
        pt.Perceptron().fit(X, PARITY)
    with pytest.raises(pt.DataError, match="Use other units for the column"):
        pt.Perceptron().fit(XOR * 1e200, PARITY)
    with pytest.raises(TypeError, match="sample_weight"):
        pt.Perceptron().fit(XOR, PARITY, sample_weight=np.ones(4))


def test_a_failed_fit_leaves_the_old_one_whole():
    model = pt.Perceptron().fit([[-1.0], [1.0]], [0, 1])
    before = dict(vars(model))
    with pytest.raises(pt.DataError):
        model.fit([[np.inf], [1.0]], [0, 1])
    assert vars(model) == before


def test_rows_whose_products_with_the_weights_so_far_overflow_are_refused():
    X, y = np.array([[1.0], [-1.0]] * 5), np.array([1, 0] * 5)
    model = pt.Perceptron(rate=1e270).partial_fit(X, y)
    with pytest.raises(pt.DataError, match="are beyond the range of floats"):
        model.set_params(rate=1.0).partial_fit(X * 1e130, 1 - y)

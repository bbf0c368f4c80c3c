"""The benchmark that repeats the experiment of Ng and Jordan: data, verdicts and text."""

import numpy as np
import pytest
from benchmarks import ng_jordan
from benchmarks.ng_jordan_data import problems
from benchmarks.ng_jordan_planes import RandomPlane, walk
from scipy.stats import kstest


def gap(means, noise=0.01):
    means = np.array(means)
    return ng_jordan.Gap(means, np.full(len(means), noise))


@pytest.mark.parametrize(
    ("means", "verdict"),
    [
        ([0.10, 0.05, 0.00, -0.05], "crossed"),
        ([0.10, 0.05, 0.02, 0.01], "met"),
        ([0.00, 0.05, 0.02, -0.01], "met"),
        ([0.20, 0.15, 0.10, 0.08], "heading"),
        ([0.05, 0.05, 0.06, 0.06], "stays ahead"),
        ([0.01, -0.02, 0.05, 0.06], "never ahead"),
        ([-0.10, -0.05, -0.02, 0.00], "never ahead"),
    ],
)
def test_verdicts_follow_from_the_difference_and_its_noise(means, verdict):
    assert gap(means).verdict == verdict


def test_the_verdicts_are_counted():
    gaps = [[0.1, 0.0, -0.1], [0.1, 0.05, 0.0], [0.2, 0.2, 0.1], [0.0, 0.0, 0.0]]
    findings = [ng_jordan.Finding("made up", 100, None, {ng_jordan.RANDOM: gap(each)}) for each in gaps]
    text = ng_jordan.count_sentence(findings, ng_jordan.RANDOM)
    assert "holds on 2 of 4 data sets" in text
    assert "On 1 logistic regression overtakes naive Bayes, on 1 it catches up." in text
    assert "On 1 the difference is shrinking at the largest size, on 0 it is not" in text
    assert "on 0 it is not, and on 1 naive Bayes is never ahead" in text


def test_a_random_plane_separates_separable_rows_and_is_a_function_of_the_rows():
    rng = np.random.default_rng(0)
    X = rng.random((30, 5))
    y = np.where(X[:, 0] + X[:, 1] > 1, "up", "down")
    model = RandomPlane().fit(X, y)
    assert model.separated_
    assert (model.predict(X) == y).all()
    assert (RandomPlane().fit(X, y).coef_ == model.coef_).all()
    flipped = y.copy()
    flipped[X.sum(axis=1).argmax()] = "down"
    mixed = RandomPlane().fit(np.r_[X, X], np.r_[y, flipped])
    assert not mixed.separated_


def test_random_planes_are_uniform_over_the_separating_planes():
    # one input, rows at 0.2 (down) and 0.8 (up): planes (w, b) with 0.2 w + b < 0 < 0.8 w + b, a sector of the disc
    signed = np.array([[-0.2, -1.0], [0.8, 1.0]])
    start = np.array([0.8, -0.4])
    angles = []
    for seed in range(1500):
        w = walk(signed, start, 50, seed)
        angles.append(np.arctan2(-w[1], w[0]))
    low, high = np.arctan(0.2), np.arctan(0.8)
    shares = (np.sort(angles) - low) / (high - low)
    assert kstest(shares, "uniform").pvalue > 0.001


def test_the_data_sets_of_the_project_and_of_scikit_learn_are_available():
    available = problems(None)
    assert set(available) == {"pima", "optdigits-01", "optdigits-23", "voting"}
    assert available["pima"].X.shape == (532, 7)
    assert available["voting"].levels == (3,) * 16
    assert all(len(np.unique(problem.y)) == 2 for problem in available.values())


def test_the_experiment_runs_from_data_to_table(capsys):
    ng_jordan.main(["--quick", "--sets", "pima"])
    output = capsys.readouterr().out
    assert "| pima (continuous) | 532 | 6: " in output
    assert "10 random splits for each size; seed 0." in output


def test_numbers_are_inserted_between_the_marks_only():
    page = f"before\n{ng_jordan.BEGIN}\nold\n{ng_jordan.END}\nafter\n"
    assert ng_jordan.insert(page, "new") == f"before\n{ng_jordan.BEGIN}\nnew\n{ng_jordan.END}\nafter\n"

"""Kernels in the columns' own units or in their standard deviations."""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.preprocessing import StandardScaler

import posteriori as pt
from posteriori.bases.gaussian_kernel import GaussianKernel
from posteriori.engines.select import engine_for
from posteriori.fits.kernels.scales import standard_deviations
from posteriori.input.training import read_training
from tests.storage.test_hostile_files import write_unchecked
from tests.storage.test_round_trip import same

RNG = np.random.default_rng(5)
Y = np.arange(60) % 3
X = RNG.standard_normal((60, 3)) + 1.5 * RNG.standard_normal((3, 3))[Y]
#: Grams, metres and a share: unlike in size and far from zero.
UNLIKE = X * [800.0, 1e-3, 1.0] + [4200.0, 1e3, 0.0]
NEW = UNLIKE[:10] + np.array([55.0, 3e-4, -0.2])

MODELS = {
    "kernel logistic": pt.KernelLogisticRegression(units="sd"),
    "kernel logistic, cv": pt.KernelLogisticRegression(units="sd", bandwidth="cv"),
    "kernel logistic, a number": pt.KernelLogisticRegression(units="sd", bandwidth=1.7),
    "kernel logistic, given centres": pt.KernelLogisticRegression(units="sd", centers=UNLIKE[:9]),
    "LSPC": pt.LSPC(units="sd"),
    "LSPC, cv": pt.LSPC(units="sd", bandwidth="cv", precision="cv"),
    "LSPC, own class": pt.LSPC(units="sd", centers="own-class"),
}
every_model = pytest.mark.parametrize("name", MODELS)
#: Cross-validation shares rows out by hashes of what they hold, so that other numbers are other folds.
without_folds = pytest.mark.parametrize("name", [name for name in MODELS if name != "kernel logistic, cv"])


def drawn_again(model, change):
    """Copy a model, its own centres changed as the rows are."""
    copy = clone(model)
    if not isinstance(copy.centers, str):
        copy.set_params(centers=change(copy.centers))
    return copy


@without_folds
def test_units_sd_is_units_data_on_standardised_columns(name):
    model = clone(MODELS[name]).fit(UNLIKE, Y)
    scaler = StandardScaler().fit(UNLIKE)
    plain = drawn_again(MODELS[name], scaler.transform).set_params(units="data").fit(scaler.transform(UNLIKE), Y)
    assert model.bandwidth_ == pytest.approx(plain.bandwidth_, rel=1e-10)
    np.testing.assert_allclose(model.scale_, UNLIKE.std(axis=0), rtol=1e-10)
    np.testing.assert_allclose(model.predict_proba(NEW), plain.predict_proba(scaler.transform(NEW)), rtol=0, atol=1e-7)
    np.testing.assert_allclose(scaler.transform(model.centers_), plain.centers_, rtol=0, atol=1e-9)


@without_folds
def test_the_units_of_the_columns_do_not_matter(name):
    def change(rows):
        return rows * [1e-6, 3e7, 0.3] + [1.0, -5.0, 1e4]

    one = clone(MODELS[name]).fit(UNLIKE, Y)
    other = drawn_again(MODELS[name], change).fit(change(UNLIKE), Y)
    np.testing.assert_allclose(other.predict_proba(change(NEW)), one.predict_proba(NEW), rtol=0, atol=1e-6)


@without_folds
def test_powers_of_two_as_units_change_no_bit(name):
    def change(rows):
        return rows * [2.0**-300, 2.0**200, 4.0]

    one = clone(MODELS[name]).fit(UNLIKE, Y)
    other = drawn_again(MODELS[name], change).fit(change(UNLIKE), Y)
    assert (other.predict_log_proba(change(NEW)) == one.predict_log_proba(NEW)).all()


@pytest.mark.parametrize("kind", [pt.KernelLogisticRegression, pt.LSPC])
def test_the_default_is_the_formula_in_the_units_of_the_data(kind):
    model = kind(bandwidth=2.0).fit(X, Y)
    apart = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    scores = np.exp(-apart / (2 * 2.0**2)) @ model.coef_.T
    found = model.scores(X) if kind is pt.LSPC else model.decision_function(X)
    np.testing.assert_allclose(found, scores, rtol=0, atol=1e-10)
    assert model.units == "data"
    assert model.scale_ is None


@pytest.mark.parametrize("kind", [pt.KernelLogisticRegression, pt.LSPC])
def test_centers_stay_in_the_units_of_the_user(kind):
    model = kind(units="sd").fit(UNLIKE, Y)
    assert (model.centers_ == UNLIKE).all()
    some = kind(units="sd", centers=7, random_state=1).fit(UNLIKE, Y)
    assert {tuple(row) for row in some.centers_} <= {tuple(row) for row in UNLIKE}


@every_model
def test_weights_are_copies_and_rows_of_weight_zero_are_not_there(name):
    weights = RNG.integers(0, 4, 60).astype(float)
    model = MODELS[name]
    weighted = clone(model).fit(UNLIKE, Y, sample_weight=weights)
    copies = clone(model).fit(np.repeat(UNLIKE, weights.astype(int), axis=0), np.repeat(Y, weights.astype(int)))
    np.testing.assert_allclose(weighted.scale_, copies.scale_, rtol=1e-12)
    np.testing.assert_allclose(weighted.predict_proba(NEW), copies.predict_proba(NEW), rtol=0, atol=1e-7)
    strange = np.vstack([UNLIKE, [[1e9, -1e9, 1e9]]])
    without = clone(model).fit(strange, np.append(Y, 2), sample_weight=np.append(weights, 0.0))
    assert (without.scale_ == weighted.scale_).all()
    assert (without.predict_log_proba(NEW) == weighted.predict_log_proba(NEW)).all()


def test_class_counts_weigh_rows_by_their_sums():
    counts = RNG.integers(0, 3, (60, 3)).astype(float)
    counts[:5] = 0.0
    model = pt.LSPC(units="sd").fit(UNLIKE, counts)
    total = counts.sum(axis=1)
    mean = total @ UNLIKE / total.sum()
    np.testing.assert_allclose(model.scale_, np.sqrt(total @ (UNLIKE - mean) ** 2 / total.sum()), rtol=1e-10)


@pytest.mark.parametrize("value", [0.1, 1e9 + 0.1, 0.0, -1e300])
def test_a_column_of_one_value_is_divided_by_one(value):
    rows = np.column_stack([X, np.full(60, value)])
    model = pt.LSPC(units="sd").fit(rows, Y)
    assert model.scale_[3] == 1.0
    np.testing.assert_allclose(
        model.predict_proba(rows), pt.LSPC(units="sd").fit(X, Y).predict_proba(X), rtol=0, atol=1e-10
    )


@pytest.mark.parametrize("factor", [1e300, 1e-305, 5e-324])
def test_columns_of_any_size_have_a_spread(factor):
    """Sums of squares neither overflow nor vanish, and two values are never taken for one."""
    rows = np.column_stack([np.where(X[:, 0] > 0, 1.0, -1.0) * factor, X[:, 1]])
    model = pt.LSPC(units="sd", precision=1.0).fit(rows, Y)
    assert model.scale_[0] > 0
    assert np.isfinite(model.predict_proba(rows)).all()
    plain = pt.LSPC(units="sd", precision=1.0).fit(np.column_stack([np.sign(rows[:, 0]), X[:, 1]]), Y)
    if factor != 5e-324:  # there the standard deviation itself is rounded to a whole number of the smallest floats
        np.testing.assert_allclose(model.predict_proba(rows), plain.predict_proba(
            np.column_stack([np.sign(rows[:, 0]), X[:, 1]])), rtol=0, atol=1e-9)  # fmt: skip


def test_rows_far_beyond_the_range_of_the_training_rows_are_answered():
    wide = X / np.abs(X).max() * 8e307
    model = pt.LSPC(units="sd").fit(wide, Y)
    far = np.full((1, 3), 1.7e308) * [1.0, -1.0, 1.0]
    p = model.predict_proba(far)
    assert np.isfinite(p).all()
    assert p.sum() == pytest.approx(1.0)


def test_kernels_in_scales_agree_with_plain_ones_on_divided_rows():
    scale = np.array([800.0, 1e-3, 2.0])
    found = GaussianKernel(UNLIKE[:7], 1.3, scale)(NEW)
    plain = GaussianKernel(UNLIKE[:7] / scale, 1.3)(NEW / scale)
    np.testing.assert_allclose(found, plain, rtol=1e-8)


def test_the_spread_is_that_of_numpy():
    table = read_training(pt.LSPC(), UNLIKE, Y).table
    np.testing.assert_allclose(standard_deviations(engine_for(table)), UNLIKE.std(axis=0), rtol=1e-12)


# --- the note


def noted(model):
    return [note for note in model.fit_notes_ if note.code == "units"]


@pytest.mark.parametrize("kind", [pt.KernelLogisticRegression, pt.LSPC])
def test_a_column_that_drowns_the_others_is_named_with_the_cure_and_without_a_warning(kind):
    frame = pd.DataFrame(UNLIKE, columns=["mass_g", "length_m", "share"])
    model = kind().fit(frame, Y)
    (note,) = noted(model)
    assert note.columns == ("mass_g",)
    assert "'mass_g'" in note.message
    assert "2 other columns hardly count" in note.message
    assert "units='sd'" in note.remedy
    assert model.fit_status_ == "ok"
    assert noted(kind(units="sd").fit(frame, Y)) == []
    assert noted(kind().fit(UNLIKE, Y))[0].columns == (0,)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (X, False),
        (X[:, :1] * 1e6, False),  # no other column to drown
        (np.column_stack([X[:, 0] * 1e6, np.full(60, 3.0)]), False),  # nor one that says anything
        (np.column_stack([X[:, 0] / X[:, 0].std() * 9.9, X[:, 1] / X[:, 1].std()]), False),  # 98.99 %
        (np.column_stack([X[:, 0] / X[:, 0].std() * 10.0, X[:, 1] / X[:, 1].std()]), True),  # 99.01 %
        (np.column_stack([X[:, 0] * 1e200, X[:, 1]]), True),
    ],
)
def test_the_note_is_for_one_column_with_over_99_percent_of_the_distances(rows, told):
    assert bool(noted(pt.LSPC().fit(rows, Y))) is told


def test_an_other_word_for_units_is_refused_with_the_words_there_are():
    with pytest.raises(pt.DataError, match=r"units='std' is not known: use one of 'data', 'sd'"):
        pt.LSPC(units="std").fit(X, Y)


def test_a_refit_in_other_units_forgets_the_old_ones():
    model = pt.LSPC(units="sd").fit(UNLIKE, Y).set_params(units="data").fit(X, Y)
    assert model.scale_ is None
    assert (model.predict_log_proba(X) == pt.LSPC().fit(X, Y).predict_log_proba(X)).all()


# --- model files


@every_model
def test_a_model_file_keeps_the_scales(name, tmp_path):
    model = clone(MODELS[name]).fit(UNLIKE, Y)
    pt.save(model, tmp_path / "m")
    loaded = pt.load(tmp_path / "m")
    assert same(loaded, model)
    assert (loaded.predict_log_proba(NEW) == model.predict_log_proba(NEW)).all()


@pytest.mark.parametrize("scale", [np.array([1.0, 0.0, 1.0]), np.array([1.0, np.inf, 1.0]), np.ones(2), "sd"], ids=str)
def test_a_model_file_with_scales_that_cannot_be_is_refused(scale, tmp_path):
    model = pt.LSPC(units="sd").fit(UNLIKE, Y)
    model.model_ = replace(model.model_, scale=scale)
    write_unchecked(model, tmp_path / "m")
    with pytest.raises(pt.ModelFileError, match="scale"):
        pt.load(tmp_path / "m")


def test_a_model_file_without_the_scales_it_speaks_of_is_refused_by_name(tmp_path):
    model = pt.LSPC(units="sd").fit(UNLIKE, Y)
    model.model_ = replace(model.model_, scale=None)
    write_unchecked(model, tmp_path / "m")
    with pytest.raises(pt.ModelFileError, match="units='sd' are not those of the fit"):
        pt.load(tmp_path / "m")


# --- what it is for


@pytest.mark.parametrize("kind", [pt.KernelLogisticRegression, pt.LSPC])
def test_the_cure_of_the_note_cures(kind):
    """A column of noise in grams, and two that tell the classes in other units."""
    rows = np.column_stack([np.random.default_rng(8).standard_normal(60) * 800.0, X[:, :2]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # compare passes the note on
        result = pt.compare({"data": kind(), "sd": kind(units="sd")}, rows, Y, random_state=0)
    by_name = {each.name: each.scores["accuracy"] for each in result.standings}
    assert by_name["sd"] > by_name["data"] + 0.2

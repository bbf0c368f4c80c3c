"""Naive Bayes with columns, and groups of columns, of every family: fits, gaps, weights, parts, weights over T(x)."""

import pickle
import warnings
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import softmax
from sklearn.base import clone

import posteriori as pt
from posteriori.families.affine import AffineParameters
from posteriori.families.class_sums import class_means
from posteriori.families.dirichlet import Dirichlet
from posteriori.families.gaussian.diagonal import DiagonalGaussian
from posteriori.statistics.means import Means

FAMILIES = {
    "hits": pt.Binomial(trials=8),
    "visits": "poisson",
    "wait": "exponential",
    "size": "gamma",
    "share": "beta",
    ("red", "green", "blue"): "multinomial",
    ("sand", "silt", "clay"): "dirichlet",
    ("long", "wide"): "gaussian",
    "kind": "categorical",
    "tame": "bernoulli",
}


def everything(n=240, seed=0, gaps=0.0):
    """Give columns of all ten families, with classes that differ in each."""
    rng = np.random.default_rng(seed)
    k = np.arange(n) % 3
    frame = pd.DataFrame({
        "hits": rng.binomial(8, 0.2 + 0.2 * k), "visits": rng.poisson(1.0 + k), "wait": rng.exponential(1.0 + k),
        "size": rng.gamma(2.0 + k, 1.5), "share": rng.beta(2.0 + k, 3.0), "plain": rng.normal(k, 1.0 + k),
        "kind": rng.integers(0, 3, n) * (k > 0), "tame": rng.random(n) < 0.2 + 0.3 * k,
    }).astype(float)  # fmt: skip
    frame[["red", "green", "blue"]] = np.array([rng.multinomial(5, np.roll([0.5, 0.3, 0.2], i)) for i in k], float)
    frame[["sand", "silt", "clay"]] = [rng.dirichlet(np.roll([4.0, 2.0, 3.0], i)) for i in k]
    frame[["long", "wide"]] = rng.normal(size=(n, 2)) @ [[1.0, 0.5], [0.0, 1.0]] + k[:, None]
    return frame.mask(rng.random(frame.shape) < gaps), np.array(["a", "b", "c"])[k]


def fitted(frame, y, **more):
    return pt.NaiveBayes(families=FAMILIES, **more).fit(frame, y)


# --- which family a column has


def test_columns_and_groups_have_the_families_given_and_others_go_by_their_type():
    frame, y = everything()
    found = {name: table.family for name, table in fitted(frame, y).families_.items()}
    assert list(found) == list(frame.columns)
    assert found["plain"] == "gaussian"
    assert {found[name] for name in ("red", "green", "blue")} == {"multinomial"}
    assert {found[name] for name in ("long", "wide")} == {"gaussian"}
    assert set(found.values()) == {
        "gaussian", "bernoulli", "binomial", "categorical", "multinomial", "poisson", "exponential", "gamma", "beta",
        "dirichlet",
    }  # fmt: skip


def test_numbers_name_columns_of_an_array_too():
    frame, y = everything()
    places = {name: j for j, name in enumerate(frame.columns)}
    numbered = {
        tuple(places[c] for c in key) if isinstance(key, tuple) else places[key]: family
        for key, family in FAMILIES.items()
    }
    wanted = fitted(frame, y).predict_proba(frame)
    X = frame.to_numpy()
    np.testing.assert_allclose(pt.NaiveBayes(families=numbered).fit(X, y).predict_proba(X), wanted, atol=1e-13)


def test_a_tuple_of_columns_may_share_a_family_that_is_not_joint():
    frame, y = everything()
    frame = frame[["visits", "hits", "plain"]]
    one = pt.NaiveBayes(families={("visits", "hits"): "poisson"}).fit(frame, y)
    two = pt.NaiveBayes(families={"visits": "poisson", "hits": "poisson"}).fit(frame, y)
    np.testing.assert_array_equal(one.predict_proba(frame), two.predict_proba(frame))


def test_a_group_of_gaussian_columns_is_a_gaussian_classifier():
    frame, y = everything()
    X = frame[["long", "wide"]]
    for shared in (False, True):
        group = pt.NaiveBayes(families={("long", "wide"): "gaussian"}, shared=shared).fit(X, y)
        wanted = pt.GaussianClassifier(shared=shared).fit(X, y).predict_proba(X)
        np.testing.assert_allclose(group.predict_proba(X), wanted, atol=1e-12)


def test_two_groups_of_one_family_stay_apart():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 9, (60, 4)).astype(float), np.arange(60) % 2
    model = pt.NaiveBayes(families={(0, 1): "multinomial", (2, 3): "multinomial"}).fit(X, y)
    assert len(model.density_.groups) == 2
    np.testing.assert_allclose(model.table(0)["probability"] + model.table(1)["probability"], 1.0)
    assert model.n_parameters_ == 2 * 2 * 1 + 1


def test_binomial_needs_a_number_of_trials():
    with pytest.raises(pt.DataError, match=r"posteriori.Binomial\(trials=…\)"):
        pt.NaiveBayes(families="binomial").fit([[1.0], [2.0]], [0, 1])
    for trials in (0, 2.5, True, "3"):
        with pytest.raises(pt.DataError, match="whole number from 1 up"):
            pt.Binomial(trials)


@dataclass(frozen=True)
class Geometric(pt.Family):
    """Failures before the first success, as a user would write it: p(x | k) = p (1 - p)^x."""

    name: ClassVar[str] = "geometric"

    def domain(self):
        return "whole numbers from zero up"

    def invalid(self, columns):
        return (columns < 0) | (columns != np.floor(columns)) & ~np.isnan(columns) | np.isinf(columns)

    def summarize(self, columns, codes, weights, n_classes, backend):
        return Means(*class_means(columns, codes, weights, n_classes, backend))

    def estimate(self, statistics):
        q = statistics.mean / (1 + statistics.mean)
        none = np.zeros_like(q)
        return AffineParameters(statistics.mean, np.log(q), -np.log1p(statistics.mean), none, none)

    def log_density(self, parameters, columns, backend):
        cells = columns[:, None, :] * parameters.coef + parameters.level
        return np.where(np.isnan(cells), 0.0, cells).sum(axis=2)

    def sample(self, parameters, codes, rng):
        return rng.geometric(1 / (1 + parameters.mean[codes])) - 1.0

    def n_parameters(self, parameters):
        return parameters.mean.size

    def describe(self, parameters, column):
        return {"mean": parameters.mean[:, column]}


def test_a_users_own_family_fits_streams_merges_and_samples_but_is_not_stored(tmp_path):
    frame, y = everything()
    model = pt.NaiveBayes(families={"visits": Geometric()}).fit(frame[["visits", "plain"]], y)
    mean = frame.groupby(y)["visits"].mean().to_numpy()
    np.testing.assert_allclose(model.table("visits")["mean"], mean, rtol=1e-13)
    wanted = stats.geom.logpmf(frame["visits"].to_numpy()[:, None] + 1, 1 / (1 + mean))
    group = next(g for g in model.density_.groups if g.family.name == "geometric")
    parameters = model.density_.parameters[model.density_.groups.index(group)]
    np.testing.assert_allclose(
        group.family.log_density(parameters, frame[["visits"]].to_numpy(), 1), wanted, rtol=1e-12
    )
    halves = [clone(model).fit(frame[["visits", "plain"]][i::2], y[i::2]) for i in (0, 1)]
    np.testing.assert_allclose(pt.merge(halves).predict_proba(frame[["visits", "plain"]]),
                               model.predict_proba(frame[["visits", "plain"]]), atol=1e-10)  # fmt: skip
    assert model.sample(5, random_state=0)[0].shape == (5, 2)
    with pytest.raises(pt.ModelFileError, match="Geometric"):
        pt.save(model, tmp_path / "m")


# --- what must hold of all of them


@pytest.mark.parametrize(
    "more", [{}, {"shared": True}, {"shared": "all"}, {"estimate": "map", "smoothing": 0.5}], ids=str
)
def test_fit_partial_fit_in_any_split_and_merge_agree(more):
    frame, y = everything(gaps=0.05)
    whole = fitted(frame, y, **more)
    rng = np.random.default_rng(3)
    parts = np.split(rng.permutation(len(y)), [40, 47, 150])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.DegenerateVarianceWarning)
        streamed = pt.NaiveBayes(families=FAMILIES, **more)
        for part in parts:
            streamed.partial_fit(frame.iloc[part], y[part], classes=["a", "b", "c"])
        merged = pt.merge([fitted(frame.iloc[part], y[part], **more) for part in parts])
    for other in (streamed, merged):
        np.testing.assert_allclose(other.predict_proba(frame), whole.predict_proba(frame), rtol=0, atol=1e-10)


def test_weight_two_is_two_copies_and_weight_zero_no_row():
    frame, y = everything(gaps=0.05)
    w = np.arange(len(y)) % 3
    rows = np.repeat(np.arange(len(y)), w)
    found = pt.NaiveBayes(families=FAMILIES).fit(frame, y, sample_weight=w).predict_proba(frame)
    np.testing.assert_allclose(found, fitted(frame.iloc[rows], y[rows]).predict_proba(frame), atol=1e-10)


@pytest.mark.parametrize("column", ["hits", "visits", "wait", "size", "share", "plain", "kind", "tame"])
def test_dropping_a_column_and_marking_it_missing_give_the_same_posterior(column):
    frame, y = everything()
    gaps = frame.assign(**{column: np.nan})
    others = {key: family for key, family in FAMILIES.items() if key != column}
    part = pt.NaiveBayes(families=others).fit(frame.drop(columns=column), y)
    wanted = part.predict_proba(frame.drop(columns=column))
    np.testing.assert_allclose(fitted(frame, y).predict_proba(gaps), wanted, atol=1e-12)


def test_a_gap_in_a_gaussian_group_is_integrated_out_and_in_other_groups_silences_them():
    frame, y = everything()
    for column, rest in (("wide", ["long"]), ("red", []), ("silt", [])):
        (key,) = (key for key in FAMILIES if isinstance(key, tuple) and column in key)
        others = {k: family for k, family in FAMILIES.items() if k != key}
        kept = frame.drop(columns=[name for name in key if name not in rest])
        wanted = pt.NaiveBayes(families=others).fit(kept, y).predict_proba(kept)
        found = fitted(frame, y).predict_proba(frame.assign(**{column: np.nan}))
        np.testing.assert_allclose(found, wanted, atol=1e-10)


def test_a_row_with_a_gap_in_a_group_teaches_nothing_of_it():
    frame, y = everything()
    for columns in (["red", "green", "blue"], ["sand", "silt", "clay"], ["long", "wide"]):
        holed = frame[columns].copy()
        holed.iloc[:30, 0] = np.nan
        families = {tuple(columns): FAMILIES[tuple(columns)]}
        found = pt.NaiveBayes(families=families, class_priors=[0.2, 0.3, 0.5]).fit(holed, y)
        wanted = pt.NaiveBayes(families=families, class_priors=[0.2, 0.3, 0.5]).fit(holed[30:], y[30:])
        rows = frame[columns]
        np.testing.assert_allclose(found.predict_proba(rows), wanted.predict_proba(rows), atol=1e-12)


@pytest.mark.parametrize("key", FAMILIES, ids=str)
@pytest.mark.parametrize("more", [{}, {"shared": True}], ids=str)
def test_the_softmax_of_the_linear_form_is_the_posterior(key, more):
    frame, y = everything()
    columns = list(key) if isinstance(key, tuple) else [key]
    model = pt.NaiveBayes(families={key: FAMILIES[key]}, **more).fit(frame[columns], y)
    if key == ("long", "wide") and not more:
        with pytest.raises(pt.DataError, match="shared=True"):
            model.as_linear()
        return
    form = model.as_linear()
    scores = form.transform(frame[columns]) @ form.coef.T + form.intercept
    np.testing.assert_allclose(softmax(scores, axis=1), model.predict_proba(frame[columns]), rtol=0, atol=1e-10)
    assert form.coef.shape == (3, len(form.feature_names))


def test_statistics_have_the_books_names():
    frame, y = everything()
    names = fitted(frame, y, shared=True).as_linear().feature_names
    for name in ("visits", "log size", "size", "log share", "log(1 - share)", "log clay", "kind=1.0", "tame", "red"):
        assert name in names


def test_sampling_gives_rows_that_the_model_takes_and_learns_itself_back_from():
    frame, y = everything()
    model = fitted(frame, y)
    drawn, labels = model.sample(20_000, random_state=0)
    again = pt.NaiveBayes(families=FAMILIES, smoothing=0.0).fit(drawn, labels)
    for column in frame.columns:
        for name, values in model.table(column).parameters.items():
            np.testing.assert_allclose(again.table(column)[name], values, rtol=0.15, atol=0.05, err_msg=column)


def test_models_of_all_families_pickle_clone_and_are_stored(tmp_path):
    frame, y = everything(gaps=0.05)
    model = fitted(frame, y, estimate="map")
    wanted = model.predict_proba(frame)
    assert (pickle.loads(pickle.dumps(model)).predict_proba(frame) == wanted).all()
    assert (clone(model).fit(frame, y).predict_proba(frame) == wanted).all()
    pt.save(model, tmp_path / "model")
    loaded = pt.load(tmp_path / "model")
    assert (loaded.predict_proba(frame) == wanted).all()
    assert loaded.families_.keys() == model.families_.keys()
    assert all((loaded.table("size")[name] == values).all() for name, values in model.table("size").parameters.items())
    prior = pt.NormalInverseGamma(mean=[0.0, 1.0], kappa=1.0, shape=2.0, scale=0.5)
    numbers = pt.NaiveBayes(estimate=prior).fit(frame[["plain", "long"]], y)
    pt.save(numbers, tmp_path / "numbers")
    assert pt.load(tmp_path / "numbers").estimate == prior


@pytest.mark.parametrize(("column", "cell", "word"), [
    ("hits", 9.0, "successes among trials: whole numbers from 0 to 8, not 9"), ("hits", -1.0, "not -1"),
    ("visits", 1.5, "counts: whole numbers from zero up, not 1.5"), ("visits", -1.0, "not -1"),
    ("wait", -0.5, "numbers from zero up, not -0.5"), ("size", 0.0, "positive numbers, not 0"),
    ("share", 1.0, "numbers strictly between 0 and 1, not 1"), ("share", 0.0, "not 0"),
    ("red", 2.5, "counts: whole numbers from zero up, not 2.5"), ("red", -1.0, "not -1"),
    ("sand", 0.0, "positive parts of a whole"), ("tame", 0.5, "0 or 1, not 0.5"), ("wide", np.inf, "infinity"),
])  # fmt: skip
def test_cells_outside_the_domain_are_refused_by_column_row_and_value_in_fit_and_predict(column, cell, word):
    frame, y = everything()
    model = fitted(frame, y)
    bad = frame.copy()
    bad.loc[7, column] = cell
    calls = (lambda X: fitted(X, y), model.predict, model.predict_proba, model.log_density, model.decision_function)
    for call in calls:
        with pytest.raises(pt.DataError, match=f"{word}.*'{column}': 1 cell.*row 7"):
            call(bad)


def test_parts_that_make_no_whole_are_refused():
    frame, y = everything()
    bad = frame[["sand", "silt", "clay"]].copy()
    bad.iloc[4] = [0.5, 0.3, 0.3]
    with pytest.raises(pt.DataError, match=r"sum to 1 in each row.*row 4"):
        pt.NaiveBayes(families="dirichlet").fit(bad, y)


# --- no spread, no rows, no counts


def test_a_gamma_class_without_spread_takes_the_common_shape_and_a_dead_column_is_left_out():
    X = np.array([[1.0, 2.0], [3.0, 2.0], [5.0, 2.0], [5.0, 2.0]])
    with pytest.warns(pt.DegenerateVarianceWarning) as heard:
        model = pt.NaiveBayes(families="gamma").fit(X, ["a", "a", "b", "b"])
    assert {(note.classes, note.columns) for note in model.fit_notes_} == {(("b",), (0,)), ((), (1,))}
    assert len(heard) == 2
    lag = 0.5 * (np.log(2.0) - np.log([1.0, 3.0]).mean())
    a = model.table(0)["shape"][1]
    from scipy.special import digamma

    assert np.log(a) - digamma(a) == pytest.approx(lag, rel=1e-12)
    np.testing.assert_allclose(model.table(0)["shape"] * model.table(0)["scale"], [2.0, 5.0])
    assert np.isinf(model.table(1)["shape"]).all()
    with pytest.warns(pt.DegenerateVarianceWarning):
        alone = pt.NaiveBayes(families="gamma").fit(X[:, :1], ["a", "a", "b", "b"])
    np.testing.assert_allclose(model.predict_proba(X), alone.predict_proba(X[:, :1]), atol=1e-14)


@pytest.mark.parametrize(("families", "X"), [
    ("beta", [[0.2], [0.4], [0.5], [0.5]]), ("exponential", [[1.0], [2.0], [0.0], [0.0]]),
    ("dirichlet", [[0.2, 0.8], [0.4, 0.6], [0.5, 0.5], [0.5, 0.5]]),
])  # fmt: skip
def test_other_families_borrow_too_and_give_finite_probabilities(families, X):
    with pytest.warns(pt.DegenerateVarianceWarning, match=r"class\(es\) 'b' have (zero variance|only zeros)"):
        model = pt.NaiveBayes(families=families).fit(X, ["a", "a", "b", "b"])
    assert np.isfinite(model.predict_proba(X)).all()
    still = np.repeat(X[-1:], 4, axis=0)
    with pytest.warns(pt.DegenerateVarianceWarning, match="left out"):
        nothing = pt.NaiveBayes(families=families).fit(still, ["a", "b", "b", "b"])
    np.testing.assert_allclose(nothing.predict_proba(X), [[0.25, 0.75]] * 4)


def test_a_poisson_class_of_zeros_rules_a_count_out_and_a_column_of_zeros_says_nothing():
    X = np.array([[0.0, 1.0, 0.0], [0.0, 2.0, 0.0], [3.0, 1.0, 0.0], [4.0, 1.0, 0.0]])
    with pytest.warns(pt.DegenerateVarianceWarning, match="only zeros|left out"):
        model = pt.NaiveBayes(families="poisson").fit(X, [0, 0, 1, 1])
    assert model.predict_proba([[1.0, 1.0, 0.0]]).tolist() == [[0.0, 1.0]]
    assert (model.predict_proba([[0.0, 1.0, 5.0]]) == model.predict_proba([[0.0, 1.0, 0.0]])).all()
    with pytest.raises(pt.DataError, match="rate of zero"):
        model.as_linear()


def test_unsmoothed_zero_counts_have_probability_zero_and_an_impossible_row_gets_the_prior():
    X = np.array([[3.0, 0.0, 1.0], [0.0, 2.0, 1.0], [0.0, 4.0, 1.0]])
    model = pt.NaiveBayes(families="multinomial", smoothing=0.0).fit(X, ["a", "b", "b"])
    assert model.predict_proba([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])[0].tolist() == [1.0, 0.0]
    with pytest.warns(pt.NotIdentifiedWarning, match=r"1 row\(s\) are impossible"):
        p = model.predict_proba([[1.0, 1.0, 0.0], [0.0, 0.0, 2.0]])
    np.testing.assert_allclose(p[0], [1 / 3, 2 / 3])
    with pytest.raises(pt.DataError, match="Smoothing above zero"):
        model.as_linear()


def test_a_class_without_rows_is_given_what_all_rows_show():
    frame, y = everything()
    two = y != "c"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.DegenerateVarianceWarning)
        model = pt.NaiveBayes(families=FAMILIES).partial_fit(frame[two], y[two], classes=["a", "b", "c"])
    p = model.predict_proba(frame)
    assert np.isfinite(p).all()
    assert (p[:, 2] == 0).all()
    shape, scale = model.table("size")["shape"][2], model.table("size")["scale"][2]
    wanted = stats.gamma.fit(frame["size"][two], floc=0)
    np.testing.assert_allclose([shape, scale], [wanted[0], wanted[2]], rtol=1e-6)


@pytest.mark.parametrize("size", [1e15, 1e200, 1e307])
def test_counts_of_any_size_are_decided_in_the_limit(size):
    X, y = np.array([[1.0, 2.0], [2.0, 1.0], [5.0, 1.0], [7.0, 2.0]]), [0, 0, 1, 1]
    rows = np.array([[size, 1.0], [1.0, size]])
    multinomial = pt.NaiveBayes(families="multinomial").fit(X, y).predict_proba(rows)
    np.testing.assert_array_equal(multinomial, [[0.0, 1.0], [1.0, 0.0]])
    poisson = pt.NaiveBayes(families="poisson").fit(X, y).predict_proba(rows)  # the second column has equal rates
    odds = 1.5 / 6.0 * np.exp(4.5)
    np.testing.assert_allclose(poisson, [[0.0, 1.0], [odds / (1 + odds), 1 / (1 + odds)]], atol=1e-12)


# --- counts of small and large integers


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int32])
def test_counts_of_small_integer_types_do_not_overflow(kind):
    X = np.full((300, 2), 100, kind)
    X[150:, 0] = 120
    model = pt.NaiveBayes(families="multinomial", smoothing=0.0).fit(X, np.arange(300) // 150)
    np.testing.assert_allclose(model.table(0)["probability"], [0.5, 120 / 220], rtol=1e-14)
    rates = pt.NaiveBayes(families="poisson").fit(X, np.arange(300) // 150).table(0)["rate"]
    np.testing.assert_allclose(rates, [100, 120], rtol=1e-14)


def test_totals_beyond_2_to_the_63_keep_twelve_digits():
    X = np.array([[2**62, 2**62], [2**62, 2**61], [2**62, 2**60], [2**61, 2**62]], float)
    model = pt.NaiveBayes(families="multinomial", smoothing=0.0).fit(X, [0, 0, 1, 1])
    wanted = [2**63 / (2**63 + 2**62 + 2**61), (2**62 + 2**61) / (2**62 + 2**61 + 2**60 + 2**62)]
    np.testing.assert_allclose(model.table(0)["probability"], wanted, rtol=1e-12)


# --- Gaussian variances under a prior


def test_map_is_the_mode_of_the_normal_inverse_gamma_posterior():
    X, y = np.array([[0.0], [2.0], [4.0], [7.0], [9.0]]), np.array([0, 0, 1, 1, 1])
    m, kappa, a, b = 1.0, 0.5, 2.0, 3.0
    found = pt.NaiveBayes(estimate=pt.NormalInverseGamma(m, kappa, a, b)).fit(X, y).table(0)
    from scipy.optimize import minimize

    for k in (0, 1):
        x = X[y == k, 0]

        def loss(at, x=x):
            mu, v = at[0], np.exp(at[1])
            prior = stats.norm.logpdf(mu, m, np.sqrt(v / kappa)) + stats.invgamma.logpdf(v, a, scale=b)
            return -(prior + stats.norm.logpdf(x, mu, np.sqrt(v)).sum())

        best = minimize(loss, [x.mean(), np.log(x.var())], method="BFGS", options={"gtol": 1e-7})
        np.testing.assert_allclose([found["mean"][k], found["variance"][k]], [best.x[0], np.exp(best.x[1])], rtol=1e-5)


def test_map_equals_the_wishart_one_in_one_column_and_needs_no_spread():
    frame, y = everything()
    X = frame[["plain"]]
    for shared in (False, True):
        ours = pt.NaiveBayes(estimate="map", shared=shared)
        theirs = pt.GaussianClassifier(estimate="map", shared=shared)
        np.testing.assert_allclose(ours.fit(X, y).predict_proba(X), theirs.fit(X, y).predict_proba(X), atol=1e-10)
    lone = np.array([[1.0], [3.0], [5.0], [5.0]])
    model = pt.NaiveBayes(estimate="map").fit(lone, ["a", "a", "b", "b"])
    assert model.fit_notes_ == []
    v = model.table(0)["variance"]
    assert v[1] == pytest.approx((0.5 + 0.01 * 2 / 2.01 * (5.0 - 3.5) ** 2) / (3 + 2 + 3), rel=1e-12)
    with pytest.warns(pt.DegenerateVarianceWarning, match="estimate='map'"):
        pt.NaiveBayes().fit(lone, ["a", "a", "b", "b"])


def test_a_singular_group_names_its_columns_and_the_cure_and_map_makes_it_regular():
    frame, y = everything()
    X = frame[["long", "wide"]].assign(both=frame["long"] + frame["wide"])
    families = {("long", "wide", "both"): "gaussian"}
    with pytest.warns(pt.DegenerateVarianceWarning, match=r"singular.*'both'.*estimate='map'"):
        pt.NaiveBayes(families=families, shared=True).fit(X, y)
    assert pt.NaiveBayes(families=families, shared=True, estimate="map").fit(X, y).fit_notes_ == []


@pytest.mark.parametrize("shared", [False, True, "all"])
def test_a_strong_prior_is_followed_and_a_weak_one_forgotten(shared):
    rng = np.random.default_rng(0)
    y = np.arange(3000) % 2
    X = rng.normal(size=(3000, 2)) + y[:, None]
    strong = pt.NaiveBayes(estimate=pt.NormalInverseGamma(7.0, 1e9, 1e9, 2e9), shared=shared).fit(X, y)
    np.testing.assert_allclose(strong.table(1)["mean"], 7.0, atol=1e-3)
    weak = pt.NaiveBayes(estimate="map", shared=shared).fit(X, y)
    ml = pt.NaiveBayes(shared=shared).fit(X, y)
    np.testing.assert_allclose(weak.table(1)["variance"], ml.table(1)["variance"], rtol=0.01)


@pytest.mark.parametrize("wrong", [
    {"kappa": 0.0}, {"kappa": -1}, {"shape": 0}, {"shape": np.nan}, {"scale": 0.0}, {"scale": [1.0, -1.0]},
    {"mean": np.inf}, {"mean": "0"}, {"mean": [[0.0]]},
])  # fmt: skip
def test_priors_that_cannot_be_are_refused(wrong):
    with pytest.raises(pt.DataError, match="NormalInverseGamma"):
        pt.NormalInverseGamma(**{"mean": 0.0, "kappa": 1.0, "shape": 1.0, "scale": 1.0, **wrong})


def test_a_prior_of_another_width_or_for_a_group_is_refused():
    frame, y = everything()
    prior = pt.NormalInverseGamma([0.0, 0.0, 0.0], 1.0, 1.0, 1.0)
    with pytest.raises(pt.DataError, match="for 2 Gaussian columns"):
        pt.NaiveBayes(estimate=prior).fit(frame[["plain", "long"]], y)
    with pytest.raises(pt.DataError, match="covariance matrix"):
        pt.NaiveBayes(families={("long", "wide"): "gaussian"}, estimate=prior).fit(frame[["long", "wide"]], y)


# --- [Mitchell] 4: the generative and the discriminative fit meet


def test_with_shared_variances_logistic_regression_finds_the_same_weights():
    rng = np.random.default_rng(0)
    n = 60_000
    y = (rng.random(n) < 0.4).astype(int)
    X = rng.normal(size=(n, 3)) * [1.0, 2.0, 0.5] + y[:, None] * [1.0, -1.0, 0.3]
    form = pt.NaiveBayes(shared=True).fit(X, y).as_linear()
    discriminative = pt.LogisticRegression().fit(X, y)
    p = discriminative.predict_proba(X)[:, 1]
    design = np.column_stack([np.ones(n), X])
    errors = np.sqrt(np.diag(np.linalg.inv(design.T @ (design * (p * (1 - p))[:, None]))))
    off = np.append(form.intercept[1] - form.intercept[0], form.coef[1] - form.coef[0])
    off -= np.append(discriminative.intercept_, discriminative.coef_)
    assert (np.abs(off) < 4 * errors).all(), off / errors
    assert (np.abs(off) > 0).all()


def test_family_objects_may_be_given_for_all_columns():
    frame, y = everything()
    X = frame[["plain", "long"]]
    one = pt.NaiveBayes(families=DiagonalGaussian(shared=True)).fit(X, y)
    two = pt.NaiveBayes(families="gaussian", shared=True).fit(X, y)
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    parts = frame[["sand", "silt", "clay"]]
    assert len(pt.NaiveBayes(families=Dirichlet()).fit(parts, y).density_.groups) == 1

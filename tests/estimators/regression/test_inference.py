"""What a fitted regression says of its coefficients, and what it refuses to say."""

import pickle
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.special import chdtrc, expit

import posteriori as pt
from posteriori.models import information
from tests.golden.test_logistic import HERE, glm, softmax
from tests.storage.test_hostile_files import write_unchecked


@pytest.fixture(scope="module")
def birthwt():
    X, y, _, _ = glm("birthwt")
    return X, y, pt.LogisticRegression().fit(X, y)


@pytest.fixture(scope="module")
def fgl():
    X, y, _ = softmax("fgl")
    return X, y, pt.LogisticRegression().fit(X, y)


@pytest.fixture(scope="module")
def separated():
    frame = pd.read_csv(HERE / "csv" / "endometrial.csv")
    X, y = frame[["NV", "PI", "EH"]], frame["HG"]
    with pytest.warns(pt.SeparationWarning):
        return X, y, pt.LogisticRegression().fit(X, y)


# --- the order of coefficients


def test_coefficients_are_named_intercept_first_then_columns_class_by_class(birthwt, fgl):
    X, _, two = birthwt
    assert two.coefficient_labels_ == ("(Intercept)", *X.columns)
    _, _, three = fgl
    assert three.coefficient_labels_[:3] == ("WinF:(Intercept)", "WinF:x0", "WinF:x1")
    assert three.coefficient_labels_[5] == "WinNF:(Intercept)"
    assert three.covariance().shape == (10, 10)


def test_without_intercept_there_is_no_row_for_it():
    X, y, _ = softmax("fgl")
    model = pt.LogisticRegression(fit_intercept=False).fit(X, y)
    assert model.coefficient_labels_[0] == "WinF:x0"
    assert model.standard_errors().shape == (8,)
    A, p = X, model.predict_proba(X)
    blocks = [[(A * (p[:, a] * ((a == b) - p[:, b]))[:, None]).T @ A for b in (1, 2)] for a in (1, 2)]
    np.testing.assert_allclose(model.covariance(), np.linalg.inv(np.block(blocks)), rtol=1e-8, atol=1e-13)


def test_a_symmetric_softmax_has_the_covariance_of_contrasts_to_the_first_class(fgl):
    X, y, model = fgl
    other = pt.LogisticRegression(parametrization="reference", reference="Veh").fit(X, y)
    for kind in ("observed", "expected", "robust"):
        np.testing.assert_allclose(model.covariance(kind), other.covariance(kind), rtol=1e-8, atol=1e-13)


def test_a_term_is_tested_in_every_contrast_and_a_label_in_one(fgl):
    _, _, model = fgl
    both = model.wald_test("x0")
    assert both.df == 2
    V, place = model.covariance(), [1, 6]
    c = np.array([model.coef_[1, 0] - model.coef_[0, 0], model.coef_[2, 0] - model.coef_[0, 0]])
    assert both.statistic == pytest.approx(c @ np.linalg.solve(V[np.ix_(place, place)], c), rel=1e-9)
    one = model.wald_test("WinF:x0")
    assert one.df == 1
    assert one.statistic == pytest.approx(c[0] ** 2 / V[1, 1], rel=1e-9)
    assert one.p_value == pytest.approx(chdtrc(1, one.statistic))


def test_a_wald_test_takes_any_linear_hypothesis(birthwt):
    _, _, model = birthwt
    R = np.zeros(10)
    R[[3, 4]] = 1.0, -1.0
    b = model.coef_[0]
    V = model.covariance()
    assert model.wald_test(R, 0.1).statistic == pytest.approx((b[2] - b[3] - 0.1) ** 2 / (R @ V @ R), rel=1e-9)
    robust = model.wald_test("age", kind="robust").statistic
    assert robust == pytest.approx(b[0] ** 2 / model.covariance("robust")[1, 1], rel=1e-9)
    with pytest.raises(pt.DataError, match=r"R has shape \(3,\); it needs one column for each of the 10"):
        model.wald_test([1.0, 0.0, 0.0])
    with pytest.raises(pt.DataError, match="no coefficient 'weight'"):
        model.wald_test(["weight"])
    with pytest.raises(pt.DataError, match="rows of R are linearly dependent"):
        model.wald_test(np.stack([R, 2 * R]))
    with pytest.raises(pt.DataError, match="r has shape"):
        model.wald_test(R, [1.0, 2.0])


# --- the likelihood-ratio test


def test_a_likelihood_ratio_test_compares_nested_fits(birthwt):
    X, y, large = birthwt
    small = pt.LogisticRegression().fit(X.drop(columns=["race2", "race3"]), y)
    found = pt.likelihood_ratio_test(small, large)
    assert found.statistic == pytest.approx(small.deviance_ - large.deviance_, rel=1e-10)
    assert found.df == 2
    assert found.p_value == pytest.approx(chdtrc(2, found.statistic))
    assert repr(found).startswith("likelihood-ratio test: statistic=7.468")
    assert found.to_frame("pandas")["df"].tolist() == [2]


def test_a_likelihood_ratio_test_refuses_models_that_cannot_be_compared(birthwt, fgl):
    X, y, large = birthwt
    columns = ["age", "lwt"]
    small = pt.LogisticRegression().fit(X[columns], y)
    for other, words in [
        (pt.LogisticRegression().fit(X[columns][1:], y[1:]), "different rows"),
        (pt.LogisticRegression().fit(X[columns], ~y), "different rows"),
        (pt.LogisticRegression().fit(X[columns], y, offset=X["ftv"]), "different offsets"),
        (pt.LogisticRegression(prior=1.0).fit(X[columns], y), "penalised"),
        (pt.LogisticRegression(weights="sampling").fit(X[columns], y), "weights='sampling'"),
        (fgl[2], "different classes"),
        (pt.LogisticRegression().fit(X[columns].assign(old=X["age"] ** 2), y), "not nested .* no 'old'"),
    ]:
        with pytest.raises(pt.DataError, match=words):
            pt.likelihood_ratio_test(other, large)
    with pytest.raises(pt.DataError, match="Pass the smaller model first"):
        pt.likelihood_ratio_test(small, small)


def test_a_likelihood_ratio_test_counts_only_identified_coefficients(birthwt):
    X, y, _ = birthwt
    small = pt.LogisticRegression().fit(X[["age"]], y)
    with pytest.warns(pt.CollinearityWarning):
        large = pt.LogisticRegression().fit(X[["age", "lwt"]].assign(twice=2 * X["lwt"]), y)
    assert pt.likelihood_ratio_test(small, large).df == 1


def test_score_wald_and_ratio_tests_agree_where_there_are_many_rows():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((20_000, 3))
    y = rng.random(20_000) < expit(0.5 * X[:, 0] + 0.03 * X[:, 2])
    small, large = pt.LogisticRegression().fit(X[:, :2], y), pt.LogisticRegression().fit(X, y)
    ratio = pt.likelihood_ratio_test(small, large).statistic
    assert large.wald_test("x2").statistic == pytest.approx(ratio, rel=0.01)
    assert small.score_test(X[:, :2], y, X[:, 2]).statistic == pytest.approx(ratio, rel=0.01)


def test_a_score_test_refuses_columns_the_model_has(birthwt):
    X, y, model = birthwt
    with pytest.raises(pt.DataError, match="column 0 of extra is a combination of the model's columns"):
        model.score_test(X, y, 2.0 * X["age"] + X["lwt"])
    with pytest.raises(pt.DataError, match="column 0 of extra is constant"):
        model.score_test(X, y, np.ones(len(X)))
    with pytest.raises(pt.DataError, match=r"extra has shape \(3, 1\)"):
        model.score_test(X, y, [1.0, 2.0, 3.0])
    with pytest.raises(pt.DataError, match="not finite, the first in row 2"):
        model.score_test(X, y, np.where(np.arange(len(X)) == 2, np.nan, 1.0))


# --- rows given again


def test_other_rows_than_those_of_the_fit_are_refused(birthwt):
    X, y, model = birthwt
    for call in (
        lambda: model.covariance("robust", X=X[1:], y=y[1:]),
        lambda: model.covariance("cluster", X=X, y=~y, groups=np.arange(len(y))),
        lambda: model.influence(X * 1.001, y),
        lambda: model.confidence_interval(method="profile", X=X, y=y, sample_weight=np.full(len(y), 2.0)),
        lambda: model.score_test(X[::-1], y, X["age"] ** 2),
    ):
        with pytest.raises(pt.DataError, match="the data are not those of the fit: their log likelihood is"):
            call()


def test_what_needs_rows_asks_for_them(birthwt):
    X, y, model = birthwt
    for call in (
        lambda: model.confidence_interval(method="profile"),
        lambda: model.covariance("cluster", groups=np.arange(len(y))),
        lambda: model.pseudo_r2("tjur"),
    ):
        with pytest.raises(pt.DataError, match="pass X= and y="):
            call()
    with pytest.raises(pt.DataError, match="needs groups="):
        model.covariance("cluster", X=X, y=y)
    with pytest.raises(pt.DataError, match=r"groups has shape \(3,\)"):
        model.covariance("cluster", X=X, y=y, groups=[1, 2, 3])
    with pytest.raises(pt.DataError, match="all rows are of one group"):
        model.covariance("cluster", X=X, y=y, groups=np.zeros(len(y)))
    with pytest.raises(pt.DataError, match="groups: 1 are missing, the first in row 4"):
        model.covariance("cluster", X=X, y=y, groups=np.where(np.arange(len(y)) == 4, np.nan, 1.0))
    with pytest.raises(pt.DataError, match="groups= is for kind='cluster'"):
        model.covariance("robust", groups=np.arange(len(y)))
    with pytest.raises(pt.DataError, match=r"kind='hc3' is not known: use one of 'observed'"):
        model.covariance("hc3")


def test_without_inference_the_information_comes_from_rows_given_again(birthwt):
    X, y, model = birthwt
    bare = pt.LogisticRegression(inference=False).fit(X, y)
    assert bare.information_.sums is None
    with pytest.raises(pt.DataError, match=r"fit did not sum the information of 10 coefficients over 189 rows"):
        bare.standard_errors()
    for kind in ("observed", "expected", "robust"):
        np.testing.assert_allclose(bare.covariance(kind, X=X, y=y), model.covariance(kind), rtol=1e-10)
    with pytest.raises(pt.DataError, match="inference='yes' is not known"):
        pt.LogisticRegression(inference="yes").fit(X, y)
    with pytest.raises(pt.DataError, match="weights='probability' is not known"):
        pt.LogisticRegression(weights="probability").fit(X, y)


def test_fit_sums_the_information_only_where_that_is_cheap():
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((4000, 600)), rng.integers(0, 2, 4000)
    small = pt.LogisticRegression(prior=1.0).fit(X[:, :5], y)
    large = pt.LogisticRegression(prior=1.0).fit(X, y)  # 4000 x 601^2 = 1.4e9
    assert small.information_.sums is not None
    assert large.information_.sums is None


def test_an_offset_is_part_of_the_rows(fgl):
    X, y, _ = fgl
    offset = np.random.default_rng(1).standard_normal((len(X), 3))
    for parametrization in ("symmetric", "reference"):
        model = pt.LogisticRegression(parametrization=parametrization).fit(X, y, offset=offset)
        again = model.covariance("robust", X=X, y=y, offset=offset)
        np.testing.assert_allclose(again, model.covariance("robust"), rtol=1e-10, atol=1e-14)
        assert model.predict_interval(X[:2], offset=offset[:2]).shape == (2, 3, 2)
        assert model.marginal_effects(X, offset=offset).effects.shape == (3, 4)
        assert model.residuals(X, y, "pearson", offset=offset).shape == (len(X), 3)
        with pytest.raises(pt.DataError, match="fitted with an offset"):
            model.covariance("robust", X=X, y=y)


# --- priors


def test_under_a_prior_the_covariance_is_that_of_the_penalised_curvature():
    X, y, _, _ = glm("pima_tr")
    X = X.to_numpy(float)
    model = pt.LogisticRegression(prior=pt.GaussianPrior(precision=3.0, intercept_precision=0.5)).fit(X, y)
    A, p = np.column_stack([np.ones(len(X)), X]), model.predict_proba(X)[:, 1]
    H = (A * (p * (1 - p))[:, None]).T @ A + np.diag([0.5, *np.full(X.shape[1], 3.0)])
    np.testing.assert_allclose(model.covariance(), np.linalg.inv(H), rtol=1e-7, atol=1e-12)


def test_contrasts_of_penalised_vectors_have_the_posterior_with_their_common_part_integrated_out(fgl):
    X, y, _ = fgl
    model = pt.LogisticRegression(prior=0.7).fit(X, y)
    A, p = np.column_stack([np.ones(len(X)), X]), model.predict_proba(X)
    blocks = [[(A * (p[:, a] * ((a == b) - p[:, b]))[:, None]).T @ A for b in range(3)] for a in range(3)]
    whole = np.block(blocks) + np.diag(np.tile([1e-9, 0.7, 0.7, 0.7, 0.7], 3))  # a nearly flat prior on intercepts
    C = np.kron(np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]]), np.eye(5))
    np.testing.assert_allclose(model.covariance(), C @ np.linalg.inv(whole) @ C.T, rtol=1e-5, atol=1e-9)


def test_tests_of_penalised_coefficients_are_refused(birthwt):
    X, y, _ = birthwt
    model = pt.LogisticRegression(prior=1.0).fit(X, y)
    assert np.isfinite(model.standard_errors()).all()
    assert np.isfinite(model.confidence_interval()).all()
    for call in (
        lambda: model.wald_test("age"),
        lambda: model.score_test(X, y, X["age"] ** 2),
        lambda: model.confidence_interval(method="profile", X=X, y=y),
        lambda: model.marginal_effects(X).p_values,
    ):
        with pytest.raises(pt.DataError, match=r"refused: the coefficients are penalised"):
            call()


# --- separated, aliased, not converged, importance


def test_separated_columns_are_named_in_the_refusal_and_the_others_are_tested(separated):
    X, y, model = separated
    with pytest.raises(pt.DataError, match=r"a Wald test is refused for 'NV': the classes are separated along .* 'NV'"):
        model.wald_test(["NV", "PI"])
    assert model.wald_test("PI").p_value == pytest.approx(0.34133, abs=1e-4)
    for call in (lambda: model.influence(X, y), lambda: model.score_test(X, y, X["PI"] ** 2)):
        with pytest.raises(pt.DataError, match="separated along the column"):
            call()
    ratios = model.odds_ratios()
    assert ratios.estimate[1] == np.inf
    assert np.isnan(ratios.lower[1])
    effects = model.marginal_effects(X)
    assert np.isnan(effects.effects[0])
    assert np.isfinite(effects.errors[1:]).all()


def test_aliased_columns_are_refused_but_combinations_that_are_identified_are_not(birthwt):
    X, y, _ = birthwt
    X = X[["age", "lwt"]]
    with pytest.warns(pt.CollinearityWarning):
        model = pt.LogisticRegression().fit(X.assign(twice=2 * X["lwt"]), y)
    plain = pt.LogisticRegression().fit(X, y)
    with pytest.raises(pt.DataError, match="a Wald test is refused for 'twice': the column"):
        model.wald_test("twice")
    assert model.wald_test([0, 0, 1, 2]).statistic == pytest.approx(plain.wald_test("lwt").statistic, rel=1e-8)


def test_a_fit_that_did_not_converge_is_not_tested(birthwt):
    X, y, _ = birthwt
    with pytest.warns(pt.ConvergenceWarning):
        model = pt.LogisticRegression(max_iter=1).fit(X, y)
    with pytest.raises(pt.DataError, match="did not converge"):
        model.wald_test("age")


def test_sampling_weights_have_no_likelihood_to_test_with(birthwt):
    X, y, _ = birthwt
    weights = 1.0 + np.arange(len(y)) % 3
    model = pt.LogisticRegression(weights="sampling").fit(X, y, sample_weight=weights)
    assert 0 < model.wald_test("age", kind="robust").p_value < 1
    for call in (
        lambda: model.confidence_interval(method="profile", X=X, y=y, sample_weight=weights),
        lambda: model.score_test(X, y, X["age"] ** 2, sample_weight=weights),
    ):
        with pytest.raises(pt.DataError, match="under weights='sampling' the weighted likelihood"):
            call()
    for name in ("aic_", "bic_"):
        assert not hasattr(model, name)
        with pytest.raises(pt.DataError, match=f"{name} does not exist: under weights='sampling'"):
            getattr(model, name)
    with pytest.raises(AttributeError, match="no attribute 'aic'"):
        model.aic  # noqa: B018


# --- rows: influence, residuals, effects


@pytest.mark.parametrize("name", ["birthwt", "fgl"])
def test_dfbetas_are_one_newton_step_from_the_fit_without_the_row(name, request):
    X, y, model = request.getfixturevalue(name)
    X = np.asarray(X, dtype=float)
    found = (
        model.influence(X, y) if name == "fgl" else model.influence(pd.DataFrame(X, columns=glm(name)[0].columns), y)
    )
    assert found.leverage.sum() == pytest.approx(len(model.coefficient_labels_), rel=1e-8)
    errors = model.standard_errors()

    def contrasts(fitted):
        whole = np.column_stack([fitted.intercept_, fitted.coef_])
        return (whole if len(whole) == 1 else whole[1:] - whole[0]).ravel()

    for row in np.argsort(found.cooks_distance)[[0, len(y) // 2]]:
        without = pt.LogisticRegression().fit(np.delete(X, row, axis=0), np.delete(y, row))
        moved = (contrasts(model) - contrasts(without)) / errors
        np.testing.assert_allclose(found.dfbetas[row], moved, rtol=0.2, atol=2e-4)


def test_leverage_of_counts_is_that_of_whole_rows():
    X, y, _, _ = glm("beetles")
    model = pt.LogisticRegression().fit(X, y)
    found = model.influence(X, y)
    assert found.leverage.shape == (8,)
    assert found.leverage.sum() == pytest.approx(2.0)


def test_softmax_residuals_have_a_column_a_class(fgl):
    X, y, model = fgl
    p = model.predict_proba(X)
    seen = (y[:, None] == model.classes_).astype(float)
    np.testing.assert_allclose(model.residuals(X, y, "response"), seen - p, atol=1e-12)
    np.testing.assert_allclose(model.residuals(X, y, "pearson"), (seen - p) / np.sqrt(p * (1 - p)), rtol=1e-9)
    assert (model.residuals(X, y) ** 2).sum() == pytest.approx(model.deviance_, rel=1e-10)
    with pytest.raises(pt.DataError, match="working residuals are for one linear predictor"):
        model.residuals(X, y, "working")


def test_residuals_keep_their_digits_where_a_class_is_all_but_certain():
    X = np.array([[0.0], [1.0], [0.0], [1.0]])
    model = pt.LogisticRegression().fit(X, [0, 1, 1, 0])
    far = model.residuals([[0.0]], [1], "response", offset=None)
    assert far[0] == pytest.approx(0.5)
    steep = pt.LogisticRegression(prior=1e-9).fit(X, pt.counts(successes=[1, 10**9, 1, 10**9], trials=[10**9] * 4))
    assert steep.residuals([[1.0]], [1], "response")[0] > 0


def test_marginal_effects_at_the_mean_of_a_balanced_column_are_a_quarter_of_the_slope():
    rng = np.random.default_rng(0)
    x = np.concatenate([z := rng.standard_normal(200), -z])
    u = rng.random(200)
    y = np.concatenate([u < expit(z), u >= expit(z)])  # mirrored, so the intercept is zero
    model = pt.LogisticRegression().fit(x[:, None], y)
    found = model.marginal_effects(x[:, None], "mean")
    assert found.effects[0] == pytest.approx(model.coef_[0, 0] / 4, rel=1e-9)
    assert found.interval().shape == (1, 2)
    assert 0 <= found.p_values[0] < 1e-3


def test_marginal_effects_weigh_their_rows(birthwt):
    X, _, model = birthwt
    times = 1 + np.arange(len(X)) % 3
    times[5] = 0
    one, two = model.marginal_effects(X, sample_weight=times), model.marginal_effects(X.loc[X.index.repeat(times)])
    np.testing.assert_allclose(one.effects, two.effects, rtol=1e-10)
    np.testing.assert_allclose(one.errors, two.errors, rtol=1e-10)
    at = model.marginal_effects(X, "mean", sample_weight=times)
    np.testing.assert_allclose(
        at.errors, model.marginal_effects(X.loc[X.index.repeat(times)], "mean").errors, rtol=1e-9
    )


def test_marginal_effects_of_a_basis_are_refused():
    X, y, _, _ = glm("beetles")
    model = pt.LogisticRegression(basis=pt.PolynomialBasis(2)).fit(X, y)
    assert np.isfinite(model.standard_errors()).all()
    assert model.predict_interval(X).shape == (8, 2, 2)
    np.testing.assert_allclose(model.covariance("robust", X=X, y=y), model.covariance("robust"), rtol=1e-8)
    with pytest.raises(pt.DataError, match="linear in those of a basis"):
        model.marginal_effects(X)


def test_tables_go_into_the_frames_the_rows_came_in(birthwt):
    X, y, model = birthwt
    import polars as pl

    assert isinstance(model.influence(X, y).to_frame(), pd.DataFrame)
    effects = model.marginal_effects(pl.from_pandas(X)).to_frame()
    assert isinstance(effects, pl.DataFrame)
    assert effects.columns == ["class", "column", "effect", "standard_error", "z", "p_value", "lower", "upper"]
    ratios = model.odds_ratios().to_frame("pandas")
    np.testing.assert_allclose(ratios["odds_ratio"][1:], np.exp(model.coef_[0]), rtol=1e-12)
    assert "odds ratio     [0.025     0.975]" in repr(model.odds_ratios())
    assert "Average marginal effects" in repr(model.marginal_effects(X))
    assert repr(model.influence(X, y)).startswith("Influence of 189 rows; largest Cook's distances: row")


# --- files


@pytest.mark.parametrize("prior", [None, 0.5])
def test_a_stored_model_answers_as_before(tmp_path, fgl, prior):
    X, y, _ = fgl
    model = pt.LogisticRegression(prior=prior).fit(X, y)
    pt.save(model, tmp_path / "model.pt")
    for again in (pt.load(tmp_path / "model.pt"), pickle.loads(pickle.dumps(model))):
        for kind in ("observed", "expected", "robust"):
            np.testing.assert_array_equal(again.covariance(kind), model.covariance(kind))
        np.testing.assert_array_equal(again.predict_interval(X), model.predict_interval(X))
        groups = np.arange(len(y)) % 9
        np.testing.assert_array_equal(
            again.covariance("cluster", X=X, y=y, groups=groups), model.covariance("cluster", X=X, y=y, groups=groups)
        )


@pytest.mark.parametrize(
    ("part", "value", "words"),
    [
        ("sums", "observed", "is not symmetric"),
        ("infinite", np.zeros(3, np.int8), "has shape|is not for the model's classes|of 3 coefficients"),
        ("totals", np.array([-1.0, 1.0, 1.0]), "negative"),
        ("aliased", np.full((10, 1), np.nan), "NaN"),
    ],
)
def test_a_file_whose_information_cannot_be_is_refused(tmp_path, fgl, part, value, words):
    _, _, model = fgl
    broken = pickle.loads(pickle.dumps(model))
    if part == "sums":
        skewed = model.information_.sums.observed + np.triu(np.ones((10, 10)), 1)
        value = replace(model.information_.sums, observed=skewed)
    broken.model_ = replace(model.model_, information=replace(model.information_, **{part: value}))
    write_unchecked(broken, tmp_path / "model.pt")
    with pytest.raises(pt.ModelFileError, match=words):
        pt.load(tmp_path / "model.pt")


def test_a_file_does_not_hold_the_information_of_very_many_coefficients(tmp_path, monkeypatch):
    assert information.STORED == 2000
    monkeypatch.setattr(information, "STORED", 400)
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 401)), rng.integers(0, 2, 60)
    held = pt.LogisticRegression(prior=1.0, inference=True).fit(X[:, :399], y)
    pt.save(held, tmp_path / "held.pt")
    assert pt.load(tmp_path / "held.pt").information_.sums is not None
    model = pt.LogisticRegression(prior=1.0, inference=True).fit(X, y)
    assert model.information_.sums is not None
    pt.save(model, tmp_path / "model.pt")
    again = pt.load(tmp_path / "model.pt")
    assert again.information_.sums is None
    assert (tmp_path / "model.pt").stat().st_size < 400_000
    np.testing.assert_allclose(again.standard_errors(X=X, y=y)[:5], model.standard_errors()[:5], rtol=1e-9)


@pytest.mark.parametrize("wrap", [lambda model: model, pt.TableClassifier], ids=["alone", "table"])
def test_a_frame_of_predictions_takes_the_covariance_that_its_intervals_need(wrap):
    frame = pd.read_csv(HERE / "csv" / "birthwt.csv")[["age", "lwt", "low"]]
    X, y = frame[["age", "lwt"]], frame["low"]
    model = wrap(pt.LogisticRegression(inference=False)).fit(X, y)
    with pytest.raises(pt.DataError, match="or give covariance="):
        model.predict_frame(X, level=0.9)
    clustered = model.covariance(X=X, y=y, groups=X["age"])
    found = model.predict_frame(X, level=0.9, covariance=clustered)
    np.testing.assert_array_equal(found["1_lower"], model.predict_interval(X, 0.9, covariance=clustered)[:, 1, 0])
    with pytest.raises(pt.DataError, match="covariance are for intervals: pass level="):
        model.predict_frame(X, covariance=clustered)


def test_a_p_value_below_rounding_is_not_printed_as_zero():
    test = pt.LogisticRegression().fit([[0.0], [1.0]] * 4, [0, 1, 1, 0] * 2).wald_test(["x0"])
    assert "p_value=1" in repr(test)
    assert repr(replace(test, statistic=2000.0)).endswith("df=1, p_value<2.2e-16")


@pytest.mark.parametrize("method", ["standard_errors", "confidence_interval", "odds_ratios", "wald_test"])
def test_a_covariance_by_a_wrong_argument_is_an_error_that_names_the_right_one(method):
    """Without rows of the fit it was ignored, and the answer was that of another covariance."""
    X, y = np.random.default_rng(3).normal(size=(40, 1)), np.tile([0, 1], 20)
    model = pt.LogisticRegression().fit(X, y)
    call = partial(getattr(model, method), *([[0.0, 1.0]] if method == "wald_test" else []))
    for rows in ({}, {"X": X, "y": y}):
        with pytest.raises(pt.DataError, match=rf"{method}\(\) has no argument 'covariance' \(.* is kind=\)"):
            call(covariance="robust", **rows)
    call(kind="robust")


@pytest.mark.parametrize("method", ["confidence_interval", "odds_ratios"])
@pytest.mark.parametrize(
    "option",
    [{"kind": "observed"}, {"kind": "robust"}, {"groups": np.arange(40)}, {"small_sample": "HC1"}, {"units": "trials"},
     {"bread": "expected"}, {"kind": "cluster", "groups": np.arange(40)}],
)  # fmt: skip
def test_profile_intervals_refuse_the_options_of_a_covariance(method, option):
    """They were ignored: an interval that was asked for with a robust covariance was not robust."""
    X, y = np.random.default_rng(3).normal(size=(40, 1)), np.tile([0, 1], 20)
    call = partial(getattr(pt.LogisticRegression().fit(X, y), method), method="profile", X=X, y=y)
    names = " and ".join(f"{name}=" for name in option)
    with pytest.raises(pt.DataError, match=f"method='profile' has no option {names}. Use method='wald'"):
        call(**option)
    call(kind=None, groups=None, small_sample=False, units="rows", bread="observed")


def test_rows_that_would_not_be_used_are_refused(birthwt):
    X, y, model = birthwt
    weights = np.ones(len(y))
    for call in (model.covariance, model.standard_errors, model.confidence_interval, model.odds_ratios, model.summary,
                 partial(model.wald_test, "age")):  # fmt: skip
        with pytest.raises(
            pt.DataError, match="sample_weight= would not be used: without X= and y= the sums of the fit"
        ):
            call(sample_weight=weights)
    with pytest.raises(pt.DataError, match="sample_weight= and offset= would not be used"):
        model.covariance(sample_weight=weights, offset=weights)
    with pytest.raises(
        pt.DataError, match="X= and y= would not be used: kind='mcfadden' is of the likelihoods of the fit"
    ):
        model.pseudo_r2(X=X, y=y)


def test_rows_of_a_likelihood_ratio_test_are_those_of_the_fits(birthwt):
    X, y, model = birthwt
    small = pt.LogisticRegression().fit(X[["age"]], y)
    test = pt.likelihood_ratio_test(small, model)
    assert pt.likelihood_ratio_test(small, model, X=X, y=y) == test
    with pytest.raises(pt.DataError, match="the data are not those of the fit"):
        pt.likelihood_ratio_test(small, model, X=X, y=~y)
    for rows in ({"y": y}, {"X": X, "sample_weight": np.ones(len(y))}, {"offset": np.zeros(len(y))}):
        name = next(name for name in rows if name != "X")
        with pytest.raises(pt.DataError, match=f"{name}= would not be used without X= and y="):
            pt.likelihood_ratio_test(small, model, **rows)

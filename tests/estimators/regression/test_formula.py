"""Formulas: the columns they give, the fits they make, what they refuse, and that none of it is ever run as code."""

import json
import subprocess
import sys
from pathlib import Path

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from formulaic import model_matrix

import posteriori as pt
from posteriori.input.formula.learning import learn_formula
from posteriori.input.formula.parser.terms import read_formula

GOLDEN = Path(__file__).parents[2] / "golden"
BIRTHS = pd.read_csv(GOLDEN / "csv" / "birthwt.csv")


def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame({
        "low": rng.integers(0, 2, 60), "age": rng.gamma(3, size=60) + 1, "w": rng.normal(size=60),
        "race": rng.choice(list("abc"), 60), "smoke": rng.random(60) < 0.5, "q": rng.choice(list("xy"), 60),
        "a b": rng.normal(size=60), "k": rng.integers(1, 4, 60),
    })  # fmt: skip


def coded(formula, frame, more=None):
    """Learn a formula from a frame and apply it to that, or to another."""
    rows = nw.from_native(frame)
    coding = learn_formula(
        formula, read_formula(formula, list(frame.columns)), rows, types="auto", reference="first", weights=None
    )
    return coding.apply(rows if more is None else nw.from_native(more)).to_native()


FORMULAS = [
    "age + race", "age * race", "0 + race", "race + q - 1", "race:q", "race + race:q", "age:race", "0 + age:race",
    "smoke", "C(race, contr.treatment('b'))", "C(race, Treatment('b'))", "C(race, contr.sum)", "C(smoke)", "C(age > 3)",
    "bs(age, df=4)", "bs(age, df=6, degree=2)", "bs(age, knots=[2, 4])", "cr(age, df=4)", "cr(age, knots=[3, 4])",
    "cr(age, df=4, constraints='center')", "poly(age, 3)", "center(age) + scale(age)", "standardize(age)",
    "np.log(age + 1)", "log(age + 1)", "I(age**2) + exp(w)", "race:age:q", "race:bs(age, df=4)", "q * race * smoke",
    "0 + q * race + age", "(age + q)**2", "age / race", "age + C(k)", "C(k) * race + age:C(k)", "age:w + w",
    "`a b` + log(`a b`**2 + 1)", "race * q * C(k)", "0 + race:q", "race * age - age", "w * poly(age, 2)", ". - low",
]  # fmt: skip


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_gives_the_columns_of_formulaic_name_for_name(formula):
    frame = table()
    wanted = model_matrix(formula, frame).drop(columns="Intercept", errors="ignore")
    found = coded(formula, frame)
    assert list(found.columns) == list(wanted.columns)
    np.testing.assert_allclose(found.to_numpy(float), wanted.to_numpy(float), rtol=0, atol=1e-12)


@pytest.mark.parametrize("formula", [name for name in FORMULAS if "bs(" not in name])
def test_new_rows_are_coded_by_what_the_fit_learned(formula):
    frame = table()
    new = frame.iloc[::-1].head(7).assign(age=lambda rows: rows["age"] * 1.5)
    spec = model_matrix(formula, frame).model_spec
    wanted = spec.get_model_matrix(new).drop(columns="Intercept", errors="ignore")
    np.testing.assert_allclose(coded(formula, frame, new).to_numpy(float), wanted.to_numpy(float), rtol=0, atol=1e-11)


@pytest.mark.parametrize("outside", ["clip", "extend", "zero"])
def test_cells_outside_the_range_of_a_spline_are_treated_as_was_asked(outside):
    frame = table()
    formula = f"bs(age, df=5, extrapolation='{outside}')"
    new = frame.assign(age=frame["age"] * 1.3 - 1)
    wanted = model_matrix(formula, frame).model_spec.get_model_matrix(new).drop(columns="Intercept")
    np.testing.assert_allclose(coded(formula, frame, new).to_numpy(float), wanted.to_numpy(float), atol=1e-9)
    model = pt.LogisticRegression.from_formula("low ~ bs(age, df=5)", frame)
    with pytest.raises(pt.DataError, match=r"cell\(s\) are outside the range .* extrapolation='clip'"):
        model.predict(new)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_every_library_of_frames_gives_the_same_fit(make):
    data = make({name: BIRTHS[name].tolist() for name in BIRTHS})
    formula = "low ~ age * smoke + C(race) + bs(lwt, df=4)"
    model = pt.LogisticRegression.from_formula(formula, data)
    plain = pt.LogisticRegression.from_formula(formula, BIRTHS)
    np.testing.assert_allclose(model.predict_proba(data), plain.predict_proba(BIRTHS), rtol=0, atol=1e-12)
    assert type(model.predict_frame(data)) is type(data)


def glm(link):
    return json.loads((GOLDEN / "data" / "glm_birthwt.json").read_text())["results"][link]


@pytest.mark.parametrize("how", ["formula", "types"])
@pytest.mark.parametrize("link", ["logit", "probit", "cloglog", "cauchit"])
def test_treatment_coded_fits_are_those_of_glm_with_a_factor(how, link):
    wanted = glm(link)
    kind, settings = (pt.LogisticRegression, {}) if link == "logit" else (pt.BinaryRegression, {"link": link})
    if how == "formula":
        terms = "age + lwt + C(race) + smoke + ptl + ht + ui + ftv"
        model = kind.from_formula(f"low ~ {terms}", BIRTHS, **settings)
    else:
        model = pt.TableClassifier(kind(**settings), types={"race": "category", "bwt": "ignore"}).fit(BIRTHS, "low")
    found = np.concatenate([model.intercept_, model.coef_[0]])
    errors = np.array(list(wanted["se_observed_information"].values()))
    assert np.abs((found - list(wanted["coef"].values())) / errors).max() < 1e-6
    np.testing.assert_allclose(model.standard_errors(), errors, rtol=1e-6)
    assert model.deviance_ == pytest.approx(wanted["deviance"], rel=1e-9)


def test_without_an_intercept_the_first_category_has_all_its_levels():
    model = pt.LogisticRegression.from_formula("low ~ C(race) + age - 1", BIRTHS)
    with_one = pt.LogisticRegression.from_formula("low ~ C(race) + age", BIRTHS)
    assert model.get_feature_names_out().tolist() == ["C(race)[1]", "C(race)[2]", "C(race)[3]", "age"]
    assert model.intercept_.tolist() == [0.0]
    np.testing.assert_allclose(model.predict_proba(BIRTHS), with_one.predict_proba(BIRTHS), atol=1e-9)
    with pytest.raises(pt.DataError, match="always has an intercept"):
        pt.TableClassifier(pt.GaussianClassifier(), formula="low ~ age - 1").fit(BIRTHS)
    with pytest.raises(pt.DataError, match="end the formula with '- 1'"):
        pt.LogisticRegression.from_formula("low ~ age", BIRTHS, fit_intercept=False)


def test_a_treatment_names_the_level_that_others_are_compared_with():
    model = pt.LogisticRegression.from_formula('low ~ C(race, Treatment("3"))', BIRTHS)
    plain = pt.LogisticRegression.from_formula("low ~ C(race)", BIRTHS)
    assert model.get_feature_names_out().tolist() == [f"C(race, Treatment('3'))[T.{level}]" for level in (1, 2)]
    assert model.coef_[0, 0] == pytest.approx(-plain.coef_[0, 1], rel=1e-9)
    turned = pt.TableClassifier(pt.LogisticRegression(), formula="low ~ C(race)", reference={"race": "3"}).fit(BIRTHS)
    np.testing.assert_allclose(turned.coef_, model.coef_, rtol=1e-9)
    number = pt.LogisticRegression.from_formula("low ~ C(race, Treatment(3))", BIRTHS)
    np.testing.assert_array_equal(number.coef_, model.coef_)
    with pytest.raises(pt.DataError, match=r"has the reference level 'x', but the levels are '1', '2', '3'"):
        pt.LogisticRegression.from_formula('low ~ C(race, Treatment("x"))', BIRTHS)


def test_grouped_counts_are_a_target_as_in_r():
    beetles = pd.read_csv(GOLDEN / "csv" / "beetles.csv").assign(alive=lambda rows: rows["n"] - rows["killed"])
    model = pt.LogisticRegression.from_formula("cbind(killed, alive) ~ dose", beetles)
    y = pt.counts(successes=beetles["killed"], trials=beetles["n"])
    plain = pt.LogisticRegression().fit(beetles[["dose"]], y)
    np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-12)
    assert model.deviance_ == pytest.approx(11.2322, abs=1e-4)


@pytest.mark.parametrize("missing", ["auto", "drop"])
def test_the_counts_of_a_formula_are_found_again_by_the_name_of_the_target(missing):
    beetles = pd.read_csv(GOLDEN / "csv" / "beetles.csv").assign(alive=lambda rows: rows["n"] - rows["killed"])
    if missing == "drop":
        beetles.loc[8] = [np.nan, 60, 30, 30]
    model = pt.LogisticRegression.from_formula("cbind(killed, alive) ~ dose", beetles, missing=missing)
    y = pt.counts(successes=beetles["killed"], trials=beetles["n"])
    for name in ("cbind(killed,alive)", model.target_):
        given = {"X": beetles, "y": name}
        np.testing.assert_array_equal(model.residuals(**given), model.residuals(beetles, y))
        np.testing.assert_array_equal(model.covariance("robust", **given), model.covariance("robust", X=beetles, y=y))
        expected = model.confidence_interval(method="profile", X=beetles, y=y)
        np.testing.assert_array_equal(model.confidence_interval(method="profile", **given), expected)
    with pytest.raises(pt.DataError, match="no column 'killd'"):
        model.residuals(beetles, "cbind(killd, alive)")
    with pytest.raises(pt.DataError, match="a column or cbind"):
        model.residuals(beetles, "cbind(killed)")


def test_weights_offsets_and_gaps_go_with_a_formula():
    data = BIRTHS.assign(times=1 + np.arange(len(BIRTHS)) % 3, known=-0.01 * BIRTHS["lwt"])
    data["lwt"] = data["lwt"].astype(float)
    model = pt.LogisticRegression.from_formula("low ~ age + C(race)", data, sample_weight="times", offset="known")
    plain = pt.TableClassifier(pt.LogisticRegression(), types={"race": "category"}).fit(
        data[["low", "age", "race", "times", "known"]], "low", sample_weight="times", offset="known"
    )
    np.testing.assert_allclose(model.predict_proba(data), plain.predict_proba(data), rtol=1e-12)
    gaps = data.copy()
    gaps.loc[[3, 5], "age"] = np.nan
    gaps.loc[7, "lwt"] = np.nan
    with pytest.raises(pt.DataError, match=r"2 cell\(s\) are missing.*'age' 2"):
        pt.LogisticRegression.from_formula("low ~ age + C(race)", gaps)
    dropped = pt.LogisticRegression.from_formula("low ~ age + C(race)", gaps, missing="drop")
    assert (dropped.n_rows_, dropped.n_dropped_) == (187, 2)
    with pytest.raises(pt.DataError, match="missing='indicator' cannot be used with a formula"):
        pt.LogisticRegression.from_formula("low ~ age", data, missing="indicator")


def test_the_model_speaks_in_the_terms_of_the_formula():
    model = pt.LogisticRegression.from_formula("low ~ age * C(race) + bs(lwt, df=4)", BIRTHS)
    assert "age:C(race)[T.3]" in str(model.summary())
    told = model.explain(BIRTHS)
    assert told.names == ("age", "C(race)", "bs(lwt, df=4)", "age:C(race)")
    np.testing.assert_allclose(told.total, model.linear_predictor(BIRTHS), atol=1e-12)
    small = pt.LogisticRegression.from_formula("low ~ age", BIRTHS)
    large = pt.LogisticRegression.from_formula("low ~ age + lwt", BIRTHS)
    test = pt.likelihood_ratio_test(small, large)
    assert test.statistic == pytest.approx(small.deviance_ - large.deviance_, rel=1e-9)
    assert test.df == 1


@pytest.mark.parametrize("formula", [name for name in FORMULAS if "low" not in name])
def test_a_saved_formula_predicts_bit_for_bit_without_formulaic(formula, tmp_path):
    frame = table()
    model = pt.LogisticRegression.from_formula(f"low ~ {formula}", frame, prior=1.0)
    pt.save(model, tmp_path / "m")
    loaded = pt.load(tmp_path / "m")
    assert loaded.predict_log_proba(frame).tobytes() == model.predict_log_proba(frame).tobytes()
    assert loaded.coding_.names_out == model.coding_.names_out


@pytest.mark.slow
def test_a_formula_needs_no_other_package():
    code = (
        "import sys; sys.modules['formulaic'] = None\n"
        "import pandas as pd, posteriori as pt\n"
        "data = pd.DataFrame({'y': [0, 1] * 9, 'x': range(18), 'g': list('abc') * 6})\n"
        "model = pt.LogisticRegression.from_formula('y ~ bs(x, df=4) * g', data, prior=1.0)\n"
        "print(model.predict_proba(data).sum())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert float(done.stdout) == pytest.approx(18)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("low ~ exec('import os')", "there is no function 'exec'"),
        ("low ~ log(__import__('os'))", "there is no function '__import__'"),
        ("low ~ log(__import__('os').getpid())", "cannot be parsed"),
        ("low ~ I(age.__class__)", "there is no column 'age.__class__'"),
        ("low ~ I(age[0])", "cannot be parsed"),
        ("low ~ I([1, 2])", "'[1, 2]' is not allowed"),
        ("low ~ I([x for x in (1, 2)])", "cannot be parsed"),
        ("low ~ I((lambda x: x)(age))", "cannot be parsed"),
        ("low ~ np.load('x')", "there is no function 'np.load'"),
        ("low ~ bs(age, df=w)", "is not a constant"),
        ("low ~ bs(age, df=10**9)", "is not a constant"),
        ("low ~ poly(age, 5000)", "not a whole number up to 1000"),
        ("low ~ bs(age, df=4, speed=2)", "bs has no argument 'speed'"),
        ("low ~ bs(age, df=2)", "df=2 is too few"),
        ("low ~ cr(age)", "cr needs df"),
        ("low ~ log(race)", "uses column 'race' in a computation, but it is a category"),
        ("low ~ C(log(age))", "C must be a column or a condition"),
        ("low ~ C(race, Helmert)", "its contrast is none of"),
        ("low ~ agee", "there is no column 'agee'. Did you mean 'age'"),
        ("lo ~ age", "the formula's target: there is no column 'lo'. Did you mean 'low'"),
        ("log(low) ~ age", "a column or cbind"),
        ("cbind(race, k) ~ age", "successes must be numbers"),
        ("low ~ 0", "neither a term nor an intercept"),
        ("low ~ age +", "cannot be parsed"),
        ("low ~ log(age", "cannot be parsed"),
        ("low ~ age | race", "several parts"),
        ("low + w ~ age", "2 targets"),
        ("low ~ " + "log(" * 12 + "age" + ")" * 12, "nested more than 8 deep"),
        ("low ~ age + 2", "the number 2 is a term"),
        ("low ~ (age + 0) * race", "outside parentheses"),
        ("low ~ age 'x'", "is not expected here (character 11)"),
        ("low ~ 'x", "is an unclosed quote"),
        ("low ~ age ~ race", "'~' is not expected here"),
        ("low ~ age**0", "an integer of 1 or more"),
        ("low ~ C(age < k < w)", "comparisons cannot be chained"),
        ("low ~ bs(age, df=4, df=5)", "df= is set twice"),
        ("low ~ bs(age, 4, df=5)", "df is set twice"),
        ("low ~ bs(df=4, age)", "a positional argument follows"),
        ("low ~ " + 5000 * "(" + "age" + 5000 * ")", "nested more than 50 deep"),
        ("low ~ I(" + 5000 * "(" + "age" + 5000 * ")" + ")", "nested more than 50 deep"),
        ("low ~ I(" + 5000 * "-" + "age)", "nested more than 50 deep"),
        ("low ~ I(" + 5000 * "2**" + "age)", "nested more than 50 deep"),
        ("low ~ I(" + "+".join(5000 * ["age"]) + ")", "nested more than 50 deep"),
        ("low ~ I(age + " + 5000 * "9" + ")", "has 5000 digits"),
        ("x" * 2**21, "the limit is 1048576"),
        (3, "a formula must be a string"),
    ],
)
def test_what_a_formula_cannot_say_is_refused_with_a_sentence(formula, message):
    with pytest.raises(pt.DataError) as refused:
        pt.TableClassifier(pt.LogisticRegression(), formula=formula).fit(table())
    assert message in str(refused.value)


def test_a_formula_needs_a_frame_and_one_target():
    with pytest.raises(pt.DataError, match="pass a frame"):
        pt.TableClassifier(pt.LogisticRegression(), formula="y ~ x").fit(np.zeros((4, 1)), [0, 1, 0, 1])
    with pytest.raises(pt.DataError, match="omit y"):
        pt.TableClassifier(pt.LogisticRegression(), formula="low ~ age").fit(BIRTHS, "smoke")
    model = pt.TableClassifier(pt.LogisticRegression(), formula="age + lwt").fit(BIRTHS, "low")
    assert model.feature_names_in_.tolist() == ["age", "lwt"]


def test_levels_that_the_fit_has_not_seen_are_refused_by_name():
    model = pt.LogisticRegression.from_formula("low ~ C(race) + age", BIRTHS)
    with pytest.raises(
        pt.DataError, match=r"column 'race' has '9' in 189 row\(s\), but its levels in the fit were '1', '2', '3'"
    ):
        model.predict(BIRTHS.assign(race=9))


def test_cells_that_a_transform_makes_infinite_are_named():
    with pytest.raises(pt.DataError, match=r"infinity.*log\(ptl\)"):
        pt.LogisticRegression.from_formula("low ~ log(ptl)", BIRTHS)


def test_columns_may_be_called_what_python_calls_its_own():
    frame = BIRTHS.rename(columns={"age": "class", "lwt": "lambda"})
    expected = pt.LogisticRegression.from_formula("low ~ age + lwt", BIRTHS)
    for formula in ("low ~ class + lambda", "low ~ `class` + `lambda`"):
        model = pt.LogisticRegression.from_formula(formula, frame)
        assert model.get_feature_names_out().tolist() == ["class", "lambda"]
        np.testing.assert_array_equal(model.coef_, expected.coef_)
    assert "class" in pt.LogisticRegression.from_formula("low ~ . - bwt", frame).feature_names_in_


def test_a_column_called_one_is_not_lost_in_the_intercept():
    frame = BIRTHS[["low", "age"]].rename(columns={"age": "1"})
    expected = pt.LogisticRegression.from_formula("low ~ age", BIRTHS)
    for formula in ("low ~ .", "low ~ `1`", "low ~ Q('1')"):
        model = pt.LogisticRegression.from_formula(formula, frame)
        np.testing.assert_array_equal(model.coef_, expected.coef_)


def test_words_of_python_and_names_with_dots_are_columns_inside_functions_too():
    frame = BIRTHS.rename(columns={"race": "class", "age": "mothers.age"})
    expected = pt.LogisticRegression.from_formula("low ~ C(race) + I(age**2)", BIRTHS)
    for formula in ("low ~ C(`class`) + I(`mothers.age`**2)", "low ~ C(class) + I(mothers.age^2)"):
        model = pt.LogisticRegression.from_formula(formula, frame)
        assert model.coding_.names_out == ("C(`class`)[T.2]", "C(`class`)[T.3]", "I(`mothers.age` ** 2)")
        np.testing.assert_array_equal(model.coef_, expected.coef_)


@pytest.mark.parametrize("term", ["poly(x, 2)", "poly(x, 2, raw=True)", "cr(x, df=3)", "scale(x)"])
def test_powers_of_cells_that_leave_the_range_of_floats_are_refused(term):
    rng = np.random.default_rng(4)
    rows = pd.DataFrame({"x": rng.normal(size=40), "y": rng.random(40) < 0.5})
    far = rows.assign(x=np.where(rows.index == 3, 1e200, rows["x"]))
    with pytest.raises(pt.DataError):
        pt.LogisticRegression.from_formula(f"y ~ {term}", far, prior=1.0)
    model = pt.LogisticRegression.from_formula(f"y ~ {term}", rows, prior=1.0)
    if term.startswith("poly"):
        with pytest.raises(pt.DataError):
            model.predict_proba(far)

"""A table classifier among its neighbours: cross-validation, wrappers, stored files, tests of whole columns."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_val_score

import posteriori as pt

LIBRARIES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def rows(n=120):
    rng = np.random.default_rng(3)
    age, race = rng.normal(50, 9, n), rng.choice(["white", "black", "other"], n)
    eta = 0.05 * (age - 50) + (race == "other") - 0.5
    low = np.where(rng.random(n) < 1 / (1 + np.exp(-eta)), "yes", "no")
    return {
        "low": low.tolist(),
        "age": age.tolist(),
        "race": race.tolist(),
        "smoke": (rng.random(n) > 0.5).tolist(),
        "site": rng.choice(["p", "q", "r"], n).tolist(),
        "dose": rng.normal(size=n).tolist(),
    }


FEATURES = ("age", "race", "smoke")


@pytest.fixture(params=LIBRARIES)
def make(request):
    return LIBRARIES[request.param]


def features():
    return {name: values for name, values in rows().items() if name in FEATURES}


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (None, "cannot fit and predict: it is of type NoneType"),
        ("logistic", "cannot fit and predict: it is of type str"),
        (pt.LogisticRegression, r"is a class: pass an instance, LogisticRegression\(\.\.\.\)"),
        (LinearRegression(), "is a regressor"),
    ],
    ids=["nothing", "a name", "a class", "a regressor"],
)
def test_what_is_no_classifier_is_refused_before_anything_else(estimator, message):
    with pytest.raises(pt.DataTypeError, match=f"estimator {message}"):
        pt.TableClassifier(estimator).fit(pd.DataFrame(rows()), "low")
    if estimator is not None and not isinstance(estimator, str):
        with pytest.raises(pt.DataTypeError, match=f"model 'a' {message}"):
            pt.compare({"a": estimator}, pd.DataFrame(rows()), "low")


def test_a_formula_with_a_target_is_cross_validated_like_any_other_model():
    frame = pd.DataFrame(rows())
    model = pt.TableClassifier(pt.LogisticRegression(), formula="low ~ age + C(race)")
    plain = pt.TableClassifier(pt.LogisticRegression(), formula="~ age + C(race)")
    expected = cross_val_score(plain, frame[["age", "race"]], frame["low"], cv=3, error_score="raise")
    for X in (frame, frame[["age", "race"]]):
        np.testing.assert_array_equal(cross_val_score(model, X, frame["low"], cv=3, error_score="raise"), expected)
    assert model.fit(frame[["age", "race"]], frame["low"]).target_ == "low"
    search = GridSearchCV(model, {"estimator__prior": [None, 1.0]}, cv=3, error_score="raise")
    assert search.fit(frame, frame["low"]).best_params_.keys() == {"estimator__prior"}
    with pytest.raises(pt.DataError, match="has the target 'low', and y is a different one: omit y"):
        model.fit(frame, frame["low"][::-1].to_numpy())


def test_a_dot_takes_no_identifiers_and_a_name_does(make):
    data = rows()
    data["code"] = [f"u{i}" for i in range(len(data["low"]))]
    with pytest.raises(pt.DataError, match=r"column 'code' has a different value in every row \(120 distinct"):
        pt.LogisticRegression.from_formula("low ~ .", make(data))
    model = pt.LogisticRegression.from_formula("low ~ . - code", make(data))
    assert "code" not in model.feature_names_in_
    named = pt.LogisticRegression.from_formula("low ~ code", make(data), prior=1.0)
    assert len(named.get_feature_names_out()) == 119


def test_factor_is_another_word_for_c():
    frame = pd.DataFrame({**rows(), "grade": np.arange(120) % 3})
    one = pt.LogisticRegression.from_formula("low ~ age + factor(grade)", frame)
    other = pt.LogisticRegression.from_formula("low ~ age + C(grade)", frame)
    assert one.get_feature_names_out().tolist()[1:] == ["factor(grade)[T.1]", "factor(grade)[T.2]"]
    np.testing.assert_array_equal(one.coef_, other.coef_)


def test_a_wald_test_names_whole_columns_or_terms(make):
    model = pt.TableClassifier(pt.LogisticRegression()).fit(make(features()), rows()["low"])
    whole, levels = model.wald_test("race"), model.wald_test(["race=other", "race=white"])
    assert (whole.df, whole.statistic) == (2, levels.statistic)
    assert model.wald_test(["race", "smoke"]).df == 3
    term = pt.LogisticRegression.from_formula("low ~ age + C(race)", make(rows())).wald_test("C(race)")
    assert term.df == 2
    three = pt.TableClassifier(pt.LogisticRegression()).fit(make(features()), rows()["site"])
    assert three.wald_test("race").df == 4
    with pytest.raises(pt.DataError, match="no coefficient 'rase'"):
        model.wald_test("rase")


def test_a_score_test_takes_columns_of_any_kind_by_name(make):
    model = pt.TableClassifier(pt.LogisticRegression()).fit(make(features()), rows()["low"])
    site = np.array(rows()["site"])
    by_hand = np.column_stack([site == "q", site == "r", rows()["dose"]]).astype(float)
    expected = model.score_test(make(features()), rows()["low"], by_hand)
    for extra in (["site", "dose"], make({name: rows()[name] for name in ("site", "dose")})):
        found = model.score_test(make(rows()), "low", extra)
        assert found.df == 3
        np.testing.assert_allclose(found.statistic, expected.statistic, rtol=1e-10)
    assert model.score_test(make(rows()), "low", "dose").df == 1
    with pytest.raises(pt.DataError, match=r"no column 'dosis'\. Did you mean 'dose'"):
        model.score_test(make(rows()), "low", "dosis")


def test_margins_of_a_model_with_an_offset_are_refused_with_its_own_sentence():
    model = pt.TableClassifier(pt.LogisticRegression()).fit(
        pd.DataFrame(rows())[["low", "age", "dose"]], "low", offset="dose"
    )
    with pytest.raises(pt.DataError, match="offset"):
        model.margins(pd.DataFrame(rows()), "low")


def test_predictions_keep_the_index_of_the_rows():
    frame = pd.DataFrame(features()).sample(frac=0.5, random_state=0)
    frame.index = [f"row {i}" for i in frame.index]
    model = pt.TableClassifier(pt.LogisticRegression()).fit(pd.DataFrame(features()), rows()["low"])
    told = model.predict_frame(frame)
    assert told.index.equals(frame.index)
    np.testing.assert_array_equal(frame.join(told)["yes"], model.predict_proba(frame)[:, 1])


def test_class_counts_in_an_array_are_weighed_as_those_by_name():
    counts = np.column_stack([np.arange(1, 121), np.arange(120, 0, -1)]).astype(float)
    frame = pd.DataFrame(features())
    array = pt.TableClassifier(pt.LogisticRegression()).fit(frame, counts)
    named = pt.TableClassifier(pt.LogisticRegression()).fit(
        frame, pt.counts(successes=counts[:, 1], failures=counts[:, 0])
    )
    assert array.weight_ == named.weight_ == counts.sum()
    assert array.n_rows_ == named.n_rows_ == 120


@pytest.mark.parametrize("around", [pt.OneVsRest, pt.OneVsOne])
def test_problems_of_tables_can_be_stored_and_loaded(around, tmp_path, make):
    frame = make(features())
    average = pt.ModelAverage([pt.TableClassifier(pt.LogisticRegression(prior=p)) for p in (1.0, 2.0)], weights=[1, 1])
    for inner in (pt.TableClassifier(pt.LogisticRegression(prior=1.0)), average):
        model = around(inner).fit(frame, rows()["site"])
        path = tmp_path / f"{type(inner).__name__}.posteriori"
        pt.save(model, path)
        np.testing.assert_array_equal(pt.load(path).predict_proba(frame), model.predict_proba(frame))


def test_the_number_of_steps_is_told():
    model = pt.TableClassifier(pt.LogisticRegression()).fit(pd.DataFrame(features()), rows()["low"])
    assert model.n_iter_ == model.estimator_.n_iter_


@pytest.mark.parametrize("library", LIBRARIES)
def test_results_are_tables_of_the_library_that_the_model_was_fitted_on(library, tmp_path):
    frame, kind = LIBRARIES[library](features()), type(LIBRARIES[library]({"a": [1]}))
    numbers = LIBRARIES[library]({"age": features()["age"]})
    logistic = pt.TableClassifier(pt.LogisticRegression()).fit(frame, rows()["low"])
    pt.save(logistic, tmp_path / "model.posteriori")
    results = [
        *(part for model in (logistic, pt.load(tmp_path / "model.posteriori")) for part in _tables(model)),
        *_tables(pt.LogisticRegression().fit(numbers, rows()["low"])),
        pt.TableClassifier(pt.BayesianLogisticRegression()).fit(frame, rows()["low"]).summary(),
        pt.TableClassifier(pt.NaiveBayes()).fit(frame, rows()["low"]).table("age"),
    ]
    for result in results:
        assert type(result.to_frame()) is kind
        assert type(result.to_frame(native="polars")) is pl.DataFrame


def _tables(model):
    return model.summary(), model.odds_ratios(), model.wald_test("age")


def test_a_fit_on_more_rows_remembers_the_library_of_the_first():
    model = pt.BayesianLogisticRegression()
    for part in range(2):
        model.partial_fit(pl.DataFrame({"age": features()["age"][part::2]}), rows()["low"][part::2])
    assert type(model.summary().to_frame()) is pl.DataFrame


def test_the_table_of_a_category_has_a_column_a_level(make):
    model = pt.TableClassifier(pt.NaiveBayes()).fit(make(features()), rows()["low"])
    told = model.table("race").to_frame("pandas")
    assert told.columns.tolist() == ["class", "probability[black]", "probability[other]", "probability[white]"]
    assert told["class"].tolist() == ["no", "yes"]
    np.testing.assert_array_equal(told.iloc[:, 1:].to_numpy(dtype=float), model.table("race")["probability"])


def test_a_batch_of_arrow_is_a_frame():
    batch = pa.RecordBatch.from_pydict(features())
    model = pt.TableClassifier(pt.LogisticRegression()).fit(batch, rows()["low"])
    np.testing.assert_array_equal(model.predict_proba(batch), model.predict_proba(pa.table(features())))
    assert type(model.predict_frame(batch)) is pa.Table


def test_the_remedy_for_missing_values_is_one_that_goes_with_a_formula(make):
    data = rows()
    data["age"][0] = None
    remedy = r"Drop their rows \(missing='drop'\), or fill in the values"
    with pytest.raises(pt.DataError, match=rf"'age' 1\. {remedy}\.$"):
        pt.LogisticRegression.from_formula("low ~ age", make(data))
    assert pt.LogisticRegression.from_formula("low ~ age", make(data), missing="drop").n_dropped_ == 1


def test_columns_out_are_named_for_arrays_too_and_asked_for_by_their_own_names_only():
    X = np.column_stack([features()["age"], rows()["dose"]])
    assert pt.TableClassifier(pt.LogisticRegression()).fit(X, rows()["low"]).get_feature_names_out().tolist() == [
        "x0",
        "x1",
    ]
    model = pt.TableClassifier(pt.LogisticRegression()).fit(pd.DataFrame(features()), rows()["low"])
    assert model.get_feature_names_out(list(FEATURES)).tolist() == ["age", "race=other", "race=white", "smoke=True"]
    with pytest.raises(ValueError, match="input_features is not equal to feature_names_in_"):
        model.get_feature_names_out(["age", "race", "other"])


@pytest.mark.parametrize("ways", [pt.OneVsRest, pt.OneVsOne])
def test_votes_inside_are_handed_on_in_the_order_of_the_classes(ways):
    rng = np.random.default_rng(0)
    codes = np.arange(60) % 3
    frame = pd.DataFrame(rng.normal(size=(60, 2)) + codes[:, None], columns=["a", "b"])
    frame["kind"] = np.array(["x", "y", "z"])[codes]
    table = pt.TableClassifier(ways(pt.LogisticRegression(prior=1.0))).fit(frame, "kind")
    np.testing.assert_array_equal(table.votes(frame), table.estimator_.votes(frame[["a", "b"]]))
    np.testing.assert_array_equal(table.is_ambiguous(frame), table.estimator_.is_ambiguous(frame[["a", "b"]]))
    two = frame[frame["kind"] != "z"]
    turned = pt.TableClassifier(ways(pt.LogisticRegression(prior=1.0)), positive="x").fit(two, "kind")
    assert turned.classes_.tolist() == ["y", "x"]
    np.testing.assert_array_equal(turned.classes_[turned.votes(two).argmax(axis=1)], turned.predict(two))
    assert not hasattr(pt.TableClassifier(pt.LogisticRegression()).fit(two, "kind"), "votes")


@pytest.mark.parametrize("model", [pt.LogisticRegression(prior=1.0), pt.BayesianLogisticRegression()])
def test_summaries_name_dates_of_nanoseconds_as_dates_and_take_them_as_a_reference(model):
    rng = np.random.default_rng(0)
    X, days = (
        rng.normal(size=(60, 2)),
        (np.datetime64("2020-01-01") + (np.arange(60) % 3).astype("m8[D]")).astype("datetime64[ns]"),
    )
    model.fit(X, days)
    assert "2020-01-03" in str(model.summary())
    for reference in (model.classes_[1], pd.Timestamp("2020-01-02"), np.datetime64("2020-01-02")):
        told = model.summary(reference=reference)
        assert str(told.reference)[:10] == "2020-01-02"

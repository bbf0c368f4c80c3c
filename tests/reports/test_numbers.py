"""The numbers of a report are those of the library's functions; rows it cannot use are counted."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression as SklearnLogistic
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import accuracy_score, confusion_matrix
from sklearn.metrics import log_loss as sklearn_log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import posteriori as pt
from posteriori.cli.commands.demo import PENGUINS
from posteriori.comparisons.folds import stratified
from posteriori.comparisons.metrics import METRICS
from posteriori.comparisons.uncertainty import mean_standard_error
from posteriori.reports.scores import mean_of

RNG = np.random.default_rng(5)
X = RNG.standard_normal((120, 3))
CODES = np.digitize(X[:, 0] + RNG.standard_normal(120), [-0.5, 0.5])
Y = np.array(["blue", "green", "red"])[CODES]
TWO = np.where(CODES > 0, "yes", "no")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "report.html"


@pytest.fixture
def drawn():
    """Draw figures, which the other tests of this file omit."""


@pytest.fixture(autouse=True)
def figures_are_drawn_only_on_request(request):
    if "drawn" not in request.fixturenames:
        request.getfixturevalue("without_figures")


@pytest.fixture
def birds():
    return pd.read_csv(PENGUINS).drop(columns="year")


def test_scores_are_those_of_scikit_learn_and_of_compare(path):
    model = pt.LogisticRegression().fit(X[:80], Y[:80])
    numbers = pt.report(model, X, Y, path).numbers
    p = model.predict_proba(X)
    assert numbers["scores"]["log_loss"]["value"] == pytest.approx(sklearn_log_loss(Y, p), rel=1e-12)
    assert numbers["scores"]["accuracy"]["value"] == accuracy_score(Y, model.predict(X))
    shares = np.bincount(CODES) / len(CODES)
    assert numbers["scores"]["log_loss"]["baseline"] == pytest.approx(-shares @ np.log(shares), rel=1e-12)
    assert numbers["scores"]["accuracy"]["baseline"] == shares.max()
    for name, metric in METRICS.items():
        values = metric.score(model.predict_log_proba(X), CODES)
        assert numbers["scores"][name]["value"] == pytest.approx(values.mean(), rel=1e-12)
        assert numbers["scores"][name]["se"] == pytest.approx(mean_standard_error(values, np.arange(120)), rel=1e-12)
    assert numbers["confusion"]["counts"] == confusion_matrix(Y, model.predict(X)).tolist()
    assert numbers["data"] == {
        "rows": 120, "scored": 120, "weight": 120.0, "left_out": {}, "unknown_classes": {}, "gaps": None,
        "origin": "other",
    }  # fmt: skip
    assert numbers["cross_validation"] is None


def test_the_table_of_coefficients_is_that_of_the_summary(path):
    model = pt.LogisticRegression().fit(X, TWO)
    contents = pt.report(model, X, TWO, path)
    assert contents.numbers["table"] == model.summary().to_dict()
    (learned,) = [section for section in contents.sections if section.anchor == "parameters"]
    grids = [part for part in learned.parts if part.kind == "grid"]
    (grid,) = grids
    assert grid.header == ("", "odds ratio", "95 % CI", "p-value", "coefficient", "std. error")
    assert [row[0] for row in grid.rows] == ["(Intercept)", "x0", "x1", "x2"]
    assert float(grid.rows[1][4]) == pytest.approx(model.coef_[0, 0], rel=1e-3)
    assert float(grid.rows[1][1]) == pytest.approx(np.exp(model.coef_[0, 0]), rel=1e-3)
    ends = [float(end) for end in grid.rows[1][2].split(" to ")]
    error = float(grid.rows[1][5])
    assert ends == pytest.approx(np.exp(model.coef_[0, 0] + 1.96 * error * np.array([-1, 1])), rel=2e-3)
    assert grid.rows[0][1:3] == ("\u2013", "\u2013")  # an intercept has no odds ratio


def test_the_confusion_matrix_of_training_rows_has_the_held_out_predictions(path):
    contents = pt.report(pt.LogisticRegression().fit(X, Y), X, Y, path, random_state=3)
    folds = stratified(CODES, 5, 3)
    predicted = np.empty(len(Y), dtype=Y.dtype)
    for train, test in folds:
        predicted[test] = pt.LogisticRegression().fit(X[train], Y[train]).predict(X[test])
    expected = confusion_matrix(Y, predicted)
    assert contents.numbers["cross_validation"]["confusion"]["counts"] == expected.tolist()
    grid = contents.sections[1].parts[0]
    assert [[int(cell.split()[0]) for cell in row[1:4]] for row in grid.rows] == expected.tolist()
    assert "Cross-validated: each row is predicted by a model fitted to the other folds." in grid.foot[0]


def test_rows_of_the_fit_are_recognised_and_cross_validated(path):
    numbers = pt.report(pt.LogisticRegression().fit(X, Y), X, Y, path, random_state=3).numbers
    assert numbers["data"]["origin"] == "training"
    models = {"model": pt.LogisticRegression(), "shares": DummyClassifier(strategy="prior")}
    wanted = pt.compare(models, X, Y, cv=5, random_state=3)
    assert numbers["cross_validation"]["folds"] == 5
    for name in METRICS:
        assert numbers["cross_validation"]["scores"][name]["value"] == wanted.standings[0].scores[name]
        assert numbers["cross_validation"]["scores"][name]["baseline"] == wanted.standings[1].scores[name]
        assert numbers["cross_validation"]["scores"][name]["low"] == wanted.standings[0].intervals[name][0]


@pytest.mark.parametrize(
    ("model", "given", "origin"),
    [
        (pt.LogisticRegression(), slice(None), "training"),
        (pt.LogisticRegression(), slice(0, 100), "other"),
        (pt.LogisticRegression(), slice(None, None, -1), "training"),
        (pt.GaussianClassifier(), slice(None), "training"),
        (pt.TableClassifier(pt.FisherDiscriminant()), slice(None), "probably training"),
        (pt.NaiveBayes(), slice(0, 100), "other"),
        (pt.PriorShift(pt.LogisticRegression(), [0.2, 0.3, 0.5]), slice(None), "training"),
        (pt.TableClassifier(pt.Perceptron(max_iter=3)), slice(0, 100), "other"),
        (make_pipeline(StandardScaler(), pt.LogisticRegression()), slice(None), "training"),
        (SklearnLogistic(), slice(None), "unknown"),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::posteriori.ConvergenceWarning")
def test_training_rows_are_recognised_as_far_as_possible(model, given, origin, path):
    contents = pt.report(model.fit(X, Y), X[given], Y[given], path, cv=None)
    assert contents.numbers["data"]["origin"] == origin
    assert contents.numbers["cross_validation"] is None


def test_folds_can_be_requested_and_invalid_ones_raise(path):
    model = pt.GaussianClassifier().fit(X, Y)
    assert pt.report(model, X, Y, path, cv=3).numbers["cross_validation"]["folds"] == 3
    assert pt.report(model, X[:60], Y[:60], path).numbers["cross_validation"] is None
    for wrong in (1, 0, "five", 2.5, True):
        with pytest.raises(pt.DataError, match="cv"):
            pt.report(model, X, Y, path, cv=wrong)


def test_weights_are_copies(path, drawn):
    weights = RNG.integers(0, 4, size=120)
    model = pt.LogisticRegression().fit(X, Y, sample_weight=weights)
    weighted = pt.report(model, X, Y, path, sample_weight=weights).numbers
    copied = pt.report(model, np.repeat(X, weights, axis=0), np.repeat(Y, weights), path, cv=None).numbers
    for name in METRICS:
        assert weighted["scores"][name]["value"] == pytest.approx(copied["scores"][name]["value"], rel=1e-9)
    assert weighted["confusion"]["counts"] == copied["confusion"]["counts"]
    assert weighted["data"]["left_out"] == {"of weight zero": int((weights == 0).sum())}
    assert weighted["data"]["origin"] == "training"
    assert weighted["cross_validation"] is None


def test_class_counts_are_rows_of_each_class(path, drawn):
    dose = np.array([[1.6907], [1.7242], [1.7552], [1.7842], [1.8113], [1.8369], [1.8610], [1.8839]])
    dead, trials = np.array([6, 13, 18, 28, 52, 53, 61, 60]), np.array([59, 60, 62, 56, 63, 59, 62, 60])
    y = pt.counts(successes=dead, trials=trials)
    model = pt.LogisticRegression().fit(dose, y)
    numbers = pt.report(model, dose, y, path).numbers
    p = model.predict_proba(dose)[:, 1]
    loss = -(dead @ np.log(p) + (trials - dead) @ np.log1p(-p)) / trials.sum()
    assert numbers["scores"]["log_loss"]["value"] == pytest.approx(loss, rel=1e-12)
    assert numbers["data"]["weight"] == trials.sum()
    assert numbers["data"]["origin"] == "training"


def test_an_offset_is_passed_on(path, drawn):
    offset = X[:, 2]
    model = pt.LogisticRegression().fit(X[:, :2], TWO, offset=offset)
    numbers = pt.report(model, X[:, :2], TWO, path, offset=offset).numbers
    p = model.predict_proba(X[:, :2], offset=offset)
    assert numbers["scores"]["log_loss"]["value"] == pytest.approx(sklearn_log_loss(TWO, p), rel=1e-12)
    data = pd.DataFrame(X, columns=["a", "b", "exposure"]).assign(y=TWO)
    table = pt.TableClassifier(pt.LogisticRegression()).fit(data, "y", offset="exposure")
    named = pt.report(table, data, None, path).numbers
    assert named["scores"]["log_loss"]["value"] == pytest.approx(numbers["scores"]["log_loss"]["value"], rel=1e-9)


def test_rows_it_cannot_use_are_left_out_and_counted_by_reason(birds, path):
    model = pt.TableClassifier(pt.LogisticRegression(prior=1.0), missing="drop").fit(birds, "species")
    new = birds.copy()
    new.loc[0, "species"] = None
    new.loc[1, "species"] = "Emperor"
    new.loc[2, "island"] = "Atlantis"
    numbers = pt.report(model, new, None, path).numbers["data"]
    gaps = int(birds.drop(index=[0, 1]).isna().any(axis=1).sum())
    assert numbers["left_out"] == {
        "without a class": 1,
        "of an unknown class": 1,
        "with missing values that the model does not accept": gaps,
        "with an unseen level of a category": 1,
    }
    assert numbers["unknown_classes"] == {"Emperor": 1}
    assert numbers["scored"] == len(new) - 3 - gaps
    assert numbers["gaps"]["sex"] == int(birds["sex"].isna().sum())


def test_a_model_that_accepts_missing_values_scores_their_rows(birds, path):
    model = pt.TableClassifier(pt.NaiveBayes()).fit(birds, "species")
    assert pt.report(model, birds, None, path, cv=None).numbers["data"]["scored"] == len(birds)


def test_arrays_with_missing_values_and_foreign_models_that_impute_them(path):
    holed = X.copy()
    holed[:7, 1] = np.nan
    plain = pt.report(pt.GaussianClassifier().fit(X, Y), holed, Y, path).numbers["data"]
    assert plain["left_out"] == {"with missing values that the model does not accept": 7}
    filled = make_pipeline(SimpleImputer(), SklearnLogistic()).fit(X, Y)
    assert pt.report(filled, holed, Y, path).numbers["data"]["left_out"] == {}
    strict = SklearnLogistic().fit(X, Y)
    assert pt.report(strict, holed, Y, path).numbers["data"]["left_out"] == {
        "with missing values that the model does not accept": 7
    }


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_of_every_library_give_the_same_report(library, birds, path):
    model = pt.TableClassifier(pt.NaiveBayes()).fit(birds, "species")
    import narwhals as nw

    same = nw.from_native(birds).to_arrow() if library == "pyarrow" else birds
    if library == "polars":
        same = nw.from_native(birds).to_polars()
    wanted = pt.report(model, birds, None, path, cv=None).numbers
    assert pt.report(model, same, "species", path, cv=None).numbers["scores"] == wanted["scores"]


def test_sparse_rows_are_scored(path, drawn):
    rows = sparse.random_array((60, 5), density=0.4, rng=np.random.default_rng(0), format="coo")
    y = np.arange(60) % 2
    model = pt.LogisticRegression(prior=1.0).fit(rows.tocsr(), y)
    numbers = pt.report(model, rows, y, path, values=True).numbers
    assert numbers["scores"]["log_loss"]["value"] == pytest.approx(
        sklearn_log_loss(y, model.predict_proba(rows.tocsr())), rel=1e-12
    )


@pytest.mark.parametrize(
    "model",
    [
        RandomForestClassifier(5, random_state=0),
        SklearnLogistic(),
        DummyClassifier(strategy="prior"),
        RidgeClassifier(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_classifiers_of_scikit_learn_are_reported_too(model, path, drawn):
    contents = pt.report(model.fit(X, Y), X, Y, path, cv=2)
    assert contents.numbers["scores"]["accuracy"]["value"] == model.score(X, Y)
    assert contents.numbers["model"]["fit_status"] is None
    assert contents.numbers["cross_validation"]["folds"] == 2


@pytest.mark.parametrize("name", ["least squares", "Fisher", "perceptron"])
def test_models_without_probabilities_have_what_applies(name, path, drawn):
    from tests.storage.models import MODELS, TEXT

    model, rows = MODELS[name]()
    numbers = pt.report(model, rows, TEXT, path).numbers
    assert list(numbers["scores"]) == ["accuracy"]
    assert numbers["scores"]["accuracy"]["value"] == (model.predict(rows) == TEXT).mean()
    assert all(row["probability"] is None and row["answer"] != row["class"] for row in numbers["worst"])


def test_decisions_are_told_by_what_they_cost_and_refuse(path, drawn):
    model = pt.LogisticRegression(prior=1.0).fit(X, TWO)
    refusing = pt.RejectOption(model, threshold=0.8)
    numbers = pt.report(refusing, X, TWO, path).numbers
    assert numbers["decisions"]["rejected"] == pytest.approx(refusing.is_rejected(X).mean())
    assert numbers["confusion"]["answers"] == ["no", "yes", "rejected"]
    kept = ~refusing.is_rejected(X)
    assert numbers["decisions"]["accuracy_of_the_others"] == pytest.approx((model.predict(X) == TWO)[kept].mean())
    costs = {"act": {"no": 5.0, "yes": 0.0}, "wait": {"no": 0.0, "yes": 1.0}}
    dear = pt.CostSensitive(model, costs)
    numbers = pt.report(dear, X, TWO, path).numbers
    paid = [costs[action][label] for action, label in zip(dear.predict(X), TWO, strict=True)]
    assert numbers["decisions"]["mean_cost"] == pytest.approx(np.mean(paid))
    constant = [np.mean([costs[action][label] for label in TWO]) for action in costs]
    assert numbers["decisions"]["mean_cost_of_the_best_single_action"] == pytest.approx(min(constant))
    assert numbers["confusion"]["answers"] == ["act", "wait"]


def test_the_worst_rows_are_those_of_least_probability_of_their_class(path):
    model = pt.LogisticRegression().fit(X, Y)
    numbers = pt.report(model, X, Y, path, cv=None).numbers["worst"]
    own = model.predict_proba(X)[np.arange(120), CODES]
    order = np.argsort(own)[: len(numbers)]
    assert [row["row"] - 1 for row in numbers] == order.tolist()
    assert [row["probability"] for row in numbers] == pytest.approx(own[order].tolist())
    assert [row["class"] for row in numbers] == Y[order].tolist()


def test_many_classes_list_their_confusions_in_place_of_a_wide_table(path):
    labels = np.arange(300) % 20
    rows = np.column_stack([labels, labels % 3]) + np.random.default_rng(0).normal(size=(300, 2))
    contents = pt.report(pt.GaussianClassifier().fit(rows, labels), rows, labels, path, cv=None)
    (errors,) = [section for section in contents.sections if section.anchor == "errors"]
    assert errors.parts[0].caption == "Most frequent errors"
    assert len(contents.numbers["confusion"]["counts"]) == 20


def test_weighted_means_have_the_error_of_plain_ones_where_weights_are_equal():
    values = np.random.default_rng(0).normal(size=50)
    assert mean_of(values, np.full(50, 3.0)) == pytest.approx(
        (values.mean(), mean_standard_error(values, np.arange(50)))
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": X[:0], "y": Y[:0]}, "0 sample"),
        ({"X": X, "y": Y[:10]}, "inconsistent numbers of samples"),
        ({"X": X, "y": None}, "requires y"),
        ({"X": X, "y": "species"}, "names a column, but X is not a frame"),
        ({"X": X, "y": np.full(120, "black")}, "no rows to score: of 120 rows, 120 of an unknown class"),
        ({"X": None, "y": Y}, "pass X too"),
        ({"X": pd.DataFrame(X, columns=list("abc")), "y": "d"}, "there is no column 'd'"),
        ({"X": X, "y": Y, "sample_weight": -np.ones(120)}, "weight"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_scored_is_a_data_error(arguments, message, path):
    model = pt.GaussianClassifier().fit(X, Y)
    with pytest.raises(pt.DataError, match=message):
        pt.report(model, **arguments, path=path)
    assert not path.exists()


def test_only_fitted_classifiers_are_reported(path):
    from sklearn.exceptions import NotFittedError
    from sklearn.linear_model import LinearRegression

    with pytest.raises(NotFittedError):
        pt.report(pt.LogisticRegression(), X, Y, path)
    with pytest.raises(pt.DataTypeError, match="needs a classifier; LinearRegression"):
        pt.report(LinearRegression().fit(X, CODES), X, CODES, path)


def test_labels_of_every_type_are_matched(path):
    from tests.storage.models import LABELS
    from tests.storage.models import X as rows

    for labels in LABELS.values():
        numbers = pt.report(pt.GaussianClassifier().fit(rows, labels), rows, labels, path, cv=None).numbers
        assert numbers["data"]["left_out"] == {}
        assert numbers["data"]["scored"] == 60


def test_an_absent_folder_raises_before_any_work(tmp_path):
    with pytest.raises(FileNotFoundError):
        pt.report(object(), X, Y, tmp_path / "none" / "r.html")


def test_without_the_packages_the_error_names_the_command_that_installs_them(path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"reports need jinja2: pip install 'posteriori\[report\]'"):
        pt.report(pt.GaussianClassifier().fit(X, Y), X, Y, path)


def test_a_separated_fit_is_reported_once_and_first_with_its_remedy(path, drawn):
    with pytest.warns(pt.SeparationWarning):
        model = pt.LogisticRegression().fit(X[:, :1], X[:, 0] > 0)
    contents = pt.report(model, X[:, :1], X[:, 0] > 0, path)
    (alert,) = contents.alerts
    assert (alert.title, alert.tone) == ("Some coefficients have no finite estimate.", "warning")
    assert "prior='jeffreys'" in alert.text
    (fit,) = [section for section in contents.sections if section.anchor == "fit"]
    assert fit.parts[0].paragraphs[0].startswith("Fit status separated: the classes are separated")
    assert not [part for part in fit.parts if part.kind == "callout"]
    (learned,) = [section for section in contents.sections if section.anchor == "parameters"]
    (grid,) = learned.parts  # directions in place of a figure and tables without a number
    sign = "+" if model.coef_[0, 0] > 0 else "\u2212"
    assert grid.rows[1] == ("x0", f"{sign}\u221e")
    text = path.read_text(encoding="utf-8")
    assert text.index("Some coefficients have no finite estimate.") < text.index("<nav")
    assert text.count("weakly informative prior") == 1


def test_half_of_a_stratified_split_is_not_taken_for_the_rows_of_the_fit(path):
    rows, labels = np.tile(X[:60], (2, 1)) + 0.01 * X, np.tile(Y[:60], 2)
    for model in (pt.GaussianClassifier(), pt.NaiveBayes(), pt.TableClassifier(pt.GaussianClassifier())):
        model.fit(rows[:60], labels[:60])
        for half, origin in ((slice(60), "training"), (slice(60, None), "other")):
            numbers = pt.report(model, rows[half], labels[half], path, cv=None).numbers
            assert numbers["data"]["origin"] == origin


def test_rows_that_are_all_classified_correctly_are_not_taken_for_those_of_a_separated_fit(path):
    with pytest.warns(pt.SeparationWarning):
        model = pt.LogisticRegression().fit(X, X[:, 0] > 0)
    new = np.sign(X[:, :1]) * np.column_stack([np.full(120, 5.0), *X[:, 1:].T * np.sign(X[:, 0])])
    numbers = pt.report(model, new, new[:, 0] > 0, path, cv=None).numbers
    assert numbers["scores"]["accuracy"]["value"] == 1.0
    assert numbers["data"]["origin"] in ("probably training", "other")


@pytest.mark.parametrize("table", [False, True])
def test_the_rows_of_a_weighted_fit_without_their_weights_may_be_those_of_the_fit(table, path):
    weights = 1.0 + np.arange(120) % 3
    for inner in (pt.LogisticRegression(), *([pt.GaussianClassifier()] if table else [])):
        model = (pt.TableClassifier(inner) if table else inner).fit(X, Y, sample_weight=weights)
        assert pt.report(model, X, Y, path, cv=None).numbers["data"]["origin"] == "unknown"
        numbers = pt.report(model, X, Y, path, cv=None, sample_weight=weights).numbers
        assert numbers["data"]["origin"] == "training"


def test_the_first_sentence_compares_the_model_with_the_baseline(path):
    good = pt.report(pt.LogisticRegression().fit(X, Y), X, Y, path)
    assert good.headline[0].startswith(
        "On held-out rows (5-fold cross-validation) the model is better than the baseline that always predicts the "
    )
    noise = np.random.default_rng(0).integers(2, size=120)
    useless = pt.report(pt.LogisticRegression().fit(X, noise), X, noise, path)
    assert "there is no evidence that the model is better than the baseline" in useless.headline[0]
    half = pt.LogisticRegression().fit(X[:60], TWO[:60])
    assert half.predict(X).tolist() != TWO.tolist()
    wrong = pt.report(half, X[60:], np.where(TWO[60:] == "yes", "no", "yes"), path)
    assert wrong.headline[0].startswith("On 60 rows that are not exactly the training rows, the model is worse than")
    one = pt.report(half, X[TWO == "yes"], TWO[TWO == "yes"], path)
    assert "All rows are of one class" in one.headline[0]
    zero = pt.NaiveBayes(families="categorical", smoothing=0.0).fit([[0], [1], [1]], ["no", "yes", "yes"])
    infinite = pt.report(zero, [[0], [1]] * 2, ["yes", "yes", "no", "yes"], path)
    assert "log loss infinite (a true class had probability zero) against" in infinite.headline[0]


def test_a_model_without_known_training_rows_is_cross_validated_and_new_rows_are_scored_directly(path):
    unknown = pt.report(SklearnLogistic().fit(X, Y), X, Y, path)
    assert unknown.numbers["cross_validation"]["folds"] == 5
    model = pt.LogisticRegression().fit(X[:60], Y[:60])
    scored = pt.report(model, X[60:], Y[60:], path, cv=2)
    accuracy = model.score(X[60:], Y[60:])
    assert scored.headline[0].startswith("On 60 rows that are not exactly the training rows,")
    assert f"Accuracy {100 * accuracy:.1f} %" in scored.headline[0]
    (grid,) = [part for part in scored.sections[0].parts if part.kind == "grid"]
    assert grid.header[-1] == "all these rows"


def test_each_trial_of_class_counts_is_a_case_in_the_intervals(path):
    rows, dead, trials = np.array([[0.0], [1.0], [2.0]]), np.array([5, 20, 33]), np.array([40, 40, 40])
    model = pt.LogisticRegression().fit(rows, pt.counts(successes=dead, trials=trials))
    counted = pt.report(model, rows, pt.counts(successes=dead, trials=trials), path).numbers["scores"]
    each = np.repeat(rows, 40, axis=0)
    labels = np.concatenate([np.arange(40) < k for k in dead]).astype(int)
    single = pt.report(model, each, labels, path, cv=None).numbers["scores"]
    for name in METRICS:
        if name != "calibration_error":  # its bins are of rows
            assert counted[name] == pytest.approx(single[name])


def test_extreme_ratios_have_advice_and_class_counts_are_cases(path):
    rows, y = np.array([[1.69], [1.76], [1.81], [1.88]]), pt.counts(successes=[6, 18, 52, 60], trials=[59, 62, 63, 61])
    contents = pt.report(pt.LogisticRegression().fit(rows, y), rows, y, path)
    assert contents.headline[0].startswith("On the 245 cases that it was fitted to")
    (learned,) = [section for section in contents.sections if section.anchor == "parameters"]
    assert any("measure the column in smaller units" in sentence for sentence in learned.parts[-1].foot)


def test_coefficients_of_which_none_is_identified_are_not_drawn(path, drawn):
    with pytest.warns(pt.CollinearityWarning):
        model = pt.LogisticRegression().fit(X[:, [0, 0]], TWO)
    contents = pt.report(model, path=path)
    (learned,) = [section for section in contents.sections if section.anchor == "parameters"]
    assert [part.kind for part in learned.parts] == ["grid"]
    assert [row[4] for row in learned.parts[0].rows[1:]] == ["aliased", "aliased"]
    assert contents.alerts[0].title == "Some coefficients are not identified."


def test_rows_of_each_class_are_counted_and_reference_levels_named(birds, path):
    model = pt.TableClassifier(pt.LogisticRegression(prior=1.0), missing="drop", reference={"island": "Dream"})
    contents = pt.report(model.fit(birds, "sex"), birds, None, path, cv=None)
    whole = birds.dropna()["sex"].value_counts()
    numbers = contents.sections[0].parts[0].paragraphs[0]
    assert f"Classes: female ({whole['female']}), male ({whole['male']})." in numbers
    (learned,) = [section for section in contents.sections if section.anchor == "parameters"]
    assert "Reference levels: species=Adelie, island=Dream." in learned.parts[-1].foot
    assert "Training rows: 333 (11 excluded because of missing values)" in contents.headline[-1]


def test_of_many_coefficients_those_farthest_from_zero_in_standard_errors_are_shown(path):
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((400, 80))
    labels = rows[:, 77] + rng.logistic(size=400) > 0
    model = pt.LogisticRegression().fit(rows, labels)
    contents = pt.report(model, path=path)
    (grid,) = [part for section in contents.sections if section.anchor == "parameters" for part in section.parts]
    z = {row.term: abs(row.z) for row in model.summary().rows if row.term != "(Intercept)"}
    wanted = sorted(z, key=z.get)[-59:]
    assert [row[0] for row in grid.rows] == ["(Intercept)", *(term for term in z if term in wanted)]
    assert "x77" in wanted
    assert grid.foot[0].startswith("60 of 81 lines: those farthest from zero in standard errors")


def test_a_model_with_shifted_priors_is_not_assessed_by_rows_with_the_training_frequencies(path):
    model = pt.PriorShift(pt.LogisticRegression(), [0.05, 0.95]).fit(X, TWO)
    assert "rows with the training frequencies cannot assess" in pt.report(model, X, TWO, path).headline[0]
    assert "cannot assess" not in pt.report(model, X[:50], TWO[:50], path).headline[0]


@pytest.mark.parametrize(
    ("family", "change"),
    [("gamma", np.exp), ("beta", lambda x: 1 / (1 + np.exp(-x))), ("bernoulli", lambda x: 1.0 * (x > 0))],
)
def test_the_round_ends_of_a_figure_stay_in_the_domain_of_the_columns(family, change, path, drawn):
    rows = change(X[:, :1])
    pt.report(pt.NaiveBayes(families=family).fit(rows, TWO), rows, TWO, path, cv=None)
    text = path.read_text(encoding="utf-8")
    assert 'id="density-' in text or 'aria-label="Densities' in text
    assert "There is no figure" not in text


def test_a_notebook_shows_title_headline_and_alerts_escaped(path):
    contents = pt.report(pt.LogisticRegression().fit(X, Y), X, Y, path, title="<b>", cv=None)
    shown = contents._repr_html_()
    assert shown.startswith("<strong>&lt;b&gt;</strong><p>On the 120 rows")
    assert shown.count("<p>") == len(contents.headline)


def test_warnings_of_the_model_about_new_rows_are_emitted_once(birds, path):
    model = pt.TableClassifier(pt.NaiveBayes()).fit(birds, "species")
    new = birds.copy()
    new.loc[2, "island"] = "Atlantis"
    with pytest.warns(pt.UnseenCategoryWarning) as caught:
        contents = pt.report(model, new, None, path, cv=None)
    assert len(caught) == 1
    assert contents.numbers["data"]["scored"] == len(new)
    assert "Atlantis" not in path.read_text(encoding="utf-8")


def test_formulas_and_averages_are_reported(birds, path):
    whole = birds.dropna()
    formula = pt.LogisticRegression.from_formula("sex ~ species * body_mass_g + C(island)", whole)
    numbers = pt.report(formula, birds, None, path).numbers
    assert numbers["data"]["origin"] == "training"
    assert numbers["data"]["scored"] == len(whole)
    assert numbers["cross_validation"]["rows"] == len(whole)
    average = pt.ModelAverage([pt.LogisticRegression(prior=1.0), pt.GaussianClassifier()], weights=[3.0, 1.0]).fit(X, Y)
    numbers = pt.report(average, X, Y, path).numbers
    assert [each["weight"] for each in numbers["model"]["average"]] == [0.75, 0.25]
    assert numbers["scores"]["log_loss"]["value"] == pytest.approx(
        sklearn_log_loss(Y, average.predict_proba(X)), rel=1e-9
    )

"""The page: valid, self-contained, escaped, and without values of rows."""

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import posteriori as pt
from posteriori.cli.commands.demo import PENGUINS
from posteriori.reports import assemble
from tests.reports.pages import Page
from tests.storage.models import CODES, MODELS, TEXT, frame

EVIL = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</title></style><svg onload=alert(1)>",
        "a\x1b[31m\x07b", "{{ 7*7 }}{% raw %}", "&amp; $x_1$ $\\frac$", "\u202eright to left"]  # fmt: skip


def written(path) -> str:
    text = path.read_text(encoding="utf-8")
    assert text.lstrip().startswith("<!DOCTYPE html>")
    assert len(text) < 1_500_000
    for drawing in re.findall(r"<svg .*?</svg>", text, re.S):
        ElementTree.fromstring(drawing)  # what is no XML has no place in a drawing
    return text


def labels_of(model, X):
    y = TEXT if len(model.classes_) == 3 else CODES > 1
    if len(X) == 60:
        return y
    whole = (
        frame()["colour"].notna()
        if list(getattr(X, "columns", [])) == ["colour", "tame"]
        else frame().notna().all(axis=1)
    )
    return y[whole]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.slow
def test_every_storable_model_has_a_report_on_rows(name, tmp_path, without_layout):
    model, X = MODELS[name]()
    path = tmp_path / "report.html"
    contents = pt.report(model, X, labels_of(model, X), path, cv=None)
    page = Page(written(path))
    page.check()
    assert "Performance" in page.text
    wanted = {"title", "model", "data", "scores", "confusion", "worst", "decisions", "cross_validation"}
    assert wanted <= set(contents.numbers)
    assert not [text for text in page.texts if "There is no figure of" in text]


@pytest.mark.parametrize("name", ["softmax", "naive Bayes of all kinds", "LSPC", "perceptron", "table by a formula"])
def test_a_model_without_rows_has_a_report_of_its_own(name, tmp_path):
    model, _ = MODELS[name]()
    contents = pt.report(model, path=tmp_path / "report.html")
    page = Page(written(tmp_path / "report.html"))
    page.check()
    assert "Performance" not in page.text
    assert "scores" not in contents.numbers


def test_the_contents_are_listed_and_can_be_reached(tmp_path, without_figures):
    X, y = np.arange(12.0)[:, None], [0, 1] * 6
    contents = pt.report(pt.GaussianClassifier().fit(X, y), X, y, tmp_path / "r.html")
    page = Page(written(tmp_path / "r.html"))
    links = [target for target in page.attributes("href") if target.startswith("#")]
    anchors = [section.anchor for section in contents.sections]
    assert links[: len(anchors)] == [f"#{anchor}" for anchor in anchors]
    assert "prefers-color-scheme: dark" in written(tmp_path / "r.html")
    assert "default-src 'none'" in written(tmp_path / "r.html")


@pytest.mark.parametrize("evils", [EVIL[:4], EVIL[3:]], ids=["markup", "marks"])
@pytest.mark.parametrize("inner", [pt.LogisticRegression(prior=1.0), pt.NaiveBayes(), pt.FisherDiscriminant()], ids=str)
def test_names_of_columns_classes_levels_and_targets_are_never_markup(inner, evils, tmp_path, without_layout):
    rng = np.random.default_rng(0)
    target = f"y {' '.join(evils)}"
    data = pd.DataFrame(
        {
            **{evil: rng.standard_normal(80) for evil in evils},
            "level": np.array(["plain", *evils])[rng.integers(1 + len(evils), size=80)],
            target: np.array([f"yes {evil}" for evil in evils])[np.arange(80) % len(evils)],
        }
    )
    path, title = tmp_path / "r.html", " ".join(evils)
    pt.report(pt.TableClassifier(inner).fit(data, target), data, None, path, title=title, values=True, cv=None)
    text = written(path)
    Page(text).check()
    assert not re.search(r"<script|<img src=x|<svg onload|</title></style>", text)
    assert "49" not in Page(text).text.partition("raw")[0][-200:]
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\u202e]", text)


def test_two_numeric_columns_with_evil_names_are_drawn_without_markup(tmp_path):
    rng = np.random.default_rng(1)
    data = pd.DataFrame({EVIL[0]: rng.standard_normal(40), EVIL[3]: rng.standard_normal(40)})
    y = np.array(["<b>a</b>", "b & c"])[(data[EVIL[0]] + rng.standard_normal(40) > 0).astype(int)]
    model = pt.TableClassifier(pt.GaussianClassifier()).fit(data, y)
    pt.report(model, data, y, tmp_path / "r.html")
    text = written(tmp_path / "r.html")
    Page(text).check()
    assert "<b>" not in text
    assert "posterior-" in text or "data:image/png" in text


@pytest.mark.slow
def test_no_value_of_a_row_is_in_the_report_unless_requested(tmp_path):
    rng = np.random.default_rng(2)
    secret = np.round(rng.uniform(10, 99, size=(50, 2)), 6)
    y = np.where(secret[:, 0] + 30 * rng.standard_normal(50) > 50, "yes", "no")
    model = pt.LogisticRegression().fit(secret, y)
    path = tmp_path / "r.html"
    contents = pt.report(model, secret, y, path)
    shown = [f"{value:.6f}".rstrip("0") for value in secret.ravel()]
    assert not [value for value in shown if value in written(path)]
    assert contents.numbers["worst"]
    assert all(set(row) == {"row", "class", "answer", "probability"} for row in contents.numbers["worst"])
    pt.report(model, secret, y, path, values=True)
    worst = contents.numbers["worst"][0]["row"] - 1
    assert f"{secret[worst, 0]:.4g}" in written(path)


def test_marks_of_rows_are_drawn_only_where_values_are_allowed(tmp_path):
    from posteriori.reports.sections import figures

    rng = np.random.default_rng(3)
    X = rng.standard_normal((30, 1))
    y = X[:, 0] + rng.standard_normal(30) > 0
    model = pt.LogisticRegression().fit(X, y)
    counted = {}
    for values in (False, True):
        pt.report(model, X, y, tmp_path / "r.html", values=values, cv=None)
        drawing = written(tmp_path / "r.html").partition('id="posterior-')[2].partition("</svg>")[0]
        counted[values] = drawing.count("<use ")
    assert counted[True] >= counted[False] + 30
    assert figures.MARKS > 30


def drawing_of(text, name):
    return text.partition(f'id="{name}-')[2].partition("</svg>")[0]


@pytest.mark.parametrize("columns", [1, 2])
def test_figures_end_at_round_numbers_not_at_values_of_rows(columns, tmp_path, monkeypatch):
    rng = np.random.default_rng(4)
    X = rng.uniform(1, 9, size=(30, columns))
    y = X[:, 0] + 3 * rng.standard_normal(30) > 5
    model = pt.GaussianClassifier().fit(X, y)
    monkeypatch.setattr(assemble, "probability_figures", lambda *arguments: [])
    drawn = []
    for largest in (9.31, 9.37):
        X[3, 0] = largest
        pt.report(model, X, y, tmp_path / "r.html", cv=None)
        text = written(tmp_path / "r.html")
        drawn.append([drawing_of(text, name) for name in ("posterior", "density")])
    assert all(drawn[0])
    assert drawn[0] == drawn[1]


def test_labels_the_model_does_not_know_are_values_of_rows(tmp_path, without_figures):
    X, y = np.arange(12.0)[:, None], np.array(["a", "b"] * 6, dtype=object)
    model = pt.GaussianClassifier().fit(X, y)
    y[4] = "Mrs Smith"
    for values in (False, True):
        contents = pt.report(model, X, y, tmp_path / "r.html", cv=None, values=values)
        text = written(tmp_path / "r.html")
        assert "1 label unknown to the model" in text
        assert ("Mrs Smith" in text) == values
        assert contents.numbers["data"]["unknown_classes"] == {"Mrs Smith": 1}


def test_centres_of_a_basis_and_reasons_of_failures_are_not_in_the_report(tmp_path, monkeypatch):
    from posteriori.reports.sections import figures

    def fail(*given, **named):
        raise pt.DataError("row 3 holds 47.110815")

    X = np.round(np.random.default_rng(5).uniform(10, 99, size=(30, 2)), 6)
    y = X[:, 0] > 50
    model = pt.LogisticRegression(basis=pt.KernelBasis(20.0, X[:4]), prior=1.0).fit(X, y)
    monkeypatch.setattr(figures.ReliabilityDisplay, "from_estimator", fail)
    contents = pt.report(model, X, y, tmp_path / "r.html", cv=None)
    text = written(tmp_path / "r.html")
    assert "There is no figure of reliability." in text
    assert "47.110815" not in text
    assert (
        contents.numbers["model"]["parameters"]["basis"] == "KernelBasis(bandwidth=20.0, centers=array of shape (4, 2))"
    )
    assert not [value for value in X.ravel() if f"{value:.6f}".rstrip("0") in text + str(contents.numbers)]


def test_greys_of_a_figure_follow_the_page_in_the_dark(tmp_path):
    X, y = np.arange(20.0)[:, None], [0, 1] * 10
    pt.report(pt.LogisticRegression().fit(X, y), X, y, tmp_path / "r.html", cv=None)
    colours = set(re.findall(r"(?:fill|stroke): (#[0-9a-f]{6})", written(tmp_path / "r.html")))
    dark = [colour for colour in colours if max(bytes.fromhex(colour[1:])) < 0x60]
    assert not dark


def test_the_same_report_is_the_same_file(tmp_path):
    X, y = np.arange(20.0)[:, None], [0, 1] * 10
    model = pt.LogisticRegression().fit(X, y)
    for name in ("a.html", "b.html"):
        pt.report(model, X, y, tmp_path / name)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_drawing_leaves_matplotlib_as_it_was(tmp_path):
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    before, open_before = dict(mpl.rcParams), plt.get_fignums()
    X, y = np.arange(20.0)[:, None], [0, 1] * 10
    pt.report(pt.LogisticRegression().fit(X, y), X, y, tmp_path / "r.html")
    assert dict(mpl.rcParams) == before
    assert plt.get_fignums() == open_before


def test_a_report_of_the_penguins_reads_well(tmp_path, without_figures):
    birds = pd.read_csv(PENGUINS)
    model = pt.TableClassifier(pt.LogisticRegression(prior=1.0), missing="drop").fit(birds, "species")
    pt.report(model, birds, None, tmp_path / "r.html")
    text = Page(written(tmp_path / "r.html")).text
    assert "Model: logistic (LogisticRegression). Target: species (Adelie, Chinstrap, Gentoo)" in text
    assert "Training rows: 333 (11 excluded because of missing values). The fit completed without warnings." in text
    assert "344 rows, 333 of them scored. Excluded: 11 rows with missing values that the model does not accept." in text
    assert "Training scores are optimistic. The model was fitted to these rows." in text
    assert "Scores by 5-fold cross-validation" in text
    assert "species = Chinstrap (reference Adelie) relative-risk ratio 95 % CI coefficient std. error" in text


@pytest.mark.slow
def test_many_classes_and_columns_stay_readable(tmp_path, without_figures):
    rng = np.random.default_rng(0)
    labels = np.arange(90) % 30
    rows = pd.DataFrame(rng.standard_normal((90, 250)), columns=[f"column {j}" for j in range(250)])
    for inner in (pt.GaussianClassifier(covariance="diagonal"), pt.NaiveBayes()):
        contents = pt.report(
            pt.TableClassifier(inner).fit(rows, labels), rows, labels, tmp_path / "r.html", values=True
        )
        page = Page(written(tmp_path / "r.html"))
        page.check()
        assert "There are no cross-validated scores: it might take long with 90 rows of 250 columns" in page.text
        assert "The first 200 of 250 columns." in page.text
        assert "18 more classes are not shown here" in page.text
        assert len(contents.numbers["model"]["columns"]) == 250
    widths = [len(part.header) for section in contents.sections for part in section.parts if part.kind == "grid"]
    assert max(widths) <= 16


@pytest.mark.slow
def test_a_large_drawing_becomes_an_image(tmp_path, monkeypatch):
    from posteriori.reports import pictures

    monkeypatch.setattr(pictures, "LARGEST", 1000)
    X, y = np.arange(20.0)[:, None], [0, 1] * 10
    pt.report(pt.LogisticRegression().fit(X, y), X, y, tmp_path / "r.html")
    page = Page(written(tmp_path / "r.html"))
    page.check()
    assert not [tag for tag, _ in page.tags if tag == "svg"]
    assert all(source.startswith("data:image/png;base64,iVBOR") for source in page.attributes("src"))
    assert page.attributes("src")


def test_a_decision_around_a_regression_shows_its_coefficients(tmp_path, without_figures):
    X, y = np.arange(20.0)[:, None], ["a", "b"] * 10
    model = pt.RejectOption(pt.LogisticRegression().fit(X, y), threshold=0.6)
    contents = pt.report(model, X, y, tmp_path / "r.html").numbers
    assert contents["table"] == pt.LogisticRegression().fit(X, y).summary().to_dict()
    assert contents["model"]["class"] == "LogisticRegression"
    assert contents["model"]["around"] == [
        {"class": "RejectOption", "parameters": {"cost": None, "reject_label": None, "threshold": 0.6}}
    ]
    assert "Wrapped in RejectOption." in Page(written(tmp_path / "r.html")).text

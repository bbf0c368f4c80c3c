"""No model file takes much more memory to load, or to predict with, than its own size."""

import copy
import json
import tracemalloc

import numpy as np
import pytest

import posteriori as pt
from posteriori.storage import container
from posteriori.storage import tree_keys as grammar
from posteriori.storage.container import parse
from tests.storage.models import CODES, MODELS, TEXT, X, frame
from tests.storage.test_hostile_files import attributes_of, forged, header, learned_of, metadata
from tests.storage.test_hostile_formulas import nodes

SLACK = 50_000_000


def saved(model, path):
    pt.save(model, path)
    return path


def by_formula(path):
    return saved(MODELS["table by a formula"]()[0], path)


def product_of(number):
    """Write a term that is the product of so many categories, each with all its levels."""

    def change(tree, _):
        coding = next(nodes(tree, "FormulaCoding"))
        factors, terms = coding["factors"]["tuple"], coding["terms"]["tuple"]
        category = next(factor for factor in factors if "CategoryFactor" in factor)
        places = list(range(len(factors), len(factors) + number))
        factors += [copy.deepcopy(category) for _ in places]
        product = {"FormulaProduct": {"factors": {"tuple": places}, "whole": {"tuple": places}}}
        terms.append({"FormulaTerm": {"title": "all", "products": {"tuple": [product]}}})

    return lambda path: forged(by_formula(path), change)


def long_names(path):
    """Write a category of many levels with a long name, which its columns repeat."""

    def change(tree, _):
        category = next(factor for factor in nodes(tree, "CategoryFactor") if factor["column"])
        category["title"] = "a" * 30_000
        category["levels"] = {"tuple": [str(i) for i in range(30_000)]}

    forged(by_formula(path), change)


def wide_text(path):
    def change(tree, _):
        narrow = {"array": {"values": ["a"] * 167, "dtype": "<U99999", "shape": [167]}}
        attributes_of(tree)["extra_"] = [narrow] * 16

    forged(saved(pt.GaussianClassifier().fit(X, TEXT), path), change)


def many_columns(model):
    def change(tree, _):
        learned = learned_of(tree)
        if "columns" in learned:
            learned["columns"]["InputColumns"]["number"] = 30_000_000
        else:
            learned["n_features_in_"] = 30_000_000

    return lambda path: forged(saved(model, path), change)


def header_of_lists(path):
    path.write_bytes(header(b"{" + b'"a":[' + b"[]," * 300_000 + b"[]]}"))


def header_of_names(path):
    path.write_bytes(header(b"{" + b",".join(b'"%06d":0' % i for i in range(200_000)) + b"}"))


def tree_of_lists(path):
    path.write_bytes(header(json.dumps(metadata(tree="[" + "[]," * 300_000 + "[]]")).encode()))


def empty_bytes_after_the_tensors(path):
    saved(pt.GaussianClassifier().fit(X, TEXT), path)
    with open(path, "r+b") as stream:
        stream.truncate(2**30)


def knots(number):
    def change(tree, tensors):
        spline = next(each for each in nodes(tree, "Expression") if each["operation"] == "cr")
        kept = dict(spline["learned"]["dict"])
        tensors[kept["knots"]["array"]["tensor"]] = np.linspace(kept["lower"], kept["upper"], number)
        width = tensors[kept["turn"]["array"]["tensor"]].shape[1]
        tensors[kept["turn"]["array"]["tensor"]] = np.ones((number, width))

    return lambda path: forged(by_formula(path), change)


GREEDY = {
    "the product of 12 categories": product_of(12),
    "the product of 60 categories": product_of(60),
    "the product of 500 categories": product_of(500),
    "long names of many levels": long_names,
    "wide arrays of text": wide_text,
    "columns that a naive Bayes does not have": many_columns(pt.NaiveBayes().fit(X, TEXT)),
    "columns that a table does not have": many_columns(MODELS["joint table"]()[0]),
    "columns that a perceptron does not have": many_columns(MODELS["perceptron, two classes, pocket"]()[0]),
    "columns that a regression does not have": many_columns(pt.LogisticRegression().fit(X, TEXT)),
    "columns that a basis does not have": many_columns(
        pt.LogisticRegression(basis=pt.SigmoidBasis([0.0], 1.0), prior=1.0).fit(X, TEXT)
    ),
    "columns that least squares do not have": many_columns(pt.LeastSquaresClassifier().fit(X, TEXT)),
    "columns that no model inside has": many_columns(MODELS["one versus rest"]()[0]),
    "a header of empty lists": header_of_lists,
    "a header of short names": header_of_names,
    "a tree of empty lists": tree_of_lists,
    "empty bytes after the tensors": empty_bytes_after_the_tensors,
    "a spline of 3000 knots": knots(3000),
}


def most_memory(work) -> int:
    """Return the most memory that Python and numpy had at once while working."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", GREEDY)
@pytest.mark.slow
def test_a_file_that_asks_for_more_than_it_has_is_refused_before_it_gets_it(name, tmp_path):
    path = tmp_path / "m"
    GREEDY[name](path)
    size = path.stat().st_blocks * 512

    def load():
        with pytest.raises(pt.ModelFileError):
            pt.load(path)

    assert most_memory(load) < 20 * size + SLACK


def test_a_spline_of_as_many_knots_as_are_allowed_predicts_in_little_memory(tmp_path):
    knots(999)(tmp_path / "m")
    model, rows = pt.load(tmp_path / "m"), frame().dropna().iloc[:10]
    assert most_memory(lambda: model.predict(rows)) < 20 * (tmp_path / "m").stat().st_size + SLACK


def test_too_little_memory_is_said_as_such(tmp_path, monkeypatch):
    saved(pt.GaussianClassifier().fit(X, CODES), tmp_path / "m")

    def full(_):
        raise MemoryError

    monkeypatch.setattr(container.json, "loads", lambda *_, **__: full(0))
    with pytest.raises(pt.ModelFileError, match="not enough memory"):
        pt.load(tmp_path / "m")


def test_what_could_not_be_loaded_is_not_saved(tmp_path):
    model = pt.GaussianClassifier().fit(X, TEXT)
    model.extra_ = np.array(["a"] * 3000 + ["b" * 3000])
    with pytest.raises(pt.ModelFileError, match="shorten the longest"):
        pt.save(model, tmp_path / "m")
    tree = json.dumps([[]] * 20_000)
    with pytest.raises(pt.ModelFileError, match="too large for a model file"):
        container.to_bytes(container.FileContents("0", "GaussianClassifier", tree, {}))
    assert list(tmp_path.iterdir()) == []


def test_json_of_a_legitimate_density_is_read():
    many = json.dumps([{"tuple": ["a", "b"]}] * 5000)
    assert len(parse(many)) == 5000
    assert grammar.DEEPEST == 40


CONTROL = "red\x1b[31m\u202e\x07\n"


@pytest.mark.parametrize(
    "change",
    [
        lambda tree, _: tree.update({CONTROL: tree.pop("GaussianClassifier")}),
        lambda tree, _: attributes_of(tree).update({CONTROL: 1}),
        lambda tree, _: learned_of(tree).update(status=CONTROL),
        lambda tree, _: attributes_of(tree).update(extra_={CONTROL: 1}),
        lambda tree, _: attributes_of(tree).update(extra_={"array": {"dtype": CONTROL}}),
        lambda tree, _: tree["GaussianClassifier"]["parameters"].update({CONTROL: 1}),
    ],
    ids=range(6),
)
def test_no_message_repeats_control_characters_of_a_file(change, tmp_path):
    forged(saved(pt.GaussianClassifier().fit(X, TEXT), tmp_path / "m"), change)
    with pytest.raises(pt.ModelFileError) as caught:
        pt.load(tmp_path / "m")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("text", [f'{{"__metadata__":{{}},"t{CONTROL}":{{}}}}', f'{{"{CONTROL}":1,"{CONTROL}":2}}'])
def test_no_message_repeats_control_characters_of_a_header(text, tmp_path):
    (tmp_path / "m").write_bytes(header(json.dumps(json.loads(text, strict=False)).encode()))
    with pytest.raises(pt.ModelFileError) as caught:
        pt.load(tmp_path / "m")
    assert str(caught.value).isprintable()


def test_a_long_message_is_cut(tmp_path):
    def change(tree, _):
        learned_of(tree)["status"] = "x" * 100_000

    forged(saved(pt.GaussianClassifier().fit(X, TEXT), tmp_path / "m"), change)
    with pytest.raises(pt.ModelFileError) as caught:
        pt.load(tmp_path / "m")
    assert len(str(caught.value)) < 2000

"""Whatever a file holds, loading it gives a model whose probabilities make sense, or a `ModelFileError`."""

import copy
import json
import pickle
import struct
import sys
import warnings
import zipfile

import numpy as np
import pytest

import posteriori as pt
from posteriori.storage import container
from posteriori.storage.container import FileContents, from_stream, to_bytes
from posteriori.storage.writer import encode
from tests.storage.models import CODES, MODELS, TEXT, X, frame


def parts(path) -> FileContents:
    with open(path, "rb") as stream:
        return from_stream(stream, path.stat().st_size)


def write_unchecked(model, path) -> None:
    """Write a model as `save` does, without its checks."""
    name = type(model).__name__
    path.write_bytes(to_bytes(FileContents("0", name, *encode(model, name))))


def assert_rejected(path, match: str | None = None) -> None:
    with pytest.raises(pt.ModelFileError, match=match):
        pt.load(path)


def loads_or_is_rejected(path, rows) -> bool:
    """Load; what loads must predict probabilities."""
    try:
        model = pt.load(path)
    except pt.ModelFileError:
        return False
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            probabilities = model.predict_proba(rows)
    except pt.DataError:  # a column that was renamed is asked for by its new name
        return True
    assert np.isfinite(probabilities).all()
    assert np.allclose(probabilities.sum(axis=1), 1)
    return True


@pytest.fixture
def saved(tmp_path):
    """Save a table of naive Bayes, which holds a value of almost every kind."""
    model, _ = MODELS["table of naive Bayes"]()
    pt.save(model, tmp_path / "m")
    return tmp_path / "m"


@pytest.mark.parametrize("name", ["table of naive Bayes", "softmax", "gaussian, own"])
def test_every_flipped_bit_is_noticed(name, tmp_path):
    model, _ = MODELS[name]()
    path = tmp_path / "m"
    pt.save(model, path)
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    places = {*range(64), *rng.integers(len(whole), size=150).tolist()}
    for at in places:
        flipped = bytearray(whole)
        flipped[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(flipped)
        assert_rejected(path)


def test_every_truncation_and_every_addition_is_noticed(saved):
    whole = saved.read_bytes()
    for length in {*range(80), *np.linspace(80, len(whole) - 1, 150, dtype=int).tolist()}:
        saved.write_bytes(whole[:length])
        assert_rejected(saved)
    saved.write_bytes(whole + b"\0")
    assert_rejected(saved, "damaged")


@pytest.mark.slow
def test_random_changes_to_the_tree_with_right_checksums_load_well_or_are_refused(saved):
    """A forger knows the checksum: what he can change must still be checked."""
    contents = parts(saved)
    rng = np.random.default_rng(2)
    rows = frame()
    outcomes = []
    for _ in range(300):
        tree = json.loads(contents.tree)
        mutate(tree, rng)
        saved.write_bytes(to_bytes(FileContents(contents.version, contents.kind, json.dumps(tree), contents.tensors)))
        outcomes.append(loads_or_is_rejected(saved, rows))
    assert outcomes.count(False) > 150


ODD = [None, True, -1, 3, 10**30, 2.5, "", "x", [], [[]], {}, {"array": {}}, {"tensor": "t0"}, {"float": "nan"},
       {"tuple": [1]}, {"dict": [[1, 2]]}, {"LogisticRegression": {}}, {"Column": {"name": "a"}}]  # fmt: skip


def mutate(node, rng) -> None:
    """Replace, delete or add one part somewhere below a node."""
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = keys[int(rng.integers(len(keys)))]
        if isinstance(node[key], dict | list) and node[key] and rng.random() < 0.85:
            node = node[key]
            continue
        if rng.random() < 0.2:
            del node[key]
        else:
            node[key] = copy.deepcopy(ODD[int(rng.integers(len(ODD)))])
        return


@pytest.mark.slow
def test_random_numbers_in_the_tensors_with_right_checksums_load_well_or_are_refused(saved):
    contents = parts(saved)
    rng = np.random.default_rng(3)
    for _ in range(200):
        tensors = {name: array.copy() for name, array in contents.tensors.items()}
        name = sorted(tensors)[int(rng.integers(len(tensors)))]
        array = tensors[name].reshape(-1)
        odd = [-1, 0, 2**31, 7] if array.dtype.kind == "i" else [np.nan, np.inf, -np.inf, -1.0, 1e300, 0.0]
        if array.size:
            array[int(rng.integers(array.size))] = rng.choice(odd)
        saved.write_bytes(to_bytes(FileContents(contents.version, contents.kind, contents.tree, tensors)))
        loads_or_is_rejected(saved, frame())


def forged(path, change) -> None:
    """Rewrite a file with another tree and right checksums."""
    contents = parts(path)
    tree = json.loads(contents.tree)
    tensors = dict(contents.tensors)
    change(tree, tensors)
    path.write_bytes(to_bytes(FileContents(contents.version, contents.kind, json.dumps(tree), tensors)))


def softmax(tmp_path):
    model, _ = MODELS["softmax"]()
    pt.save(model, tmp_path / "s")
    return tmp_path / "s"


def learned_of(tree):
    """Return what a fit learned: the fields of its model, or the attributes of an estimator without one."""
    learned = attributes_of(tree)
    return model_of(tree) if "model_" in learned else learned


def model_of(tree):
    """Return the fields of the model of a classifier."""
    return next(iter(attributes_of(tree)["model_"].values()))


def attributes_of(tree):
    """Return the learned attributes of an estimator."""
    (body,) = tree.values()
    return body["learned"]


def tensor_of(tree, name):
    return learned_of(tree)[name]["array"]["tensor"]


def test_inconsistent_fields_are_named(tmp_path):
    def names(tree, tensors):
        names = {"array": {"values": ["a", "b"], "dtype": "|O", "shape": [2]}}
        learned_of(tree)["columns"]["InputColumns"]["names"] = names

    def coefficients(tree, tensors):
        _, weights = learned_of(tree)["rounded"]["tuple"]
        tensors[weights["array"]["tensor"]] = np.ones((3, 2))

    def classes(tree, tensors):
        learned_of(tree)["classes"]["array"]["values"] = ["a", "a", "b"]

    def status(tree, tensors):
        learned_of(tree)["status"] = "splendid"

    for change, match in (
        (names, "columns.names has 2 names for 3 columns"),
        (coefficients, r"coef has shape \(3, 2\), not \(3, 3\)"),
        (classes, "classes contains a value twice"),
        (status, "status is 'splendid'"),
    ):
        path = softmax(tmp_path)
        forged(path, change)
        assert_rejected(path, match)


def test_probabilities_above_one_and_indices_out_of_range_are_named(saved, tmp_path):
    def above_one(tree, tensors):
        inner = model_of(attributes_of(tree)["estimator_"])
        tensors[inner["class_priors"]["array"]["tensor"]] = np.array([1.5, -0.25, -0.25])

    def out_of_range(tree, tensors):
        text = json.dumps(model_of(attributes_of(tree)["estimator_"])["density"])
        found = json.loads(text)["JointDensity"]["parameters"]["tuple"]
        cells = next(part["TableParameters"] for part in found if "TableParameters" in part)
        tensors[cells["starts"]["array"]["tensor"]] = tensors[cells["starts"]["array"]["tensor"]] + 10**6

    whole = saved.read_bytes()
    forged(saved, above_one)
    assert_rejected(saved, "class_priors contains a probability below 0 or above 1")
    saved.write_bytes(whole)
    forged(saved, out_of_range)
    assert_rejected(saved, "starts does not follow from the statistics")


def test_a_matrix_that_is_no_covariance_is_refused(tmp_path):
    model, _ = MODELS["gaussian, own"]()
    model.density_.parameters[0].covariance[0] = -np.eye(3)  # an array of a value that is not copied
    with pytest.raises(pt.ModelFileError, match=r"was not saved: .*covariance does not follow from"):
        pt.save(model, tmp_path / "m")
    write_unchecked(model, tmp_path / "m")
    assert_rejected(tmp_path / "m", "covariance does not follow from")


def test_a_newer_format_is_refused_by_its_number(saved, monkeypatch):
    contents = parts(saved)
    monkeypatch.setattr(container, "FORMAT", 3)
    saved.write_bytes(to_bytes(contents))
    monkeypatch.undo()
    assert_rejected(saved, "format 3, this program reads up to 1")


def test_a_class_outside_the_table_is_refused_and_nothing_is_imported(tmp_path):
    path = softmax(tmp_path)
    forged(path, lambda tree, tensors: attributes_of(tree).update(extra_={"antigravity.Thing": {}}))
    assert_rejected(path, "does not know")
    assert "antigravity" not in sys.modules


def test_attributes_that_no_fit_learns_are_refused(tmp_path):
    for name in ("predict", "__class__", "__dict__", "_engine", "coef"):
        path = softmax(tmp_path)
        forged(path, lambda tree, tensors, name=name: attributes_of(tree).update({name: 1}))
        assert_rejected(path, "nothing that a fit learns|damaged")


class Bomb:
    def __reduce__(self):
        return (sys.exit, (99,))


def header(text: bytes, length: int | None = None) -> bytes:
    return struct.pack("<Q", len(text) if length is None else length) + text


def metadata(**more) -> dict:
    fields = {"format": "1", "version": "0", "kind": "x", "tree": "{}", "sha256_tree": "", "sha256_tensors": ""}
    return {"__metadata__": {"posteriori": json.dumps({**fields, **more})}}


def with_tensor(entry: dict) -> bytes:
    return header(json.dumps({**metadata(), "t": entry}).encode())


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 8,
        b"not a model at all, just some text",
        pickle.dumps(Bomb()),
        header(b"{}", 2**63),
        header(b"{}", 2**40),
        header(b"{"),
        header(b"[]"),
        header(b"{}"),
        header(b'{"__metadata__": 3}'),
        header(b'{"a":' * 100_000),
        header(b'{"__metadata__":{"format":"9999999999","tree":""}}'),
        header(json.dumps(metadata(format="one")).encode()),
        header(json.dumps(metadata()).encode()),
        header(json.dumps(metadata(tree="[" * 100_000)).encode()),
        with_tensor({"dtype": "F64", "shape": [10**12], "data_offsets": [0, 8 * 10**12]}),
        with_tensor({"dtype": "F64", "shape": [-1], "data_offsets": [0, 0]}),
        with_tensor({"dtype": "F64", "shape": [0, 2**61], "data_offsets": [0, 0]}),
        with_tensor({"dtype": "F64", "shape": [1], "data_offsets": [8, 16]}) + b"\0" * 16,
        with_tensor({"dtype": "__import__", "shape": [1], "data_offsets": [0, 8]}) + b"\0" * 8,
        header(json.dumps({**metadata(), **{f"t{i}": {} for i in range(70_000)}}).encode()),
        header(b'{"__metadata__":{"format":"1","tree":""},"__metadata__":{"format":"1","tree":""}}'),
        header(b'{"__metadata__":{"format":NaN,"tree":""}}'),
        header(b"\xff\xfe\x00"),
    ],
    ids=range(24),
)  # fmt: skip
def test_hostile_headers_are_refused(content, tmp_path):
    (tmp_path / "m").write_bytes(content)
    assert_rejected(tmp_path / "m")


def test_trees_that_are_deep_or_greedy_are_refused(tmp_path):
    deep: list = []
    for _ in range(200):
        deep = [deep]
    greedy = {"array": {"values": ["a"] * 2000, "dtype": "<U99999", "shape": [2000]}}
    for part in (deep, greedy, {"scalar": {"values": ["a", "b"], "dtype": "<U1", "shape": [2]}}, {"bytes": "?"}):
        path = softmax(tmp_path)
        forged(path, lambda tree, tensors, part=part: attributes_of(tree).update(extra_=part))
        assert_rejected(path)


def test_classes_in_an_array_of_another_type_than_fit_gives_them_are_refused(tmp_path):
    """Scores of other libraries do not take them."""
    path = tmp_path / "m"
    pt.save(MODELS["logistic, two classes"]()[0], path)
    forged(path, lambda tree, tensors: learned_of(tree)["classes"]["array"].update(dtype="|O"))
    assert_rejected(path, "classes are of type object")


@pytest.mark.parametrize("name", ["one versus rest", "one versus one"])
def test_the_number_of_columns_is_a_whole_number(name, tmp_path):
    path = tmp_path / "m"
    pt.save(MODELS[name]()[0], path)
    forged(path, lambda tree, tensors: learned_of(tree).update(n_features_in_=3.0))
    assert_rejected(path, "n_features_in_")


def test_a_model_without_intercept_has_no_centre(tmp_path):
    """Its coefficients would be of other scores than those that it predicts with."""
    path = tmp_path / "m"
    pt.save(pt.LogisticRegression(fit_intercept=False).fit(X, TEXT), path)

    def change(tree, tensors):
        name = learned_of(tree)["linear"]["LinearScores"]["units"]["Units"]["centre"]["array"]["tensor"]
        tensors[name] = tensors[name] + 1e-3

    forged(path, change)
    assert_rejected(path, "there is no intercept")


def statistics_of(tree):
    return learned_of(tree)["statistics"]["Summary"]


def times(tensors, node, factor):
    name = node["array"]["tensor"]
    tensors[name] = tensors[name] * factor


def test_sums_of_weights_beyond_those_of_rows_are_refused(tmp_path):
    """Merging the model with itself would overflow."""

    def of_gaussians(tree, tensors):
        (part,) = statistics_of(tree)["statistics"]["tuple"]
        times(tensors, next(iter(part.values()))["weight"], 1e300)

    def of_cells(tree, tensors):
        (part,) = statistics_of(tree)["statistics"]["tuple"]
        times(tensors, part["JointCounts"]["counts"], 1e300)

    def of_levels(tree, tensors):
        parts = statistics_of(tree)["statistics"]["tuple"]
        times(tensors, next(part["Counts"] for part in parts if "Counts" in part)["values"], 1e300)

    for name, change in (
        ("gaussian, shared", of_gaussians),
        ("naive Bayes of numbers", of_gaussians),
        ("joint table", of_cells),
        ("naive Bayes of all kinds", of_levels),
    ):
        path = tmp_path / "m"
        pt.save(MODELS[name]()[0], path)
        forged(path, change)
        assert_rejected(path, "above 2.03704e.90|do not sum to the weights")


def test_counts_of_zeros_and_ones_are_two_per_column(tmp_path):
    path = tmp_path / "m"
    pt.save(pt.NaiveBayes(families="bernoulli").fit(X > 0, TEXT), path)

    def change(tree, tensors):
        name = statistics_of(tree)["statistics"]["tuple"][0]["Counts"]["values"]["array"]["tensor"]
        tensors[name] = tensors[name][:, :4].copy()

    forged(path, change)
    assert_rejected(path, r"values has shape \(3, 4\) for 3 columns")


@pytest.mark.parametrize("name", ["kernel logistic", "LSPC"])
def test_coefficients_of_kernels_whose_sums_overflow_are_refused(name, tmp_path):
    path = tmp_path / "m"
    pt.save(MODELS[name]()[0], path)

    def change(tree, tensors):
        coef = tensors[learned_of(tree)["coef"]["array"]["tensor"]]
        coef[:] = 1e307

    forged(path, change)
    assert_rejected(path, "sums leave the range of floats")


def test_a_prior_that_is_not_that_of_the_fit_is_refused(tmp_path):
    """A profile interval would maximise another function than the fit did."""
    path = softmax(tmp_path)
    forged(path, lambda tree, tensors: tree["LogisticRegression"]["parameters"].update(prior="jeffreys"))
    assert_rejected(path, "is not that of the information")


def test_an_on_line_fit_without_a_basis_in_its_file_learns_on(tmp_path):
    path = tmp_path / "m"
    pt.save(MODELS["logistic, on-line"]()[0], path)
    forged(path, lambda tree, tensors: learned_of(tree)["columns"]["InputColumns"].pop("phi"))
    assert pt.load(path).partial_fit(X, CODES > 1).state_.rows > len(X)


def test_errors_of_effects_above_all_floats_are_infinite(tmp_path):
    """Sums that are small beyond reason are consistent with a flat likelihood."""
    path = tmp_path / "m"
    pt.save(pt.BinaryRegression(link="cloglog").fit(X * 1e-200, CODES > 1), path)

    def change(tree, tensors):
        times(tensors, learned_of(tree)["information"]["Information"]["sums"]["Sums"]["observed"], 1e-240)

    forged(path, change)
    assert np.isinf(pt.load(path).marginal_effects(X * 1e-200).errors).all()


def test_an_archive_is_not_a_model(tmp_path):
    with zipfile.ZipFile(tmp_path / "m", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x", b"\0" * 1_000_000)
    assert_rejected(tmp_path / "m")


def test_loading_runs_nothing_and_opens_nothing_but_the_file(tmp_path):
    """Watch the interpreter while a good and a hostile file are loaded."""
    model = pt.GaussianClassifier().fit(X, CODES)
    pt.save(model, tmp_path / "m")
    pt.load(tmp_path / "m")  # all imports are done
    hostile = softmax(tmp_path)
    forged(hostile, lambda tree, tensors: attributes_of(tree).update(extra_={"os.system": "true"}))
    events = []
    watching = [True]

    def watch(event, arguments):
        if watching[0] and event in ("exec", "compile", "import", "os.system", "subprocess.Popen", "socket.connect"):
            events.append((event, arguments))

    sys.addaudithook(watch)
    try:
        pt.load(tmp_path / "m")
        assert_rejected(hostile)
    finally:
        watching[0] = False
    assert events == []
    assert TEXT is not None

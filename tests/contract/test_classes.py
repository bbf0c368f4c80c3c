"""The classes of `estimators`: at most three deep, and each method is abstract or final."""

import ast
import inspect
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest
from sklearn.base import BaseEstimator

import posteriori as pt
from posteriori import estimators
from posteriori.estimators.base import Classifier
from posteriori.estimators.learned import Learned
from posteriori.models.base import FittedModel

SOURCE = Path(pt.__file__).parent
MODULES = [import_module(m.name) for m in pkgutil.walk_packages(estimators.__path__, "posteriori.estimators.")]
CLASSES = sorted(
    {value for module in MODULES for value in vars(module).values()
     if inspect.isclass(value) and value.__module__.startswith("posteriori.estimators.")},
    key=lambda kind: kind.__qualname__,
)  # fmt: skip
PUBLIC = [kind for name in pt.__all__ if inspect.isclass(kind := getattr(pt, name))]
CLASSIFIERS = [kind for kind in PUBLIC if issubclass(kind, Classifier)]


def own_bases(kind):
    return [base for base in kind.__bases__ if base.__module__.startswith("posteriori.")]


def depth(kind):
    """Return the number of own classes on the longest way from a class to those of others."""
    return 1 + max(map(depth, own_bases(kind)), default=0)


@pytest.mark.parametrize(
    "kind", [kind for kind in PUBLIC if not issubclass(kind, BaseException)], ids=lambda kind: kind.__name__
)
def test_a_public_class_is_at_most_three_classes_deep(kind):
    assert depth(kind) <= 3


def test_no_estimator_has_a_base_class_of_its_own():
    """A class with one child is one class cut in two; a mixin, which is no estimator, may have one user."""
    children = {}
    for kind in CLASSES:
        for base in own_bases(kind):
            children.setdefault(base, []).append(kind)
    assert {
        base: kinds for base, kinds in children.items() if len(kinds) == 1 and issubclass(base, BaseEstimator)
    } == {}


def is_method(value):
    return inspect.isfunction(value) or isinstance(value, property | classmethod | staticmethod | Learned)


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_a_method_is_abstract_or_final(kind):
    """What a method does is in one place; scikit-learn's own names with two underscores build on one another."""
    for name, value in vars(kind).items():
        if name.startswith("__") or not is_method(value):
            continue
        before = [vars(base)[name] for base in kind.__mro__[1:] if name in vars(base) and base in CLASSES]
        assert all(getattr(each, "__isabstractmethod__", False) for each in before if is_method(each)), name


@pytest.mark.parametrize("kind", CLASSIFIERS, ids=lambda kind: kind.__name__)
def test_a_classifier_names_the_class_of_its_model(kind):
    assert issubclass(kind._model_type, FittedModel)


#: Calls of hasattr, and of getattr with a default, above input validation: what is around any classifier, or reports of
#: any model, needs some. The numbers may only become smaller.
PROBES = {
    "comparisons": 16, "decisions": 0, "estimators": 11, "estimators/bases": 2, "estimators/discriminants": 0,
    "estimators/generative": 1, "estimators/kernels": 0, "estimators/regression": 0, "estimators/tables": 5,
    "estimators/wrappers": 29, "fits": 0, "inference": 0, "models": 0, "objectives": 0, "plots": 37,
    "reports": 44, "solvers": 0, "storage": 17, "sweeps": 0,
}  # fmt: skip


def private_names(path):
    """Return the uses of names with one underscore that are not a class's own."""
    for node in ast.walk(ast.parse(path.read_text())):
        private = isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__")
        if private and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
            yield ast.unparse(node)


@pytest.mark.parametrize("folder", ["inference", "decisions", "plots", "reports", "comparisons", "storage", "cli"])
def test_nothing_private_of_an_estimator_is_used_in_another_folder(folder):
    """`_get_param_names` is scikit-learn's, and `density._call` is in the file of its class."""
    used = [name for path in (SOURCE / folder).rglob("*.py") for name in private_names(path)]
    assert [name for name in used if not name.endswith(("._get_param_names", "density._call"))] == []


def folder_of(path):
    first, *rest = path.relative_to(SOURCE).parts[:-1] or ("",)
    return f"{first}/{rest[0]}" if first == "estimators" and rest else first


@pytest.mark.parametrize("folder", PROBES)
def test_attributes_are_not_probed_for(folder):
    calls = [node for path in SOURCE.rglob("*.py") if folder_of(path) == folder
             for node in ast.walk(ast.parse(path.read_text()))
             if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]  # fmt: skip
    probes = [
        call for call in calls if call.func.id == "hasattr" or (call.func.id == "getattr" and len(call.args) == 3)
    ]
    assert len(probes) <= PROBES[folder]

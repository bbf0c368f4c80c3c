"""Reading the tree of JSON as values: only classes of a fixed table, every part checked as it is made.

``None``, booleans, integers, finite floats, text and lists stand for themselves. Everything else is an object
with one name, its tag: ``{"tuple": […]}``, ``{"array": {…}}``, or the name of a class in `catalogue.KINDS`.
"""

import base64
import datetime
import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from inspect import Parameter, signature
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from posteriori.estimators.base import Classifier
from posteriori.estimators.fitted_parameters import model_type
from posteriori.messages.errors import ModelFileError
from posteriori.storage.catalogue import KINDS, WARNINGS
from posteriori.storage.checks import check
from posteriori.storage.container import Tensors, damaged, parse
from posteriori.storage.old_attributes import model_of
from posteriori.storage.old_names import present_class, present_fields
from posteriori.storage.tree_keys import DEEPEST, LEARNED, TEXT_BYTES, TEXT_BYTES_PER_CHARACTER, TEXTUAL


def decode(tree: str, tensors: Tensors) -> Any:
    """Return the value of a tree, checked; every tensor must be used once."""
    reader = _Reader(tensors, TEXT_BYTES + TEXT_BYTES_PER_CHARACTER * len(tree))
    with np.errstate(all="ignore"):  # checks compare what overflows with what it should be
        value = reader.value(parse(tree), "model", 0)
    if reader.used != set(tensors):
        damaged(f"it holds tensors that the model does not use: {sorted(set(tensors) - reader.used)[:5]}")
    return value


@dataclass
class _Reader:
    tensors: Tensors
    text_bytes: int
    used: set[str] = field(default_factory=set)

    def value(self, node: Any, where: str, depth: int) -> Any:
        if depth > DEEPEST:
            damaged(f"{where} is nested too deeply")
        if isinstance(node, list):
            if set(map(type, node)) <= _PLAIN:
                return list(node)
            return [self.value(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(node)]
        if not isinstance(node, dict):
            if isinstance(node, float) and not math.isfinite(node):
                damaged(f"{where} is a number too large")
            return node
        if len(node) != 1:
            damaged(f"{where} has {len(node)} tags where one is needed")
        ((tag, body),) = node.items()
        tag = present_class(tag)
        if tag in KINDS:
            return self._kind(tag, body, where, depth)
        if tag not in _TAGS:
            raise ModelFileError(f"{where} is a {tag!r}, which this program does not know; nothing was loaded.")
        kind, read = _TAGS[tag]
        if type(body) is not kind:
            damaged(f"{where}, a {tag}, is not a JSON {_JSON_NAMES[kind]}")
        return read(self, body, where, depth)

    def _kind(self, name: str, body: Any, where: str, depth: int) -> Any:
        if not isinstance(body, dict):
            damaged(f"{where}, a {name}, has no fields")
        kind = KINDS[name]
        make = self._estimator if issubclass(kind, BaseEstimator) else self._dataclass
        value = make(kind, body, where, depth)
        check(value, where)
        return value

    def _dataclass(self, kind: Any, body: dict[str, Any], where: str, depth: int) -> Any:
        optional = {item.name: item.default for item in fields(kind) if item.default is not MISSING}
        names = {item.name for item in fields(kind)}
        body = present_fields(kind.__name__, body)
        _check_names(set(body) - set(optional), names - set(optional), where)
        result = object.__new__(kind)  # its constructor converts; a stored value is complete but for later fields
        for name, value in (optional | self._fields(body, where, depth)).items():
            object.__setattr__(result, name, value)
        return result

    def _estimator(self, kind: Any, body: dict[str, Any], where: str, depth: int) -> Any:
        _check_names(set(body), {"parameters", "learned"}, where)
        parts = (self._fields(body[part], where, depth) for part in ("parameters", "learned"))
        parameters, attributes = (present_fields(kind.__name__, part) for part in parts)
        _check_parameter_names(set(parameters), kind, where)
        model = kind(**parameters)  # the constructor adds the parameters that an older program did not have
        if issubclass(kind, Classifier) and attributes and "model_" not in attributes:
            value = model_of(model, model_type(model), attributes, where)
            check(value, f"{where}.model_")
            attributes = {"model_": value}
        for name, value in attributes.items():
            if not LEARNED.fullmatch(name) or hasattr(kind, name):
                damaged(f"{where}.{name} is not an attribute that a fit learns")
            setattr(model, name, value)
        return model

    def _fields(self, nodes: Any, where: str, depth: int) -> dict[str, Any]:
        if not isinstance(nodes, dict):
            damaged(f"{where} has no named parts")
        return {name: self.value(node, f"{where}.{name}", depth + 1) for name, node in nodes.items()}

    def array(self, body: Any, where: str, depth: int) -> NDArray[Any]:
        if not isinstance(body.get("dtype"), str):
            damaged(f"{where} is an array without a type")
        _check_names(set(body) - {"tensor", "axes", "values", "shape"}, {"dtype"}, where)
        return self._tensor(body, where) if "tensor" in body else self._textual(body, where, depth)

    def _tensor(self, body: dict[str, Any], where: str) -> NDArray[Any]:
        name, axes = body["tensor"], body.get("axes")
        if not isinstance(name, str) or name not in self.tensors or name in self.used:
            damaged(f"{where} points to the tensor {name!r}, which is not there or was used before")
        self.used.add(name)
        array = self.tensors[name]
        if not isinstance(axes, list) or sorted(axes, key=repr) != list(range(array.ndim)):
            damaged(f"{where} has axes {axes!r} for {array.ndim} dimensions")
        if body["dtype"].lstrip("<>|=") != array.dtype.str.lstrip("<>|="):
            damaged(f"{where} is of type {body['dtype']!r} and its tensor of {array.dtype}")
        native = array.dtype.newbyteorder("=")  # whatever is declared: compiled code takes no other byte order
        return array.astype(native, copy=False).transpose(np.argsort(axes).tolist())

    def _textual(self, body: dict[str, Any], where: str, depth: int) -> NDArray[Any]:
        dtype, values, shape = body["dtype"].lstrip("<>|="), body.get("values"), body.get("shape")
        if not TEXTUAL.fullmatch(dtype) or not isinstance(values, list) or not isinstance(shape, list):
            damaged(f"{where} is an array of {dtype!r}")
        if not all(type(size) is int and size >= 0 for size in shape) or math.prod(shape) != len(values):
            damaged(f"{where} has {len(values)} values for the shape {shape!r}")
        kind, width = np.dtype(dtype).kind, np.dtype(dtype).itemsize
        self.text_bytes -= width * len(values)
        if self.text_bytes < 0:
            damaged(f"{where} asks for {len(values)} cells of {width} bytes, more than a file of this size has")
        items = self.value(values, where, depth + 1)
        if not all(isinstance(item, _ITEMS[kind]) for item in items):
            damaged(f"{where} holds values that are not of type {dtype!r}")
        if kind in "Mm":
            moments: NDArray[Any] = np.array(items, dtype="i8").view(dtype)
            return moments.reshape(shape)
        array = np.empty(len(items), dtype=dtype)
        for i, item in enumerate(items):  # one by one: numpy would take apart tuples
            array[i] = item
        return array.reshape(shape)


#: What JSON calls the types of Python.
_JSON_NAMES: dict[type, str] = {list: "array", dict: "object", str: "string"}
#: Types of values that stand for themselves, and need no check.
_PLAIN = {str, int, bool, type(None)}
#: The Python type of the items of an array kept as JSON.
_ITEMS: dict[str, Any] = {"U": str, "S": bytes, "b": bool, "M": int, "m": int, "O": object}


def _check_names(names: set[str], expected: set[str], where: str) -> None:
    if names != expected:
        damaged(f"{where} lacks or has too many fields: {', '.join(map(repr, sorted(names ^ expected)[:5]))}")


def _check_parameter_names(names: set[str], kind: Any, where: str) -> None:
    """Raise unless these are the parameters of a class; those with a default may be absent, as in older files."""
    expected, known = set(kind._get_param_names()), signature(kind.__init__).parameters
    optional = {name for name in expected if known[name].default is not Parameter.empty}
    _check_names(names - optional, expected - optional, where)


def _pairs(reader: _Reader, body: Any, where: str, depth: int) -> dict[Any, Any]:
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in body):
        damaged(f"{where} is not a list of pairs")
    return {reader.value(key, where, depth + 1): reader.value(item, where, depth + 1) for key, item in body}


def _scalar(reader: _Reader, body: Any, where: str, depth: int) -> Any:
    array = reader.array(body, where, depth)
    if array.ndim:
        damaged(f"{where} is not one value")
    return array[()]


def _named(values: Mapping[str, Any]) -> Callable[[_Reader, Any, str, int], Any]:
    """Return the reader of values that have names."""

    def read(reader: _Reader, body: Any, where: str, depth: int) -> Any:
        if body not in values:
            damaged(f"{where} is {body!r}, not one of {', '.join(values)}")
        return values[body]

    return read


#: Of each tag, the type of its JSON and how it is read.
_TAGS: dict[str, tuple[type, Callable[[_Reader, Any, str, int], Any]]] = {
    "tuple": (list, lambda reader, body, where, depth: tuple(reader.value(body, where, depth))),
    "dict": (list, _pairs),
    "array": (dict, _Reader.array),
    "scalar": (dict, _scalar),
    "float": (str, _named({"inf": math.inf, "-inf": -math.inf, "nan": math.nan})),
    "bytes": (str, lambda reader, body, where, depth: base64.b64decode(body, validate=True)),
    "date": (str, lambda reader, body, where, depth: datetime.date.fromisoformat(body)),
    "datetime": (str, lambda reader, body, where, depth: datetime.datetime.fromisoformat(body)),
    "warning": (str, _named(WARNINGS)),
}

"""Values as a tree of JSON, with arrays of numbers set aside as tensors.

``None``, booleans, integers, finite floats, text and lists stand for themselves. Everything else is an object
with one name, its tag: ``{"tuple": […]}``, ``{"array": {…}}``, or the name of a class in `kinds.KINDS`.
"""

import base64
import datetime
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from posteriori.storage.checks import check
from posteriori.storage.container import Tensors, damaged, parse
from posteriori.storage.kinds import KINDS, WARNINGS, refuse
from posteriori.tables.errors import ModelFileError

#: Levels of values within values, beyond which a tree is refused.
DEEPEST = 40
#: Attributes that fit learns: they end in an underscore and are not private to Python.
LEARNED = re.compile(r"(?!__)[A-Za-z_][A-Za-z0-9_]*_")
#: Arrays that are kept as JSON, with the type their numpy name must have.
TEXTUAL = re.compile(r"[<>|=]?(?:[US]\d{1,5}|O|b1|[Mm]8\[\d{0,4}(?:Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\])")


def encode(value: Any, where: str) -> tuple[str, Tensors]:
    """Give a value as JSON and tensors; `where` names it in messages."""
    writer = _Writer()
    node = writer.node(value, where, 0)
    return json.dumps(node, allow_nan=False, separators=(",", ":")), writer.tensors


def decode(tree: str, tensors: Tensors) -> Any:
    """Give the value back, checked; every tensor must have been asked for once."""
    reader = _Reader(tensors)
    value = reader.value(parse(tree), "model", 0)
    if reader.used != set(tensors):
        damaged(f"it holds tensors that the model does not use: {sorted(set(tensors) - reader.used)[:5]}")
    return value


def learned(model: Any) -> dict[str, Any]:
    """Give what a fit has put on an estimator."""
    return {name: value for name, value in vars(model).items() if LEARNED.fullmatch(name)}


@dataclass
class _Writer:
    tensors: Tensors = field(default_factory=dict)

    def node(self, value: Any, where: str, depth: int) -> Any:  # noqa: PLR0911  one line a type
        if depth > DEEPEST:
            raise ModelFileError(f"{where} is nested too deeply to be stored.")
        if isinstance(value, np.generic):
            return {"scalar": self._array(np.asarray(value), where, depth)}
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if type(value) is list:
            return [self.node(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(value)]
        if type(value) is tuple:
            return {"tuple": [self.node(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(value)]}
        if type(value) in (bytes, datetime.date, datetime.datetime):
            return _PLAIN[type(value)](value)
        if isinstance(value, np.ndarray):
            return {"array": self._array(value, where, depth)}
        if isinstance(value, Mapping):
            return {"dict": [[self.node(part, f"{where}[{key!r}]", depth + 1) for part in (key, item)]
                             for key, item in value.items()]}  # fmt: skip
        if isinstance(value, type) and WARNINGS.get(value.__name__) is value:
            return {"warning": value.__name__}
        return self._kind(value, where, depth)

    def _kind(self, value: Any, where: str, depth: int) -> Any:
        name = type(value).__name__
        if KINDS.get(name) is not type(value):
            refuse(value, where)
        if is_dataclass(value):
            parts: dict[str, Any] = {item.name: getattr(value, item.name) for item in fields(value)}
        else:
            parts = {"parameters": value.get_params(deep=False), "learned": learned(value)}
        return {name: {key: self._part(part, f"{where}.{key}", depth) for key, part in parts.items()}}

    def _part(self, part: Any, where: str, depth: int) -> Any:
        if where.endswith((".parameters", ".learned")) and isinstance(part, dict):
            above = where.rpartition(".")[0]
            return {name: self.node(value, f"{above}.{name}", depth + 1) for name, value in part.items()}
        return self.node(part, where, depth + 1)

    def _array(self, array: NDArray[Any], where: str, depth: int) -> dict[str, Any]:
        """Set numbers aside in the order they have in memory, since rounding in products depends on it."""
        dtype = array.dtype
        if dtype.kind in "fiu" and dtype.itemsize <= 8:
            axes = sorted(range(array.ndim), key=lambda axis: -abs(array.strides[axis]))
            name = f"t{len(self.tensors)}"
            laid_out = np.ascontiguousarray(array.transpose(axes)).reshape([array.shape[axis] for axis in axes])
            self.tensors[name] = laid_out.astype(dtype.newbyteorder("<"), copy=False)
            return {"tensor": name, "dtype": dtype.str, "axes": axes}
        if not TEXTUAL.fullmatch(dtype.str):
            raise ModelFileError(f"{where} is an array of {dtype}, which a model file cannot hold.")
        flat = array.ravel().view("i8") if dtype.kind in "Mm" else array.ravel()
        values = [self.node(_bare(item), f"{where}[{i}]", depth + 1) for i, item in enumerate(flat.tolist())]
        return {"values": values, "dtype": dtype.str, "shape": list(array.shape)}


def _bare(item: Any) -> Any:
    return item.item() if isinstance(item, np.generic) else item


_PLAIN: dict[type, Callable[[Any], Any]] = {
    bytes: lambda value: {"bytes": base64.b64encode(value).decode()},
    datetime.date: lambda value: {"date": value.isoformat()},
    datetime.datetime: lambda value: {"datetime": value.isoformat()},
}


@dataclass
class _Reader:
    tensors: Tensors
    used: set[str] = field(default_factory=set)

    def value(self, node: Any, where: str, depth: int) -> Any:
        if depth > DEEPEST:
            damaged(f"{where} is nested too deeply")
        if isinstance(node, list):
            return [self.value(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(node)]
        if not isinstance(node, dict):
            if isinstance(node, float) and not math.isfinite(node):
                damaged(f"{where} is a number too large")
            return node
        if len(node) != 1:
            damaged(f"{where} has {len(node)} tags where one is needed")
        ((tag, body),) = node.items()
        if tag in KINDS:
            return self._kind(tag, body, where, depth)
        if tag not in _TAGS:
            raise ModelFileError(f"{where} is a {tag!r}, which this program does not know; nothing was loaded.")
        return _TAGS[tag](self, body, where, depth)

    def _kind(self, name: str, body: Any, where: str, depth: int) -> Any:
        if not isinstance(body, dict):
            damaged(f"{where}, a {name}, has no fields")
        kind = KINDS[name]
        made = self._estimator(kind, body, where, depth) if issubclass(kind, BaseEstimator) else (
            self._dataclass(kind, body, where, depth)
        )  # fmt: skip
        check(made, where)
        return made

    def _dataclass(self, kind: type, body: dict[str, Any], where: str, depth: int) -> Any:
        _expect(set(body), {item.name for item in fields(kind)}, where)
        made = object.__new__(kind)  # its constructor converts and fills in; a stored value is complete
        for name, node in body.items():
            object.__setattr__(made, name, self.value(node, f"{where}.{name}", depth + 1))
        return made

    def _estimator(self, kind: Any, body: dict[str, Any], where: str, depth: int) -> Any:
        _expect(set(body), {"parameters", "learned"}, where)
        parameters, attributes = (self._named(body[part], where, depth) for part in ("parameters", "learned"))
        _expect(set(parameters), set(kind._get_param_names()), where)
        made = kind(**parameters)
        for name, value in attributes.items():
            if not LEARNED.fullmatch(name) or hasattr(kind, name):
                damaged(f"{where}.{name} is nothing that a fit learns")
            setattr(made, name, value)
        return made

    def _named(self, nodes: Any, where: str, depth: int) -> dict[str, Any]:
        if not isinstance(nodes, dict):
            damaged(f"{where} has no named parts")
        return {name: self.value(node, f"{where}.{name}", depth + 1) for name, node in nodes.items()}

    def array(self, body: Any, where: str, depth: int) -> NDArray[Any]:
        if not isinstance(body, dict) or not isinstance(body.get("dtype"), str):
            damaged(f"{where} is an array without a type")
        _expect(set(body) - {"tensor", "axes", "values", "shape"}, {"dtype"}, where)
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
        return array.astype(np.dtype(body["dtype"]), copy=False).transpose(np.argsort(axes).tolist())

    def _textual(self, body: dict[str, Any], where: str, depth: int) -> NDArray[Any]:
        dtype, values, shape = body["dtype"], body.get("values"), body.get("shape")
        if not TEXTUAL.fullmatch(dtype) or not isinstance(values, list) or not isinstance(shape, list):
            damaged(f"{where} is an array of {dtype!r}")
        if not all(type(size) is int and size >= 0 for size in shape) or math.prod(shape) != len(values):
            damaged(f"{where} has {len(values)} values for the shape {shape!r}")
        items = self.value(values, where, depth + 1)
        kind = np.dtype(dtype).kind
        if not all(isinstance(item, _ITEMS[kind]) for item in items):
            damaged(f"{where} holds values that are not of type {dtype!r}")
        if kind in "Mm":
            return np.array(items, dtype="i8").view(dtype.lstrip("<>|=")).astype(dtype).reshape(shape)
        array = np.empty(len(items), dtype=dtype)
        array[:] = items
        return array.reshape(shape)


#: The Python type of the items of an array kept as JSON.
_ITEMS: dict[str, Any] = {"U": str, "S": bytes, "b": bool, "M": int, "m": int, "O": object}


def _expect(found: set[str], wanted: set[str], where: str) -> None:
    if found != wanted:
        amiss = sorted(found ^ wanted)[:5]
        damaged(f"{where} lacks or has too many fields: {', '.join(map(repr, amiss))}")


def _text(body: Any, where: str) -> str:
    if not isinstance(body, str):
        damaged(f"{where} is not text")
    return str(body)


def _list(body: Any, where: str) -> list[Any]:
    if not isinstance(body, list):
        damaged(f"{where} is not a list")
    return list(body)


def _float(body: Any, where: str) -> float:
    if body not in ("inf", "-inf", "nan"):
        damaged(f"{where} is not a number")
    return float(body)


def _warning(body: Any, where: str) -> type[Warning]:
    if not isinstance(body, str) or body not in WARNINGS:
        damaged(f"{where} is not a warning of this library")
    return WARNINGS[body]


def _pairs(reader: _Reader, body: Any, where: str, depth: int) -> dict[Any, Any]:
    if not isinstance(body, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in body):
        damaged(f"{where} is not a list of pairs")
    return {reader.value(key, where, depth + 1): reader.value(item, where, depth + 1) for key, item in body}


def _scalar(reader: _Reader, body: Any, where: str, depth: int) -> Any:
    array = reader.array(body, where, depth)
    if array.ndim:
        damaged(f"{where} is not one value")
    return array[()]


_TAGS: dict[str, Callable[[_Reader, Any, str, int], Any]] = {
    "tuple": lambda reader, body, where, depth: tuple(reader.value(_list(body, where), where, depth)),
    "dict": _pairs,
    "array": lambda reader, body, where, depth: reader.array(body, where, depth),
    "scalar": _scalar,
    "float": lambda reader, body, where, depth: _float(body, where),
    "bytes": lambda reader, body, where, depth: base64.b64decode(_text(body, where), validate=True),
    "date": lambda reader, body, where, depth: datetime.date.fromisoformat(_text(body, where)),
    "datetime": lambda reader, body, where, depth: datetime.datetime.fromisoformat(_text(body, where)),
    "warning": lambda reader, body, where, depth: _warning(body, where),
}

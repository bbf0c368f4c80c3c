"""Writing values as a tree of JSON, with arrays of numbers as tensors beside it.

``None``, booleans, integers, finite floats, text and lists stand for themselves. Everything else is an object
with one name, its tag: ``{"tuple": […]}``, ``{"array": {…}}``, or the name of a class in `catalogue.KINDS`.
"""

import base64
import datetime
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from posteriori.messages.errors import ModelFileError
from posteriori.storage.catalogue import KINDS, WARNINGS, reject
from posteriori.storage.container import Tensors
from posteriori.storage.tree_keys import DEEPEST, LEARNED, TEXT_BYTES, TEXT_BYTES_PER_CHARACTER, TEXTUAL


def encode(value: Any, where: str) -> tuple[str, Tensors]:
    """Return a value as JSON and tensors; `where` names it in messages."""
    writer = _Writer()
    node = writer.node(value, where, 0)
    tree = json.dumps(node, allow_nan=False, separators=(",", ":"))
    if writer.text_bytes > TEXT_BYTES + TEXT_BYTES_PER_CHARACTER * len(tree):
        raise ModelFileError(
            f"{where} has {writer.text_bytes} bytes of text, most of it padding of short names to the longest: shorten "
            "the longest class or category."
        )
    return tree, writer.tensors


def learned(model: Any) -> dict[str, Any]:
    """Return the attributes of an estimator that a fit learns."""
    return {name: value for name, value in vars(model).items() if LEARNED.fullmatch(name)}


@dataclass
class _Writer:
    tensors: Tensors = field(default_factory=dict)
    text_bytes: int = 0

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
        if type(value) in (dict, MappingProxyType):
            return {"dict": [[self.node(part, f"{where}[{key!r}]", depth + 1) for part in (key, item)]
                             for key, item in value.items()]}  # fmt: skip
        if isinstance(value, type) and value in WARNINGS.values():
            return {"warning": value.__name__}
        return self._kind(value, where, depth)

    def _kind(self, value: Any, where: str, depth: int) -> dict[str, Any]:
        name = type(value).__name__
        if KINDS.get(name) is not type(value):
            reject(value, where)
        value = value.for_storage() if hasattr(value, "for_storage") else value
        if not isinstance(value, BaseEstimator):
            named = {item.name: getattr(value, item.name) for item in fields(KINDS[name])}
            return {name: self._named(named, where, depth)}
        parts = {"parameters": value.get_params(deep=False), "learned": learned(value)}
        return {name: {part: self._named(named, where, depth) for part, named in parts.items()}}

    def _named(self, values: dict[str, Any], where: str, depth: int) -> dict[str, Any]:
        return {name: self.node(value, f"{where}.{name}", depth + 1) for name, value in values.items()}

    def _array(self, array: NDArray[Any], where: str, depth: int) -> dict[str, Any]:
        """Store numbers in the order that they have in memory, since rounding in products depends on it."""
        dtype = array.dtype
        if dtype.kind in "fiu" and dtype.itemsize <= 8:
            axes = list(range(array.ndim))
            if not array.flags.c_contiguous:
                axes.sort(key=lambda axis: -abs(array.strides[axis]))
            name = f"t{len(self.tensors)}"
            laid_out = np.ascontiguousarray(array.transpose(axes)).reshape([array.shape[axis] for axis in axes])
            self.tensors[name] = laid_out.astype(dtype.newbyteorder("<"), copy=False)
            return {"tensor": name, "dtype": self.tensors[name].dtype.str, "axes": axes}
        if not TEXTUAL.fullmatch(dtype.str):
            raise ModelFileError(f"{where} is an array of {dtype}, which a model file cannot hold.")
        self.text_bytes += array.nbytes
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

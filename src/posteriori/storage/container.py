"""The outer file: a safetensors file whose metadata hold the tree, and whose every byte is accounted for.

::

    8 bytes   length of the header
    header    JSON: name, type, shape and place of each tensor; under ``__metadata__``
              format, version, kind, tree, sha256_tree, sha256_tensors (all text)
    tensors   little-endian numbers, one after the other, to the last byte of the file
"""

import hashlib
import json
import math
from dataclasses import dataclass
from typing import Any, BinaryIO, Never

import numpy as np
from numpy.typing import NDArray

from posteriori.tables.errors import ModelFileError

#: The newest format this program writes and reads. Older ones always load.
FORMAT = 1
#: Bytes of header and number of tensors beyond which a file is refused unread.
MOST_HEADER, MOST_TENSORS = 2**26, 2**16

#: What safetensors calls the types of numbers.
TYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2",
    "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1",
}  # fmt: skip
FIELDS = ("format", "version", "kind", "tree", "sha256_tree", "sha256_tensors")

Tensors = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Contents:
    """What a model file says: who wrote it, what it holds, the tree as JSON, and the numbers."""

    version: str
    kind: str
    tree: str
    tensors: Tensors


def to_bytes(contents: Contents) -> bytes:
    """Lay the contents out as one safetensors file; the same contents give the same bytes."""
    header: dict[str, Any] = {
        "__metadata__": {
            "format": str(FORMAT),
            "version": contents.version,
            "kind": contents.kind,
            "tree": contents.tree,
            "sha256_tree": _digest_tree(contents),
            "sha256_tensors": _digest_tensors(contents.tensors),
        }
    }
    names = {np.dtype(text): name for name, text in TYPES.items()}
    start, data = 0, []
    for name, array in sorted(contents.tensors.items()):
        stop = start + array.nbytes
        header[name] = {"dtype": names[array.dtype], "shape": list(array.shape), "data_offsets": [start, stop]}
        data.append(np.ascontiguousarray(array).tobytes())
        start = stop
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # numbers start at a multiple of eight
    return b"".join([len(text).to_bytes(8, "little"), text, *data])


def from_stream(stream: BinaryIO, size: int) -> Contents:
    """Read a file of so many bytes, believing none of its sizes before they are checked against that."""
    header = _header(stream, size)
    metadata = header.pop("__metadata__", None)
    if not isinstance(metadata, dict) or "format" not in metadata or "tree" not in metadata:
        raise ModelFileError("this is a safetensors file, but not a model of this library.")
    _check_format(metadata["format"])
    if set(metadata) != set(FIELDS) or not all(isinstance(value, str) for value in metadata.values()):
        damaged("its metadata are not those of a model file")
    data = stream.read()
    contents = Contents(metadata["version"], metadata["kind"], metadata["tree"], _tensors(header, data))
    if _digest_tree(contents) != metadata["sha256_tree"]:
        damaged("the header differs from its checksum")
    if _digest_tensors(contents.tensors) != metadata["sha256_tensors"]:
        damaged("the numbers differ from their checksum")
    return contents


def damaged(why: str) -> Never:
    """Raise the error for a file that is not what was written."""
    raise ModelFileError(f"damaged model file: {why}.")


def parse(text: str | bytes) -> Any:
    """Read JSON that names nothing twice, holds no NaN, and is not nested beyond reason."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except RecursionError:
        damaged("its JSON is nested too deeply")
    except (ValueError, MemoryError) as error:
        damaged(f"its JSON cannot be read ({error})")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name occurs twice")
    return found


def _no_constant(name: str) -> Never:
    raise ValueError(f"{name} is not JSON")


def _header(stream: BinaryIO, size: int) -> dict[str, Any]:
    start = stream.read(8)
    length = int.from_bytes(start, "little")
    if len(start) < 8 or not start.strip(b"\0"):
        damaged(f"it has {size} bytes, too few for a model")
    if length > min(size - 8, MOST_HEADER):
        damaged(f"its header claims {length} bytes of a file of {size}")
    raw = stream.read(length)
    if not raw.startswith(b"{"):
        raise ModelFileError("this is not a model file: it has no safetensors header.")
    header = parse(raw)
    if not isinstance(header, dict) or len(header) > MOST_TENSORS:
        damaged(f"its header lists more than {MOST_TENSORS} tensors")
    return header


def _check_format(text: Any) -> None:
    if not isinstance(text, str) or not text.isascii() or not text.isdigit() or len(text) > 9:
        damaged("its format is not a number")
    if not 1 <= int(text) <= FORMAT:
        raise ModelFileError(
            f"the model file has format {int(text)}, this program reads up to {FORMAT}: install a newer posteriori."
        )


def _tensors(header: dict[str, Any], data: bytes) -> Tensors:
    """Cut the data into tensors: in order, without gaps or overlaps, up to the last byte."""
    places = [(*_place(name, entry), name, entry) for name, entry in header.items()]
    tensors, end = {}, 0
    for start, stop, name, entry in sorted(places, key=lambda place: place[:3]):
        dtype, shape = np.dtype(TYPES[entry["dtype"]]), tuple(entry["shape"])
        if start != end or stop - start != math.prod(shape) * dtype.itemsize or stop > len(data):
            damaged(f"tensor {name!r} of shape {shape} is not where and as long as it should be")
        tensors[name] = np.frombuffer(data[start:stop], dtype).reshape(shape).copy()
        end = stop
    if end != len(data):
        damaged(f"it has {len(data)} bytes of numbers where the header accounts for {end}")
    return tensors


def _place(name: str, entry: Any) -> tuple[int, int]:
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        damaged(f"the entry of tensor {name!r} cannot be read")
    dtype, shape, place = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in TYPES:
        damaged(f"tensor {name!r} has the type {dtype!r}, not one of {', '.join(TYPES)}")
    if not _naturals(shape) or len(shape) > 8 or not _naturals(place) or len(place) != 2:
        damaged(f"tensor {name!r} has the shape {shape!r} at {place!r}")
    return place[0], place[1]


def _naturals(values: Any) -> bool:
    return isinstance(values, list) and all(type(value) is int and 0 <= value < 2**62 for value in values)


def _digest_tree(contents: Contents) -> str:
    shapes = [[name, str(array.dtype), list(array.shape)] for name, array in sorted(contents.tensors.items())]
    text = json.dumps([contents.version, contents.kind, contents.tree, shapes])
    return hashlib.sha256(text.encode()).hexdigest()


def _digest_tensors(tensors: Tensors) -> str:
    digest = hashlib.sha256()
    for _, array in sorted(tensors.items()):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()

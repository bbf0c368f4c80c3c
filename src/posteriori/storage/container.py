"""The outer file: a safetensors file whose metadata hold the tree, and whose every byte is accounted for.

::

    8 bytes   length of the header
    header    JSON: name, type, shape and place of each tensor; under ``__metadata__`` one entry, ``posteriori``:
              JSON again, with format, version, kind, tree, sha256_tree, sha256_tensors
    tensors   little-endian numbers, one after the other, to the last byte of the file
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, BinaryIO, Never

import numpy as np
import safetensors.numpy
from numpy.typing import NDArray

from posteriori.messages.errors import ModelFileError

#: The newest format this program writes and reads. Older ones always load: `tests/storage/old_files` has examples.
FORMAT = 1
#: Limits on the bytes of the header, on tensors, and on values in the JSON; a file above them is rejected unread.
MOST_HEADER, MOST_TENSORS, MOST_VALUES = 2**26, 2**16, 2**21
#: The fewest bytes that JSON of ours has per list, object and name.
BYTES_PER_VALUE = 5

#: The name of our entry in the metadata, and its fields.
ENTRY = "posteriori"
FIELDS = ("format", "version", "kind", "tree", "sha256_tree", "sha256_tensors")

Tensors = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class FileContents:
    """The contents of a model file: version that wrote it, class of the model, tree as JSON, and numbers."""

    version: str
    kind: str
    tree: str
    tensors: Tensors


def to_bytes(contents: FileContents) -> bytes:
    """Return the contents as one safetensors file; the same contents give the same bytes."""
    about = {
        "format": str(FORMAT),
        "version": contents.version,
        "kind": contents.kind,
        "tree": contents.tree,
        "sha256_tree": _digest_tree(contents),
        "sha256_tensors": _digest_tensors(contents.tensors),
    }
    arrays = {name: np.asarray(array, order="C") for name, array in contents.tensors.items()}
    written: bytes = safetensors.numpy.save(arrays, {ENTRY: json.dumps(about)})
    length = int.from_bytes(written[:8], "little")
    excess = _excess(written[8 : 8 + length]) or (f"{length} bytes of header" if length > MOST_HEADER else "")
    if excess or len(arrays) >= MOST_TENSORS:
        raise ModelFileError(f"the model is too large for a model file: {excess or f'{len(arrays)} arrays'}.")
    return written


def from_stream(stream: BinaryIO, size: int) -> FileContents:
    """Read a file of `size` bytes; the sizes that it states are checked against that before they are used."""
    metadata: Any = _header(stream, size).get("__metadata__")
    about = parse(metadata[ENTRY]) if isinstance(metadata, dict) and isinstance(metadata.get(ENTRY), str) else None
    if not isinstance(about, dict) or "format" not in about or "tree" not in about:
        raise ModelFileError("this is a safetensors file, but not a model of this library.")
    _check_format(about["format"])
    if set(metadata) != {ENTRY} or set(about) != set(FIELDS) or not all(isinstance(v, str) for v in about.values()):
        damaged("its metadata are not those of a model file")
    contents = FileContents(about["version"], about["kind"], about["tree"], _tensors(stream, size))
    if _digest_tree(contents) != about["sha256_tree"]:
        damaged("the header differs from its checksum")
    if _digest_tensors(contents.tensors) != about["sha256_tensors"]:
        damaged("the numbers differ from their checksum")
    return contents


def damaged(why: str) -> Never:
    """Raise the error for a file that is not as it was written."""
    raise ModelFileError(f"damaged model file: {why}.")


def parse(text: str | bytes) -> Any:
    """Read JSON without repeated names and NaN, with no more values and levels than a model has."""
    excess = _excess(text)
    if excess:
        damaged(f"its JSON has {excess}, more than a model has")
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except RecursionError:
        damaged("its JSON is nested too deeply")
    except ValueError as error:
        damaged(f"its JSON cannot be read ({error})")


def _excess(text: str | bytes) -> str:
    """Describe lists, objects and names beyond those of a model: each takes 100 bytes, and may be two bytes of text."""
    marks: Any = (b"[", b"{", b":") if isinstance(text, bytes) else ("[", "{", ":")
    count = sum(text.count(mark) for mark in marks)
    most = min(MOST_VALUES, 1000 + len(text) // BYTES_PER_VALUE)
    return f"{count} lists, objects and names in {len(text)} characters" if count > most else ""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(pairs) > MOST_TENSORS:
        raise ValueError(f"an object has {len(pairs)} names")
    named = dict(pairs)
    if len(named) != len(pairs):
        raise ValueError("a name occurs twice")
    return named


def _no_constant(name: str) -> Never:
    raise ValueError(f"{name} is not JSON")


def _header(stream: BinaryIO, size: int) -> dict[str, Any]:
    """Read the header of a file of `size` bytes; its tensors must end where the file ends."""
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
    ends = [_end(entry) for name, entry in header.items() if name != "__metadata__"]
    if max(ends, default=0) != size - 8 - length:
        damaged(f"its tensors take {max(ends, default=0)} bytes, and {size - 8 - length} follow the header")
    return header


def _end(entry: Any) -> int:
    """Return the place of the last byte of a tensor."""
    place = entry.get("data_offsets") if isinstance(entry, dict) else None
    if not isinstance(place, list) or len(place) != 2 or not all(type(byte) is int for byte in place):
        damaged("its header has a tensor without a place")
    return int(place[1])


def _check_format(text: Any) -> None:
    if not isinstance(text, str) or not text.isascii() or not text.isdigit() or len(text) > 9:
        damaged("its format is not a number")
    if not 1 <= int(text) <= FORMAT:
        raise ModelFileError(
            f"the model file has format {int(text)}, this program reads up to {FORMAT}: install a newer posteriori."
        )


def _tensors(stream: BinaryIO, size: int) -> Tensors:
    """Read the tensors; safetensors checks that they lie in order, end to end, up to the last byte."""
    stream.seek(0)
    try:
        tensors: Tensors = safetensors.numpy.load(stream.read(size))
    except (safetensors.SafetensorError, ValueError, TypeError, KeyError) as error:
        damaged(f"its tensors cannot be read ({error})")
    for name, array in tensors.items():
        if array.dtype.kind not in "fiu":
            damaged(f"tensor {name!r} has the type {array.dtype}, which no model has")
    return tensors


def _digest_tree(contents: FileContents) -> str:
    shapes = [[name, str(array.dtype), list(array.shape)] for name, array in sorted(contents.tensors.items())]
    text = json.dumps([contents.version, contents.kind, contents.tree, shapes])
    return hashlib.sha256(text.encode()).hexdigest()


def _digest_tensors(tensors: Tensors) -> str:
    digest = hashlib.sha256()
    for _, array in sorted(tensors.items()):
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()

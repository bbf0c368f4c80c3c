"""`save` and `load`."""

import os
import stat
from importlib.metadata import version
from typing import Any

from sklearn.utils.validation import check_is_fitted

from posteriori.checks.memory import available_bytes, shown_bytes
from posteriori.messages.errors import ModelFileError
from posteriori.storage.atomic import replacing
from posteriori.storage.catalogue import KINDS, reject
from posteriori.storage.container import FileContents, from_stream, to_bytes
from posteriori.storage.reader import decode
from posteriori.storage.writer import encode

#: Characters of an error, beyond which names from a file are cut.
LONGEST = 1000


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted classifier to one file, atomically: after an error the old file is unchanged.

    The file is in the safetensors format: numbers as tensors, the rest as JSON in its header. It contains the
    model's parameters and what it learned, and no code. It contains no rows of training data, except where they are
    part of the model: the centres of `KernelLogisticRegression`, `LSPC` and `KernelBasis`, and the steps that
    `Perceptron` records with ``trace=True``. Its checksums detect accidental changes, not attackers: they have no key.

    Parameters
    ----------
    model : a fitted classifier of this library
    path : the file to write; an existing regular file is replaced in one step and keeps its permissions

    Examples
    --------
    >>> import posteriori as pt
    >>> import tempfile, os
    >>> model = pt.GaussianClassifier().fit([[0.0], [1.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> path = os.path.join(tempfile.mkdtemp(), "two.model")
    >>> pt.save(model, path)
    >>> pt.load(path).predict([[0.9]]).tolist()
    ['a']
    """
    name = type(model).__name__
    if KINDS.get(name) is not type(model) or not hasattr(model, "predict"):
        reject(model, "the model")
    check_is_fitted(model)
    tree, tensors = encode(model, name)
    try:
        decode(tree, tensors)
    except ModelFileError as error:
        raise ModelFileError(f"this {name} could not be loaded again, so it was not saved: {error}") from None
    contents = to_bytes(FileContents(version("posteriori"), name, tree, tensors))
    with replacing(path) as stream:
        stream.write(contents)


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model written by `save`; it predicts bit for bit as the one saved.

    Loading runs no code from the file: it makes only classes of this library, from a fixed table, and checks
    sizes, checksums, types, shapes and ranges, and that the parts of a model agree. What follows from other values,
    such as AIC or the number of parameters, is not in the file but computed. A file that fails a check is a
    `ModelFileError` that names the field; a missing one is a ``FileNotFoundError``.

    The checksums have no key: they detect accidents, not attackers. Whoever can write the file can write another model
    with checksums that match, so a file from a stranger is safe to load, but not to trust.

    Files of older versions load: a parameter that a class has gained since has its default, with which the class does
    what it did before. What a fit learned is never replaced by a default.

    Parameters
    ----------
    path : the file to read

    Returns
    -------
    The fitted classifier
    """
    try:
        mode = os.stat(path).st_mode
    except ValueError as error:  # a null byte, or characters that no file name has
        raise ModelFileError(f"{os.fspath(path)!r} is not a file name: {error}.") from None
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise ModelFileError(f"{os.fspath(path)!r} is not a regular file, so no model can be read from it.")
    with open(path, "rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > available_bytes():
            free = shown_bytes(available_bytes())
            raise ModelFileError(
                _error_text(path, f"it has {shown_bytes(size)}, and {free} of memory are left for it.")
            )
        try:
            return _model(from_stream(stream, size))
        except ModelFileError as error:
            raise ModelFileError(_error_text(path, str(error))) from None
        except OSError:
            raise
        except MemoryError:
            raise ModelFileError(_error_text(path, f"not enough memory to load this file of {size} bytes.")) from None
        except Exception as error:  # one kind of error, whatever a hostile file contains
            raise ModelFileError(_error_text(path, f"damaged model file: {type(error).__name__}: {error}.")) from error


def _error_text(path: str | os.PathLike[str], why: str) -> str:
    """Format an error with the file's name, cut to a readable length."""
    return f"{os.fspath(path)!r}: {why if len(why) <= LONGEST else f'{why[:LONGEST]}...'}"


def _model(contents: FileContents) -> Any:
    model = decode(contents.tree, contents.tensors)
    if type(model).__name__ != contents.kind or not hasattr(model, "predict"):
        raise ModelFileError(f"damaged model file: it announces a {contents.kind!r} and contains another class.")
    check_is_fitted(model)
    return model

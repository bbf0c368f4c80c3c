"""Values by class, put into the order of a model's classes."""

import datetime
import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote


@dataclass(frozen=True)
class ClassIndex:
    """Positions of classes by label and by text: headers of frames and files are text.

    Parameters
    ----------
    labels : the classes
    places, texts : position by label, and by each text of a label
    """

    labels: list[Any]
    places: dict[Any, int]
    texts: dict[str, int]

    @classmethod
    def of(cls, classes: NDArray[Any]) -> "ClassIndex":
        """Index the classes of a model."""
        labels = as_objects(classes).tolist()
        texts = {text: at for at, label in reversed(list(enumerate(labels))) for text in texts_of(label)}
        return cls(labels, {_key(label): at for at, label in enumerate(labels)}, texts)

    def find(self, name: Any) -> int | None:
        """Return the position of a class; None if there is none."""
        if not is_label(name):
            return None
        at = self.places.get(_key(name))
        return self.texts.get(name) if at is None and isinstance(name, str) else at


def places_of(names: Sequence[Any], classes: NDArray[Any], what: str) -> list[int]:
    """Return, for each class, the position of its name in a list.

    Parameters
    ----------
    names : classes or their text, in any order
    classes : (K,) of the model
    what : what has the names, for the error

    Examples
    --------
    >>> places_of(["1", "0"], np.array([0, 1]), "costs")
    [1, 0]
    """
    index = ClassIndex.of(classes)
    positions: dict[int, int] = {}
    unknown = []
    for position, name in enumerate(names):
        at = index.find(name)
        if at is None:
            unknown.append(name)
        elif at in positions:
            raise DataError(f"{what} name the class {index.labels[at]!r} twice.")
        else:
            positions[at] = position
    absent = [label for at, label in enumerate(index.labels) if at not in positions]
    if unknown or absent:
        raise DataError(_mismatch(unknown, absent, index.labels, what))
    return [positions[at] for at in range(len(index.labels))]


def read_by_class(values: Any, classes: NDArray[Any], what: str) -> Any:
    """Return {class: value} as a list in the order of the classes; return other values unchanged.

    A pandas Series whose index names the classes is such a mapping.
    """
    if hasattr(values, "to_dict") and type(getattr(values, "index", None)).__name__ not in ("NoneType", "RangeIndex"):
        return [values.iloc[place] for place in places_of(values.index.tolist(), classes, what)]
    if not isinstance(values, Mapping):
        return values
    by_position = list(values.values())
    return [by_position[place] for place in places_of(list(values), classes, what)]


def same(one: Any, other: Any) -> bool:
    """Return whether two labels are the same: True is not 1, and dates of different types may be equal."""
    return bool(_key(one) == _key(other))


def known_as(label: Any, known: Sequence[Any]) -> Any:
    """Return the equal label of a list, for dates possibly of another type; unchanged if there is none.

    >>> known_as(np.datetime64("2020-01-02", "ns"), [datetime.datetime(2020, 1, 2)])
    datetime.datetime(2020, 1, 2, 0, 0)
    """
    if not is_label(label):
        return label
    return next((own for own in known if same(own, label)), label)


def _key(label: Any) -> tuple[bool, Any]:
    """Return the key by which labels are compared."""
    if isinstance(label, np.datetime64 | datetime.date):
        moment: Any = label  # the type hints of numpy allow fewer types
        label = np.datetime64(moment, "us")
    plain = as_scalar(label)
    return isinstance(plain, bool), plain


def as_scalar(value: Any) -> Any:
    """Convert a scalar of numpy to Python's type; return other values unchanged."""
    return value.item() if isinstance(value, np.generic) else value


def texts_of(label: Any) -> tuple[str, ...]:
    """Return the texts of a label.

    >>> texts_of(1.0), texts_of(b"a")
    (('1.0', '1'), ('a',))
    """
    if isinstance(label, bytes):
        return (label.decode(errors="replace"),)
    if isinstance(label, float) and label.is_integer():
        return (str(label), str(int(label)))
    if isinstance(label, datetime.datetime) and label.time() == datetime.time():
        return (str(label), str(label.date()))
    return (str(label),)


def as_objects(labels: NDArray[Any]) -> NDArray[Any]:
    """Convert labels to objects; also dates finer than a microsecond, which numpy converts to integers."""
    if labels.dtype.kind == "M" and np.datetime_data(labels.dtype)[0] in ("ns", "ps", "fs", "as"):
        labels = labels.astype("M8[us]")
    objects: NDArray[Any] = labels.astype(object)
    return objects


def nearest(name: Any, known: Sequence[Any]) -> str:
    """Return a hint with the names most similar to an unknown one; empty if there are none."""
    near = difflib.get_close_matches(str(name), [texts_of(label)[0] for label in known], 2, 0.5)
    return f" Did you mean {' or '.join(map(repr, near))}?" if near else ""


def _mismatch(unknown: list[Any], absent: list[Any], known: list[Any], what: str) -> str:
    parts = []
    if absent:
        parts.append(f"{what} lack {len(absent)} of the {len(known)} classes: {quote(absent)}.")
    if unknown:
        hint = nearest(unknown[0], absent or known)
        parts.append(f"{what} name {len(unknown)} unknown class(es): {quote(unknown)}.{hint}")
    return f"{' '.join(parts)} The classes are {quote(known, most=20)}."


def is_label(value: Any) -> bool:
    """Return whether a value can be a label: a scalar, not a collection."""
    return value is not None and not isinstance(value, dict | set | frozenset) and np.ndim(value) == 0


def array_of(labels: Sequence[Any]) -> NDArray[Any]:
    """Return an array of labels; of mixed types an array of objects, so that 0, 1 and "ask" do not all become text.

    >>> array_of(["a", "b"]).dtype.kind, array_of([0, 1, "ask"]).dtype.kind
    ('U', 'O')
    """
    plain = [as_scalar(label) for label in labels]
    if len({type(label) for label in plain}) == 1 and isinstance(plain[0], str | bytes | bool | int | float):
        return np.array(plain)
    array = np.empty(len(plain), dtype=object)
    array[:] = plain  # none of them is a collection that numpy would unpack
    return array

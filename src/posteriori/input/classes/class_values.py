"""Values by class: what a user gives under the classes' names, put into the order of a model's classes."""

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
    """Where each class stands, by itself and by its text: headers of frames and files know only text.

    Parameters
    ----------
    labels : the classes
    places, texts : place by label, and by the ways it is written
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
        """Give the place of a class; None where there is none of that name."""
        if not is_label(name):
            return None
        at = self.places.get(_key(name))
        return self.texts.get(name) if at is None and isinstance(name, str) else at


def places_of(names: Sequence[Any], classes: NDArray[Any], what: str) -> list[int]:
    """Give, for each class, the place of its name among those given.

    Parameters
    ----------
    names : as given, in any order: classes, or their text
    classes : (K,) of the model
    what : what the names head, for the error

    Examples
    --------
    >>> places_of(["1", "0"], np.array([0, 1]), "costs")
    [1, 0]
    """
    index = ClassIndex.of(classes)
    found: dict[int, int] = {}
    strange = []
    for place, name in enumerate(names):
        at = index.find(name)
        if at is None:
            strange.append(name)
        elif at in found:
            raise DataError(f"{what} name the class {index.labels[at]!r} twice.")
        else:
            found[at] = place
    absent = [label for at, label in enumerate(index.labels) if at not in found]
    if strange or absent:
        raise DataError(_amiss(strange, absent, index.labels, what))
    return [found[at] for at in range(len(index.labels))]


def read_by_class(values: Any, classes: NDArray[Any], what: str) -> Any:
    """Give {class: value} as a list in the order of the classes; anything else is given back.

    A Series of pandas whose index names the classes is such a mapping; one that is only numbered is not.
    """
    if hasattr(values, "to_dict") and type(getattr(values, "index", None)).__name__ not in ("NoneType", "RangeIndex"):
        return [values.iloc[place] for place in places_of(values.index.tolist(), classes, what)]
    if not isinstance(values, Mapping):
        return values
    given = list(values.values())
    return [given[place] for place in places_of(list(values), classes, what)]


def same(one: Any, other: Any) -> bool:
    """Whether two labels are the same: True is not 1, and a date is the same in any type."""
    return bool(_key(one) == _key(other))


def known_as(label: Any, known: Sequence[Any]) -> Any:
    """Give a label as it stands in a list, a date in whatever type; one that is not there as it is.

    >>> known_as(np.datetime64("2020-01-02", "ns"), [datetime.datetime(2020, 1, 2)])
    datetime.datetime(2020, 1, 2, 0, 0)
    """
    if not is_label(label):
        return label
    return next((own for own in known if same(own, label)), label)


def _key(label: Any) -> tuple[bool, Any]:
    """Give what tells labels apart."""
    if isinstance(label, np.datetime64 | datetime.date):
        moment: Any = label  # numpy's hints know fewer ways to make one
        label = np.datetime64(moment, "us")
    plain = label.item() if isinstance(label, np.generic) else label
    return isinstance(plain, bool), plain


def texts_of(label: Any) -> tuple[str, ...]:
    """Give the ways a label is written.

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
    """Give labels as objects; dates finer than a microsecond, which numpy would give as numbers, as dates too."""
    if labels.dtype.kind == "M" and np.datetime_data(labels.dtype)[0] in ("ns", "ps", "fs", "as"):
        labels = labels.astype("M8[us]")
    objects: NDArray[Any] = labels.astype(object)
    return objects


def nearest(name: Any, known: Sequence[Any]) -> str:
    """Offer the names nearest to one that is not known, or nothing."""
    near = difflib.get_close_matches(str(name), [texts_of(label)[0] for label in known], 2, 0.5)
    return f" Did you mean {' or '.join(repr(word) for word in near)}?" if near else ""


def _amiss(strange: list[Any], absent: list[Any], known: list[Any], what: str) -> str:
    parts = []
    if absent:
        parts.append(f"{what} lack {len(absent)} of the {len(known)} classes: {quote(absent)}.")
    if strange:
        hint = nearest(strange[0], absent or known)
        parts.append(f"{what} name {len(strange)} that the model does not know: {quote(strange)}.{hint}")
    return f"{' '.join(parts)} The classes are {quote(known, most=20)}."


def is_label(value: Any) -> bool:
    """Whether a value can be a label: one thing, not a collection."""
    return value is not None and not isinstance(value, dict | set | frozenset) and np.ndim(value) == 0


def array_of(labels: Sequence[Any]) -> NDArray[Any]:
    """Make an array of labels; of mixed types one of objects, so that 0, 1 and "ask" do not all become text.

    >>> array_of(["a", "b"]).dtype.kind, array_of([0, 1, "ask"]).dtype.kind
    ('U', 'O')
    """
    plain = [label.item() if isinstance(label, np.generic) else label for label in labels]
    if len({type(label) for label in plain}) == 1 and isinstance(plain[0], str | bytes | bool | int | float):
        return np.array(plain)
    array = np.empty(len(plain), dtype=object)
    array[:] = plain  # none of them is a collection, so numpy takes none apart
    return array

"""`Note`: one thing a fit has to say about itself, kept in `fit_notes_` and said once as a warning."""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from posteriori.messages.escape import escape_controls
from posteriori.storable import storable

#: Codes of notes that are kept and never said.
KEPT = frozenset({"on-line", "separation-cured", "evidence-bound", "laplace-inaccurate", "prior-binds", "units"})
#: Those of them that a comparison passes on, since nobody looks at the notes of its fits.
ADVICE = frozenset({"units"})


@storable
@dataclass(frozen=True)
class Note:
    """A finding about a fit.

    Parameters
    ----------
    code : str
        A short fixed word, such as ``"separation"`` or ``"aliased"``.
    message : str
        A sentence for people: what, where, how many.
    columns, rows, classes : tuple
        What it concerns, by name (or index) where known.
    cure : str
        One thing to do about it.
    """

    code: str
    message: str
    columns: tuple[str | int, ...] = ()
    rows: tuple[int, ...] = ()
    classes: tuple[str, ...] = ()
    cure: str = ""
    category: type[Warning] = field(default=UserWarning, repr=False)

    def __str__(self) -> str:
        return escape_controls(f"{self.message} {self.cure}".strip())

    def warn(self, stacklevel: int = 3) -> None:
        """Say the note as a warning of its own category, unless it tells of what the user asked for."""
        if self.code in KEPT:
            return
        warnings.warn(str(self), self.category, stacklevel=stacklevel)


def listed(names: Sequence[object], most: int = 5) -> str:
    """Name the first few of many: ``'a', 'b' and 3 more``.

    >>> listed(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def picked(names: Sequence[str | int], marks: Iterable[object]) -> tuple[str | int, ...]:
    """Give the names that are marked.

    >>> picked(["a", "b", "c"], [True, False, True])
    ('a', 'c')
    """
    return tuple(name for name, mark in zip(names, marks, strict=True) if mark)


def typed(name: str, *kinds: str) -> str:
    """Say how a column's type is declared, from Python and to the command.

    >>> typed("when", "ignore")
    "types={'when': 'ignore'} or --type when=ignore"
    """
    return " or ".join(
        [*(f"types={{{name!r}: {kind!r}}}" for kind in kinds), *(f"--type {name}={kind}" for kind in kinds)]
    )

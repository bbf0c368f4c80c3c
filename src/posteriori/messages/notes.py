"""`Note`: one finding of a fit, stored in `fit_notes_` and emitted once as a warning; names quoted in messages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from posteriori.messages.escape import escape_controls
from posteriori.messages.user_warning import warn
from posteriori.storable import storable

#: Characters of a name in a message; of a longer one the beginning and the end are quoted.
LONGEST = 200
#: Codes of notes that are stored but not emitted as warnings.
SILENT = frozenset({"on-line", "separation-cured", "evidence-bound", "laplace-inaccurate", "prior-binds", "units"})
#: Those of them that a comparison reports, since nobody reads the notes of its fits.
ADVICE = frozenset({"units"})


@storable
@dataclass(frozen=True)
class Note:
    """A finding about a fit.

    Parameters
    ----------
    code : a short fixed word, such as ``"separation"`` or ``"aliased"``
    message : one sentence: what, where, how many
    columns, rows, classes : those concerned, by name (or index)
    remedy : what to do about it; also available as `cure`
    """

    code: str
    message: str
    columns: tuple[str | int, ...] = ()
    rows: tuple[int, ...] = ()
    classes: tuple[str, ...] = ()
    remedy: str = ""
    category: type[Warning] = field(default=UserWarning, repr=False)

    @property
    def cure(self) -> str:
        """Alias of `remedy`."""
        return self.remedy

    def __str__(self) -> str:
        return escape_controls(f"{self.message} {self.remedy}".strip())

    def warn(self) -> None:
        """Emit the note as a warning of its category, unless it only reports what the user requested."""
        if self.code not in SILENT:
            warn(str(self), self.category)


def quote(names: Sequence[object], most: int = 5) -> str:
    """Quote the first few names: ``'a', 'b' and 3 more``; long ones, such as cells of a million characters, are cut.

    >>> quote(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    >>> len(quote(["x" * 1_000_000]))
    203
    """
    shown = ", ".join(map(_cut, names[:most]))
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _cut(name: object) -> str:
    """Return the name as a literal, without its middle where it is long."""
    text = repr(name)
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]}...{text[-LONGEST // 2 :]}"


def select(names: Sequence[str | int], marks: Iterable[object]) -> tuple[str | int, ...]:
    """Return the names whose mark is true.

    >>> select(["a", "b", "c"], [True, False, True])
    ('a', 'c')
    """
    return tuple(name for name, mark in zip(names, marks, strict=True) if mark)

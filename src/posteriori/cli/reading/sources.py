"""`Source`: what the user named as DATA, and the files it stands for."""

import errno
import glob
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

SUFFIXES = (".csv", ".tsv", ".parquet")
#: What gives the text of a compressed file.
COMPRESSED = {".gz": "zcat", ".bz2": "bzcat", ".xz": "xzcat", ".zst": "zstdcat", ".zip": "unzip -p"}


@dataclass(frozen=True)
class Source:
    """Data to read and how.

    Parameters
    ----------
    path : a file, a folder or a glob of files, or ``-`` for standard input
    delimiter, encoding, decimal : of text files; a delimiter of None is a comma, or a tab in .tsv
    as_text : columns to keep as text though they look like numbers
    declared : columns whose type the user has told
    notes : whether to say on standard error what is read and looks odd
    ignored : columns that are not used, so that odd cells in them do no harm
    """

    path: str
    delimiter: str | None = None
    encoding: str = "utf-8"
    decimal: str = "."
    as_text: tuple[str, ...] = field(default=())
    declared: tuple[str, ...] = field(default=())
    notes: bool = False
    ignored: tuple[str, ...] = field(default=())

    @classmethod
    def to_learn_from(cls, path: str, types: dict[str, str], options: dict[str, Any]) -> "Source":
        """Give the data of a fit: what ``--type`` calls a category is kept as text."""
        as_text = tuple(column for column, kind in types.items() if kind == "category")
        dialect = options["delimiter"], options["encoding"], options["decimal"]
        ignored = tuple(column for column, kind in types.items() if kind == "ignore")
        return cls(path, *dialect, as_text, tuple(types), notes=not options["quiet"], ignored=ignored)

    @property
    def name(self) -> str:
        """What to call it in messages."""
        return "standard input" if self.path == "-" else self.path

    @property
    def mark(self) -> str:
        """The delimiter in force."""
        if self.delimiter is not None:
            return "\t" if self.delimiter in ("\\t", "tab") else self.delimiter
        return "\t" if self.path.lower().endswith(".tsv") else ","

    def files(self) -> list["Source"]:
        """List the files it stands for, each as a source, in the order of their names."""
        if self.path == "-" or os.path.isfile(self.path):
            return [self]
        if os.path.isdir(self.path):
            found = [entry.path for entry in os.scandir(self.path) if _is_data(entry.path)]
            return self._each(found, f"this folder holds no file that ends in {', '.join(SUFFIXES)}")
        if glob.has_magic(self.path):
            found = [path for path in glob.glob(self.path, recursive=True) if _is_data(path)]
            return self._each(found, f"no file that ends in {', '.join(SUFFIXES)} matches this pattern")
        return [self]

    def _each(self, paths: list[str], nothing: str) -> list["Source"]:
        if not paths:
            raise FileNotFoundError(errno.ENOENT, nothing, self.path)
        filled = [path for path in paths if os.path.getsize(path)] or paths  # an empty file among others adds nothing
        return [replace(self, path=path) for path in sorted(filled)]

    def check_suffix(self) -> None:
        """Refuse a file whose name does not tell its format."""
        suffix = Path(self.path).suffix.lower()
        if self.path != "-" and suffix in COMPRESSED:
            raise click.UsageError(
                f"{self.path!r} is compressed: unpack it, or give its text to standard input ({COMPRESSED[suffix]} "
                f"{self.path} | posteriori … -)."
            )
        if self.path != "-" and suffix not in SUFFIXES:
            raise click.UsageError(
                f"cannot tell the format of {self.path!r} from its name; it should end in {', '.join(SUFFIXES)}."
            )

    @property
    def is_parquet(self) -> bool:
        """Whether the name says so; standard input is told by its first bytes."""
        return self.path.lower().endswith(".parquet")

    @contextmanager
    def opened(self) -> Iterator[Any]:
        """Open the file for reading; one that grows, shrinks or is replaced meanwhile is an error."""
        if self.path == "-":
            if sys.stdin is None:
                raise OSError(errno.EBADF, "standard input is closed")
            yield sys.stdin.buffer
            return
        with open(self.path, "rb") as stream:  # a missing file, a folder: OSError
            self.check_suffix()
            before = os.fstat(stream.fileno())
            yield stream
        if stat.S_ISREG(before.st_mode):
            after = os.stat(self.path)
            if any(getattr(before, name) != getattr(after, name) for name in ("st_ino", "st_size", "st_mtime_ns")):
                raise OSError(errno.EIO, f"this file changed while it was being read ({before.st_size} bytes at "
                              f"first, {after.st_size} at the end)", self.path)  # fmt: skip


def _is_data(path: str) -> bool:
    return (
        os.path.isfile(path)
        and Path(path).suffix.lower() in SUFFIXES
        and not Path(path).name.startswith((".", "_"))  # what other programs keep beside their data
    )

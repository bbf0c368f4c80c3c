"""`Source`: the argument DATA, and the files it names."""

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
#: Programs that decompress a file.
COMPRESSED = {".gz": "zcat", ".bz2": "bzcat", ".xz": "xzcat", ".zst": "zstdcat", ".zip": "unzip -p"}


@dataclass(frozen=True)
class Source:
    """Data to read, and its format.

    Parameters
    ----------
    path : a file, a folder or a glob of files, or ``-`` for standard input
    delimiter, encoding, decimal : of text files; a delimiter of None is a comma, or a tab in .tsv
    as_text : columns to read as text even if they look like numbers
    declared : columns with a type declared by the user
    notes : whether to print notes on suspicious cells to standard error
    ignored : columns that are not used, and are not checked
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
        """Return the source of a fit: columns that ``--type`` declares categories are read as text."""
        as_text = tuple(column for column, kind in types.items() if kind == "category")
        dialect = options["delimiter"], options["encoding"], options["decimal"]
        ignored = tuple(column for column, kind in types.items() if kind == "ignore")
        return cls(path, *dialect, as_text, tuple(types), notes=not options["quiet"], ignored=ignored)

    @property
    def name(self) -> str:
        """The name in messages."""
        return "standard input" if self.path == "-" else self.path

    @property
    def mark(self) -> str:
        """The delimiter."""
        if self.delimiter is not None:
            return "\t" if self.delimiter in ("\\t", "tab") else self.delimiter
        return "\t" if self.path.lower().endswith(".tsv") else ","

    def files(self) -> list["Source"]:
        """Return the files, each as a source, in the order of their names."""
        if self.path == "-" or os.path.isfile(self.path):
            return [self]
        if os.path.isdir(self.path):
            paths = [entry.path for entry in os.scandir(self.path)]
            return self._each(paths, f"no file in this folder ends in {', '.join(SUFFIXES)}")
        if glob.has_magic(self.path):
            paths = glob.glob(self.path, recursive=True)
            return self._each(paths, f"no file that ends in {', '.join(SUFFIXES)} matches this pattern")
        return [self]

    def _each(self, paths: list[str], error: str) -> list["Source"]:
        data = [path for path in paths if _is_data(path)]
        if not data:
            raise FileNotFoundError(errno.ENOENT, error, self.path)
        nonempty = [path for path in data if os.path.getsize(path)] or data
        return [replace(self, path=path) for path in sorted(nonempty)]

    def check_suffix(self) -> None:
        """Raise if the name of a file does not show its format."""
        suffix = Path(self.path).suffix.lower()
        if self.path != "-" and suffix in COMPRESSED:
            raise click.UsageError(
                f"{self.path!r} is compressed: decompress it, or pipe it to standard input ({COMPRESSED[suffix]} "
                f"{self.path} | posteriori … -)."
            )
        if self.path != "-" and suffix not in SUFFIXES:
            raise click.UsageError(
                f"the name of {self.path!r} does not show its format: it must end in {', '.join(SUFFIXES)}."
            )

    @property
    def is_parquet(self) -> bool:
        """Whether the name ends in .parquet; standard input is recognised by its first bytes."""
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
                raise OSError(errno.EIO, f"this file changed while it was being read (from "
                              f"{before.st_size} to {after.st_size} bytes)", self.path)  # fmt: skip


def _is_data(path: str) -> bool:
    return (
        os.path.isfile(path)
        and Path(path).suffix.lower() in SUFFIXES
        and not Path(path).name.startswith((".", "_"))  # auxiliary files of other programs
    )

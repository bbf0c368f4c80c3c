"""Atomic writing of files: temporary file, fsync, rename, fsync of the folder."""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from posteriori.messages.errors import DataError

PREFIX, SUFFIX = ".posteriori-", ".tmp"


def check_writable(path: str | os.PathLike[str]) -> Path:
    """Return the real path of a file that could be written now, or raise the OSError that writing it would.

    Only a regular file is ever replaced: renaming over a device, a pipe or a folder would destroy it.
    """
    mode = _mode(path)
    if mode is not None and stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "this is a folder, not a file", str(path))
    if mode is not None and not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "this is a device or a pipe, not a regular file", str(path))
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "its folder does not exist", str(path))
    descriptor, temporary = _create(target.parent, mode)
    os.close(descriptor)
    temporary.unlink()
    return target


def _mode(path: str | os.PathLike[str]) -> int | None:
    """Return the mode of a file, links followed; None where there is no file. A link to itself is an OSError."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None
    except ValueError as error:  # a null byte, or characters that no file name has
        raise DataError(f"{os.fspath(path)!r} is not a file name: {error}.") from None


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Write to a temporary file beside the target, and rename it to the target when the block ends without error.

    After an error the old file is unchanged and the temporary file is removed. Temporary files that a killed process
    left behind, whose lock nobody holds, are removed first. The temporary file is readable by its owner alone until
    it has the mode of the file that it replaces.
    """
    target = check_writable(path)
    _sweep(target.parent)
    mode = _mode(target)
    descriptor, temporary = _create(target.parent, mode)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            if mode is not None:
                os.chmod(temporary, stat.S_IMODE(mode))
            os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _create(folder: Path, mode: int | None) -> tuple[int, Path]:
    """Open a new temporary file, no more permissive than `mode`, and lock it so that no other process removes it."""
    permissions = 0o666 if mode is None else stat.S_IMODE(mode) & 0o600
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    while True:
        temporary = folder / f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}"
        descriptor = os.open(temporary, flags, permissions)
        if _lock(descriptor) is not False and temporary.exists():
            return descriptor, temporary
        os.close(descriptor)  # removed between opening and locking


def _lock(descriptor: int) -> bool | None:
    """Lock an open file until it is closed; return False if another process has it, None if there are no locks."""
    try:
        import fcntl
    except ImportError:  # such a system does not remove open files either
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return None
    return True


def _sweep(folder: Path) -> None:
    """Remove temporary files that nobody writes; where files cannot be locked, none, since that is not known."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    for stale in folder.glob(f"{PREFIX}*{SUFFIX}"):
        with contextlib.suppress(OSError):
            descriptor = os.open(stale, flags)  # opening a pipe would otherwise wait for a writer
            try:
                if stat.S_ISREG(os.fstat(descriptor).st_mode) and _lock(descriptor):
                    stale.unlink()
            finally:
                os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a loss of power; some file systems cannot sync a folder."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

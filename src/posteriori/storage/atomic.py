"""Files that are there whole or not at all: temporary file, fsync, rename, fsync of the folder."""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

PREFIX, SUFFIX = ".posteriori-", ".tmp"


def check_writable(path: str | os.PathLike[str]) -> Path:
    """Give the real path of a file that could be written now, or raise the OSError that writing it would.

    Only a plain file is ever replaced: renaming over a device or a folder would destroy it.
    """
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "this is a folder, not a file", str(path))
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(errno.EINVAL, "this is a device or a pipe, not a plain file", str(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "its folder does not exist", str(path))
    descriptor, temporary = _create(target.parent)
    os.close(descriptor)
    temporary.unlink()
    return target


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Write to a temporary file beside the target, which takes the target's place when the block ends well.

    Whatever goes wrong, the old file is untouched and the temporary one removed. Temporary files that a
    killed process left behind are swept first: theirs is a lock that nobody holds.
    """
    target = check_writable(path)
    _sweep(target.parent)
    descriptor, temporary = _create(target.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            if target.exists():
                os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))
            os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _create(folder: Path) -> tuple[int, Path]:
    """Open a new temporary file and lock it, so that no other process sweeps it away."""
    while True:
        temporary = folder / f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}"
        descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
        if _lock(descriptor) and temporary.exists():
            return descriptor, temporary
        os.close(descriptor)  # swept between opening and locking


def _lock(descriptor: int) -> bool:
    """Take the lock of an open file, which the system lets go when its process ends."""
    try:
        import fcntl
    except ImportError:  # a system without it does not let open files be removed either
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def _sweep(folder: Path) -> None:
    for stale in folder.glob(f"{PREFIX}*{SUFFIX}"):
        with contextlib.suppress(OSError):
            descriptor = os.open(stale, os.O_RDONLY)
            try:
                if _lock(descriptor):
                    stale.unlink()
            finally:
                os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a loss of power; some file systems cannot, and need not."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

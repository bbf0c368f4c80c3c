"""A file is there whole or not at all."""

import errno
import os
import stat
import subprocess
import sys

import pytest

import posteriori as pt
from posteriori.storage import atomic
from tests.storage.models import CODES, X


@pytest.fixture
def model():
    return pt.GaussianClassifier().fit(X, CODES)


def temporaries(folder):
    return [path.name for path in folder.iterdir() if path.name.startswith(atomic.PREFIX)]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_at_any_step_leaves_the_old_file_and_no_temporary(model, step, tmp_path, monkeypatch):
    path = tmp_path / "m"
    path.write_bytes(b"old")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(atomic.os, step, full)
    with pytest.raises(OSError, match="No space"):
        pt.save(model, path)
    assert path.read_bytes() == b"old"
    assert temporaries(tmp_path) == []


def test_a_failure_while_writing_leaves_the_old_file_and_no_temporary(tmp_path):
    path = tmp_path / "m"
    path.write_bytes(b"old")

    def interrupted():
        with atomic.replacing(path) as stream:
            stream.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_bytes() == b"old"
    assert temporaries(tmp_path) == []


@pytest.mark.slow
def test_a_temporary_of_a_killed_process_is_swept_by_the_next_save(model, tmp_path):
    script = (
        "import os, sys\nfrom posteriori.storage.atomic import replacing\n"
        "with replacing(sys.argv[1]) as stream:\n    stream.write(b'half'); stream.flush(); os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "m")], timeout=120, check=False)
    assert len(temporaries(tmp_path)) == 1
    pt.save(model, tmp_path / "m")
    assert temporaries(tmp_path) == []
    assert pt.load(tmp_path / "m").predict(X).tolist() == model.predict(X).tolist()


def test_a_temporary_that_is_being_written_is_left_alone(model, tmp_path):
    with atomic.replacing(tmp_path / "other") as stream:
        stream.write(b"whole")
        pt.save(model, tmp_path / "m")
        assert len(temporaries(tmp_path)) == 1
    assert (tmp_path / "other").read_bytes() == b"whole"


def test_a_link_is_followed_and_the_mode_of_the_old_file_kept(model, tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    os.chmod(tmp_path / "real", 0o640)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    pt.save(model, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o640
    pt.load(tmp_path / "real")


def test_folders_devices_and_missing_folders_are_refused_before_anything_is_written(model, tmp_path):
    with pytest.raises(IsADirectoryError):
        pt.save(model, tmp_path)
    with pytest.raises(OSError, match="device"):
        pt.save(model, os.devnull)
    with pytest.raises(FileNotFoundError, match="folder"):
        pt.save(model, tmp_path / "nowhere" / "m")
    assert os.path.exists(os.devnull)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.slow
def test_a_pipe_with_the_name_of_a_temporary_file_does_not_stop_a_save(tmp_path):
    """Opening a pipe waits for a writer; a subprocess is waited for in place of the test."""
    os.mkfifo(tmp_path / ".posteriori-x.tmp")
    script = "import sys\nfrom posteriori.storage.atomic import replacing\nwith replacing(sys.argv[1]): pass\n"
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "m")], timeout=60, check=True)
    assert (tmp_path / "m").exists()
    assert temporaries(tmp_path) == [".posteriori-x.tmp"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_neither_written_nor_replaced_nor_read(model, tmp_path):
    os.mkfifo(tmp_path / "m")
    with pytest.raises(OSError, match="pipe"):
        pt.save(model, tmp_path / "m")
    with pytest.raises(pt.ModelFileError, match="not a regular file"):
        pt.load(tmp_path / "m")
    assert stat.S_ISFIFO((tmp_path / "m").stat().st_mode)


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")
@pytest.mark.parametrize("mode", [0o600, 0o400, 0o640, 0o666])
def test_the_temporary_file_is_never_more_permissive_than_the_file_it_replaces(mode, tmp_path):
    (tmp_path / "m").write_bytes(b"old")
    os.chmod(tmp_path / "m", mode)
    before = os.umask(0o022)
    try:
        with atomic.replacing(tmp_path / "m") as stream:
            stream.write(b"new")
            (temporary,) = temporaries(tmp_path)
            assert (tmp_path / temporary).stat().st_mode & 0o777 & ~mode == 0
    finally:
        os.umask(before)
    assert (tmp_path / "m").stat().st_mode & 0o777 == mode
    assert (tmp_path / "m").read_bytes() == b"new"


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")
def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path):
    before = os.umask(0o027)
    try:
        with atomic.replacing(tmp_path / "m"):
            pass
    finally:
        os.umask(before)
    assert (tmp_path / "m").stat().st_mode & 0o777 == 0o640


def test_where_files_cannot_be_locked_no_temporary_of_another_writer_is_removed(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def no_locks(*_):
        raise OSError(errno.EOPNOTSUPP, "no locks on this file system")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with atomic.replacing(tmp_path / "other") as stream:
        stream.write(b"whole")
        with atomic.replacing(tmp_path / "m"):
            assert len(temporaries(tmp_path)) == 2
    assert (tmp_path / "other").read_bytes() == b"whole"
    assert temporaries(tmp_path) == []


def test_a_link_to_itself_is_an_error_and_stays(model, tmp_path):
    (tmp_path / "m").symlink_to(tmp_path / "m")
    with pytest.raises(OSError, match="symbolic links"):
        pt.save(model, tmp_path / "m")
    assert (tmp_path / "m").is_symlink()


def test_a_link_to_a_file_that_is_not_there_writes_that_file(model, tmp_path):
    (tmp_path / "m").symlink_to(tmp_path / "real")
    pt.save(model, tmp_path / "m")
    assert (tmp_path / "m").is_symlink()
    assert (tmp_path / "real").is_file()


@pytest.mark.parametrize("name", ["\0x", "a\0b"])
def test_a_name_with_a_null_byte_is_refused_by_us(model, name):
    with pytest.raises(pt.DataError, match="not a file name"):
        pt.save(model, name)
    with pytest.raises(pt.ModelFileError, match="not a file name"):
        pt.load(name)


def test_a_missing_file_stays_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        pt.load(tmp_path / "nothing")
    with pytest.raises(OSError, match="directory"):
        pt.load(tmp_path)

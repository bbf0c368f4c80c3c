"""A file is there whole or not at all."""

import errno
import os
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


def test_a_missing_file_stays_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        pt.load(tmp_path / "nothing")
    with pytest.raises(OSError, match="directory"):
        pt.load(tmp_path)

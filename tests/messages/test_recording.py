"""Comparisons and reports in several threads leave the filters of warnings and matplotlib's settings as they were."""

import os
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import matplotlib as mpl
import numpy as np
import pytest

import posteriori as pt
from posteriori.messages.recording import recorded_warnings, warn_again

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)


def settings():
    return list(warnings.filters), warnings.showwarning, dict(mpl.rcParams)


def test_recordings_that_overlap_in_threads_keep_their_own_warnings_and_change_nothing():
    before, together = settings(), threading.Barrier(8)

    def record(number):
        together.wait(60)
        texts = []
        for turn in range(50):
            with recorded_warnings() as caught:
                warnings.warn(f"{number} {turn}", UserWarning, stacklevel=1)
                with recorded_warnings() as inner:
                    warnings.warn("inside", RuntimeWarning, stacklevel=1)
                assert [each.category for each in inner] == [RuntimeWarning]
            texts += [str(each.message) for each in caught]
        return texts

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(record, range(8)))
    assert found == [[f"{number} {turn}" for turn in range(50)] for number in range(8)]
    assert settings() == before


def test_warnings_are_emitted_again_once_each_except_some_categories():
    with recorded_warnings() as caught:
        for kind in (UserWarning, UserWarning, RuntimeWarning):
            warnings.warn("said", kind, stacklevel=1)
    with pytest.warns(UserWarning, match="said") as again:
        warn_again(caught, excluded=(RuntimeWarning,))
    assert len(again) == 1
    with pytest.raises(RuntimeWarning):
        warn_again(caught, excluded=(UserWarning,))


@pytest.mark.slow
def test_comparisons_and_reports_in_threads_leave_the_settings_of_the_process(tmp_path):
    model = pt.LogisticRegression().fit(X, Y)
    models = {"logistic": pt.LogisticRegression(), "gaussian": pt.GaussianClassifier()}
    before = settings()

    def work(number):
        if number % 2:
            return pt.compare(models, X, Y, cv=2)
        return pt.report(model, X, Y, tmp_path / f"{number}.html", cv=None)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(6)))
    assert settings() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
def test_a_child_that_was_forked_during_a_recording_has_the_filters_from_before_it():
    begun, done = threading.Event(), threading.Event()
    before = settings()[:2]

    def hold():
        with recorded_warnings():
            begun.set()
            done.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    begun.wait(60)
    child = os.fork()
    if child == 0:
        same = list(warnings.filters) == before[0]
        with recorded_warnings() as caught:
            warnings.warn("here", stacklevel=1)
        os._exit(0 if same and len(caught) == 1 and list(warnings.filters) == before[0] else 1)
    done.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
    assert settings()[:2] == before

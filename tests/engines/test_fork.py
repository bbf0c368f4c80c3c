"""A child process made by fork fits, whatever other threads of its parent were doing."""

import os
import signal
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock
from threadpoolctl import threadpool_info

import posteriori as pt
from posteriori.backends.compiled import compiler as compiling
from posteriori.cached_property import cached_property
from posteriori.engines.blas import single_threaded_blas

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")

#: Seconds after which a child that waits for ever is ended.
LONGEST = 60


def in_child(function) -> int:
    """Return the exit code of a child that calls a function: 0, or minus the signal that ended it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of what is tried here
        child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(LONGEST)
        code = 1
        try:
            function()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture
def beside():
    """Start threads that are asked to stop, and waited for, when the test is over."""
    stop, threads = threading.Event(), []

    def start(function):
        threads.append(threading.Thread(target=function, args=(stop,)))
        threads[-1].start()

    yield start
    stop.set()
    for thread in threads:
        thread.join()


def fit():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 4))
    pt.LogisticRegression(prior=1.0).fit(X, X[:, 0] + rng.standard_normal(400) > 0)


def blas_threads():
    return [info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"]


@pytest.mark.slow
def test_a_child_fits_while_three_threads_of_its_parent_fit(beside):
    fit()

    def work(stop):
        while not stop.is_set():
            fit()

    for _ in range(3):
        beside(work)
    assert [in_child(fit) for _ in range(8)] == [0] * 8


def test_a_child_restores_the_threads_of_blas_that_a_thread_of_its_parent_limited(beside):
    before, inside = blas_threads(), threading.Event()

    def hold(stop):
        with single_threaded_blas():
            inside.set()
            stop.wait()

    def fit_and_look():
        fit()
        assert blas_threads() == before

    beside(hold)
    inside.wait()
    assert in_child(fit_and_look) == 0


def test_a_child_computes_an_attribute_that_another_thread_was_computing(beside):
    inside = threading.Event()

    class Slow:
        def __init__(self, wait):
            self.wait = wait

        @cached_property
        def value(self):
            inside.set()
            self.wait()
            return 3

    beside(lambda stop: Slow(stop.wait).value)
    inside.wait()
    assert in_child(lambda: Slow(lambda: None).value) == 0


def test_a_child_is_made_when_no_other_thread_compiles(beside):
    assert compiling.njit is not None
    inside = threading.Event()

    def compile_for_a_while(stop):
        with global_compiler_lock:
            inside.set()
            stop.wait(0.1)

    def compile_too():
        with global_compiler_lock:
            pass

    beside(compile_for_a_while)
    inside.wait()
    assert in_child(compile_too) == 0


LATE = """
import concurrent.futures.thread, logging, os, random, sys, warnings  # with handlers of the standard library
import posteriori as pt
warnings.simplefilter("ignore")

def late():
    import posteriori.backends.compiled.compiler, posteriori.engines.blas

os.register_at_fork(before=late)
child = os.fork()
pt.LogisticRegression(prior=1.0).fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.slow
def test_modules_first_imported_while_a_fork_begins_print_nothing_and_leave_no_lock():
    """As when the fork waits for a thread that imports them: they then hear of its end, and not of its beginning."""
    done = subprocess.run([sys.executable, "-c", LATE], capture_output=True, text=True, timeout=LONGEST, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

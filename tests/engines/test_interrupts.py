"""An interrupt at any step of holding BLAS to one thread: the threads of before are there again."""

import linecache
import sys

import pytest
import threadpoolctl
from threadpoolctl import ThreadpoolController

from posteriori.engines import blas
from tests.engines.test_local import set_blas_threads

FILES = {blas.__file__, threadpoolctl.__file__}


@pytest.fixture
def three_blas_threads():
    libraries = ThreadpoolController().select(user_api="blas").lib_controllers
    outside = [library.num_threads for library in libraries]
    set_blas_threads(libraries, [3] * len(libraries))
    yield
    set_blas_threads(libraries, outside)


class InterruptAt:
    """A trace function that raises KeyboardInterrupt at one of the steps of the functions in FILES.

    Python looks for signals neither where a `with` statement takes a lock nor where it lets it go.
    """

    def __init__(self, step):
        self.step = step

    def __call__(self, frame, event, argument):
        if frame.f_code.co_filename not in FILES or frame.f_code.co_name == "__del__":
            return None
        line = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
        if event in ("line", "call") and not line.startswith("with "):
            self.step -= 1
            if self.step < 0:
                sys.settrace(None)
                raise KeyboardInterrupt
        return self


def hold():
    with blas.single_threaded_blas():
        with blas.single_threaded_blas():
            pass
        assert set(numbers()) == {1}


def numbers():
    return [library.get_num_threads() for library in blas._libraries()]


@pytest.mark.usefixtures("three_blas_threads")
def test_an_interrupt_at_any_step_leaves_blas_with_the_threads_of_before():
    before, outside = numbers(), sys.gettrace()
    steps, ended = 0, False
    while not ended:
        try:
            sys.settrace(InterruptAt(steps))
            hold()
            ended = True
        except KeyboardInterrupt:
            steps += 1
        finally:
            sys.settrace(outside)
        assert numbers() == before, steps
        hold()
        assert numbers() == before, steps
    assert steps > 50

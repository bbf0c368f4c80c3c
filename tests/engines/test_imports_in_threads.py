"""Public names are imported when first used; threads that use them at the same time get them all."""

import subprocess
import sys

import pytest

#: Modules take their time to run, so that every thread finds modules half done that others are importing.
PROGRAM = """
import threading, time
from importlib.machinery import SourceFileLoader

run = SourceFileLoader.exec_module

def slowly(self, module):
    if module.__name__.startswith(("posteriori.", "numpy")):
        time.sleep(0.0005)
    run(self, module)

SourceFileLoader.exec_module = slowly
import posteriori as pt

errors = []

def use(name):
    try:
        getattr(pt, name)
    except Exception as error:
        errors.append(f"{name}: {error!r}")

names = ["GaussianPrior", "counts", "DataError", "Link", "PolynomialBasis", "GaussianMixtureLink"]
threads = [threading.Thread(target=use, args=(name,)) for name in names]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(errors)
"""


@pytest.mark.slow
def test_threads_that_use_names_for_the_first_time_at_once_get_them_all():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=100, check=True)
    assert done.stdout == "[]\n"

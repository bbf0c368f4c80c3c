"""Run the numerical tests as on other processors: `python -m tests.processors [--runs N] [arguments of pytest]`.

OpenBLAS takes the kernels of another processor from OPENBLAS_CORETYPE; numpy does without newer instructions by
NPY_DISABLE_CPU_FEATURES, and numba compiles for an older processor by NUMBA_CPU_NAME. Each sums in another order, with
or without fused multiplication, so that a test that passes by its last bits fails in one of them.
"""

import argparse
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Kernels of OpenBLAS, and the feature of numpy without which they would not run.
KERNELS = {"Haswell": "AVX2", "SkylakeX": "AVX512F", "Sandybridge": "AVX", "Nehalem": "SSE42", "Zen": "AVX2"}
#: Instructions up to SSE 4.2, under the names of any version of numpy.
OLD = {"SSE", "SSE2", "SSE3", "SSSE3", "SSE41", "POPCNT", "SSE42", "X86_V2"}
#: Tests of numbers; the checks of scikit-learn test interfaces.
FOLDERS = (
    "laws",
    "golden",
    "book",
    "backends",
    "checks",
    "linalg",
    "families",
    "links",
    "priors",
    "objectives",
    "solvers",
    "fits",
    "inference",
    "decisions",
    "estimators",
)


def features() -> tuple[dict[str, bool], list[str]]:
    """Return what numpy knows of this processor, and the instructions it chooses between when it runs."""
    try:
        from numpy._core import _multiarray_umath as core
    except ImportError:  # numpy 1
        from numpy.core import _multiarray_umath as core
    return core.__cpu_features__, core.__cpu_dispatch__


def settings() -> dict[str, dict[str, str]]:
    """Return the environment of each processor that this one can stand in for."""
    have, chosen = features()
    found = {name: {"OPENBLAS_CORETYPE": name} for name, needed in KERNELS.items() if have.get(needed)}
    newer = [name for name in chosen if name not in OLD and have.get(name)]
    found["no instructions above SSE 4.2"] = {
        "OPENBLAS_CORETYPE": "Nehalem",
        "NPY_DISABLE_CPU_FEATURES": " ".join(newer),
        "NUMBA_CPU_NAME": "nehalem",
        "NUMBA_CPU_FEATURES": "",
    }
    return found


def passes(environment: dict[str, str], arguments: list[str]) -> bool:
    """Run the tests once; return whether all passed."""
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", "-k", "not scikit_learn"]
    command += [f"tests/{folder}" for folder in FOLDERS]
    return subprocess.run([*command, *arguments], check=False, cwd=ROOT, env=os.environ | environment).returncode == 0


def main() -> int:
    """Run all settings, say which failed, and return how many."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1, help="how often the tests run under each setting")
    options, arguments = parser.parse_known_args()
    if platform.machine().lower() not in ("x86_64", "amd64"):
        print(f"{platform.machine()}: OpenBLAS and numpy have these settings for x86-64 only; nothing was run.")
        return 1
    lines, failures = [], 0
    for name, environment in settings().items():
        for run in range(1, options.runs + 1):
            print(f"== {name}, run {run} of {options.runs}", flush=True)
            begin, passed = time.monotonic(), passes(environment, arguments)
            failures += not passed
            lines.append(f"{'passed' if passed else 'FAILED'}  {name}, run {run} ({time.monotonic() - begin:.0f} s)")
    skipped = sorted(set(KERNELS) - set(settings()))
    lines += [f"skipped {name}: this processor cannot run its kernels" for name in skipped]
    print("\n".join(lines))
    return failures


if __name__ == "__main__":
    sys.exit(main())

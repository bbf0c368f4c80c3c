"""Where and with what a run was made, so that its numbers can be read later."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import psutil

PACKAGES = ("posteriori", "numpy", "scipy", "numba", "scikit-learn", "glum", "statsmodels")


def machine() -> dict[str, Any]:
    """Describe processor, cores, memory, system and Python."""
    return {
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 1e9, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "load": round(psutil.getloadavg()[0], 2),
    }


def processor() -> str:
    """Give the processor's name, where the system tells it."""
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"


def versions() -> dict[str, str]:
    """Give the versions of ours and of the peers that are installed."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found

"""The command in separate processes, which end with their test."""

import subprocess
import sys
import threading
from contextlib import contextmanager

#: Seconds after which a process is ended, however busy the machine.
LONGEST = 120


#: The command; it obeys interrupts, which a process in the background of a shell inherits as ignored.
COMMAND = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from posteriori.cli.main import main; main()"
)


def command(*arguments) -> list[str]:
    return [sys.executable, "-c", COMMAND, *map(str, arguments)]


def finished(arguments, **options):
    """Run a process to its end, or end it."""
    return subprocess.run(arguments, timeout=LONGEST, check=options.pop("check", False), **options)


@contextmanager
def started(arguments, **streams):
    """Start a process that is ended when the test fails, or has waited for it too long."""
    with subprocess.Popen(arguments, **streams) as process:
        watch = threading.Timer(LONGEST, process.kill)
        watch.start()
        try:
            yield process
            if process.stdin is not None:
                process.stdin.close()
            process.wait()
        except BaseException:
            process.kill()
            raise
        finally:
            watch.cancel()

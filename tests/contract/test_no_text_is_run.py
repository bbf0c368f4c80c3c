"""No text that is read, in a formula, a model file, a file of costs or a header, is ever run as code."""

import json
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).with_name("hostile_texts.py")


def test_no_text_of_a_formula_a_file_or_a_header_causes_an_audit_event(tmp_path):
    done = subprocess.run(
        [sys.executable, PROGRAM, tmp_path], capture_output=True, text=True, timeout=300, check=True,
        env={**os.environ, "MPLBACKEND": "agg"},
    )  # fmt: skip
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["events"] == []
    assert not found["trapped"]
    assert found["used"] > 5  # files that load, so that what follows load was watched as well

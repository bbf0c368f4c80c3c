"""Run the command in this process, with separate standard output and error."""

import pytest
from click.testing import CliRunner

from posteriori.cli.commands.demo import PENGUINS
from posteriori.cli.main import program


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(*arguments, given=None):
        return CliRunner().invoke(program, [str(argument) for argument in arguments], input=given)

    return call


@pytest.fixture
def penguins(tmp_path):
    """Return the name of a copy of the penguins in the working folder."""
    (tmp_path / "penguins.csv").write_bytes(PENGUINS.read_bytes())
    return "penguins.csv"


@pytest.fixture
def fitted(run, penguins):
    """Fit naive Bayes to the penguins and return the name of the model file."""
    assert run("fit", penguins, "--target", "species", "--model", "naive-bayes", "-o", "nb.model").exit_code == 0
    return "nb.model"

"""Hostile names have no effect on a shell, a terminal or a spreadsheet."""

import os
import sys

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.shell_completion import ShellComplete

import posteriori as pt
from posteriori.cli.main import program
from posteriori.cli.output.predictions import PLAIN, Style, cell

HOSTILE = "a\x1b[2J\x07\x9b\u202eb\nError: forged"


@pytest.fixture
def hostile(tmp_path):
    """Fit a model whose classes and columns are hostile; give the model file and the data."""
    data = pd.DataFrame({HOSTILE: [0.0, 1.0, 2.0, 3.0, 1.0, 2.0], "y": [HOSTILE, "b", "b", HOSTILE, "b", HOSTILE]})
    model = pt.TableClassifier(pt.LogisticRegression(prior=1.0)).fit(data, "y")
    pt.save(model, tmp_path / "m")
    data.to_parquet(tmp_path / "d.parquet")
    return tmp_path / "m", tmp_path / "d.parquet"


@pytest.fixture
def on_terminal(monkeypatch):
    """Run the command with standard output on a terminal and return its output."""

    def run(*arguments):
        ours, theirs = os.openpty()
        with os.fdopen(theirs, "w", encoding="utf-8") as stream, monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", stream)
            with pytest.raises(SystemExit, match=r"^0$"):
                program.main([str(argument) for argument in arguments])
            stream.flush()
            written = os.read(ours, 2**16)  # a few lines, which the terminal has room for
        os.close(ours)
        return written.decode()

    return run


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
@pytest.mark.parametrize("arguments", [("predict", "--proba"), ("explain",)], ids=lambda arguments: arguments[0])
def test_predictions_on_a_terminal_hold_nothing_that_it_obeys_unless_raw_is_asked_for(hostile, on_terminal, arguments):
    name, *flags = arguments
    shown = on_terminal(name, *hostile, *flags).replace("\r\n", "\n")
    assert all(each.isprintable() or each == "\n" for each in shown)
    assert "a\\x1b[2J" in shown
    assert not any(line.startswith("Error: forged") for line in shown.splitlines())
    assert "\x1b[2J" in on_terminal(name, *hostile, *flags, "--raw")


def test_predictions_in_a_file_or_a_pipe_are_the_classes_themselves(run, hostile):
    assert HOSTILE in run("predict", *hostile).stdout


@pytest.mark.parametrize(
    "text",
    ["\n=1+1", "\uff1d1+1", "\uff0b1+1", "\ufeff=1+1", "\u200b@x", "\u202e=1", "\tx", "\rx", "=1", "+x", "-x", "@x"],
)
def test_a_cell_that_a_spreadsheet_would_run_begins_with_an_apostrophe(text):
    assert cell(text).lstrip('"').startswith("'")
    assert cell(text, Style(raw=True)).strip('"') == text


def test_no_formula_begins_where_another_mark_divides_cells():
    assert cell("a;=1+1") == '"a;\'=1+1"'
    assert cell("a\t-cmd") == '"a\t\'-cmd"'
    assert cell('x\n@SUM(1)";') == '"x\n\'@SUM(1)"";"'
    for text in ("-1", "+1.5e3", "a-b", "a;b", "x=1", "mean = 2", "-", "größe", "a@b.c"):
        assert cell(text, PLAIN).strip('"') == text


def test_completion_offers_no_name_that_a_shell_would_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = [
        "zz$(touch${IFS}here)",
        "z`id`",
        "z;id",
        "z b",
        "z*",
        "z'",
        "z|x",
        "z&",
        "z>x",
        "z\\x",
        "z\x1b",
        "zone",
        "z.1",
    ]
    (tmp_path / "d.csv").write_text(",".join(f'"{name}"' for name in names) + "\n")
    complete = ShellComplete(program, {}, "posteriori", "_POSTERIORI_COMPLETE")
    offered = [item.value for item in complete.get_completions(["fit", "d.csv", "--target"], "z")]
    assert offered == ["zone", "z.1"]


@pytest.mark.parametrize("value", ["[" * 100_000, "[" * 500 + "]" * 500, '{"a":' * 30 + "1" + "}" * 30])
@pytest.mark.parametrize("flag", ["--set", "--models"])
def test_a_setting_that_is_nested_deeply_is_a_mistake_of_usage(run, penguins, flag, value):
    if flag == "--set":
        done = run("fit", penguins, "--target", "species", "--set", f"prior={value}")
    else:
        done = run("compare", penguins, "--target", "species", "--models", f"logistic:prior={value}")
    assert (done.exit_code, "nested more than 10 levels deep" in done.stderr) == (2, True)


def test_a_parquet_file_whose_column_names_are_not_text_is_refused_as_data(run, tmp_path, fitted):
    pq.write_table(
        pa.table({"NAMEHERE": [1.0, 2.0], "y": ["a", "b"]}), "u.parquet", compression=None, store_schema=False
    )
    data = (tmp_path / "u.parquet").read_bytes()
    (tmp_path / "u.parquet").write_bytes(data.replace(b"NAMEHERE", b"NAM\xff\xfeERE"))
    for arguments in (("fit", "u.parquet", "--target", "y"), ("predict", fitted, "u.parquet")):
        done = run(*arguments)
        assert (done.exit_code, "cannot be read as Parquet" in done.stderr) == (3, True)


@pytest.mark.parametrize("name", ["logistic", "naive-bayes", "gaussian", "lspc"])
def test_no_name_forges_a_line_of_what_fit_and_summary_show(run, hostile, name):
    arguments = ("fit", hostile[1], "--target", "y", "--model", name, "-o", "again")
    for done in (run(*arguments), run("summary", "again"), run("explain", "again", hostile[1], "--row", 1)):
        shown = done.stdout + done.stderr
        assert not any(line.startswith("Error: forged") for line in shown.splitlines())
        assert all(each.isprintable() or each == "\n" for each in shown)

"""``posteriori figures``: the books' pictures listed, and drawn into files."""

import json
import os
import sys

import pytest
from click.shell_completion import ShellComplete

from posteriori.cli.main import program
from posteriori.plots import figures
from posteriori.plots.figures import FIGURES
from tests.cli.processes import command, finished
from tests.cli.test_start_up import imported

#: Quick ones, whose rows are drawn.
ONE, OTHER = "sugiyama_28_4", "deuschle_3_7"
MAGIC = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
#: What a file would say of the day it was drawn on.
DATES = {"png": b"tIME", "svg": b"<dc:date>", "pdf": b"CreationDate"}


# --- listing


def test_the_list_has_a_line_for_every_figure_in_the_order_of_the_books(run):
    done = run("figures", "--list")
    assert done.exit_code == 0
    result = done.stdout.splitlines()
    assert [line.split()[0] for line in result] == list(FIGURES)
    assert done.stderr == ""


@pytest.mark.parametrize("name", FIGURES)
def test_a_line_says_book_number_and_what_is_drawn_as_the_docstring_does(name, run):
    (line,) = run("figures", "--list", name).stdout.splitlines()
    book, _, number = name.partition("_")
    assert f"[{book.title()}] Fig. {number.replace('_', '.')}  " in line
    assert line.endswith(getattr(figures, name).__doc__.splitlines()[0])


def test_the_list_as_json_includes_what_each_figure_teaches(run):
    result = json.loads(run("figures", "--list", "--json").stdout)
    assert (result["schema_version"], result["command"]) == (2, "figures")
    assert [each["name"] for each in result["figures"]] == list(FIGURES)
    one = next(each for each in result["figures"] if each["name"] == ONE)
    assert set(one) == {"name", "book", "number", "shows", "teaches"}
    assert (one["book"], one["number"]) == ("Sugiyama", "28.4")
    assert one["teaches"].startswith("It teaches what different classifiers have in common")
    assert "Book:" not in one["teaches"]


def test_listing_imports_no_classifier_and_no_matplotlib():
    assert imported(["figures", "--list"]) == "[]"
    code = (
        "import sys; from posteriori.plots.figures.contents import contents; contents(); "
        "print([n for n in ('matplotlib', 'numpy', 'posteriori.estimators') if n in sys.modules])"
    )
    assert finished([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_without_a_folder_the_figures_are_listed_and_it_is_said_how_to_draw_them(run, tmp_path):
    done = run("figures")
    assert done.stdout == run("figures", "--list").stdout
    assert "posteriori figures [NAME]… -o FOLDER" in done.stderr
    assert f"posteriori figures {ONE} -o FOLDER" in run("figures", ONE).stderr
    assert run("figures", "--quiet").stderr == ""
    assert list(tmp_path.iterdir()) == []


def test_listing_and_drawing_at_once_is_a_mistake_of_usage(run, tmp_path):
    done = run("figures", "--list", "-o", "pictures")
    assert done.exit_code == 2
    assert "--list draws nothing" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "near"), [("deuschle_37", OTHER), ("Sugiyama_28_4", ONE), ("sugiyama", "sugiyama_28_3"), ("3.7", None)]
)
def test_a_name_that_does_not_exist_is_answered_with_the_nearest(run, name, near):
    done = run("figures", name, "-o", "pictures")
    assert done.exit_code == 2
    assert f"there is no figure {name!r}" in done.stderr
    assert "posteriori figures --list" in done.stderr
    if near is not None:
        assert repr(near) in done.stderr


def test_names_are_completed_by_the_shell():
    completion = ShellComplete(program, {}, "posteriori", "_POSTERIORI_COMPLETE")
    found = [item.value for item in completion.get_completions(["figures"], "sugiyama_28")]
    assert found == [name for name in FIGURES if name.startswith("sugiyama_28")]
    assert found


# --- drawing


@pytest.mark.parametrize("kind", MAGIC)
@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_and_no_date(run, tmp_path, kind):
    for folder, seed in (("a", 3), ("b", 3), ("c", 4)):
        done = run("figures", OTHER, "-o", folder, "--format", kind, "--seed", seed, "--dpi", 40)
        assert done.exit_code == 0, done.stderr
        assert done.stdout == f"{os.path.join(folder, OTHER)}.{kind}\n"
        assert f"1 of 1: {OTHER}" in done.stderr
    a, b, c = ((tmp_path / folder / f"{OTHER}.{kind}").read_bytes() for folder in "abc")
    assert a == b
    assert a != c
    assert a.startswith(MAGIC[kind])
    assert DATES[kind] not in a


@pytest.mark.slow
def test_the_style_and_the_backend_of_the_user_change_no_byte(run, tmp_path):
    """In processes of their own: another style and default backend, a backend that does not exist."""
    (tmp_path / "matplotlibrc").write_text("backend: svg\nlines.linewidth: 9\nfont.size: 30\n")
    result = {"styled": {"MATPLOTLIBRC": str(tmp_path)}, "none": {"MPLBACKEND": "nonsense"}}
    drawing = (OTHER, "--dpi", 40, "--quiet", "-o")
    assert run("figures", *drawing, "plain").exit_code == 0
    for name, settings in result.items():
        env = {key: value for key, value in os.environ.items() if key != "MPLBACKEND"} | settings
        done = finished(command("figures", *drawing, tmp_path / name), env=env, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
    drawn = {(tmp_path / name / f"{OTHER}.png").read_bytes() for name in ("plain", *result)}
    assert len(drawn) == 1


def test_several_figures_are_drawn_into_a_new_folder_with_the_resolution_asked_for(run, tmp_path):
    done = run("figures", OTHER, ONE, "-o", "new/folder", "--dpi", 50, "--json", "--quiet")
    result = json.loads(done.stdout)
    assert [each["name"] for each in result["figures"]] == [ONE, OTHER]  # in the order of the books
    assert (result["format"], result["dpi"], result["seed"]) == ("png", 50, 0)
    assert done.stderr == ""
    for each in result["figures"]:
        data = (tmp_path / each["file"]).read_bytes()
        width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
        assert (width, height) == (320, 240)
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == [f"{OTHER}.png", f"{ONE}.png"]


def test_nothing_is_drawn_where_one_file_would_be_overwritten(run, tmp_path):
    (tmp_path / "there").mkdir()
    kept = tmp_path / "there" / f"{OTHER}.png"
    kept.write_bytes(b"mine")
    done = run("figures", ONE, OTHER, "-o", "there", "--dpi", 40)
    assert done.exit_code == 5
    assert f"{OTHER}.png: this file exists; use --force" in done.stderr
    assert [path.name for path in (tmp_path / "there").iterdir()] == [kept.name]
    assert kept.read_bytes() == b"mine"
    assert run("figures", ONE, OTHER, "-o", "there", "--dpi", 40, "--force").exit_code == 0
    assert kept.read_bytes().startswith(MAGIC["png"])
    assert "this file and 1 more exist" in run("figures", ONE, OTHER, "-o", "there").stderr


def test_a_folder_that_is_a_file_or_lies_in_one_is_exit_code_5(run, tmp_path):
    (tmp_path / "file").write_text("mine")
    for folder in ("file", "file/below"):
        done = run("figures", ONE, "-o", folder)
        assert done.exit_code == 5
        assert "file" in done.stderr
    assert (tmp_path / "file").read_text() == "mine"
    (tmp_path / "folder" / f"{ONE}.png").mkdir(parents=True)
    assert run("figures", ONE, "-o", "folder", "--force").exit_code == 5


def test_standard_output_is_no_folder(run, tmp_path):
    done = run("figures", ONE, "-o", "-")
    assert done.exit_code == 2
    assert "give the name of a folder" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_missing_matplotlib_is_told_in_a_sentence(run, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run("figures", ONE, "-o", "pictures")
    assert done.exit_code == 5
    assert "figures need matplotlib: pip install 'posteriori[plot]'" in done.stderr
    assert list(tmp_path.iterdir()) == []
    assert run("figures", "--list").exit_code == 0

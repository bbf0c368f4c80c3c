"""Inputs made to break the command: each ends with a documented exit code and a helpful message."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.utils._testing import assert_allclose

import posteriori as pt
from posteriori.cli.commands.compare import split

ROWS = [(i * 37 % 11, "uvw"[i % 3], "yes" if i * 7 % 5 % 2 else "no") for i in range(40)]
CSV = "a,g,y\n" + "".join(f"{a},{g},{y}\n" for a, g, y in ROWS)


def parquet(path, **columns):
    whole = {"a": [float(a) for a, _, _ in ROWS], "y": [y for _, _, y in ROWS], **columns}
    pq.write_table(pa.table(whole), path)
    return path


@pytest.fixture
def fit(run, tmp_path):
    def call(content, *options, name="d.csv"):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return run("fit", name, "--target", "y", *options)

    return call


@pytest.mark.parametrize("encoding", ["punycode", "undefined", "utf\0-8"])
def test_an_encoding_that_cannot_read_the_file_is_no_fault_of_the_program(encoding, fit):
    assert fit(CSV, "--encoding", encoding).exit_code in (2, 3)


def test_utf_32_is_not_taken_for_utf_16(fit):
    assert "--encoding utf-32" in fit(CSV.encode("utf-32")).stderr
    assert fit(CSV.encode("utf-32"), "--encoding", "utf-32").exit_code == 0


@pytest.mark.parametrize("word", ["\\t", "tab"])
def test_a_tab_may_be_given_in_words(word, fit):
    assert fit(CSV.replace(",", "\t"), "--delimiter", word).exit_code == 0


@pytest.mark.parametrize("mark", ["", "\0"])
def test_no_mark_at_all_divides_no_cells(mark, fit):
    assert fit(CSV, "--delimiter", mark).exit_code == 2


def test_numbers_of_which_only_some_have_commas_do_not_become_a_category(fit):
    some = 'a,y\n"1,5",no\n2,yes\n"2,5",no\n1,yes\n"1,5",yes\n2,no\n'
    assert "--decimal ','" in fit(some).stderr
    assert "thousands" in fit(some.replace(",5", ",500")).stderr
    assert fit(some, "--type", "a=category", "--set", "prior=1").exit_code == 0


def test_a_quote_that_is_never_closed_is_named_by_the_line_that_opens_it(fit):
    assert "begins in line 42. Is the" in fit(CSV + '1,"u,no\n2,v,yes\n').stderr


def test_a_compressed_file_is_answered_with_how_to_read_it(fit):
    done = fit(gzip.compress(CSV.encode()), name="d.csv.gz")
    assert (done.exit_code, "zcat" in done.stderr) == (2, True)


def test_line_breaks_in_names_and_levels_do_not_forge_lines(run, fit):
    forged = CSV.replace("a,g", '"a\nError: forged",g').replace(",w,", ',"w\nError: forged",')
    done = fit(forged, "--model", "gaussian", "-o", "d.model")
    assert done.exit_code == 0
    for text in (done.stderr, done.stdout, run("summary", "d.model").stdout):
        assert not [line for line in text.splitlines() if line.startswith("Error")]


def test_rare_types_of_arrow_give_the_model_of_the_usual_ones(run, tmp_path):
    text = [g for _, g, _ in ROWS]
    usual = parquet(tmp_path / "usual.parquet", g=text, n=[i / 4 for i in range(40)])
    rare = parquet(
        tmp_path / "rare.parquet",
        g=pa.array(text).cast(pa.string_view()),
        n=pa.array([i / 4 for i in range(40)]).cast(pa.decimal256(50, 2)),
    )
    shown = [run("fit", path, "--target", "y", "-o", f"{path.stem}.model").stdout for path in (usual, rare)]
    assert shown[0] == shown[1]
    assert (
        run("predict", "rare.model", rare, "--proba").stdout == run("predict", "usual.model", usual, "--proba").stdout
    )


@pytest.mark.parametrize("kind", ["category", "number", "boolean"])
def test_lists_and_records_are_refused_whatever_their_declared_type(kind, run, tmp_path):
    for cells in ([[1, 2]] * 40, [{"b": 1}] * 40):
        path = parquet(tmp_path / "nested.parquet", c=cells)
        done = run("fit", path, "--target", "y", "--type", f"c={kind}")
        assert (done.exit_code, "--type c=ignore" in done.stderr) == (3, True)
    assert run("fit", path, "--target", "y", "--type", "c=ignore").exit_code == 0


def test_a_damaged_page_of_parquet_is_code_3_and_names_the_file(run, tmp_path):
    path = parquet(tmp_path / "d.parquet")
    whole = path.read_bytes()
    codes = set()
    for at in range(4, len(whole) - 8, max(len(whole) // 60, 1)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :])
        done = run("fit", path, "--target", "y", "--quiet")
        codes.add(done.exit_code)
        assert done.exit_code != 3 or "d.parquet" in done.stderr or "'a'" in done.stderr or "'y'" in done.stderr
    assert codes <= {0, 3}
    assert 3 in codes


@pytest.mark.parametrize("cells", [pa.array([[1]] * 40), pa.array(range(40), pa.duration("s"))], ids=["list", "span"])
def test_a_target_that_holds_no_classes_is_named_with_its_type(cells, run, tmp_path):
    done = run("fit", parquet(tmp_path / "d.parquet", y=cells), "--target", "y")
    assert (done.exit_code, "the target 'y' is of type" in done.stderr) == (3, True)


@pytest.mark.parametrize(
    ("cells", "part", "words"),
    [
        ("uvw", "weight", "'w' cannot be the weight"),
        ("uvw", "offset", "'w' cannot be the offset"),
        (["1", "-1"], "weight", "the weight 'w' is negative in 20 of 40 rows, the first in row 2"),
        (["1", ""], "weight", "the weight 'w' is not finite in 20 of 40 rows"),
        (["1", "inf"], "offset", "the offset 'w' is not finite in 20 of 40 rows"),
    ],
)
def test_the_error_of_bad_weights_and_offsets_names_column_count_and_row(cells, part, words, fit):
    lines = CSV.splitlines()
    rows = [f"{line},{cells[i % len(cells)]}\n" for i, line in enumerate(lines[1:])]
    done = fit(f"{lines[0]},w\n" + "".join(rows), f"--{part}", "w")
    assert (done.exit_code, words in done.stderr) == (3, True), done.stderr


@pytest.mark.parametrize("kind", ["ignore", "number", "boolean"])
def test_a_type_that_would_change_nothing_of_the_target_is_refused(kind, fit, run):
    assert fit(CSV, "--type", f"y={kind}").exit_code == 2
    assert run("compare", "d.csv", "--target", "y", "--type", f"y={kind}").exit_code == 2


def test_hexadecimal_codes_are_no_numbers_until_it_is_said_what_they_are(fit):
    codes = "a,y\n" + "".join(f"0x{a:02x},{y}\n" for a, _, y in ROWS)
    assert "--type a=category" in fit(codes).stderr
    assert fit(codes, "--type", "a=category", "--set", "prior=1").exit_code == 0


@pytest.mark.parametrize("form", ["+{}", " {} ", "{}.", ".{}", "{}e2", "00{}", "-{}"])
def test_numbers_are_written_alike_to_fit_and_to_predict(form, fit, run):
    text = "a,y\n" + "".join(f"{form.format(a)},{y}\n" for a, _, y in ROWS)
    assert fit(text, "-o", "d.model").exit_code == 0
    assert run("predict", "d.model", "d.csv").exit_code == 0


def test_an_empty_name_is_no_model(fit):
    assert fit(CSV, "--model", "").exit_code == 2


def test_a_parameter_of_other_libraries_without_counterpart_is_explained(fit):
    assert "has no counterpart in posteriori" in fit(CSV, "--set", "l1_ratio=0.5").stderr


def test_a_term_without_columns_is_refused(fit):
    done = fit(CSV, "--formula", "I(1/0)")
    assert (done.exit_code, "needs a column" in done.stderr) == (3, True)


def test_seeds_that_no_generator_takes_are_mistakes_of_usage(fit):
    assert fit(CSV, "--seed", 2**32).exit_code == 2


def test_models_to_compare_may_have_lists_for_settings_and_spaces_between_them(fit, run):
    assert split('a:f={"x":"g,h"}, b', ",") == ['a:f={"x":"g,h"}', "b"]
    fit(CSV)
    done = run(
        "compare", "d.csv", "--target", "y", "--models", "logistic, naive-bayes:class_priors=[0.5,0.5]", "--json"
    )
    assert {row["model"] for row in json.loads(done.stdout)["comparison"]} == {
        "logistic",
        "naive-bayes:class_priors=[0.5,0.5]",
    }


def test_a_strict_comparison_ends_with_code_6_where_a_fit_is_not_ok(fit, run):
    fit(CSV)
    assert run("compare", "d.csv", "--target", "y", "--models", "logistic", "--strict").exit_code == 0
    fit("a,y\n" + "".join(f"{i},{'no' if i < 20 else 'yes'}\n" for i in range(40)))
    assert run("compare", "d.csv", "--target", "y", "--models", "logistic", "--strict").exit_code == 6
    assert run("compare", "d.csv", "--target", "y", "--models", "logistic:prior=1", "--strict").exit_code == 0


@pytest.mark.parametrize("name", ["fit", "compare", "predict", "summary", "explain", "models"])
def test_every_command_takes_the_common_flags(name, run):
    text = run(name, "--help").stdout
    assert not [flag for flag in ["--json", "--quiet", "--seed", "--force", "--strict", "--debug"] if flag not in text]


def test_a_minus_is_standard_output_for_predictions_and_no_name_for_a_model(fit, run, tmp_path):
    assert fit(CSV, "-o", "-").exit_code == 2
    fit(CSV, "-o", "d.model")
    assert run("predict", "d.model", "d.csv", "-o", "-").stdout == run("predict", "d.model", "d.csv").stdout
    assert not (tmp_path / "-").exists()


def test_the_command_alone_shows_its_help_and_a_wrong_one_those_there_are(run):
    alone, wrong = run(), run("fitt")
    assert (alone.exit_code, alone.stderr.startswith("Usage")) == (2, True)
    assert (wrong.exit_code, "The commands are demo, fit" in wrong.stderr) == (2, True)


def test_the_error_of_a_target_with_missing_values_says_how_to_drop_them(fit, run):
    done = fit(CSV + "1,u,\n")
    assert "'y' has 1 missing label(s), the first in row 41" in done.stderr
    assert fit(CSV + "1,u,\n", "--missing", "drop", "-o", "dropped.model").exit_code == 0
    fit(CSV, "-o", "whole.model")
    dropped, whole = pt.load("dropped.model"), pt.load("whole.model")
    assert_allclose(dropped.estimator_.coef_, whole.estimator_.coef_, rtol=1e-12)


def test_an_empty_file_among_others_adds_nothing(fit, run, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "1.csv").write_text(CSV)
    (tmp_path / "folder" / "2.csv").write_text("")
    assert run("fit", "folder", "--target", "y").stdout == fit(CSV).stdout
    (tmp_path / "folder" / "1.csv").write_text("")
    assert run("fit", "folder", "--target", "y").exit_code == 3


@pytest.mark.parametrize("cell", ["inf", "-Infinity", "1e400"])
def test_the_error_of_infinite_numbers_names_the_row_below_the_header(cell, fit, run, monkeypatch):
    done = fit(f"{CSV}{cell},u,no\n")
    assert (done.exit_code, "1 cell(s) of column 'a', the first in row 41 below" in done.stderr) == (3, True)
    assert fit(f"{CSV}{cell},u,no\n", "--type", "a=ignore").exit_code == 0
    fit(CSV, "-o", "d.model")
    monkeypatch.setattr("posteriori.cli.reading.text_chunks.CHUNK", 64)
    fit(f"{CSV}{cell},u,no\n")
    done = run("predict", "d.model", "d.csv")
    assert (done.exit_code, "1 cell(s) of column 'a', the first in row 41 below" in done.stderr) == (3, True)

"""Small inputs that would take much memory or time are refused, by column and with numbers, before anything is made."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.dummy import DummyClassifier

import posteriori as pt
from posteriori.checks.memory import available_bytes

#: More classes than the rows and columns of a matrix that a machine's memory holds.
MANY = 300_000


def test_available_memory_is_some_of_this_machine():
    assert 2**20 < available_bytes() < 2**62


def test_the_memory_that_options_allow_is_a_limit_of_its_own(tmp_path):
    frame = pd.DataFrame({"g": [f"level {i}" for i in range(200)] * 5, "y": [0, 1] * 500})
    model = pt.TableClassifier(pt.LogisticRegression(prior=1.0), types={"g": "category"})
    pt.save(model.fit(frame, "y"), tmp_path / "m")
    with pt.options(max_memory="1 MB"):
        assert available_bytes() == 10**6
        with pytest.raises(pt.DataError, match="column 'g' has 200 levels"):
            model.fit(frame, "y")
    with pt.options(max_memory=1000), pytest.raises(pt.ModelFileError, match="of memory are left for it"):
        pt.load(tmp_path / "m")
    for wrong in ("much", "2 XB", 0, -1, True, 1.5):
        with pytest.raises(pt.DataError, match="max_memory must be"), pt.options(max_memory=wrong):
            pass
    assert available_bytes() > 2**20


@pytest.mark.slow
def test_a_column_whose_indicators_do_not_fit_is_named_with_its_levels():
    n_levels, n_rows = 40_000, 1_500_000
    codes = np.arange(n_rows) % n_levels
    frame = pd.DataFrame({"g": pd.Categorical.from_codes(codes, np.arange(n_levels).astype(str))})
    model = pt.TableClassifier(pt.LogisticRegression(prior=1.0), types={"g": "category"})
    with pytest.raises(pt.DataError, match=r"column 'g' has 40000 levels: with indicators.*GiB"):
        model.fit(frame, np.arange(len(frame)) % 2)


def test_indicators_of_a_formula_are_counted_before_they_are_allocated():
    frame = pd.DataFrame({"g": [f"l{i}" for i in range(200)] * 2, "x": np.arange(400.0), "y": [0, 1] * 200})
    with pt.options(max_memory=10**6):
        with pytest.raises(pt.DataError, match=r"column 'g' has 200 levels.*max_memory"):
            pt.TableClassifier(pt.LogisticRegression(prior=1.0), formula="y ~ g").fit(frame)
        with pytest.raises(pt.DataError, match=r"400 rows have 240 coded columns.*Use fewer rows or columns"):
            pt.TableClassifier(pt.LogisticRegression(prior=1.0), formula="y ~ bs(x, df=240)").fit(frame)


@pytest.mark.slow
def test_a_column_whose_indicators_take_too_long_is_refused_at_once(run, tmp_path):
    """A fit to these columns of one was still running after minutes."""
    codes = np.arange(10_000) % 5_000
    frame = pd.DataFrame({"g": [f"l{code}" for code in codes], "y": np.where(codes % 3, "a", "b")})
    with pytest.raises(pt.DataError, match=r"column 'g' has 5000 levels.*2e\+11 mult.*types=\{'g': 'ignore'\}"):
        pt.TableClassifier(pt.LogisticRegression()).fit(frame, "y")
    with pytest.raises(pt.DataError, match="column 'g' has 5000 levels"):
        pt.TableClassifier(pt.LogisticRegression(), formula="y ~ g").fit(frame)
    frame.to_csv(tmp_path / "d.csv", index=False)
    result = run("fit", "d.csv", "--target", "y")
    assert result.exit_code == 3
    assert "--type g=ignore" in result.stderr
    assert run("fit", "d.csv", "--target", "y", "--model", "naive-bayes").exit_code == 0


@pytest.mark.slow
def test_a_column_of_many_levels_that_is_declared_a_category_is_coded():
    frame = pd.DataFrame({"g": [f"l{i}" for i in range(3_700)]})
    declared = pt.TableClassifier(DummyClassifier(), types={"g": "category"})
    with pytest.warns(UserWarning, match="3700 levels, coded as 3699 indicators"):
        declared.fit(frame, np.arange(3_700) % 2)


@pytest.mark.parametrize(
    "model",
    [pt.LeastSquaresClassifier(), pt.LogisticRegression(prior=1.0), pt.KernelLogisticRegression(), pt.LSPC()],
    ids=lambda model: type(model).__name__,
)
def test_too_many_classes_are_counted(model):
    with pytest.raises(pt.DataError, match=r"target 'y' has 300000 classes.*GiB"):
        model.fit(np.zeros((MANY, 1)), np.arange(MANY))


@pytest.fixture
def model_of_text(run, tmp_path):
    rows = pd.DataFrame({"a": [1.0, 2.0] * 20, "t": ["u", "v", "w", "u"] * 10, "y": ["no", "yes", "yes", "no"] * 10})
    rows.to_csv(tmp_path / "d.csv", index=False)
    assert run("fit", "d.csv", "--target", "y", "--model", "naive-bayes", "-o", "m").exit_code == 0


def long_text(path, length, n_rows):
    text = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n_rows, np.int32)), pa.array(["q" * length]))
    cells = {"a": np.ones(n_rows), "t": text, "y": np.where(np.arange(n_rows) % 2, "no", "yes")}
    pq.write_table(pa.table(cells), path, compression="zstd", store_schema=False)


@pytest.mark.usefixtures("model_of_text")
@pytest.mark.slow
def test_a_parquet_file_that_is_larger_than_memory_when_read_is_refused_by_column(run, tmp_path):
    long_text(tmp_path / "d.parquet", 2**24, 100_000)
    assert (tmp_path / "d.parquet").stat().st_size < 2**21
    done = run("fit", "d.parquet", "--target", "y", "--model", "naive-bayes")
    assert (done.exit_code, "column 't' has 1.56e+03 GiB of text in 100000 rows" in done.stderr) == (3, True)


@pytest.mark.usefixtures("model_of_text")
@pytest.mark.slow
def test_long_text_of_parquet_is_predicted_in_short_pieces(run, tmp_path):
    long_text(tmp_path / "d.parquet", 2**24, 24)
    done = run("predict", "m", "d.parquet", "--quiet")
    assert (done.exit_code, len(done.stdout.splitlines())) == (0, 25), done.stderr


@pytest.mark.usefixtures("model_of_text")
def test_the_columns_of_a_wide_header_are_looked_up_not_searched(run, tmp_path):
    names = [f"c{i}" for i in range(60_000)]
    (tmp_path / "wide.csv").write_text(",".join(["a", "t", *names]) + "\n1,u" + ",3" * len(names) + "\n")
    assert run("predict", "m", "wide.csv", "--quiet").exit_code == 0  # a search for each name takes minutes


def test_a_name_that_is_not_utf_8_is_a_fault_of_the_file(run, tmp_path):
    pq.write_table(pa.table({"ab": [1.0, 2.0], "y": ["no", "yes"]}), tmp_path / "d.parquet", store_schema=False)
    data = (tmp_path / "d.parquet").read_bytes()
    (tmp_path / "d.parquet").write_bytes(data.replace(b"\x18\x02ab", b"\x18\x02a\xff"))
    done = run("fit", "d.parquet", "--target", "y")
    assert (done.exit_code, "cannot be read as Parquet" in done.stderr) == (3, True), done.stderr

"""The memory engine: the same bits whatever the threads, rows in order, nothing copied, settings restored."""

import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController, threadpool_info, threadpool_limits

import posteriori as pt
from posteriori.backends import backend
from posteriori.engines import local as local_engine
from posteriori.engines import progress
from posteriori.engines.base import merge_tree
from posteriori.engines.blas import single_threaded_blas
from posteriori.engines.local import LocalEngine
from posteriori.engines.options import current
from posteriori.engines.select import ENGINES, engine_for
from posteriori.statistics.counts import Counts
from posteriori.tables import memory
from posteriori.tables import table as tables
from posteriori.tables.block import Block
from posteriori.tables.features import Features
from posteriori.tables.memory import MemoryTable
from posteriori.tables.schema import numbered
from posteriori.tables.table import Table
from posteriori.tables.views import WithoutColumns

#: Rows of ten columns below and above the size from which kernels are compiled; both have several partitions.
SIZES = {"arrays": 90_000, "compiled": 120_000}
MODELS = {
    "logistic": pt.LogisticRegression(),
    "irls": pt.LogisticRegression(solver="irls", prior=1.0),
    "softmax": pt.LogisticRegression(),
    "gaussian": pt.GaussianClassifier(),
    "gaussian_each": pt.GaussianClassifier(shared=False),
    "naive_bayes": pt.NaiveBayes(),
}


def rows(n, d=10, K=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    scores = X @ rng.standard_normal((d, K)) * 0.5 + rng.gumbel(size=(n, K))
    return X, scores.argmax(axis=1)


def table_of(X, y=None):
    return MemoryTable(Features(X, numbered(X.shape[1])), y)


def test_the_sizes_tried_lie_on_both_sides_of_the_threshold():
    assert 10 * SIZES["arrays"] < backend.COMPILED_FROM <= 10 * SIZES["compiled"]
    for n in SIZES.values():
        assert table_of(np.empty((n, 10))).n_partitions > 3


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.slow
def test_one_two_and_eight_threads_give_the_same_bits(name, size):
    X, y = rows(SIZES[size], K=3 if name == "softmax" else 2)
    found = []
    for threads in (1, 2, 8, 2):
        with pt.options(threads=threads):
            model = MODELS[name].fit(X, y)
            found.append((model.predict_log_proba(X[:500]), model.predict_proba(X[::97])))
    for logs, p in found[1:]:
        np.testing.assert_array_equal(logs, found[0][0])
        np.testing.assert_array_equal(p, found[0][1])


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.slow
def test_partitionings_and_permutations_of_the_rows_agree(name, monkeypatch):
    X, y = rows(20_000, K=3 if name == "softmax" else 2)
    wanted = MODELS[name].fit(X, y).predict_proba(X[:2000])
    rng = np.random.default_rng(1)
    for values, partitions in ((2**12, 16), (2**14, 3), (2**30, 1), (2**11, 7)):
        monkeypatch.setattr(tables, "BLOCK_VALUES", values)
        monkeypatch.setattr(memory, "PARTITIONS", partitions)
        order = rng.permutation(len(y))
        found = MODELS[name].fit(X[order], y[order]).predict_proba(X[:2000])
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-10)


@pytest.fixture
def no_pools():
    """Run a test without threads of earlier fits, and later fits without those of the test."""
    local_engine._pool.cache_clear()
    yield
    local_engine._pool.cache_clear()


@pytest.mark.parametrize("allowed", [0, 1])
@pytest.mark.usefixtures("no_pools")
def test_the_calling_thread_does_all_where_no_other_can_start(allowed, monkeypatch):
    X, y = rows(SIZES["arrays"])
    with pt.options(threads=1):
        wanted = MODELS["gaussian"].fit(X, y).predict_proba(X)
    started, start = [], threading.Thread.start

    def limited(thread):
        if len(started) == allowed:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    with monkeypatch.context() as patch, pt.options(threads=4, progress=True):
        patch.setattr(threading.Thread, "start", limited)
        patch.setattr(progress, "PATIENCE", 0.0)
        model = MODELS["gaussian"].fit(X, y)
        assert (model.predict_proba(X) == wanted).all()
    assert len(started) == allowed
    with pt.options(threads=4):
        assert (model.predict_proba(X) == wanted).all()
    assert len(local_engine._pool(4)._threads) > 1


@pytest.mark.parametrize("name", MODELS)
def test_both_kernels_of_one_signature_agree(name, monkeypatch):
    X, y = rows(3000, K=3 if name == "softmax" else 2)
    weights = np.random.default_rng(0).uniform(0.5, 2, len(y))
    found = {}
    for kind, threshold in (("arrays", 2**62), ("compiled", 0)):
        monkeypatch.setattr(backend, "COMPILED_FROM", threshold)
        found[kind] = MODELS[name].fit(X, y, sample_weight=weights).predict_log_proba(X)
    np.testing.assert_allclose(found["compiled"], found["arrays"], rtol=0, atol=1e-10)


def test_blocks_cover_the_rows_once_and_in_order():
    for n in (1, 127, 128, 129, 70_000, 300_001):
        table = table_of(np.zeros((n, 3)))
        starts = [(block.first_row, block.n_rows) for part in range(table.n_partitions) for block in table.blocks(part)]
        ends = [first + size for first, size in starts]
        assert [first for first, _ in starts] == [0, *ends[:-1]]
        assert ends[-1] == n
        assert table.n_partitions <= memory.PARTITIONS


def small_table(monkeypatch, n=5000):
    monkeypatch.setattr(tables, "BLOCK_VALUES", 512)
    X = np.arange(float(n))[:, None] * np.ones(4)
    return table_of(X)


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_map_gives_rows_in_the_order_of_the_table(monkeypatch, threads):
    table = small_table(monkeypatch)
    assert table.n_partitions > 8
    with pt.options(threads=threads):
        found = LocalEngine(table).map(lambda block: block.features[:, :2] * 2.0)
    np.testing.assert_array_equal(found, np.arange(5000.0)[:, None] * [2.0, 2.0])


def test_fold_goes_through_the_blocks_strictly_in_order(monkeypatch):
    table = small_table(monkeypatch)
    with pt.options(threads=8):
        seen = LocalEngine(table).fold(lambda state, block: [*state, *block.features[:, 0].tolist()], [])
    assert seen == list(range(5000))


def test_an_error_in_a_thread_reaches_the_caller(monkeypatch):
    table = small_table(monkeypatch)

    def fail(block):
        if block.first_row > 2000:
            raise KeyError("row")
        return block.features

    with pt.options(threads=4), pytest.raises(KeyError):
        LocalEngine(table).map(fail)


def test_the_merge_tree_is_fixed_and_keeps_the_order():
    class Word(Counts):
        def merge(self, other):
            return Word(f"({self.values}{other.values})")

    assert merge_tree([Word(letter) for letter in "abcde"]).values == "(((ab)(cd))e)"


def test_a_table_of_a_kind_that_has_an_engine_is_read_by_it_and_so_are_its_views(monkeypatch):
    class Elsewhere(Table):
        schema = numbered(1)
        n_rows = 1
        n_partitions = 1

        def blocks(self, partition):
            yield Block(np.ones((1, 1)))

    class ElsewhereEngine(LocalEngine):
        pass

    table = Elsewhere()
    assert type(engine_for(table)) is LocalEngine
    monkeypatch.setitem(ENGINES, Elsewhere, ElsewhereEngine)
    for read in (engine_for(table), engine_for(table.view(WithoutColumns())), engine_for(table).numbered()):
        assert type(read) is ElsewhereEngine
        assert read.n_rows == 1


# --- options


def test_options_nest_and_are_restored():
    assert current().threads is None
    with pt.options(threads=3) as outer:
        assert (outer.threads, outer.progress) == (3, None)
        with pt.options(progress=False):
            assert (current().threads, current().progress) == (3, False)
        assert current() == outer
        with pytest.raises(KeyError), pt.options(threads=1):
            raise KeyError
        assert current().n_threads == 3
    assert current().threads is None


def test_options_of_one_thread_are_not_those_of_another():
    seen = []
    with pt.options(threads=7):
        thread = threading.Thread(target=lambda: seen.append(current().threads))
        thread.start()
        thread.join()
    assert seen == [None]


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "2"])
def test_a_number_of_threads_that_is_none_is_rejected(threads):
    with pytest.raises(pt.DataError, match="threads must be a whole number from 1 up"), pt.options(threads=threads):
        pass


def test_threads_come_from_the_environment_where_nothing_is_said(monkeypatch):
    monkeypatch.setenv("POSTERIORI_NUM_THREADS", "5")
    assert current().n_threads == 5
    monkeypatch.setenv("POSTERIORI_NUM_THREADS", "many")
    assert current().n_threads >= 1


# --- BLAS and memory


def blas_threads():
    return {(info["filepath"], info["num_threads"]) for info in threadpool_info() if info["user_api"] == "blas"}


def set_blas_threads(libraries, numbers):
    for library, number in zip(libraries, numbers, strict=True):
        library.set_num_threads(number)
        if hasattr(library, "clear_controlling_thread"):  # otherwise no other thread may set it from now on
            library.clear_controlling_thread()


@pytest.fixture
def several_blas_threads():
    """Begin with two threads of BLAS, however many there are outside, so that one is a change."""
    libraries = ThreadpoolController().select(user_api="blas").lib_controllers
    outside = [library.num_threads for library in libraries]
    set_blas_threads(libraries, [2] * len(libraries))
    assert {number for _, number in blas_threads()} == {2}
    yield
    set_blas_threads(libraries, outside)


@pytest.mark.usefixtures("several_blas_threads")
def test_blas_threads_are_restored_after_concurrent_fits():
    X, y = rows(2000)
    pt.LogisticRegression().fit(X, y)  # loads whatever will be loaded
    before = blas_threads()
    for _ in range(3):
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(lambda seed: pt.LogisticRegression().fit(*rows(2000, seed=seed)), range(12)))
        assert blas_threads() == before


@pytest.mark.usefixtures("several_blas_threads")
def test_the_last_holder_restores_blas_threads_even_if_another_thread_set_them():
    before = blas_threads()
    inside, leave = threading.Event(), threading.Event()

    def hold():
        with single_threaded_blas():
            inside.set()
            leave.wait(10)

    first = threading.Thread(target=hold)
    first.start()
    inside.wait(10)
    with single_threaded_blas():
        leave.set()
        first.join()
        assert {number for _, number in blas_threads()} == {1}
    assert blas_threads() == before


@pytest.mark.usefixtures("several_blas_threads")
def test_blas_threads_can_still_be_set_by_others_afterwards():
    pt.LogisticRegression().fit(*rows(500))
    before = blas_threads()
    with threadpool_limits(1, user_api="blas"):
        assert {number for _, number in blas_threads()} == {1}
        pt.LogisticRegression().fit(*rows(500))
        assert {number for _, number in blas_threads()} == {1}
    assert blas_threads() == before


@pytest.mark.usefixtures("several_blas_threads")
def test_blas_has_one_thread_while_any_context_is_open():
    before = blas_threads()
    with single_threaded_blas():
        with single_threaded_blas():
            pass
        assert {number for _, number in blas_threads()} == {1}
    assert blas_threads() == before


@pytest.mark.usefixtures("several_blas_threads")
def test_blas_threads_are_restored_after_a_fit_that_raises():
    X, y = rows(2000)
    before = blas_threads()
    with pytest.raises(pt.DataError):
        pt.LogisticRegression().fit(np.where(X > 2, np.nan, X), y)
    assert blas_threads() == before


@pytest.mark.parametrize("name", ["logistic", "gaussian", "naive_bayes"])
@pytest.mark.slow
def test_fitting_plain_rows_makes_no_copy_of_them(name):
    X, y = rows(200_000, d=50)
    model = MODELS[name]
    model.fit(X[:30_000], y[:30_000])  # loads the kernels
    tracemalloc.start()
    try:
        with pt.options(threads=2):  # each thread holds a few arrays of the size of its block
            model.fit(X, y)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 0.1 * X.nbytes + 50e6
    assert peak < 0.8 * X.nbytes

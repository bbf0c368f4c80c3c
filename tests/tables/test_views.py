"""Views of a table: the same blocks whether a table in memory applies them at once or a view when it is read."""

import numpy as np
import pytest

import posteriori as pt
from posteriori.bases.polynomial import PolynomialPhi
from posteriori.engines.select import engine_for
from posteriori.input.training import read_training
from posteriori.links.softmax import Softmax
from posteriori.tables.block import PER_ROW
from posteriori.tables.memory import MemoryTable
from posteriori.tables.table import BlockMap, View
from posteriori.tables.views import (
    CodedColumns,
    ContrastedOffset,
    Counted,
    ExpandedOffset,
    Mapped,
    OneClass,
    ScaledOffset,
    WithoutColumns,
)
from tests.laws.discovery import members
from tests.laws.tables import StreamedTable, shipped

RNG = np.random.default_rng(0)
X = RNG.integers(0, 4, (200, 2)).astype(float)
Y = RNG.integers(0, 3, 200)
OFFSET = RNG.standard_normal((200, 3))
WEIGHTS = RNG.integers(0, 3, 200).astype(float)

SQUARES = pt.PolynomialBasis(2).fit(X).phi_
MAPS = {
    Counted: Counted(3),
    ContrastedOffset: ContrastedOffset(Softmax(3, reference=1)),
    ExpandedOffset: ExpandedOffset(Softmax(3)),
    ScaledOffset: ScaledOffset(0.25),
    OneClass: OneClass(),
    WithoutColumns: WithoutColumns(),
    Mapped: Mapped(SQUARES),
    CodedColumns: CodedColumns({1: np.array([0.0, 2.0, 3.0])}),
}


def reading():
    return read_training(pt.LogisticRegression(), X, Y, WEIGHTS, offset=OFFSET)


def contents(table):
    """Return everything in the rows of a table, by name."""
    block = engine_for(table).collect("A test.")
    return {"features": block.dense(), **{name: getattr(block, name) for name in PER_ROW}}


def assert_same(one, other):
    for name, values in one.items():
        if values is None:
            assert other[name] is None
        else:
            np.testing.assert_array_equal(values, other[name])


def test_every_view_of_the_package_that_needs_no_function_is_tried():
    assert {kind.__name__ for kind in members(BlockMap)} - {kind.__name__ for kind in MAPS} == {
        "ComputedOffset",
        "Renumbered",
    }


@pytest.mark.parametrize("kind", MAPS, ids=lambda kind: kind.__name__)
def test_a_table_in_memory_applies_a_view_as_a_reader_of_its_blocks_would(kind):
    table, each = reading().table, shipped(MAPS[kind])
    at_once, when_read = table.view(MAPS[kind]), View(table, each)
    assert isinstance(at_once, MemoryTable)
    assert at_once.schema.names == when_read.schema.names
    assert at_once.n_rows == when_read.n_rows == int((WEIGHTS > 0).sum())
    assert_same(contents(at_once), contents(when_read))


@pytest.mark.parametrize("kind", MAPS, ids=lambda kind: kind.__name__)
def test_views_of_a_table_read_in_order_have_the_rows_of_memory(kind):
    data = reading()
    assert_same(contents(StreamedTable(data).view(MAPS[kind])), contents(data.table.view(MAPS[kind])))


def test_offsets_computed_from_blocks_are_the_same_in_memory_and_when_read():
    data = reading()
    first = engine_for(data.table).with_offset(first_column)
    streamed = engine_for(StreamedTable(data)).with_offset(first_column)
    assert_same(contents(first.table), contents(streamed.table))
    np.testing.assert_array_equal(contents(first.table)["offset"][:, 0], X[WEIGHTS > 0, 0])


def first_column(block):
    return block.features[:, :1]


def test_rows_are_named_by_their_numbers_in_the_user_s_data():
    table = reading().table
    rows = np.flatnonzero(WEIGHTS > 0)
    assert table.origin(5) == f"row {rows[5]}"
    assert table.view(Mapped(SQUARES)).origin(5) == table.origin(5)
    assert isinstance(SQUARES, PolynomialPhi)
    placed = table.in_user_rows(np.ones(len(rows)), np.nan)
    np.testing.assert_array_equal(np.isnan(placed), WEIGHTS == 0)


def test_rows_of_a_table_read_in_order_are_counted_and_gathered_by_number():
    data = reading()
    streamed = engine_for(StreamedTable(data))
    assert streamed.table.n_rows is None
    assert streamed.n_rows == data.table.n_rows
    numbered = streamed.numbered()
    starts = [block.first_row for part in range(numbered.table.n_partitions) for block in numbered.table.blocks(part)]
    assert starts == sorted(starts)
    assert starts[0] == 0
    rows = np.array([0, 17, 40, streamed.n_rows - 1])
    np.testing.assert_array_equal(numbered.table.gather(rows).features, data.table.gather(rows).features)


def test_a_sink_receives_the_blocks_in_order_and_nothing_is_collected():
    data = reading()
    for engine in (engine_for(data.table), engine_for(StreamedTable(data))):
        received = []
        collected = engine.map(first_column, into=lambda block, rows, received=received: received.append(rows))
        assert not len(collected)
        np.testing.assert_array_equal(np.concatenate(received), engine.map(first_column))


def test_results_are_in_place_where_the_first_partitions_have_no_rows():
    table = StreamedTable(reading())
    table.parts = [table.parts[1], table.parts[1], *table.parts]
    engine = engine_for(table).numbered()
    for threads in (1, 2):
        with pt.options(threads=threads):
            np.testing.assert_array_equal(engine.map(first_column)[:, 0], X[WEIGHTS > 0, 0])


def test_all_rows_are_not_brought_to_one_place_if_they_are_too_many(monkeypatch):
    from posteriori.engines import base

    monkeypatch.setattr(base, "COLLECTED", 100)
    with pytest.raises(pt.DataError, match=r"Kernels need all rows\. The table has \d+ rows, which are too many"):
        engine_for(StreamedTable(reading())).collect("Kernels need all rows.")


@pytest.mark.parametrize("weighted", [False, True])
def test_the_summary_of_rows_is_that_of_numpy(weighted):
    weights = np.where(WEIGHTS == 0, 1.0, WEIGHTS) if weighted else None
    data = read_training(pt.LogisticRegression(), X, Y, weights, offset=OFFSET)
    own = np.ones(200) if weights is None else weights
    for table in (data.table, StreamedTable(data)):
        rows = engine_for(table).rows(3)
        np.testing.assert_array_equal(rows.rows, np.bincount(Y))
        np.testing.assert_allclose(rows.weights, np.bincount(Y, own))
        assert rows.total == pytest.approx(own.sum())
        assert (rows.n_rows, rows.is_grouped, rows.has_offset, rows.has_weights) == (200, False, True, weighted)
        np.testing.assert_allclose(rows.mean, OFFSET.mean(axis=0))
        np.testing.assert_array_equal([rows.least, rows.most], [OFFSET.min(axis=0), OFFSET.max(axis=0)])


def test_a_table_without_rows_is_an_error():
    table = StreamedTable(reading())
    table.parts = [part.picked(np.zeros(0, dtype=np.intp)) for part in table.parts]
    with pytest.raises(pt.DataError, match="the table has no rows"):
        pt.LogisticRegression().fit(table, None)

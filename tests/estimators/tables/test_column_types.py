"""Columns of every type a frame may have: their kinds, their levels, and those that are no features."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import posteriori as pt

RACE = ["white", "black", "other", "white", "black", "other", "white", "white", "black", "other"]
AGE = [21.0, 35.0, 44.0, 52.0, 28.0, 61.0, 33.0, 47.0, 30.0, 25.0]
LOW = ["no", "yes", "yes", "no", "no", "yes", "yes", "no", "no", "no"]
DECLARED = ["white", "other", "black", "never seen"]


def table(**choices):
    return pt.TableClassifier(pt.LogisticRegression(prior=1.0), **choices)


def names(frame, **choices):
    return table(**choices).fit(frame, LOW).get_feature_names_out().tolist()


@pytest.mark.parametrize("ordered", [True, False])
def test_categories_of_pandas_are_compared_with_the_one_listed_first_as_in_r(ordered):
    frame = pd.DataFrame({"race": pd.Categorical(RACE, DECLARED, ordered=ordered), "age": AGE})
    assert names(frame) == ["race=other", "race=black", "age"]
    model = pt.LogisticRegression.from_formula("low ~ race + age", frame.assign(low=LOW), prior=1.0)
    assert model.get_feature_names_out().tolist() == ["race[T.other]", "race[T.black]", "age"]


def test_the_order_of_an_enum_and_of_an_ordered_dictionary_is_kept_and_that_of_the_rows_is_not():
    codes = pa.array([DECLARED.index(level) for level in RACE], pa.int32())
    for ordered, expected in ((True, ["race=other", "race=black"]), (False, ["race=other", "race=white"])):
        cells = pa.DictionaryArray.from_arrays(codes, pa.array(DECLARED), ordered=ordered)
        halves = pa.chunked_array([cells[:4], cells[4:]])
        assert names(pa.table({"race": halves})) == expected
    assert names(pl.DataFrame({"race": pl.Series(RACE, dtype=pl.Enum(DECLARED))})) == ["race=other", "race=black"]
    assert names(pl.DataFrame({"race": pl.Series(RACE, dtype=pl.Categorical)})) == ["race=other", "race=white"]


def test_relevelling_changes_coefficients_and_no_probability():
    frame = pd.DataFrame({"race": RACE, "age": AGE})
    plain = pt.TableClassifier(pt.LogisticRegression()).fit(frame, LOW)
    for first in DECLARED[:3]:
        levels = [first, *(level for level in DECLARED if level != first)]
        other = frame.assign(race=pd.Categorical(RACE, levels))
        for model in (
            pt.TableClassifier(pt.LogisticRegression()).fit(other, LOW),
            pt.TableClassifier(pt.LogisticRegression(), reference={"race": first}).fit(frame, LOW),
        ):
            assert f"race={first}" not in model.get_feature_names_out()
            np.testing.assert_allclose(model.predict_proba(frame), plain.predict_proba(frame), rtol=1e-7)


def test_a_number_is_one_level_however_it_is_stored():
    grades = [2, 10, 1, 2, 10, 1, 2, 2, 10, 1]
    categories = pd.DataFrame({"grade": pd.Categorical(np.array(grades, dtype=float))})
    model = table().fit(categories, LOW)
    assert model.get_feature_names_out().tolist() == ["grade=2", "grade=10"]
    expected = model.predict_proba(categories)
    decimals = [Decimal(grade).scaleb(0).quantize(Decimal("1.00")) for grade in grades]
    for stored in (grades, np.array(grades, dtype=float), pd.Series(grades, dtype=object), decimals):
        np.testing.assert_array_equal(model.predict_proba(pd.DataFrame({"grade": stored})), expected)
    assert names(pd.DataFrame({"grade": grades}), types={"grade": "category"}, reference={"grade": 2.0}) == [
        "grade=1",
        "grade=10",
    ]


def test_decimals_and_the_longest_whole_numbers_are_numbers():
    cells = [Decimal(number) / 4 for number in range(10)]
    expected = table().fit(pd.DataFrame({"x": [float(cell) for cell in cells]}), LOW).coef_
    for frame in (
        pd.DataFrame({"x": cells}),
        pl.DataFrame({"x": cells}),
        pa.table({"x": cells}),
    ):
        np.testing.assert_allclose(table().fit(frame, LOW).coef_, expected, rtol=1e-12)
    long = pl.DataFrame({"x": pl.Series([4 * int(cell * 4) for cell in cells], dtype=pl.Int128)})
    np.testing.assert_allclose(table().fit(long, LOW).coef_.shape, (1, 1))


@pytest.mark.parametrize(
    "cells",
    [
        pd.Series([0.5 + i for i in range(10)], dtype=object),
        pd.Series(pd.Categorical([f"u{i}" for i in range(10)])),
        pd.Series(["a", 1, 2.5, *[f"u{i}" for i in range(7)]], dtype=object),
    ],
    ids=["numbers as objects", "categories", "mixed"],
)
def test_a_category_with_another_value_in_every_row_is_no_feature_whatever_the_values(cells):
    frame = pd.DataFrame({"code": cells, "age": AGE})
    with pytest.raises(
        pt.DataError, match=r"column 'code' has a different value in every row \(10 distinct.*'code': 'number'"
    ):
        table().fit(frame, LOW)


@pytest.mark.parametrize(
    "cells",
    [
        pd.date_range("2020", periods=10).to_series().reset_index(drop=True),
        pd.Series(pd.to_timedelta(np.arange(10), unit="h")),
        pl.Series(pd.date_range("2020", periods=10).date.tolist()),
        pl.Series(pd.date_range("2020", periods=10, freq="h").time.tolist()),
    ],
    ids=["moments", "durations", "dates", "times"],
)
def test_dates_and_times_are_refused_with_what_to_do(cells):
    library = pl.DataFrame if isinstance(cells, pl.Series) else pd.DataFrame
    frame = library({"when": cells, "age": AGE})
    with pytest.raises(pt.DataTypeError, match=r"dates and times .*'when': 'ignore'.*'when': 'category'"):
        table().fit(frame, LOW)
    assert names(frame, types={"when": "ignore"}) == ["age"]


def test_objects_that_polars_cannot_compare_are_refused_with_a_sentence():
    frame = pl.DataFrame({"thing": pl.Series([object()] * 10, dtype=pl.Object), "age": AGE})
    with pytest.raises(pt.DataTypeError, match=r"column 'thing' has Python objects.*'thing': 'ignore'"):
        table().fit(frame, LOW)
    assert names(frame, types={"thing": "ignore"}) == ["age"]


@pytest.mark.parametrize("name", ["types", "reference", "missing"])
def test_a_choice_of_no_known_sort_is_answered_with_those_that_are(name):
    with pytest.raises(pt.DataError, match=f"{name} must be"):
        table(**{name: np.array([1, 2])}).fit(pd.DataFrame({"age": AGE}), LOW)


@pytest.mark.parametrize(
    ("usual", "rare"),
    [
        (pa.array(RACE), pa.array(RACE, pa.string_view())),
        (pa.array(RACE), pa.array(RACE, pa.large_string())),
        (pa.array(sorted(RACE)), pa.RunEndEncodedArray.from_arrays([3, 6, 10], sorted(set(RACE)))),
        (pa.array(AGE), pa.array([Decimal(str(age)) for age in AGE], pa.decimal128(6, 2))),
        (pa.array(AGE), pa.array([Decimal(str(age)) for age in AGE], pa.decimal256(50, 2))),
    ],
    ids=["text in views", "large text", "runs", "decimals", "long decimals"],
)
def test_rare_types_of_arrow_mean_what_the_usual_ones_mean(usual, rare):
    ages = pa.array(AGE[::-1])
    plain, other = pa.table({"x": usual, "other": ages}), pa.table({"x": rare, "other": ages})
    model = table().fit(plain, LOW)
    assert names(other) == model.get_feature_names_out().tolist()
    np.testing.assert_array_equal(model.predict_proba(other), model.predict_proba(plain))
    np.testing.assert_array_equal(table().fit(other, LOW).predict_proba(other), model.predict_proba(plain))


def test_dictionaries_of_views_and_of_numbers_stay_categories_in_their_order():
    codes = pa.array([DECLARED.index(level) for level in RACE], pa.int32())
    for levels in (pa.array(DECLARED, pa.string_view()), pa.array([7, 5, 6, 8])):
        cells = pa.DictionaryArray.from_arrays(codes, levels, ordered=True)
        first, second, third, _ = map(str, levels.to_pylist())
        assert table().fit(pa.table({"x": cells}), LOW).coding_.columns[0].levels == (first, second, third)


def test_messages_to_a_caller_in_python_write_options_as_arguments():
    dates = pd.DataFrame({"when": pd.date_range("2020-01-01", periods=10), "age": AGE})
    with pytest.raises(pt.DataError, match=r"\(types=\{'when': 'ignore'\}\)"):
        table().fit(dates, LOW)
    names = pd.DataFrame({"who": [f"person {i}" for i in range(10)], "age": AGE})
    with pytest.raises(pt.DataError, match=r"\(types=\{'who': 'category'\} or types=\{'who': 'number'\}\)"):
        table().fit(names, LOW)
    gaps = pd.DataFrame({"age": [np.nan, *AGE[1:]]})
    with pytest.raises(pt.DataError, match=r"\(missing='drop'\)"):
        table().fit(gaps, LOW)

"""The parser of formulas: valid formulas, error messages, and the time to reject hostile ones."""

import ast
import time

import numpy as np
import pandas as pd
import pytest
from formulaic.parser import DefaultFormulaParser

import posteriori as pt
from posteriori.input.formula.parser.factors import FactorParser
from posteriori.input.formula.parser.terms import read_formula

FACTORS = ["a", "b", "c", "`d e`", "log(a + 1)", "C(g)", "bs(a, df=4)", "x.1", "I(a ** 2 - b)", "a"]
COLUMNS = ["y", "a", "b", "c", "d e", "q"]


def product(rng, depth):
    """Draw a product of factors and sums."""
    kind = rng.random()
    if depth == 0 or kind < 0.4:
        return str(rng.choice(FACTORS))
    if kind < 0.55:
        return f"({total(rng, depth - 1)})"
    if kind < 0.65:
        return f"({total(rng, depth - 1)})**{rng.integers(1, 4)}"
    if kind < 0.7:
        return "."
    return product(rng, depth - 1) + str(rng.choice([":", "*", "/", " %in% "])) + product(rng, depth - 1)


def total(rng, depth, top=False):
    """Draw a sum of products, at the top with 0 and 1 among them."""
    terms = [product(rng, depth)]
    for _ in range(rng.integers(0, 3)):
        word = str(rng.choice(["0", "1"])) if top and rng.random() < 0.2 else product(rng, depth)
        terms.append(str(rng.choice(["+", "+", "-", "+-"])) + word)
    return " ".join(terms)


def by_formulaic(formula):
    parsed = DefaultFormulaParser().get_terms(formula, context={"__formulaic_variables_available__": COLUMNS})
    terms = sorted((tuple(str(factor.expr) for factor in term.factors) for term in parsed.rhs), key=len)
    return [term for term in terms if term != ("1",)], ("1",) in terms


def test_terms_are_those_of_formulaic_in_its_order():
    rng, compared = np.random.default_rng(3), 0
    for _ in range(200):
        formula = f"y ~ {total(rng, 2, top=True)}"
        try:
            wanted = by_formulaic(formula)
        except (TypeError, SyntaxError):  # of terms that subtraction left empty
            continue
        written = read_formula(formula, COLUMNS)
        found = [tuple(each.value if each.kind == "name" else each.text for each in term) for term in written.terms]
        assert (found, written.intercept) == wanted, formula
        compared += 1
    assert compared > 180


def arithmetic(rng, depth):
    """Draw an expression in Python's words."""
    kind, inner = rng.random(), lambda: arithmetic(rng, depth - 1)
    if depth == 0 or kind < 0.25:
        return str(rng.choice(["a", "b", "1", "2.5", "'x'", '"it\'s"', "1e5", ".5", "3.", "True", "None"]))
    if kind < 0.35:
        return f"({rng.choice(['-', '+', '~', 'not '])}{inner()})"
    if kind < 0.5:
        return f"({inner()})"
    if kind < 0.6:
        return f"f({inner()}, k={inner()})"
    if kind < 0.7:
        return str(rng.choice([f"[{inner()}, {inner()}]", f"({inner()},)", f"{{{inner()}: {inner()}}}"]))
    operators = ["+", "-", "*", "/", "**", "//", "%", "<", "==", "&", "|"]
    return inner() + str(rng.choice(operators)) + inner()


def test_the_text_of_a_factor_is_spaced_as_python_spaces_it():
    rng, compared = np.random.default_rng(4), 0
    for _ in range(600):
        text = arithmetic(rng, 3)
        tree = ast.parse(text, mode="eval")
        if any(isinstance(node, ast.Compare) and len(node.ops) > 1 for node in ast.walk(tree)):
            continue
        parser = FactorParser(text)
        assert parser.expression().text == ast.unparse(tree)
        assert parser.next.kind == "end"
        compared += 1
    assert compared > 400


def small():
    rng = np.random.default_rng(0)
    columns = {f"v{i}": rng.normal(size=100) for i in range(25)}
    return pd.DataFrame(
        {"y": rng.integers(0, 2, 100), "x": rng.normal(size=100), "g": rng.choice(list("abc"), 100)} | columns
    )


NAMES = [f"v{i}" for i in range(25)]


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ("*".join(NAMES), "expands to too many terms"),
        (f"({'+'.join(NAMES)})**12", "expands to too many terms"),
        ("+".join(f"I(x + {i})" for i in range(3000)), "has 3000 columns; the limit is 1000"),
        ("bs(x, df=1000)", "df=1000 is more than the 100 different values"),
        ("cr(x, df=1000)", "df=1000 is more than the 100 different values"),
        ("bs(x, degree=1000)", "the highest is 25"),
        (":".join(f"C(v{i} > 0)" for i in range(9)), "the limit is 64 factors and 8 categories"),
        ("bs(x, df=90) : bs(v1, df=90)", "has 8100 columns"),
    ],
)
@pytest.mark.slow
def test_a_formula_beyond_a_limit_is_refused_before_anything_is_built(terms, message):
    data, begin = small(), time.process_time()
    with pytest.raises(pt.DataError, match=message):
        pt.LogisticRegression.from_formula(f"y ~ {terms}", data)
    assert time.process_time() - begin < 10  # unlimited, each takes over 20 s


def test_a_power_beyond_the_number_of_factors_adds_nothing():
    assert read_formula("y ~ (x + z + w)**1000000") == read_formula("y ~ (x + z + w)**3")
    assert len(read_formula("y ~ (x + z + w)**1000000").terms) == 7


@pytest.mark.parametrize(
    ("factor", "argument"),
    [
        ("poly(x, degree=0)", "degree"), ("poly(x, raw=1)", "raw"), ("bs(x, knots='abc')", "knots"),
        ("bs(x, knots={})", "knots"), ("bs(x, knots=[1, 'a'])", "knots"), ("bs(x, knots=[1e309])", "knots"),
        ("C(g, levels=5)", "levels"), ("C(g, levels=[['a']])", "levels"), ("C(g, levels=['a', 'a'])", "levels"),
        ("C(g, Treatment(['a']))", "Treatment"), ("scale(x, center='a')", "center"), ("scale(x, ddof=-1)", "ddof"),
        ("bs(x, lower_bound='a')", "lower_bound"), ("cr(x, df=3, upper_bound=[])", "upper_bound"),
        ("standardize(x, rescale='a')", "rescale"), ("bs(x, df=True)", "df"), ("bs(x, include_intercept=2)", "include"),
        ("bs(x, extrapolation=[1])", "extrapolation"), ("cr(x, 4, constraints=[1])", "constraints"),
        ("bs(x, degree=0)", "degree"), ("bs(x, df=5, lower_bound=50, upper_bound=90)", "lower_bound"),
    ],
)  # fmt: skip
def test_an_argument_that_makes_no_sense_is_named(factor, argument):
    with pytest.raises(pt.DataError, match=argument):
        pt.LogisticRegression.from_formula(f"y ~ {factor}", small())

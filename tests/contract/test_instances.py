"""Which of scikit-learn's checks run with which instances of a class."""

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

import posteriori as pt
from tests.contract.instances import FIRST_ONLY, chosen_checks, name_of


def names(parameters, estimator):
    """Return the checks of an estimator that `make test` runs."""
    return {
        name_of(p.values[1]) for p in parameters if p.values[0] is estimator and pytest.mark.exhaustive not in p.marks
    }


def test_checks_of_the_class_that_an_earlier_instance_has_had_are_exhaustive():
    plain, weighted = pt.LogisticRegression(), pt.LogisticRegression(prior=1.0)
    nested, other = pt.OneVsRest(pt.LogisticRegression()), pt.OneVsRest(pt.NaiveBayes())
    pairs = chosen_checks([plain, weighted, nested, other])
    every = {name_of(check) for _, check in estimator_checks_generator(plain)}
    assert every >= FIRST_ONLY
    assert names(pairs, plain) == every
    assert names(pairs, weighted) == every - FIRST_ONLY
    for first in (nested, other):
        assert names(pairs, first) == {name_of(check) for _, check in estimator_checks_generator(first)}

"""Which of scikit-learn's checks run with which instances of a class."""

from sklearn.utils.estimator_checks import estimator_checks_generator

import posteriori as pt
from tests.contract.instances import FIRST_ONLY, chosen_checks, name_of


def names(pairs, estimator):
    return {name_of(check) for found, check in pairs if found is estimator}


def test_the_first_of_each_kind_has_every_check_and_others_all_but_those_of_the_class():
    plain, weighted = pt.LogisticRegression(), pt.LogisticRegression(prior=1.0)
    nested, other = pt.OneVsRest(pt.LogisticRegression()), pt.OneVsRest(pt.NaiveBayes())
    pairs = chosen_checks([plain, weighted, nested, other])
    every = {name_of(check) for _, check in estimator_checks_generator(plain)}
    assert every >= FIRST_ONLY
    assert names(pairs, plain) == every
    assert names(pairs, weighted) == every - FIRST_ONLY
    for first in (nested, other):
        assert names(pairs, first) == {name_of(check) for _, check in estimator_checks_generator(first)}

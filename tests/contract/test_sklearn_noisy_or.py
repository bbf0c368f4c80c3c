"""scikit-learn's own checks of the noisy-OR, with no expected failures, on the instances that users build."""

import warnings

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

import posteriori as pt
from tests.contract.instances import parametrize_with_checks

INSTANCES = [pt.NoisyOr(), pt.NoisyOr(tol=1e-4, max_iter=50)]
#: Checks whose rows are impossible without a leak: some of class 1 are zero throughout.
IMPOSSIBLE = {
    "check_estimators_dtypes",
    "check_estimator_sparse_tag",
    "check_estimator_sparse_array",
    "check_estimator_sparse_matrix",
}


@parametrize_with_checks(INSTANCES)
def test_scikit_learn_finds_nothing_amiss(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # triggers that never fail are part of the checks, and ours to warn of
        check(estimator)


CHECKS = [(check.func.__name__, check) for _, check in estimator_checks_generator(pt.NoisyOr(leak=False))]


@pytest.mark.parametrize(("name", "check"), CHECKS, ids=[f"{i}-{name}" for i, (name, _) in enumerate(CHECKS)])
def test_without_a_leak_nothing_is_amiss_but_rows_that_cannot_be(name, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name not in IMPOSSIBLE:
            check(pt.NoisyOr(leak=False))
            return
        with pytest.raises((pt.DataError, AssertionError)) as caught:
            check(pt.NoisyOr(leak=False))
    found = caught.value if isinstance(caught.value, pt.DataError) else caught.value.__cause__
    assert "have no active cause" in str(found)


@pytest.mark.parametrize("model", INSTANCES, ids=repr)
def test_parameters_of_scikit_learn_are_translated(model):
    with pytest.raises(TypeError, match="corresponds to prior"):
        type(model)(C=1.0)

"""scikit-learn's checks for several instances of one class, without testing the same code again for each of them."""

import re
from functools import lru_cache

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

#: Checks of the class and of weights as lists, frames and other containers: no parameter of ours changes their result.
CLASS = {
    "check_all_zero_sample_weights_error",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_estimator_cloneable",  # every check clones the estimator first
    "check_estimator_repr",
    "check_estimator_tags_renamed",
    "check_estimators_unfitted",
    "check_get_params_invariance",
    "check_mixin_order",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_requires_y_none",
    "check_sample_weights_list",
    "check_sample_weights_not_an_array",
    "check_sample_weights_pandas_series",
    "check_sample_weights_shape",
    "check_set_params",
    "check_valid_tag_types",
}
#: Formats of sparse matrices: check_estimator_sparse_tag fits sparse rows with every instance.
FORMATS = {"check_estimator_sparse_array", "check_estimator_sparse_matrix"}
#: Floats of either size in writable and read-only rows: check_classifiers_train(readonly_memmap=True) and
#: check_estimators_dtypes, which fits float32, run with every instance.
TRAINED = {"check_classifiers_train", "check_classifiers_train(readonly_memmap=True,X_dtype=float32)"}
FIRST_ONLY = CLASS | FORMATS | TRAINED


def name_of(check):
    """Return the name of a check with its arguments."""
    arguments = ",".join(f"{name}={value}" for name, value in check.keywords.items())
    return check.func.__name__ + (f"({arguments})" if arguments else "")


def kind_of(estimator):
    """Return the names of the classes that an estimator is made of: other instances of them run the same validation."""
    return tuple(re.findall(r"\b([A-Z]\w+)\(", repr(estimator)))


def chosen_checks(estimators):
    """Return parameters of a test: an estimator and a check; what only the first of a kind needs is exhaustive else."""
    words = lru_cache(lambda position: re.sub(r"\s", "", repr(estimators[position])))
    chosen, kinds = [], set()
    for position, estimator in enumerate(estimators):
        known = kind_of(estimator) in kinds
        kinds.add(kind_of(estimator))
        for each, check in estimator_checks_generator(estimator, mark=None):
            marks = [pytest.mark.exhaustive] if known and name_of(check) in FIRST_ONLY else []
            chosen.append(pytest.param(each, check, marks=marks, id=f"{words(position)}-{name_of(check)}"))
    return chosen


def parametrize_with_checks(estimators):
    """Return pytest's decorator for a test of an estimator and a check, like scikit-learn's function of this name."""
    return pytest.mark.parametrize(("estimator", "check"), chosen_checks(estimators))

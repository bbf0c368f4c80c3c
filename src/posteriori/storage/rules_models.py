"""Rules for classifiers: that their parts are for the same columns and classes."""

from typing import Any

import numpy as np

from posteriori.classifiers.base import Classifier
from posteriori.classifiers.column_table import ColumnTable
from posteriori.classifiers.decomposition import Decomposition
from posteriori.families.joint import JointDensity
from posteriori.storage.basis_rules import coefficient_columns
from posteriori.storage.demands import finite, instance, natural, numbers, wrong
from posteriori.sweeps.scores import LinearScores
from posteriori.sweeps.summary import Summary
from posteriori.tables.coding import Coding


def scores(value: LinearScores, where: str) -> None:
    """There is a finite coefficient for each column of each score."""
    if value.w.ndim != 2:
        wrong(f"{where}.w", "is not by score and column")
    finite(value.w, (len(value.w), value.units.n_coefficients), f"{where}.w")


def logistic(model: Any, where: str) -> None:
    """Scores are over the model's columns."""
    finite(model.coef_, model.coef_.shape, f"{where}.coef_")
    finite(model.intercept_, model.intercept_.shape, f"{where}.intercept_")
    instance(getattr(model, "scores_", None), LinearScores, f"{where}.scores_")
    instance(getattr(model, "takes_offset_", None), bool, f"{where}.takes_offset_")
    n_columns = coefficient_columns(model, where)
    if len(model.scores_.units.scale) != n_columns:
        wrong(f"{where}.scores_", f"is over {len(model.scores_.units.scale)} columns, not {n_columns}")
    if model.link_.n_classes != len(model.classes_) or model.link_.n_scores != len(model.scores_.w):
        wrong(f"{where}.link_", "is not for the model's classes and scores")


def generative(model: Any, where: str) -> None:
    """Ask that groups share out the columns, and that statistics and densities are for the classes."""
    for name, kind in (("density_", JointDensity), ("statistics_", Summary)):
        instance(getattr(model, name, None), kind, f"{where}.{name}")
        shared_out = [j for group in getattr(model, name).groups for j in group.columns]
        if sorted(shared_out) != list(range(model.n_features_in_)):
            wrong(f"{where}.{name}.groups", f"does not share out the {model.n_features_in_} columns")
    if not np.array_equal(model.statistics_.classes, model.classes_):
        wrong(f"{where}.statistics_.classes", "are not the model's classes")
    if len(model.statistics_.schema.columns) != model.n_features_in_:
        wrong(f"{where}.statistics_.schema", f"is not of {model.n_features_in_} columns")
    n_classes = len(model.classes_)
    if "means_" in vars(model):
        numbers(model.means_, (n_classes, model.n_features_in_), f"{where}.means_")
    for name, table in vars(model).get("families_", {}).items():
        instance(table, ColumnTable, f"{where}.families_[{name!r}]")


def table_classifier(model: Any, where: str) -> None:
    """Ask that the columns coded are those the classifier inside was fitted on."""
    instance(getattr(model, "estimator_", None), (Classifier, Decomposition), f"{where}.estimator_")
    inner = model.estimator_
    if not hasattr(inner, "classes_"):
        wrong(f"{where}.estimator_", "is not fitted")
    if sorted(np.asarray(model.order_).tolist()) != list(range(len(inner.classes_))):
        wrong(f"{where}.order_", "is not an order of the classes")
    if not np.array_equal(model.classes_, inner.classes_[model.order_]):
        wrong(f"{where}.classes_", "are not those of the classifier inside")
    for name in ("target_", "offset_"):
        instance(getattr(model, name), (str, type(None)), f"{where}.{name}")
    if model.offset_ is not None and not getattr(inner, "takes_offset_", False):
        wrong(f"{where}.offset_", "names an offset for a model without one")
    natural(model.n_rows_, f"{where}.n_rows_", least=1)
    natural(model.n_dropped_, f"{where}.n_dropped_")
    if model.coding_ is None:
        return
    instance(model.coding_, Coding, f"{where}.coding_")
    if len(model.coding_.names_out) != inner.n_features_in_:
        wrong(
            f"{where}.coding_",
            f"gives {len(model.coding_.names_out)} columns, the model takes {inner.n_features_in_}",
        )
    if tuple(model.feature_names_in_) != model.coding_.names:
        wrong(f"{where}.feature_names_in_", "are not the columns of the coding")

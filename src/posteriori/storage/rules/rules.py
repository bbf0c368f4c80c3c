"""What must hold of each storable class for its values to make sense together: shapes, ranges, indices."""

from collections.abc import Callable
from typing import Any

from posteriori.storage.rules import classifiers as models
from posteriori.storage.rules import densities, tables
from posteriori.storage.rules.bases import BASIS_RULES
from posteriori.storage.rules.decisions import DECISION_RULES
from posteriori.storage.rules.discriminants import DISCRIMINANT_RULES
from posteriori.storage.rules.ensembles import ENSEMBLE_RULES
from posteriori.storage.rules.families import FAMILY_RULES
from posteriori.storage.rules.formulas import FORMULA_RULES
from posteriori.storage.rules.kernels import KERNEL_RULES
from posteriori.storage.rules.links import LINK_RULES
from posteriori.storage.rules.noisy_or import NOISY_OR_RULES
from posteriori.storage.rules.posteriors import BAYES_RULES
from posteriori.storage.rules.solvers import SOLVER_RULES

#: By the name of the class.
RULES: dict[str, Callable[[Any, str], None]] = {
    "Column": tables.column,
    "Schema": tables.schema,
    "Coded": tables.coded,
    "Coding": tables.coding,
    "Units": tables.units,
    "Counts": tables.counts,
    "Moments": tables.moments,
    "Gram": tables.gram,
    "DiagonalParameters": densities.diagonal,
    "FullParameters": densities.full,
    "TableParameters": densities.tables,
    "ColumnTable": densities.column_table,
    "JointDensity": densities.joint,
    "Summary": densities.summary,
    "LinearScores": models.scores,
    "Information": models.information,
    "Quadratic": models.quadratic,
    "LogisticRegression": models.logistic,
    "BinaryRegression": models.logistic,
    "GaussianClassifier": models.generative,
    "NaiveBayes": models.generative,
    "TableClassifier": models.table_classifier,
    **BASIS_RULES,
    **BAYES_RULES,
    **FAMILY_RULES,
    **LINK_RULES,
    **FORMULA_RULES,
    **ENSEMBLE_RULES,
    **DISCRIMINANT_RULES,
    **KERNEL_RULES,
    **SOLVER_RULES,
    **DECISION_RULES,
    **NOISY_OR_RULES,
    "JointTable": models.generative,
}

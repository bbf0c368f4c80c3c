"""What must hold of each storable class for its values to make sense together: shapes, ranges, indices."""

from collections.abc import Callable
from typing import Any

from posteriori.storage import rules_densities as densities
from posteriori.storage import rules_models as models
from posteriori.storage import rules_tables as tables
from posteriori.storage.basis_rules import BASIS_RULES
from posteriori.storage.bayes_rules import BAYES_RULES
from posteriori.storage.decision_rules import DECISION_RULES
from posteriori.storage.discriminant_rules import DISCRIMINANT_RULES
from posteriori.storage.ensemble_rules import ENSEMBLE_RULES
from posteriori.storage.family_rules import FAMILY_RULES
from posteriori.storage.formula_rules import FORMULA_RULES
from posteriori.storage.kernel_rules import KERNEL_RULES
from posteriori.storage.link_rules import LINK_RULES
from posteriori.storage.noisy_or_rules import NOISY_OR_RULES
from posteriori.storage.solver_rules import SOLVER_RULES

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

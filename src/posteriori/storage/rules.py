"""What must hold of each storable class for its values to make sense together: shapes, ranges, indices."""

from collections.abc import Callable
from typing import Any

from posteriori.storage import rules_densities as densities
from posteriori.storage import rules_models as models
from posteriori.storage import rules_tables as tables
from posteriori.storage.basis_rules import BASIS_RULES
from posteriori.storage.discriminant_rules import DISCRIMINANT_RULES
from posteriori.storage.ensemble_rules import ENSEMBLE_RULES
from posteriori.storage.family_rules import FAMILY_RULES

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
    "GaussianClassifier": models.generative,
    "NaiveBayes": models.generative,
    "TableClassifier": models.table_classifier,
    **BASIS_RULES,
    **FAMILY_RULES,
    **ENSEMBLE_RULES,
    **DISCRIMINANT_RULES,
    "JointTable": models.generative,
}

"""The note on separated classes: which columns, rows and classes, and where the coefficients go."""

from typing import Any

import numpy as np

from posteriori.fits.existence.limiting_likelihood import STEPS
from posteriori.fits.existence.recession import Recession
from posteriori.fits.existence.separation import Separation
from posteriori.messages.errors import ConvergenceWarning, SeparationWarning
from posteriori.messages.notes import Note, quote, select
from posteriori.models.infinite_codes import BOTH, DOWN, UNDECIDED, UP
from posteriori.objectives.penalized import PenalizedLikelihood

#: Rows listed in a note; `fits.existence.separation` lists them all.
LISTED = 1000
#: Pairs of separated classes named in a note.
PAIRS = 5
#: What `coef_` holds where classes are separated: near the limit of the probabilities, or not.
NEAR_LIMIT = "coef_ holds no estimate, but a finite point near the limit of the probabilities."
LAST_ITERATE = "coef_ holds the last iterate, not an estimate."
#: The note where the limit of the probabilities was not reached within the work limit.
LIMIT_NOT_REACHED = Note(
    code="limit-not-reached",
    message=f"the probabilities of classes that are not separated are those of the last iterate, not the limit of the "
    f"maximum likelihood: it was not reached in {STEPS} Newton steps, or rounding ended them.",
    remedy="Use prior='jeffreys' or prior=1.0, or leave out classes of few rows.",
    category=ConvergenceWarning,
)
KINDS = {"complete": "Complete", "quasi": "Quasi-complete"}


def separation_note(
    objective: PenalizedLikelihood,
    separation: Separation,
    recession: Recession,
    labels: tuple[Any, ...],
    near_limit: bool = True,
) -> Note:
    """Report which columns, rows and classes are separated, and what to do."""
    names = list(separation.columns)
    pairs = [(labels[a], labels[b]) for a, b in separation.classes] if labels else []
    verb = f"separates {_classes(pairs)}" if len(labels) > 2 else "predicts the outcome"
    predictor = f"a combination of the columns {quote(names)}" if len(names) > 1 else f"column {quote(names)}"
    unit = "rows" if objective.rows.is_grouped else "observations"
    have = "their coefficients have" if len(names) > 1 else "its coefficient has"
    return Note(
        code="separation",
        message=f"{KINDS[separation.kind]} separation: {predictor if names else 'the intercept'} {verb} "
        f"perfectly in {len(separation.rows)} of {objective.n_rows} {unit}, so {have} no finite maximum likelihood "
        f"estimate ({_directions(objective, recession)}). {NEAR_LIMIT if near_limit else LAST_ITERATE}",
        columns=separation.columns,
        rows=separation.rows[:LISTED],
        classes=tuple(dict.fromkeys(str(label) for pair in pairs for label in pair)),
        remedy="Use prior='jeffreys' (Firth), or a weakly informative prior in standard deviations: "
        "prior=pt.GaussianPrior(sd=2.5, units='sd').",
        category=SeparationWarning,
    )


def _classes(pairs: list[tuple[Any, Any]]) -> str:
    """Format the first pairs of separated classes.

    >>> _classes([("a", "b"), ("a", "c"), ("b", "c")])
    "class 'a' from 'b' and from 'c', and class 'b' from 'c'"
    """
    others: dict[Any, list[str]] = {}
    for a, b in pairs[:PAIRS]:
        others.setdefault(a, []).append(f"from {b!r}")
    shown = ", and ".join(f"class {a!r} {' and '.join(names)}" for a, names in others.items())
    return shown if len(pairs) <= PAIRS else f"{shown}, and {len(pairs) - PAIRS} more pairs of classes,"


def _directions(objective: PenalizedLikelihood, recession: Recession) -> str:
    """Format the columns by the limits of their coefficients; of several classes, between any two of them."""
    codes = recession.pairs[:, int(objective.units.intercept) :]
    several = len(codes) > 1
    up, down = (codes == UP).any(axis=0), (codes == DOWN).any(axis=0)
    known = {
        "to +infinity": up & ~down if not several else np.zeros_like(up),
        "to -infinity": down & ~up if not several else np.zeros_like(up),
        "to infinity between some classes": (up | down) & several,
        "not identified": (codes == BOTH).any(axis=0) & ~up & ~down,
        "direction not decided": (codes == UNDECIDED).any(axis=0) & ~up & ~down & ~(codes == BOTH).any(axis=0),
    }
    names = objective.engine.table.schema.names
    groups = [f"{quote(select(names, marks))} {what}" for what, marks in known.items() if marks.any()]
    return "; ".join(groups) or "only the intercept"

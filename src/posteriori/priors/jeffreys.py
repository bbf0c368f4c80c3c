"""`JeffreysPrior`: the prior that takes the first-order bias out of maximum likelihood."""

from dataclasses import dataclass


@dataclass(frozen=True)
class JeffreysPrior:
    """A density proportional to the square root of det I(w), I the information in the rows.

    For links whose information does not depend on the targets (logit, softmax), its mode is Firth's bias-reduced
    estimate. It exists whenever the columns are independent, separated classes or not, and it does not depend on the
    units of the columns. The intercept is inside the determinant.
    """

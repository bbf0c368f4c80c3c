"""`EvidencePrior`: a Gaussian prior whose precision is estimated from the data."""

from dataclasses import dataclass

#: Precision of the intercept, at the mean row, where the user sets none: log odds of 0 with a sd of 10.
INTERCEPT_PRECISION = 0.01


@dataclass(frozen=True)
class EvidencePrior:
    """A Gaussian prior about zero on standardised columns, of the precision that makes the rows most probable.

    Book: [Bishop] §4.4.1 and 4.5: the normaliser of the Laplace approximation is the evidence.

    Parameters
    ----------
    by_column : whether each column has a precision of its own (automatic relevance determination), else all have one
    intercept_precision : of the predictor of the mean row, proper so that the evidence exists
    """

    by_column: bool = False
    intercept_precision: float = INTERCEPT_PRECISION


#: Names of the `prior` parameter that leave the precision to the evidence.
EVIDENCE_PRIORS = {"evidence": EvidencePrior(), "evidence-ard": EvidencePrior(by_column=True)}

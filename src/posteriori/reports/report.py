"""`report`: a fitted model and its evaluation on rows, as one page of HTML."""

import os
import re
from importlib.metadata import version
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from posteriori.messages.errors import DataTypeError
from posteriori.reports.assemble import ReportOptions, contents_of
from posteriori.reports.contents import Contents
from posteriori.reports.page import page_of, require
from posteriori.storage.atomic import check_writable, replacing


def report(
    model: Any,
    X: Any = None,
    y: Any = None,
    path: str | os.PathLike[str] = "report.html",
    *,
    sample_weight: Any = None,
    offset: Any = None,
    title: str | None = None,
    cv: Any = "auto",
    values: bool = False,
    random_state: int = 0,
) -> Contents:
    """Write a report of a fitted classifier: one self-contained file of HTML.

    It states whether the model is better than the baseline that always predicts the class frequencies, describes the
    model, its estimates and the fit, and evaluates it on rows: log loss, Brier score, accuracy and calibration error
    with confidence intervals beside those of the baseline, the confusion matrix, calibration, and the rows with the
    largest errors. If the rows are, or may be, the training rows, it says so and adds cross-validated scores.

    Parameters
    ----------
    model : a fitted classifier of this library, a `TableClassifier`, a decision wrapper, or one of scikit-learn
    X : (n, d) rows on which to evaluate it: frame, array or sparse matrix; None for a report of the model alone
    y : (n,) their classes, class counts, or the name of a column of X; default the target column of a
        `TableClassifier`
    path : the file to write; an existing file is replaced in a single step, as by `save`
    sample_weight, offset : (n,) values, or names of columns of X
    title : of the page
    cv : "auto" | None | number of folds
        "auto" cross-validates if the rows are, or may be, the training rows and that takes little time; a number
        cross-validates on any rows.
    values : whether the report may contain values of rows: those of the rows with the largest errors, labels unknown to
        the model, and rows as marks in plots. By default it contains row numbers only
    random_state : seed of the folds

    Returns
    -------
    Contents : what was written, as data: ``.headline``, ``.alerts``, ``.sections``; ``.numbers`` holds plain values

    Notes
    -----
    Rows without a class, of classes unknown to the model, or with missing values that it does not accept are excluded
    and counted. Requires the extra ``report``: ``pip install 'posteriori[report]'``.

    Examples
    --------
    >>> import os, tempfile
    >>> import posteriori as pt
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "a", "b", "b"]
    >>> path = os.path.join(tempfile.mkdtemp(), "report.html")
    >>> contents = pt.report(pt.LogisticRegression().fit(X, y), X, y, path)
    >>> round(contents.numbers["scores"]["accuracy"]["value"], 4), contents.numbers["data"]["origin"]
    (0.6667, 'training')
    """
    require()
    check_writable(path)
    check_is_fitted(model)
    if not hasattr(model, "classes_"):
        raise DataTypeError(f"a report needs a classifier; {type(model).__name__} has no classes_.")
    calls = (*_call(model), "pt.report(model, path=path)" if X is None else "pt.report(model, X, y, path)")
    options = ReportOptions(title, cv, values, random_state, calls, version("posteriori"))
    contents = contents_of(model, X, y, sample_weight, offset, options)
    write(contents, path)
    return contents


def _call(model: Any) -> tuple[str, ...]:
    """Return the call that makes such a model; none if a parameter is an array, which may contain rows."""
    if any(hasattr(value, "shape") and np.ndim(value) > 1 for value in model.get_params(deep=True).values()):
        return ()
    written = re.sub(r"\n\s*", " ", repr(model))
    return (f"model = {written}.fit(X, y)",)


def write(contents: Contents, path: str | os.PathLike[str]) -> None:
    """Write a report as a page, completely or not at all."""
    page = page_of(contents).encode()
    with replacing(path) as stream:
        stream.write(page)

"""`report`: a fitted model, and what it does on rows, as one page of HTML."""

import os
import re
from importlib.metadata import version
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from posteriori.messages.errors import DataTypeError
from posteriori.reports.assemble import Asked, contents_of
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
    """Write a report of a fitted classifier: one file of HTML that needs nothing else.

    It tells whether the model is better than knowing the class shares alone, what it is and learned, how the fit went,
    and on the rows given how good it is: log loss, Brier score, accuracy and calibration error with intervals beside
    those of the class shares, the confusions, whether the probabilities are what they say, and the rows it is most
    wrong about. Where the rows are, or may be, those of the fit it says so, and adds scores of a cross-validation.

    Parameters
    ----------
    model : a fitted classifier of this library, a `TableClassifier`, a decision around one, or scikit-learn's
    X : (n, d) rows to judge it by: frame, array or sparse matrix; None for a report of the model alone
    y : (n,) their classes, class counts, or the name of a column of X; of a `TableClassifier` by default the column it
        was fitted to
    path : the file to write; one that is there is replaced in a single step, as `save` does
    sample_weight, offset : (n,) values, or names of columns of X
    title : of the page
    cv : "auto" | None | number of folds
        "auto" cross-validates where the rows are, or may be, those of the fit and that takes little time; a number
        does so on any rows.
    values : whether the values of rows may be in the report: those of the rows it is most wrong about, labels the model
        does not know, and the marks of rows in figures. By default the report has row numbers only
    random_state : seed of the folds

    Returns
    -------
    Contents : what was written, as data: ``.headline``, ``.alerts``, ``.sections``; ``.numbers`` holds plain values

    Notes
    -----
    Rows without a class, of classes the model does not know, or with gaps it cannot use are left out, and counted.
    Needs the extra ``report``: ``pip install 'posteriori[report]'``.

    Examples
    --------
    >>> import os, tempfile
    >>> import posteriori as pt
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "a", "b", "b"]
    >>> path = os.path.join(tempfile.mkdtemp(), "report.html")
    >>> told = pt.report(pt.LogisticRegression().fit(X, y), X, y, path)
    >>> round(told.numbers["scores"]["accuracy"]["value"], 4), told.numbers["data"]["origin"]
    (0.6667, 'training')
    """
    require()
    check_writable(path)
    check_is_fitted(model)
    if not hasattr(model, "classes_"):
        raise DataTypeError(f"a report is of a classifier; {type(model).__name__} has no classes_.")
    made = (*_call(model), "pt.report(model, path=path)" if X is None else "pt.report(model, X, y, path)")
    asked = Asked(title=title, cv=cv, values=values, seed=random_state, made=made, version=version("posteriori"))
    contents = contents_of(model, X, y, sample_weight, offset, asked)
    write(contents, path)
    return contents


def _call(model: Any) -> tuple[str, ...]:
    """Give the line that makes such a model; nothing where a parameter is an array, which may hold rows."""
    held = [value for value in model.get_params(deep=True).values() if hasattr(value, "shape") and np.ndim(value) > 1]
    written = re.sub(r"\n\s*", " ", repr(model))
    return () if held else (f"model = {written}.fit(X, y)",)


def write(contents: Contents, path: str | os.PathLike[str]) -> None:
    """Write a report as a page, whole or not at all."""
    page = page_of(contents).encode()
    with replacing(path) as stream:
        stream.write(page)

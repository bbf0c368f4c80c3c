"""Reports: a fitted model and its evaluation on rows, as data and as one page of HTML."""

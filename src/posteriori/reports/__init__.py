"""Reports: a fitted model and what it does on rows, described as data and written as one page of HTML."""

"""Summaries: tables of coefficients as text, HTML, LaTeX and frames."""

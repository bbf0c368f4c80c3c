"""The grammar of formulas: tokens, factors, terms."""

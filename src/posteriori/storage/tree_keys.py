"""Limits and patterns that writer and reader share."""

import re

#: Levels of values within values, beyond which a tree is rejected.
DEEPEST = 40
#: Bytes of all arrays of text together: a constant, and so many per character of the tree.
TEXT_BYTES, TEXT_BYTES_PER_CHARACTER = 2**24, 16
#: Attributes that fit learns: they end in an underscore and are not private to Python.
LEARNED = re.compile(r"(?!__)[A-Za-z_][A-Za-z0-9_]*_")
#: Types of arrays that are stored as JSON: text, bytes, objects, booleans, dates and spans of time.
TEXTUAL = re.compile(r"[<>|=]?(?:[US]\d{1,5}|O|b1|[Mm]8\[\d{0,4}(?:Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\])")

"""Leaves: loops over plain arrays, each in one signature and two files.

``*_arrays`` are written in numpy and need nothing compiled; ``*_compiled`` are the same functions by numba.
`select` chooses between them by shape alone, so that small problems compile nothing and the same data takes
the same path in every process.
"""

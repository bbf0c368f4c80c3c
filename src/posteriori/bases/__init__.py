"""Bases: fixed functions phi of the columns, in which a linear boundary is a curved one in x."""

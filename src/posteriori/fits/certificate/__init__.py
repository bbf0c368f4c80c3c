"""The certificate of a fit: a bound on its Newton decrement, rounding included."""

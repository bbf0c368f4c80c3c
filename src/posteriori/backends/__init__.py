"""The inner loops over rows, once in numpy and once compiled, with the same signatures."""

"""The inner loops over rows, in numpy and compiled, with the same modules and signatures."""

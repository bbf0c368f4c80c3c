"""Fixed basis functions phi(x), as pure maps of rows, and the centres of kernels."""

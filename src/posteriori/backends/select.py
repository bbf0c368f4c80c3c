"""Which of two kernels of one signature: a matter of shape alone."""

from types import ModuleType

#: Rows times columns from which compiled loops pay for their loading.
COMPILED_FROM = 2**20


def linear(size: int) -> ModuleType:
    """Give the kernels of linear predictors and their sums for a table of this size."""
    if size >= COMPILED_FROM:
        from posteriori.backends.compiled import linear as linear_compiled

        return linear_compiled
    from posteriori.backends.arrays import linear as linear_arrays

    return linear_arrays


def classwise(size: int) -> ModuleType:
    """Give the kernels of class-wise sums and densities for a table of this size."""
    if size >= COMPILED_FROM:
        from posteriori.backends.compiled import classwise as classwise_compiled

        return classwise_compiled
    from posteriori.backends.arrays import classwise as classwise_arrays

    return classwise_arrays


def perceptron(visited: int) -> ModuleType:
    """Give the kernels of the perceptron's passes, by the number of values visited so far; both give the same bits."""
    if visited >= COMPILED_FROM:
        from posteriori.backends.compiled import perceptron as perceptron_compiled

        return perceptron_compiled
    from posteriori.backends.arrays import perceptron as perceptron_arrays

    return perceptron_arrays


def online(visited: int) -> ModuleType:
    """Give the kernels of on-line steps, by the number of values visited so far; both give the same bits."""
    if visited >= COMPILED_FROM:
        from posteriori.backends.compiled import online as online_compiled

        return online_compiled
    from posteriori.backends.arrays import online as online_arrays

    return online_arrays

"""Methods that visit rows in order: perceptron and stochastic gradients."""

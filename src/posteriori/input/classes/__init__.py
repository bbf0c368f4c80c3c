"""Values by class: class priors, costs, the order of classes."""

"""`PosteriorDisplay`: predictions of classifiers along one or two features, and related Displays."""

"""Models as the command line describes them."""

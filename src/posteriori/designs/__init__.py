"""Centred and scaled views of a block: the products that every linear model needs."""

"""Classifiers that wrap others: decisions, model averages, one-versus-rest and one-versus-one."""

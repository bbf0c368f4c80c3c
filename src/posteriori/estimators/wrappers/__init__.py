"""Classifiers around other classifiers: decisions, averages, reductions to two classes."""

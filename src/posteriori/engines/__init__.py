"""Engines: how a sweep is carried out. No sweep knows of threads, progress or retries; no engine of models."""

"""Settings of the whole suite: hypothesis gives the same cases in every run and keeps no files."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "posteriori",
    deadline=None,
    max_examples=20,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("posteriori")

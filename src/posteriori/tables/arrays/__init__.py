"""Arrays that come in: what they hold is checked here, before compiled code trusts it."""

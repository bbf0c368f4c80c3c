"""Whether a maximum of the likelihood exists, decided exactly: floating point proposes, exact arithmetic verifies."""

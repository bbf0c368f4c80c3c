"""The truth about a fit: ranks, the existence of its maximum, and what it says of itself."""

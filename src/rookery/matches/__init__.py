"""Games between two searches."""

"""Searches above the atomic level, cut into jobs: they know nothing of how jobs are computed."""

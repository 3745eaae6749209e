"""Whether a problem keeps its contract, and what its functions cost: see :mod:`rookery.testing`."""

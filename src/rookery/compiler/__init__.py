"""From a problem to machine code: the only place that touches Numba's settings and cache."""

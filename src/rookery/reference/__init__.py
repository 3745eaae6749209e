"""The algorithms in plain Python, line by line after the papers.

They are the oracle for the compiled kernels and of :mod:`rookery.engine.objects`, with which they share nothing but the
random stream.
"""

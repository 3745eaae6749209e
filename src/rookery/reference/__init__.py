"""The algorithms in plain Python, line by line after the papers.

They run every :class:`rookery.PythonProblem`, and are the oracle of the compiled kernels, with which they
share nothing but the random stream.
"""

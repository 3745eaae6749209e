"""The searches, one per file: their parameters and their kernels."""

"""The built-in problems, one per file, each citing where its rules come from."""

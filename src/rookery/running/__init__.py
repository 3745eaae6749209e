"""One run, from the call to the result."""

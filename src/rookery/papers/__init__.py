"""One module for each paper whose tables can be made again: what it says, and how its cells are computed."""

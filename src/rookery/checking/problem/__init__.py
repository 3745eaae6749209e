"""What is checked of problems alone: searches that play them, codes, biases, moves that commute, costs of functions."""

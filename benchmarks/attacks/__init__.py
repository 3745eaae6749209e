"""The parts of an attack on the library: each tries many things and says what went wrong."""

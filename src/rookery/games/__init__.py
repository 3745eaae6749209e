"""Games for two players, one in each file."""

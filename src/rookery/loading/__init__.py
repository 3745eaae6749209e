"""Problems, games and searches by name."""

"""What is checked of games alone: players and winners, keys, orders of moves, collisions, sampling."""

"""A game of your own: Nim in about thirty lines, a move searched for and a match played.

Players take turns to take any number of stones from one heap; whoever takes the last stone wins. Bouton showed in 1901
who wins: the one to move, unless the exclusive or of the heaps is 0. So it is known whether the searches are right.

python examples/nim.py
"""

import numpy as np

import rookery as rk


class Nim(rk.Game):
    """Take any number of stones from one heap; whoever takes the last stone wins."""

    heaps: np.ndarray
    most: int

    @classmethod
    def build(cls, heaps: str = "3,4,5"):
        sizes = [int(n) for n in heaps.split(",")]
        return cls(np.array(sizes), max(sizes))

    def limits(self):
        stones = int(self.heaps.sum())
        return rk.Limits(moves=stones, length=stones, codes=self.most * len(self.heaps))

    def layout(self):
        return {"heaps": ("i8", rk.capacity(len(self.heaps))), "turn": "i8"}

    def start(self, s):
        for h in range(len(self.heaps)):
            s.heaps[h] = self.heaps[h]

    def moves(self, s, out):
        n = 0
        for h in range(len(self.heaps)):
            for k in range(s.heaps[h]):
                out[n] = h * self.most + k
                n += 1
        return n

    def code(self, s, move):
        return move

    def play(self, s, move):
        s.heaps[move // self.most] -= move % self.most + 1
        s.turn = 1 - s.turn

    def player(self, s):
        return s.turn

    def winner(self, s):
        return 1 - s.turn

    def key(self, s):
        key = s.turn
        for h in range(len(self.heaps)):
            key = (self.most + 1) * key + s.heaps[h]
        return key

    def describe_move(self, move):
        return f"{move % self.most + 1} of heap {move // self.most + 1}"


def main() -> None:
    game = Nim.build("3,4,5")
    for search in (rk.FlatMC(playouts=10_000), rk.GameUCT(playouts=10_000), rk.PPA(playouts=10_000)):
        found = rk.decide(game, search, seed=1)
        print(f"{search.name:5} takes {game.describe_move(found.move)}, which won {found.value:.0%} of its playouts")
    solved = rk.decide(game, rk.GameUCT(playouts=10_000, solver=True), seed=1)
    print(f"proven after {solved.playouts} playouts: {game.describe_move(solved.move)} is a {solved.proven}")
    result = rk.match(game, rk.PPA(playouts=1000), rk.FlatMC(playouts=1000), games=200, seed=1)
    low, high = result.interval_95
    print(f"PPA won {result.wins_a} of {result.games} games against flat Monte Carlo (95%: {low:.0%} to {high:.0%})")
    last = result.played[-1]
    print(f"{last.winner} won the last: {', '.join(game.describe_move(move) for move in last.moves)}")


if __name__ == "__main__":
    main()

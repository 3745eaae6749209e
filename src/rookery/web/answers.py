"""What is asked of problems and games: pictures, words, positions, a move, a hint."""

from __future__ import annotations

import base64
import json
import os
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import rookery as rk

MOST_MOVES = 20_000
MOST_KEPT = 16
"""How many models and pictures are kept ready."""
MOST_PLAYOUTS, MOST_SECONDS = 10_000_000, 60.0
PUZZLES = ("morpion", "samegame")
"""Problems that can be played by hand."""
SGF_GAMES = ("go", "atarigo", "nogo", "misere-nogo")
LARGEST_SIDE = 4000
"""The most pixels of a side of a picture."""


class Answers:
    """Answers questions about built-in problems and games, and the user's own that were named at the start.

    Parameters
    ----------
    folder
        the only place where parameters may name files
    own
        problems and games of the user's, as ``path/to/file.py:Class``
    """

    def __init__(self, folder: str, own: Sequence[str] = ()) -> None:
        self._folder = os.path.realpath(folder)
        self._own = {name.rpartition(":")[2]: name for name in own}
        self._models: OrderedDict[str, Any] = OrderedDict()
        self.film = lru_cache(MOST_KEPT)(self._film)

    def to(self, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The answers to a question; all but the last have ``more``."""
        do = {
            "choices": self._choices,
            "picture": self._picture,
            "words": self._words,
            "position": self._position,
            "think": self._think,
            "hint": self._hint,
            "keep": self._keep,
        }.get(question.get("do", ""))
        if do is None:
            raise rk.InputError(f"the question must be known, got {question.get('do')!r}")
        yield from do(question)

    # --- models ---

    def _model(self, question: dict[str, Any]) -> Any:
        """The problem or game that is asked about; code of a user's is run only if it was named at the start."""
        of = question.get("of")
        if (
            not isinstance(of, dict)
            or not isinstance(of.get("name"), str)
            or not isinstance(of.get("parameters"), dict)
        ):
            raise rk.InputError("a question must be about a problem or a game")
        name, parameters = of["name"], of["parameters"]
        known = {*rk.tools.builtin_problems(), *rk.tools.builtin_games()}
        if name not in known:
            own = self._own.get(name.rpartition(":")[2])
            if own is None:
                raise rk.InputError(
                    f"{name[:80]} is a problem or game of your own: its code is run only if serve is started with it"
                )
            name = own
        key = json.dumps([name, parameters], sort_keys=True)
        if key not in self._models:
            given = {key: value for key, value in parameters.items() if self._is_allowed(key, value)}
            self._models[key] = rk.tools.load_any(name, given)
            while len(self._models) > MOST_KEPT:
                self._models.popitem(last=False)
        self._models.move_to_end(key)
        return self._models[key]

    def _is_allowed(self, key: str, value: Any) -> bool:
        """Whether a parameter is given at all; one that names a file outside the folder is refused."""
        if not isinstance(value, (bool, int, float, str, type(None))):
            raise rk.InputError(f"parameters must be plain values, and {key[:60]} is not")
        try:
            names_a_file = isinstance(value, str) and os.path.lexists(value)
        except (OSError, ValueError):
            names_a_file = False
        if names_a_file:
            real = os.path.realpath(str(value))
            if os.path.commonpath([real, self._folder]) != self._folder:
                raise rk.InputError(f"{key[:60]} names a file outside the folder, which is not read")
        return value is not None

    @staticmethod
    def _moves(question: dict[str, Any]) -> tuple[Any, ...]:
        moves = question.get("moves", [])
        if not isinstance(moves, list) or len(moves) > MOST_MOVES:
            raise rk.InputError(f"moves must be a list of at most {MOST_MOVES}")
        return tuple(map(_frozen, moves))

    # --- pictures and words ---

    def _film(self, of: str, moves: str) -> rk.Drawing | None:
        """The drawing of some moves in which shapes come and go."""
        question = {"of": json.loads(of), "moves": json.loads(moves)}
        drawing = rk.files.picture(self._model(question), self._moves(question))
        return None if drawing is None else drawing.played()

    def _picture(self, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
        drawing = self.film(json.dumps(question.get("of")), json.dumps(question.get("moves", [])))
        if drawing is None:
            raise rk.InputError("the problem draws no picture")
        step, dark = question.get("step"), bool(question.get("dark"))
        if question.get("format") == "png":
            size = min(LARGEST_SIDE, round(2 * max(drawing.width, drawing.height)))
            yield {"png": base64.b64encode(drawing.png(size, dark=dark)).decode()}
        else:
            yield {"svg": drawing.svg(dark=dark, step=step if isinstance(step, int) else None)}

    def _words(self, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
        model, moves = self._model(question), self._moves(question)
        score = question.get("score")
        drawing = model.picture(moves)
        yield {
            "words": [str(word) for word in model.describe_moves(moves)],
            "picture": drawing is not None,
            "drawing": None if drawing is not None else model.draw(moves),
            "score": str(model.format_score(score)) if isinstance(score, (int, float)) else None,
        }

    # --- play ---

    def _choices(self, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """What can be played, with parameters and their defaults, and against what."""
        own = {name: kind for name, kind in ((n, _kind(n)) for n in self._own.values()) if kind is not None}
        games = {**rk.tools.builtin_games(), **{name: "your own game" for name, kind in own.items() if kind == "game"}}
        puzzles = {name: text for name, text in rk.tools.builtin_problems().items() if name in PUZZLES}
        puzzles |= {name: "your own problem" for name, kind in own.items() if kind == "problem"}
        yield {
            "games": [_choice(name, about, rk.tools.game_parameters) for name, about in games.items()],
            "puzzles": [_choice(name, about, rk.tools.problem_parameters) for name, about in puzzles.items()],
            "searches": list(rk.tools.game_searches()),
        }

    def _position(self, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The position after some moves: what may be played, and where to click for it."""
        model, moves = self._model(question), self._moves(question)
        is_game = isinstance(model, (rk.Game, rk.PythonGame))
        told: dict[str, Any]
        if is_game:
            position = rk.tools.Position(model, moves)
            legal, told = position.legal, {"player": position.player, "winner": position.winner}
            told |= {"players": list(model.players), "over": position.is_over}
        else:
            score, legal = rk.replay(model, moves)
            told = {"score": str(model.format_score(score)), "value": score, "over": not legal}
        drawing = model.picture(moves)
        spots = model.spots(moves, legal)
        played = [str(word) for word in model.describe_moves(moves)]
        yield {
            **told,
            "legal": [
                {"move": move, "words": _described(model, moves, move), "spots": where}
                for move, where in zip(legal, spots, strict=True)
            ],
            "played": played,
            "picture": None if drawing is None else {"width": drawing.width, "height": drawing.height},
            "drawing": None if drawing is not None else model.draw(moves),
            "sgf": question["of"]["name"] in SGF_GAMES,
        }

    def _think(self, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The move of a search; before it, what the search thinks after a part of its playouts."""
        model, moves = self._model(question), self._moves(question)
        text = _search(question)
        playouts = _within(question.get("playouts", 1000), MOST_PLAYOUTS)
        seed = question.get("seed", 1)
        for part in (16, 4, 1):
            if part > 1 and playouts // part < 50:
                continue
            search = rk.tools.load_game_search(f"{text}:playouts={max(1, playouts // part)}")
            decision = rk.decide(model, search, moves, seed=seed if isinstance(seed, int) else 1)
            yield {**_opinion(model, moves, decision), "more": part > 1}

    def _hint(self, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """What a search would play next in a puzzle, and the score that it reaches."""
        model, moves = self._model(question), self._moves(question)
        seconds = min(MOST_SECONDS, max(0.1, float(question.get("seconds", 2.0))))
        result = rk.solve(model, rk.NRPA(level=2), stop=rk.MaxTime(seconds), seed=1, start_from=moves)
        rest = result.moves[len(moves) :]
        words = _described(model, moves, rest[0]) if rest else None
        reached = {"score": str(model.format_score(result.score)), "playouts": result.playouts}
        yield {"move": rest[0] if rest else None, "words": words, **reached}

    def _keep(self, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """A game as a file: SGF, or the record of a match of one game."""
        model, moves = self._model(question), self._moves(question)
        position = rk.tools.Position(model, moves)
        person = 1 if question.get("person") == 1 else 0
        search = rk.tools.load_game_search(_search(question)).parameters()
        names = ["person", search["algorithm"]]
        if question.get("format") == "sgf":
            if question["of"]["name"] not in SGF_GAMES:
                raise rk.InputError(f"SGF is for {', '.join(SGF_GAMES)}")
            black, white = names if person == 0 else names[::-1]
            yield {"text": rk.files.write_sgf(model, moves, black=black, white=white, winner=position.winner)}
            return
        if position.winner is None:
            raise rk.InputError("a record holds games that are over, and this one is not")
        winner = "draw" if position.winner < 0 else "ab"[position.winner != person]
        header = {"rookery_match": 1, "game": question["of"]["name"], "parameters": model.parameters()}
        header |= {"a": {"algorithm": "person"}, "b": search, "seed": 1, "version": rk.__version__}
        words = [str(word) for word in model.describe_moves(moves)]
        game = {"game": person, "first": "ab"[person], "winner": winner, "playouts": 0, "moves": moves, "words": words}
        yield {"text": "".join(json.dumps(line, default=str) + "\n" for line in (header, game))}


def _search(question: dict[str, Any]) -> str:
    """The search that is asked for, by a known name: code in a file is not run."""
    text = question.get("search", "uct")
    if not isinstance(text, str) or text.partition(":")[0] not in rk.tools.game_searches():
        raise rk.InputError("a search must be one of those that are offered")
    return text


def _described(model: Any, moves: tuple[Any, ...], move: Any) -> str:
    return str(model.describe_moves((*moves, move))[-1])


def _opinion(model: Any, moves: tuple[Any, ...], decision: rk.Decision) -> dict[str, Any]:
    best = sorted(decision.visits, key=lambda move: -decision.visits[move])[:8]
    rows = [[_described(model, moves, move), decision.visits[move], decision.values.get(move), move] for move in best]
    about = {"playouts": decision.playouts, "seconds": decision.seconds, "proven": decision.proven}
    return {"move": decision.move, "value": decision.value, "rows": rows, **about}


def _choice(name: str, about: str, parameters_of: Callable[[str], Any]) -> dict[str, Any]:
    parameters = {}
    for parameter in parameters_of(name):
        default = parameter.default
        plain = default is None or isinstance(default, (bool, int, float, str))
        parameters[parameter.name] = default if plain else None
    return {"name": name, "about": about, "parameters": parameters}


def _kind(name: str) -> str | None:
    """Whether a user's class is a game or a problem that can be loaded without parameters."""
    try:
        return "game" if isinstance(rk.tools.load_any(name), (rk.Game, rk.PythonGame)) else "problem"
    except rk.RookeryError:
        return None


def _within(value: Any, most: int) -> int:
    return max(1, min(most, value)) if isinstance(value, int) and not isinstance(value, bool) else 1000


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value

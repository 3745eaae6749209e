"""Games survive every format, and what is not a game is refused in one sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rookery as rk
from morpion_by_hand import LINE_OF_DOTS, VARIANTS, chunk, png, random_game, result_json, result_of
from rookery.problems.morpion import Morpion, MorpionGame, Move
from rookery.problems.morpion.formats import game_json, parse_game, parse_json, read_game, write_game
from rookery.problems.morpion.game import line_length
from rookery.problems.morpion.notation import parse_pentasol, pentasol

SMALL = MorpionGame("5T", (Move(3, 4, "V", 4), Move(3, 5, "V", 1)))
SMALL_JSON = json.dumps(game_json(SMALL))

lengths = st.sampled_from([0, 1, 10, 1000])
games = st.builds(random_game, st.sampled_from(VARIANTS), st.integers(0, 30), lengths, st.just(None))
any_games = st.builds(
    random_game, st.sampled_from(VARIANTS), st.integers(0, 30), lengths, st.sampled_from([None, LINE_OF_DOTS])
)


def svg(text):
    return f'<svg xmlns="http://www.w3.org/2000/svg"><metadata id="rookery-game">{text}</metadata></svg>'.encode()


def in_latin(text):
    return png(chunk(b"tEXt", b"Title\0a game"), chunk(b"tEXt", b"rookery-game\0" + text.encode("latin-1")))


def in_utf8(text):
    return png(chunk(b"iTXt", b"rookery-game\0\0\0en\0\0" + text.encode()))


def refusal(content, variant=None):
    with pytest.raises(rk.InputError) as caught:
        parse_game(content if isinstance(content, bytes) else content.encode(), "a file", variant)
    text = str(caught.value)
    assert text.startswith("a file is not a game of Morpion Solitaire: ")
    assert "\n" not in text
    return text.partition("Solitaire: ")[2]


# --- round trips ---


@given(game=any_games)
def test_a_game_survives_json(game):
    read = parse_game(json.dumps(game_json(game)).encode(), "game.json")
    assert (read.game, read.claimed, read.format, read.inferred) == (game, game.score, "JSON", False)


@given(game=games, reference=st.tuples(st.integers(-50, 50), st.integers(-50, 50)))
def test_a_game_survives_pentasol(game, reference):
    read = parse_game(pentasol(game, reference).encode(), "game.psol", game.variant)
    assert (read.game, read.claimed, read.format, read.inferred) == (game, None, "Pentasol", False)


@given(game=any_games)
def test_a_game_survives_a_picture(game):
    text = json.dumps(game_json(game))
    for content, name in ((svg(escape(text)), "SVG"), (in_latin(text), "PNG"), (in_utf8(text), "PNG")):
        read = parse_game(content, "picture")
        assert (read.game, read.claimed, read.format) == (game, game.score, name)


@given(game=any_games)
def test_a_game_survives_a_result_file(game):
    read = parse_game(json.dumps(result_of(game)).encode(), "result.json")
    assert (read.game, read.claimed, read.format) == (game, game.score, "result")


@pytest.mark.parametrize("name", ["game.json", "game.psol"])
def test_a_game_is_written_as_its_name_says(name, tmp_path):
    write_game(SMALL, tmp_path / name)
    assert read_game(tmp_path / name, "5T").game == SMALL


def test_a_game_is_not_written_under_another_name(tmp_path):
    with pytest.raises(rk.InputError, match=r"a game is written as .json or .psol, got .*game.txt"):
        write_game(SMALL, tmp_path / "game.txt")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_files_in_any_unicode_encoding_are_read(encoding):
    for text in (SMALL_JSON, pentasol(SMALL), svg(escape(SMALL_JSON)).decode()):
        assert parse_game(text.encode(encoding), "game", "5T").game == SMALL


def test_what_else_a_file_says_is_kept():
    data = {**game_json(SMALL, author="Anna", year="2011"), "number": 3}
    assert parse_json(data).about == {"author": "Anna", "year": "2011"}


def test_a_variant_that_is_given_goes_before_that_of_the_file():
    read = parse_game(SMALL_JSON.encode(), "game", "5D")
    assert (read.game, read.inferred) == (replace(SMALL, variant="5D"), False)


def test_the_cross_as_dots_is_no_other_start():
    data = game_json(SMALL) | {"dots": [list(dot) for dot in SMALL.start]}
    assert parse_json(data).game == SMALL
    assert "dots" not in game_json(replace(SMALL, dots=SMALL.start))


def test_a_result_with_dominated_moves_is_the_lines_that_were_drawn():
    problem = Morpion("5T", dominated=True)
    for seed in range(20):
        game = random_game("5T", seed)
        moves = Morpion.of_game(game)[1]
        try:
            drawn = problem.game(moves)
        except rk.InputError:  # what is drawn may be another line, and take a later move away
            continue
        if drawn != game:
            break
    data = result_json("morpion", problem.parameters(), float(len(moves)), moves)
    assert parse_game(json.dumps(data).encode(), "result").game == drawn
    assert drawn != game


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (Move(3, 4, "V", 4), "there is a dot at (3,0) already"),
        (Move(4, 5, "V", 1), "its line needs 4 dots that are there, and has 0"),
        (Move(3, 5, "V", 3), "the segment (3,2) to (3,3) is in the vertical line of move 1 already"),
    ],
)
def test_the_first_illegal_move_of_a_result_is_told_as_the_board_tells_it(line, reason):
    moves = Morpion.of_game(MorpionGame("5T", (SMALL.moves[0], line, SMALL.moves[1])))[1]
    game = parse_game(json.dumps(result_json("morpion", {}, 3.0, moves)).encode(), "result").game
    assert game.first_illegal() == (2, reason)


# --- Pentasol ---


def test_pentasol_is_written_as_known_games_are(data):
    texts = [path.read_text() for path in (data / "morpion").glob("*.psol")]
    assert texts
    for text in texts:
        assert pentasol(parse_pentasol(text)).split() == text.split()


@pytest.mark.parametrize(("variant", "corner"), [("5T", (3, 3)), ("4T", (2, 2))])
def test_the_reference_point_is_the_inner_corner_of_the_cross(variant, corner):
    assert parse_pentasol("(28,28)\n(28,28) - 2", variant).moves == (Move(*corner, "H", 0),)


@pytest.mark.parametrize(
    "text",
    [
        "(28,28)\n(28,29) | -2\n(28,30) | 1",
        "# a game\n\n (28,28) # here\n\n(28,29)|-2\n\t( 28 , 30 )  |  +1 # there\n\n",
        "(28,28)\r\n(28,29) | -2\r\n(+28,30) | +1\r\n",
        "(0,0)\n(0,1) | -2\n(-0,2) | +1",
    ],
)
def test_blank_lines_comments_signs_and_spaces_are_tolerated(text):
    assert parse_pentasol(text, "5T") == SMALL


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "line 1 must be the reference point, as in (28,28), got 'hello'"),
        ("# no\n\n(28,29) | -2", "line 3 must be the reference point, as in (28,28), got '(28,29) | -2'"),
        ("(28,28)\n(28,29) | -2\n(28,30) |", "line 3 must be a move, as in (28,29) | -2, got '(28,30) |'"),
        ("(28,28)\n\n(28,29) x 1", "line 3 must be a move, as in (28,29) | -2, got '(28,29) x 1'"),
        ("(28,28)\n(28,29) | ٣", "line 2 must be a move, as in (28,29) | -2, got '(28,29) | ٣'"),
        ("(28,28)\n(28,28)", "line 2 must be a move, as in (28,29) | -2, got '(28,28)'"),
        ("(28,28)\n(1001,29) | 1", "line 2: a number must lie between -1000 and 1000, got 1001"),
        ("# nothing", "the reference point, as in (28,28), is missing"),
        ("(28,28)\n" + "9" * 99, f"line 2 must be a move, as in (28,29) | -2, got '{'9' * 37}...'"),
    ],
)
def test_what_is_wrong_with_a_pentasol_text_is_told_with_its_line(text, message):
    assert refusal(text) == message


def test_pentasol_does_not_hold_other_dots():
    with pytest.raises(rk.InputError, match="Pentasol holds games that begin from the cross, got one that begins from"):
        pentasol(MorpionGame("5T", (), LINE_OF_DOTS))


# --- the variant of a text ---


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=10)
@given(seed=st.integers(0, 200))
def test_the_variant_of_a_finished_game_is_inferred(variant, seed):
    game = random_game(variant, seed)
    strict = replace(game, variant=variant[0] + "D")
    read = parse_game(pentasol(game).encode(), "game")
    assert (read.game, read.inferred) == (strict if strict.first_illegal() is None else game, True)


def test_games_of_t_are_seldom_taken_for_games_of_d():
    assert all(parse_pentasol(pentasol(random_game("5T", seed))).variant == "5T" for seed in range(5))


def test_an_unfinished_game_is_of_the_strictest_variant_in_which_it_is_legal():
    assert parse_pentasol("(28,28)").variant == "5D"
    assert parse_pentasol(pentasol(random_game("5D", 1, 10))).variant == "5D"
    touching = MorpionGame("5T", (Move(4, 3, "H", 4), Move(5, 3, "H", 1)))
    assert parse_pentasol(pentasol(touching)).variant == "5T"
    assert parse_pentasol(pentasol(random_game("4D", 1, 10))).variant == "4D"


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_that_is_legal_in_no_variant_is_of_the_one_that_it_breaks_last(variant):
    game = random_game(variant, 4)
    spoilt = replace(game, moves=(*game.moves, game.moves[0]))
    found = parse_pentasol(pentasol(spoilt))
    assert found.variant == variant[0] + "T"
    assert found.first_illegal()[0] == len(spoilt.moves)


def test_a_game_whose_first_move_is_illegal_everywhere_is_of_5t():
    assert parse_pentasol("(28,28)\n(90,90) - 0").variant == "5T"


# --- JSON ---


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variant": ...}, "'variant' is missing"),
        ({"variant": 5}, "'variant' must be a text, got 5"),
        ({"variant": "6T"}, "variant must be 5T, 5D, 4T or 4D, got '6T'"),
        ({"score": "2"}, "'score' must be a whole number, got \"2\""),
        ({"score": 2.5}, "'score' must be a whole number, got 2.5"),
        ({"score": True}, "'score' must be a whole number, got true"),
        ({"score": 10**100}, "'score' must be a whole number, got 1000000"),
        ({"moves": ...}, "'moves' is missing"),
        ({"moves": {}}, "'moves' must be a list, got {}"),
        ({"moves": [[3, 4, "V", 4], 7]}, "move 2 must be [x, y, direction, place], got 7"),
        ({"moves": [[3, 4, "V"]]}, 'move 1 must be [x, y, direction, place], got [3, 4, "V"]'),
        ({"moves": [[3, 4, "X", 4]]}, 'move 1: a direction must be one of H, V, DP, DN, got "X"'),
        ({"moves": [[3, 4, ["V"], 4]]}, 'move 1: a direction must be one of H, V, DP, DN, got ["V"]'),
        ({"moves": [[3.0, 4, "V", 4]]}, "must be a whole number from -1000 to 1000, got 3.0"),
        ({"moves": [[3, 4, "V", True]]}, "must be a whole number from -1000 to 1000, got true"),
        ({"moves": [[3, 4000, "V", 4]]}, "must be a whole number from -1000 to 1000, got 4000"),
        ({"dots": []}, "'dots' must be a list of [x, y], got []"),
        ({"dots": "cross"}, "'dots' must be a list of [x, y], got \"cross\""),
        ({"dots": [[1, 2], [1]]}, "a dot must be [x, y], whole numbers from -1000 to 1000, got [1]"),
        ({"dots": [[1, 2000]]}, "a dot must be [x, y], whole numbers from -1000 to 1000, got [1, 2000]"),
        ({"dots": [[1, 2]] * 10_001}, "'dots' must be at most 10,000, got 10,001"),
    ],
)
def test_every_field_of_json_is_checked(change, message):
    data = {name: value for name, value in {**game_json(SMALL), **change}.items() if value is not ...}
    assert message in refusal(json.dumps(data))


def test_moves_may_be_objects(game_file):
    data = json.loads(game_file.read_text())
    moves = [dict(zip(("x", "y", "dir", "pos"), move, strict=True)) for move in data["moves"]]
    assert parse_json({**data, "moves": moves}) == parse_json(data)


def test_an_object_that_is_no_move_is_refused():
    assert "move 1: a coordinate or place must be" in refusal(json.dumps({"variant": "5T", "moves": [{"x": 1}]}))


# --- lines between two points ---


def as_lines(game, step=3, left=82, top=-7):
    """A game as a program keeps it that draws lines between two points; every other line from its end."""

    def placed(*dots):
        return [number for x, y in dots for number in (left + step * x, top + step * y)]

    length = line_length(game.variant)
    moves = []
    for number, move in enumerate(game.moves):
        cells = move.cells(length)
        ends = (cells[0], cells[-1]) if number % 2 else (cells[-1], cells[0])
        moves.append(placed(*ends, move.dot))
    dots = [placed(dot) for dot in sorted(game.start)]
    return {"InitialDots": dots, "LineLength": length - 1, "Disjoint": game.variant.endswith("D"), "Moves": moves}


@pytest.mark.parametrize("step", [1, 3])
def test_lines_between_two_points_are_read(game_file, step):
    game = parse_json(json.loads(game_file.read_text())).game
    read = parse_game(json.dumps(as_lines(game, step)).encode(), "game.json")
    assert (read.game, read.inferred) == (game, False)


def test_lines_from_other_dots_than_the_cross_are_read():
    game = random_game("4T", 1, dots=LINE_OF_DOTS)
    read = parse_game(json.dumps(as_lines(game)).encode(), "game.json").game
    assert (read.first_illegal(), read.score, len(read.start)) == (None, game.score, len(game.start))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"LineLength": 5}, "'LineLength' must be 3 or 4, got 5"),
        ({"Disjoint": 1}, "'Disjoint' must be true or false, got 1"),
        ({"InitialDots": []}, "'InitialDots' must be a list of [x, y], got []"),
        (
            {"InitialDots": [[1, 2], [1]]},
            "a dot of 'InitialDots' must be 2 whole numbers from -10000 to",
        ),
        ({"InitialDots": [[0, 0], [1, 0], [9999, 0]]}, "'InitialDots': a point must lie on the grid"),
        ({"Moves": {}}, "'Moves' must be a list, got {}"),
        ({"Moves": [[1, 2]]}, "move 1 must be 6 whole numbers from -10000 to 10000, got [1, 2]"),
        ({"Moves": [[83, -7, 85, -7, 85, -7]]}, "move 1: a point must lie on the grid of 'InitialDots', got [83, -7]"),
        ({"Moves": [[82, -7, 88, -4, 82, -7]]}, "move 1: its line must be straight, got one from (0, 0) to (2, 1)"),
        ({"Moves": [[82, -7, 82, -7, 82, -7]]}, "move 1: its line must be straight, got one from (0, 0) to (0, 0)"),
        ({"Moves": [[82, -7, 94, -7, 82, -4]]}, "move 1: its dot must lie on its line, got [0, 1]"),
    ],
)
def test_every_field_of_lines_is_checked(change, message):
    assert message in refusal(json.dumps({**as_lines(SMALL), **change}))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is empty"),
        (b" \n", "it is empty"),
        (b"\xff\x00\xff", "not text"),
        (b"{", "not JSON, line 1: Expecting property name enclosed in double quotes"),
        (b"[1]", "not a JSON object"),
        (b"[" * 100_000, "JSON must be nested at most 256 deep, got more"),
        (b'{"moves": ' + b"9" * 5000 + b"}", "not JSON, nested too deeply or with a number too long"),
    ],
)
def test_what_is_no_game_is_refused(content, message):
    assert refusal(content) == message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"problem": "tsp"}, 'it is a result of "tsp"'),
        ({"problem": ["morpion"]}, 'it is a result of ["morpion"]'),
        ({"parameters": 3}, "'parameters' must be an object, got 3"),
        ({"parameters": {"variant": 5}}, "must hold a variant, and dominated as true or false"),
        ({"parameters": {"variant": "6T"}}, "variant must be 5T, 5D, 4T or 4D, got '6T'"),
        ({"parameters": {"dominated": 1}}, "must hold a variant, and dominated as true or false"),
        ({"parameters": {"size": 3}}, 'morpion has no parameter "size"'),
        ({"parameters": {"dots": "[[1]]"}}, "a dot must be [x, y]"),
        ({"parameters": {"dots": "[[900, 0]]"}}, "dots must lie between"),
        ({"moves": [1, "2"]}, 'move 2 must be a whole number from 0 to 16383, got "2"'),
        ({"moves": [16384]}, "move 1 must be a whole number from 0 to 16383, got 16384"),
        ({"moves": None}, "'moves' must be a list, got null"),
        ({"score": "many"}, "'score' must be a number, got \"many\""),
        ({"score": float("nan")}, "'score' must be a number, got NaN"),
        ({"score": 10**400}, "'score' must be a number, got 1000000"),
    ],
)
def test_a_result_that_makes_no_game_is_refused(change, message):
    assert message in refusal(json.dumps({**result_of(SMALL), **change}))


def test_no_file_is_opened_because_a_result_names_it(tmp_path):
    picture = tmp_path / "dots.txt"
    picture.write_text("####")
    data = {**result_of(SMALL), "parameters": {"dots": str(picture)}}
    assert "the dots in 'parameters' must be a list as text, got" in refusal(json.dumps(data))


# --- pictures ---


def test_pictures_that_carry_no_game_are_refused():
    assert (
        refusal("<svg></svg>") == 'a picture must hold its game in <metadata id="rookery-game">, and this one has none'
    )
    assert "and this one has none" in refusal('<svg><metadata id="other">{}</metadata></svg>')
    assert refusal('<svg><metadata id="rookery-game">{') == 'its <metadata id="rookery-game"> has no end'
    assert refusal(png()) == "a picture must hold its game in a text chunk 'rookery-game', and this one has none"


def test_a_png_that_is_cut_or_damaged_is_refused():
    whole = in_latin(SMALL_JSON)
    assert refusal(whole[:60]) == "the PNG is cut short at byte 60"
    assert refusal(whole[:35]) == "the PNG is cut short at byte 35"
    damaged = whole.replace(b'"V"', b'"H"', 1)
    assert "of the PNG is damaged: its checksum is wrong" in refusal(damaged)


def test_text_chunks_that_are_compressed_or_cut_are_refused():
    compressed = png(chunk(b"iTXt", b"rookery-game\0\1\0\0\0zzz"))
    assert refusal(compressed) == "the text chunk 'rookery-game' must not be compressed"
    assert refusal(png(chunk(b"iTXt", b"rookery-game\0\0\0"))) == "the text chunk 'rookery-game' is cut short"
    assert refusal(png(chunk(b"iTXt", b"rookery-game\0\0\0\0\0\xff\xff\xff"))) == "not text"


def test_entities_of_an_svg_are_not_expanded():
    bomb = '<!DOCTYPE svg [<!ENTITY a "&b;&b;"><!ENTITY b "boom">]>' + svg("&a;").decode()
    assert refusal(bomb) == "not JSON, line 1: Expecting value"


@pytest.mark.parametrize(
    "text", ["<metadata ", "<metadata id", '<metadata id="rookery-game" ', "<" + "metadata id " * 9]
)
def test_an_svg_of_opening_tags_alone_is_searched_in_time(text):
    assert "has none" in refusal("<svg>" + text * 20_000)


def test_metadata_may_have_other_attributes_and_quotes():
    text = f"<svg><metadata class='a'\n id = 'rookery-game' x=\"1\">\n {escape(SMALL_JSON)} </metadata></svg>"
    assert parse_game(text.encode(), "picture").game == SMALL


# --- files ---


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(rk.InputError, match="cannot read .*: Is a directory"):
        read_game(tmp_path)
    with pytest.raises(rk.InputError, match="cannot read .*none: No such file or directory"):
        read_game(tmp_path / "none")


def test_a_file_that_is_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("rookery.disk.reading.LARGEST", 1 << 20)
    (tmp_path / "large").write_bytes(b" " * ((1 << 20) + 1))
    with pytest.raises(rk.InputError, match="cannot read .*large: a file must have at most 1 MB"):
        read_game(tmp_path / "large")


def test_an_unknown_variant_is_refused_before_the_file_is_blamed(tmp_path):
    (tmp_path / "game.psol").write_text(pentasol(SMALL))
    with pytest.raises(rk.InputError, match="^variant must be 5T, 5D, 4T or 4D, got '7T'"):
        read_game(tmp_path / "game.psol", "7T")

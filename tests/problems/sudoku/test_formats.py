"""Sudoku grids as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rookery as rk
from rookery.problems.sudoku.formats import given_grid, one_line, read_grid, ruled

GRIDS = st.sampled_from([4, 9, 16, 25]).flatmap(
    lambda size: st.lists(st.integers(0, size), min_size=size**2, max_size=size**2).map(tuple)
)


@given(GRIDS)
def test_grids_are_read_again_in_every_format(values):
    size = int(len(values) ** 0.5)
    rows = [values[k : k + size] for k in range(0, len(values), size)]
    numbers = "\n".join(" ".join(map(str, row)) for row in rows)
    symbols = "\n".join(one_line(row) for row in rows)
    for text in (one_line(values), ruled(values), numbers, symbols, symbols.lower() + "\n\n"):
        assert read_grid(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "12|34\n34|12\n--+--\n21|43\n43|21",
        "12 34\n34 12\n\n21 43\n43 21",
        "1234\n3412\n2143\n4321\n",
        "1234 3412 2143 4321",
    ],
)
def test_lines_and_blanks_between_boxes_are_left_out(text):
    assert one_line(read_grid(text)) == "1234341221434321"


@pytest.mark.parametrize("empty", ".0_")
def test_an_empty_cell_is_a_point_a_zero_or_a_line(empty):
    assert read_grid(empty * 16) == (0,) * 16


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a grid must have at least one line, got none"),
        ("123", "line 1: a grid in one line must have 16, 81, 256, 625 cells, got 3"),
        ("12\n34", "a grid must have 4, 9, 16 or 25 rows, got 2"),
        ("1234\n\n....\n...\n....", "line 4: a row must have 4 cells, got 3"),
        ("1234\n....\n.9..\n....", "row 3, column 2: a value must be 1 to 4, or '.' for none, got '9'"),
        ("." * 255 + "X", "row 16, column 16: a value must be 1 to 16 or 1 to 9, A to G, or '.' for none, got 'X'"),
    ],
)
def test_what_is_wrong_with_a_grid_is_said_with_its_place(text, message):
    with pytest.raises(rk.InputError) as caught:
        read_grid(text)
    assert str(caught.value) == message


def test_a_grid_may_stand_in_a_file(tmp_path):
    file = tmp_path / "grid.txt"
    file.write_text("1234\n....\n....\n....\n")
    assert given_grid(str(file)) == (1, 2, 3, 4) + (0,) * 12
    file.write_text("1234\n....\n")
    with pytest.raises(rk.InputError, match="grid.txt, a grid must have 4, 9, 16 or 25 rows, got 2$"):
        given_grid(str(file))


def test_a_file_that_is_not_there_is_refused():
    with pytest.raises(
        rk.InputError, match="^grid must be 16, 81, 256, 625 symbols in one line, or a file: cannot read"
    ):
        given_grid("no such file")


HEXADOKU = ["".join("0123456789ABCDEF"[(4 * row + row // 4 + k) % 16] for k in range(16)) for row in range(16)]


def test_symbols_from_0_to_f_are_read_where_0_is_no_empty_cell():
    full = read_grid("\n".join(HEXADOKU))
    assert full[:3] == (1, 2, 3)
    assert sorted(full[:16]) == list(range(1, 17))
    dotted = read_grid("\n".join(row.replace("5", ".") for row in HEXADOKU))
    assert dotted == tuple(0 if value == 6 else value for value in full)


def test_a_dash_is_an_empty_cell_in_a_row_and_a_line_between_boxes_elsewhere():
    expected = (1, 0, 3, 4, 0, 0, 0, 0, 2, 1, 4, 3, 4, 3, 2, 0)
    assert read_grid("1 - | 3 4\n- - | - -\n----+----\n2 1 | 4 3\n4 3 | 2 -") == expected
    assert read_grid("1-34\n----\n2143\n432-") == expected
    assert read_grid("1-34----2143432-") == expected
    assert len(read_grid("\n".join("-" * 15 + "1" for _ in range(16)))) == 256

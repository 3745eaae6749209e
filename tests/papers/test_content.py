"""What solutions are made of, counted by hand."""

from __future__ import annotations

import math

from rookery.papers.content import Content, solution_content


def test_the_first_solution_is_only_compared_with() -> None:
    assert solution_content([("abc", False)]) == (Content(), Content())
    assert solution_content([]) == (Content(), Content())


def test_a_prefix_ends_where_the_solutions_first_differ() -> None:
    _, improvements = solution_content([("abcde", False), ("abxde", False)])
    assert improvements == Content(prefix=2, permutation=2, new=1)


def test_an_identical_tie_is_a_prefix_throughout() -> None:
    ties, _ = solution_content([("abc", False), ("abc", True)])
    assert ties == Content(prefix=3)


def test_a_solution_that_goes_on_where_the_last_one_ended_is_new_from_there() -> None:
    _, improvements = solution_content([("ab", False), ("abcd", False)])
    assert improvements == Content(prefix=2, new=2)


def test_a_code_of_an_older_solution_is_hybrid_only_if_the_last_one_does_not_have_it() -> None:
    ties, improvements = solution_content([("ab", False), ("cb", True), ("dabc", False)])
    assert ties == Content(permutation=1, new=1)
    assert improvements == Content(permutation=2, hybrid=1, new=1)  # b and c; a; d


def test_ties_and_improvements_are_compared_with_whatever_came_before() -> None:
    ties, improvements = solution_content([("ab", False), ("ba", True), ("bca", False), ("abc", True)])
    assert ties == Content(permutation=5)
    assert improvements == Content(prefix=1, permutation=1, new=1)


def test_shares_are_those_of_all_codes() -> None:
    assert Content(1, 5, 2, 2).shares == (0.1, 0.5, 0.2, 0.2)
    assert all(map(math.isnan, Content().shares))

"""A copy of a state is what ``copy.deepcopy`` makes, for plain containers and for everything else."""

from __future__ import annotations

import copy
import enum
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field

import numpy as np
import pytest

from rookery.engine.objects.copying import deep_copy

Point = namedtuple("Point", "x y")


class Colour(enum.Enum):
    RED = 1


@dataclass
class Node:
    value: int = 1
    items: list = field(default_factory=lambda: [1, [2]])


@dataclass(frozen=True)
class Frozen:
    items: tuple = (1, [2])


class Slotted:
    __slots__ = ("a",)

    def __init__(self):
        self.a = [1]

    def __eq__(self, other):
        return self.a == other.a


class Stated:
    def __init__(self):
        self.kept, self.dropped = [1], 2

    def __getstate__(self):
        return {"kept": self.kept, "dropped": 3}

    def __eq__(self, other):
        return vars(self) == vars(other)


class Own:
    def __init__(self):
        self.made = 0

    def __deepcopy__(self, memo):
        copied = Own()
        copied.made = self.made + 1
        return copied

    def __eq__(self, other):
        return self.made == other.made


class Numbers(list):
    pass


VALUES = [
    *(None, 1, 2.5, "text", b"bytes", range(3), (), [], {}, set(), frozenset()),
    *([1, 2], [1, [2, [3]]], (1, 2), (1, [2]), ((1, 2), (3, (4,))), {1: 2}, {1: [2], (3, 4): {5}}),
    *({1, 2, 3}, {(1, 2), (3, 4)}, frozenset({1, (2, 3)}), [{"a": (1, [2])}, {3}]),
    *(Node(), [Node(), Node(3, [])], Frozen(), Slotted(), Stated(), Own(), Numbers([1, [2]])),
    *(Point(1, [2]), Colour.RED, [Colour.RED], Counter("aab"), OrderedDict(a=[1]), deque([1, [2]], 5)),
    *(defaultdict(list, {1: [2]}), bytearray(b"x"), [np.int64(3), np.float64(2.5)], len, Node),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_copy_is_equal_and_shares_as_much_as_a_deep_copy(value):
    ours, theirs = deep_copy(value), copy.deepcopy(value)
    assert type(ours) is type(theirs)
    assert ours == theirs
    assert (ours is value) == (theirs is value)


def test_an_array_is_copied():
    state = {"board": np.arange(4), "rest": [1]}
    copied = deep_copy(state)
    copied["board"][0] = 9
    assert state["board"][0] == 0


def test_nothing_that_can_change_is_shared():
    state = Node(items=[[1], {2: [3]}, {4}])
    copied = deep_copy(state)
    copied.items[0].append(5)
    copied.items[1][2].append(6)
    copied.items[2].add(7)
    copied.value = 8
    assert state == Node(items=[[1], {2: [3]}, {4}])


def test_what_occurs_twice_occurs_twice_in_the_copy():
    inner = [1]
    copied = deep_copy([inner, {"again": inner}, (inner, Slotted()), Node(items=inner)])
    assert copied[0] is copied[1]["again"] is copied[2][0] is copied[3].items
    assert copied[0] is not inner


def test_what_holds_itself_holds_itself_in_the_copy():
    ring = [1]
    ring.append((ring, {"ring": ring}))
    node = Node()
    node.items = [node]
    copied, other = deep_copy(ring), deep_copy(node)
    assert copied[1][0] is copied is copied[1][1]["ring"]
    assert copied is not ring
    assert other.items[0] is other is not node


def test_sets_have_their_items_in_the_order_of_a_deep_copy():
    for n in range(1, 60):
        state = set(range(0, 97 * n, 97))
        for i in range(0, 97 * n, 291):
            state.discard(i)
        assert list(deep_copy(state)) == list(copy.deepcopy(state))
        assert list(deep_copy(frozenset(state))) == list(copy.deepcopy(frozenset(state)))


def test_an_object_may_bring_a_copy_of_its_own():
    node = Node()
    node.__deepcopy__ = lambda memo: "mine"
    assert deep_copy([node]) == copy.deepcopy([node]) == ["mine"]

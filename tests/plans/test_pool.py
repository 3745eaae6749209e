"""The pool: the best sequences of a run that differ."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rookery as rk
from rookery.plans.pool import Pool
from rookery.tasks import Keep, Sequence

TSP = rk.problems.TSP.build(n=12)
SEARCH = rk.NRPA(level=3, iterations=8)


def codes(moves):
    path = (0, *moves)
    return {a * 12 + b for a, b in itertools.pairwise(path)}


def scores(result):
    return [found["score"] for found in result.pool]


@pytest.fixture(scope="module")
def kept():
    return rk.solve(TSP, SEARCH, seed=1, keep=5, differ=0.3)


def test_the_pool_begins_with_the_answer_and_has_the_scores_of_its_sequences(kept):
    assert scores(kept) == sorted(scores(kept))
    assert kept.pool[0]["score"] == kept.score
    assert len(kept.pool) == 5
    for found in kept.pool:
        assert rk.replay(TSP, found["moves"]) == (found["score"], ())


def test_each_sequence_of_a_pool_differs_from_the_better_ones_in_the_share_that_was_asked_for(kept):
    for i, one in enumerate(kept.pool):
        for better in kept.pool[:i]:
            own = codes(one["moves"])
            assert len(own - codes(better["moves"])) > 0.3 * len(own)


@pytest.mark.parametrize("how", [{"workers": 2, "atomic_level": 1}, {"atomic_level": 3}, {"workers": 3}], ids=str)
def test_the_pool_does_not_depend_on_workers_and_atomic_level(kept, how):
    assert rk.solve(TSP, SEARCH, seed=1, keep=5, differ=0.3, **how).pool == kept.pool


def test_asking_for_a_pool_does_not_change_the_answer(kept):
    plain = rk.solve(TSP, SEARCH, seed=1)
    assert (plain.score, plain.moves, plain.playouts, plain.pool) == (kept.score, kept.moves, kept.playouts, ())


def test_a_pool_of_all_that_differ_begins_with_the_smaller_pool():
    search, stop = rk.Sampling(), rk.MaxPlayouts(300)
    result = rk.solve(TSP, search, seed=4, stop=stop, keep=300, differ=0.0)
    assert len(result.pool) == 300
    assert result.pool[0]["score"] == result.score
    few = rk.solve(TSP, search, seed=4, stop=stop, keep=7, differ=0.0)
    assert few.pool == result.pool[:7]


@pytest.mark.parametrize("search", [rk.NMCS(level=2), rk.Reflexive(level=1, games=5), rk.UCT(playouts=200)], ids=str)
def test_other_searches_keep_whole_sequences(search):
    results = [
        rk.solve(TSP, search, seed=2, stop=rk.MaxPlayouts(200), keep=4, workers=workers, start_from=[3])
        for workers in (1, 2)
    ]
    assert results[0].pool == results[1].pool
    assert len(results[0].pool) == 4
    for found in results[0].pool:
        assert found["moves"][0] == 3
        assert rk.replay(TSP, found["moves"]) == (found["score"], ())


class Bits(rk.PythonProblem):
    """Six bits, of which those that differ from the last count, in plain Python; codes are texts."""

    def start(self):
        return []

    def moves(self, state):
        return [0, 1] if len(state) < 6 else []

    def code(self, state, move):
        return f"{len(state)}:{move}"

    def play(self, state, move):
        state.append(move)

    def score(self, state):
        return sum((i + 1) * (a != b) for i, (a, b) in enumerate(itertools.pairwise(state)))


@pytest.mark.parametrize("search", [rk.NRPA(level=2, iterations=8), rk.NMCS(level=2), rk.UCT(playouts=64)], ids=str)
def test_problems_in_plain_python_keep_whole_sequences_too(search):
    results = [rk.solve(Bits(), search, seed=2, keep=6, differ=0.0, workers=n, executor="threads") for n in (1, 2)]
    assert results[0].pool == results[1].pool
    assert results[0].pool[0]["score"] == results[0].score
    for found in results[0].pool:
        assert rk.replay(Bits(), found["moves"]) == (found["score"], ())


def test_a_pool_goes_on_from_a_checkpoint(kept, tmp_path):
    path = tmp_path / "run.ckpt"
    rk.solve(TSP, SEARCH, seed=1, keep=5, differ=0.3, stop=rk.MaxPlayouts(100), restarts=False, checkpoint=path)
    assert rk.resume(path, TSP, stop=rk.Stop()).pool == kept.pool


def test_a_pool_is_saved_and_loaded_and_is_a_frame(kept, tmp_path):
    kept.save(tmp_path / "r.json")
    assert rk.Result.load(tmp_path / "r.json").pool == kept.pool
    assert list(kept.to_frame("pool")["score"]) == scores(kept)
    with pytest.raises(rk.InputError, match="to_frame is of"):
        kept.to_frame("moves")


@pytest.mark.parametrize("pool", [1, [1], [{"score": 1}], [{"score": "x", "moves": []}]])
def test_a_pool_that_is_none_is_refused(kept, pool):
    data = json.loads(json.dumps(kept.to_json())) | {"pool": pool}
    with pytest.raises(rk.InputError, match="'pool' must"):
        rk.Result.from_json(data)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"keep": -1}, "keep must be at least 0, got -1"),
        ({"keep": 2, "differ": 1}, "differ must be at least 0 and less than 1, got 1"),
        ({"keep": 1001}, "keep must be at most 1000, got 1001"),
    ],
)
def test_what_cannot_be_kept_is_refused(given, message):
    with pytest.raises(rk.InputError, match=message):
        rk.solve(TSP, SEARCH, seed=1, **given)


SEQUENCES = st.lists(
    st.builds(
        lambda score, codes: Sequence(float(score), tuple(codes), tuple(codes)),
        st.integers(0, 5),
        st.lists(st.integers(0, 6), min_size=1, max_size=4),
    ),
    max_size=30,
)


@given(SEQUENCES, st.integers(0, 30), st.booleans())
def test_a_pool_does_not_depend_on_how_sequences_are_grouped(sequences, cut, exact):
    keep = Keep(most=4, exact=exact)
    whole, first, parts = Pool(keep), Pool(keep), Pool(keep)
    whole.add(sequences)
    first.add(sequences[:cut])
    second = Pool(keep)
    second.add(sequences[cut:])
    parts.add(first.sequences)
    parts.add(second.sequences)
    assert parts.sequences == whole.sequences

"""Job shop scheduling: each job goes from machine to machine in its own order; the last one should end early.

A machine works on one step at a time and does not interrupt it. The score is the makespan, the time when all is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rookery.drawing import Drawing
from rookery.drawing.palette import INK, tile
from rookery.errors import IllegalSolution, InputError
from rookery.problem import Layout, Limits, Problem, capacity
from rookery.problems.instances import Line, lines_of, read_instance, refuse_both, told_parameters
from rookery.rng import Stream, root_key

MOST_JOBS, MOST_MACHINES, MOST_TIME = 1000, 1000, 1_000_000
NONE, NEVER = -1, (1 << 31) - 1


class Operation(NamedTuple):
    """A step of a job on its machine, from when to when."""

    job: int
    step: int
    machine: int
    begin: int
    end: int


class JobShop(Problem):
    """A schedule of all steps of all jobs; a move starts the next step of a job as early as possible.

    Only active schedules are made; at least one of them is optimal (Giffler and Thompson, 1960). Of all steps that
    could come next, the one that would end first is found; a move is the next step of one of the jobs that could use
    its machine before that. A step is numbered by its job and its place there, and so is its code. Steps on different
    machines commute.

    Parameters
    ----------
    machine
        for each job (row) the machine of each step (column), from 0
    duration
        how long each step takes

    >>> JobShop.build(jobs=3, machines=2, seed=1).limits().length
    6
    """

    machine: np.ndarray
    duration: np.ndarray

    sense = "min"

    def __post_init__(self) -> None:
        shapes = np.shape(self.machine), np.shape(self.duration)
        if len(shapes[0]) != 2 or shapes[0] != shapes[1] or 0 in shapes[0]:
            raise InputError(f"machine and duration must be tables of one shape, jobs x steps, got shapes {shapes}")
        if np.min(self.machine) < 0 or np.min(self.duration) < 0 or np.sum(self.duration) >= NEVER:
            raise InputError("machines and durations must not be negative, and all durations together below 2**31 - 1")
        for name in ("machine", "duration"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), np.int64))

    @classmethod
    def build(cls, instance: str | None = None, jobs: int = 6, machines: int = 6, seed: int = 0) -> JobShop:
        """``instance``: a file in the usual text format (that of JSPLIB), or its text on one line. None: a random one.

        In a random one, every job visits every machine in a random order, for a time of 1 to 99 each.

        >>> JobShop.build("2 2 / 0 3 1 2 / 1 4 0 1").duration.tolist()
        [[3, 2], [4, 1]]
        """
        if instance is not None:
            refuse_both("instance", jobs=(jobs, 6), machines=(machines, 6), seed=(seed, 0))
            return cls(*read_instance(instance, "a job shop", parse))
        for name, value, most in (("jobs", jobs, MOST_JOBS), ("machines", machines, MOST_MACHINES)):
            if not 1 <= value <= most:
                raise InputError(f"{name} must be 1 to {most}, got {value}")
        stream = Stream(root_key(seed))
        machine, duration = [], []
        for _ in range(jobs):
            left = list(range(machines))
            machine.append([left.pop(stream.below(len(left))) for _ in range(machines)])
            duration.append([1 + stream.below(99) for _ in range(machines)])
        return cls(np.array(machine), np.array(duration))

    def parameters(self) -> dict[str, Any]:
        pairs = np.stack([self.machine, self.duration], axis=2).reshape(len(self.machine), -1)
        return told_parameters(self, "instance", lambda: [self.machine.shape, *pairs.tolist()])

    def limits(self) -> Limits:
        return Limits(moves=len(self.machine), length=self.machine.size, codes=self.machine.size)

    def constants(self) -> dict[str, Any]:
        job = np.repeat(np.arange(len(self.machine)), self.machine.shape[1])
        return {"machine": self.machine.ravel(), "duration": self.duration.ravel(), "job": job}

    def layout(self) -> Layout:
        jobs, machines = capacity(len(self.machine)), capacity(int(self.machine.max()) + 1)
        return {
            "next": ("i4", jobs),  # the next step of a job; when all are done, one more than the last
            "at": ("i2", jobs),  # the machine of a job's next step; NONE: all are done
            "takes": ("i4", jobs),
            "begin": ("i4", jobs),  # when it could begin
            "free": ("i4", machines),
            "jobs": "i8",
            "first": "i8",  # when the step that would end first would end, and its machine
            "machine": "i8",
            "end": "i8",
        }

    def start(self, s):
        for job in range(s.at.size):
            s.at[job], s.begin[job] = NONE, NEVER
        for move in range(self.job.size):
            if move == 0 or self.job[move] != self.job[move - 1]:
                s.jobs += 1
                s.next[self.job[move]] = move
                self._wait(s, np.uint64(self.job[move]), 0)
        self._find_first(s)

    def moves(self, s, out):
        n = 0
        for job in range(s.jobs):
            if self._competes(s, np.uint64(job)):
                out[n] = s.next[job]
                n += 1
        return n

    def is_legal(self, s, move):
        job = np.uint64(self.job[move])
        return s.next[job] == move and self._competes(s, job)

    def _competes(self, s, job):
        """Whether the next step of a job can use the machine of the one that would end first, before that."""
        if s.at[job] != s.machine or s.machine == NONE:
            return False
        begin = np.int64(s.begin[job])
        return begin < s.first or begin + s.takes[job] == s.first  # the latter: a step that takes no time

    def code(self, s, move):
        return move

    def commute(self, a, b):
        return self.machine[a] != self.machine[b]

    def play(self, s, move):
        job = np.uint64(self.job[move])
        machine = s.at[job]
        end = s.begin[job] + s.takes[job]
        s.free[np.uint64(machine)] = end
        for i in range(s.at.size):  # without a branch: many at a time
            other = np.uint64(i)
            s.begin[other] = max(s.begin[other], end) if s.at[other] == machine else s.begin[other]
        s.end = max(s.end, np.int64(end))
        s.next[job] = move + 1
        self._wait(s, job, end)
        self._find_first(s)

    def _wait(self, s, job, time):
        """A job is ready for its next step, if there is one."""
        step = np.uint64(s.next[job])
        if np.int64(step) == self.job.size or self.job[step] != np.int64(job):
            s.at[job], s.takes[job], s.begin[job] = NONE, 0, NEVER
            return
        machine = self.machine[step]
        s.at[job], s.takes[job] = machine, self.duration[step]
        s.begin[job] = max(time, s.free[np.uint64(machine)])

    def _find_first(self, s):
        """Find the step that would end first."""
        first = np.int64(1) << 40
        for i in range(s.at.size):
            first = min(first, np.int64(s.begin[np.uint64(i)]) + s.takes[np.uint64(i)])
        job = np.uint64(0)
        while np.int64(s.begin[job]) + s.takes[job] != first:
            job += np.uint64(1)
        s.first, s.machine = first, s.at[job]

    def score(self, s):
        return s.end

    # --- for people ---

    def schedule(self, moves: Sequence[int]) -> list[Operation]:
        """What each move starts.

        >>> JobShop.build("2 2 / 0 3 1 2 / 1 4 0 1").schedule([0, 2, 1])[-1]
        Operation(job=0, step=1, machine=1, begin=4, end=6)
        """
        board = _Board(self)
        return [board.start(move) for move in moves]

    def describe_move(self, move: int) -> str:
        return "job {}, step {}".format(*divmod(move, self.machine.shape[1]))

    def draw(self, moves: Sequence[int]) -> str:
        """A line for each machine: its jobs in order, each with the time when it begins."""
        rows = self._by_machine(moves)
        return "\n".join(
            f"machine {number}: {'  '.join(f'{one.job} at {one.begin}' for one in row)}".rstrip()
            for number, row in enumerate(rows)
        )

    def picture(self, moves: Sequence[int]) -> Drawing:
        """A row for each machine, time to the right, a tile for each step in the colour of its job."""
        rows = self._by_machine(moves)
        jobs, width, height = len(self.machine), 900.0, 28.0
        last = max((one.end for row in rows for one in row), default=1) or 1
        scale = width / max(last, int(self.duration.sum(axis=1).max()))
        drawing = Drawing(width + 60, height * len(rows) + 36)
        for number, row in enumerate(rows):
            y = 10 + height * number
            drawing.text(24, y + height / 2, str(number), size=12, colour=INK, bold=True)
            for one in row:
                box = (40 + one.begin * scale, y + 2, (one.end - one.begin) * scale, height - 4)
                fits = box[2] >= 6 * len(str(jobs - 1)) + 2
                tile(drawing, box, one.job, str(one.job) if fits else "")
        drawing.text(40 + last * scale, 22 + height * len(rows), str(last if moves else 0), size=11, colour=INK)
        return drawing

    def write(self, moves: Sequence[int]) -> str:
        """A line for each machine: its jobs in order.

        >>> JobShop.build("2 2 / 0 3 1 2 / 1 4 0 1").write([0, 2, 1, 3])
        '0 1\\n1 0\\n'
        """
        return "".join(" ".join(str(one.job) for one in row) + "\n" for row in self._by_machine(moves))

    def read(self, text: str) -> tuple[int, ...]:
        """The moves of an active schedule: a line for each machine, with its jobs in order.

        >>> JobShop.build("2 2 / 0 3 1 2 / 1 4 0 1").read("0 1\\n1 0")
        (0, 2, 3, 1)
        """
        lines, orders = lines_of(text), []
        machines = int(self.machine.max()) + 1
        if len(lines) != machines:
            raise InputError(f"a schedule must have {machines} lines, one for each machine, got {len(lines)}")
        for number, line in enumerate(lines):
            jobs = line.wholes(0, len(self.machine) - 1, "a job")
            wanted = np.nonzero(self.machine == number)[0].tolist()
            if sorted(jobs) != sorted(wanted):
                raise line.refuse(f"each step on machine {number} must be there, jobs {wanted}", jobs)
            orders.append(jobs)
        return self._moves_of(orders)

    def _moves_of(self, orders: list[list[int]]) -> tuple[int, ...]:
        board = _Board(self)
        moves: list[int] = []
        while len(moves) < self.machine.size:
            at, legal = board.conflict()
            following = orders[at].pop(0)
            if following not in legal:
                told = f"machine {at} could do job {legal[0]} before job {following} without delaying it"
                raise IllegalSolution(f"the schedule must be active and without a cycle: {told}")
            moves.append(board.move_of(following))
            board.start(moves[-1])
        return tuple(moves)

    def _by_machine(self, moves: Sequence[int]) -> list[list[Operation]]:
        rows: list[list[Operation]] = [[] for _ in range(int(self.machine.max()) + 1)]
        for one in self.schedule(moves):
            rows[one.machine].append(one)
        return rows


class _Board:
    """The rules in plain Python, to read and show schedules."""

    def __init__(self, problem: JobShop) -> None:
        self.machine, self.duration = problem.machine.tolist(), problem.duration.tolist()
        self.step = [0] * len(self.machine)
        self.ready = [0] * len(self.machine)
        self.free = [0] * (max(map(max, self.machine)) + 1)

    def next_of(self, job: int) -> Operation:
        step = self.step[job]
        machine = self.machine[job][step]
        begin = max(self.ready[job], self.free[machine])
        return Operation(job, step, machine, begin, begin + self.duration[job][step])

    def move_of(self, job: int) -> int:
        return job * len(self.machine[job]) + self.step[job]

    def start(self, move: int) -> Operation:
        job = move // len(self.machine[0])
        if not 0 <= job < len(self.step) or move != self.move_of(job) or self.step[job] == len(self.machine[job]):
            raise InputError(f"a move must be the next step of a job, got {move}")
        one = self.next_of(job)
        self.step[job] += 1
        self.ready[job] = self.free[one.machine] = one.end
        return one

    def conflict(self) -> tuple[int, list[int]]:
        """The machine of the step that could end first, and the jobs that could use it before that."""
        following = [self.next_of(job) for job, step in enumerate(self.step) if step < len(self.machine[job])]
        first = min(following, key=lambda one: one.end)
        rivals = [one for one in following if one.machine == first.machine]
        return first.machine, [one.job for one in rivals if one.begin < first.end or one.end == first.end]


def parse(lines: list[Line]) -> tuple[np.ndarray, np.ndarray]:
    """Machines and durations: the numbers of jobs and machines, then for each job its machines, each with its time.

    >>> parse([Line(1, ("1", "2")), Line(2, ("0", "3", "1", "2"))])[1]
    array([[3, 2]])
    """
    if not lines or len(lines[0].words) != 2:
        raise InputError(f"line {lines[0].number if lines else 1}: there must be two numbers, jobs and machines")
    first, rows = lines[0], []
    jobs, machines = first.wholes(1, max(MOST_JOBS, MOST_MACHINES), "a number of jobs or machines")
    if len(lines) != jobs + 1:
        raise InputError(f"line {first.number}: {jobs} jobs must follow, one to a line, got {len(lines) - 1}")
    for line in lines[1:]:
        if len(line.words) != 2 * machines:
            rule = f"a job must have {machines} pairs of machine and time"
            raise InputError(f"line {line.number}: {rule}, {2 * machines} numbers, got {len(line.words)}")
        rows.append(line.wholes(0, MOST_TIME, "a machine or a time"))
        if max(rows[-1][::2]) >= machines:
            raise line.refuse(f"a machine must be 0 to {machines - 1}", max(rows[-1][::2]))
    table = np.array(rows)
    return table[:, ::2], table[:, 1::2]

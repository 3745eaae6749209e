"""The disk cache, in processes of their own: it hits when nothing changed, and where it cannot work all else does."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from processes import HELPER, PROBLEM, REPLAY, User, outcome

import rookery
from rookery.compiler.key import KERNEL_SOURCES

LEFTMOVE = "report(rk.replay(rk.problems.LeftMove(depth=3), [0])[0])"


@pytest.fixture
def user(tmp_path):
    """A user with a small problem."""
    user = User(tmp_path, tmp_path / "cache")
    user.write(user_problem=PROBLEM, user_helper=HELPER)
    return user


def told(ran):
    return ran.value, ran.cache


def test_a_second_process_finds_what_the_first_compiled(user):
    assert told(user.run()) == (20.0, "miss")
    assert told(user.run()) == (20.0, "hit")
    assert [name.endswith(".kernel") for name in user.kept()] == [True]


SOLVE = "report(rk.solve(rk.problems.LeftMove(depth=5), rk.NRPA(level=1, iterations=2), seed=1).compile_seconds)"


def test_a_second_process_on_unchanged_code_compiles_for_less_than_half_a_second(user):
    assert user.run(SOLVE).cache == "miss"
    warm = [user.run(SOLVE) for _ in range(3)]
    assert [ran.cache for ran in warm] == ["hit"] * 3
    assert min(ran.value for ran in warm) < 0.5  # the best of three: the machine may be busy


def test_what_is_kept_does_not_need_the_module_of_another_problem(user):
    both = REPLAY + LEFTMOVE
    first = user.run(both)
    (user.folder / "user_problem.py").unlink()
    ran = user.run(LEFTMOVE)
    assert told(ran) == (first.value, "hit")


def test_four_processes_at_once_on_an_empty_folder_are_all_right(user):
    started = [
        subprocess.Popen(
            user.command(REPLAY), env=user.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    ended = [process.communicate() for process in started]
    assert [(outcome(out).value, err) for out, err in ended] == [(20.0, "")] * 4
    assert len(user.kept()) == 1  # and nothing half-written
    assert told(user.run()) == (20.0, "hit")


# --- the library changes ---


@pytest.fixture
def library(user):
    """A copy of the library that may be edited; its folder goes into PYTHONPATH."""
    folder = user.folder / "library"
    shutil.copytree(Path(rookery.__file__).parent, folder / "rookery", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


SAMPLE = "report(rk.solve(rk.problems.LeftMove(depth=8), rk.Sampling(), stop=rk.MaxPlayouts(1), seed=1).moves)"
ALWAYS_THE_LAST = "\n\n@kernel\ndef below(rng, n):\n    return n - 1\n"


def test_another_version_of_the_library_runs_its_own_kernels(user, library):
    before = user.run(SAMPLE, PYTHONPATH=str(library))
    assert len(set(before.value)) > 1
    source = library / "rookery" / "rng.py"
    source.write_text(source.read_text() + ALWAYS_THE_LAST)
    ran = user.run(SAMPLE, PYTHONPATH=str(library))
    assert (len(set(ran.value)), ran.cache) == (1, "miss")


LIBRARY_KEY = "from rookery.compiler.key import library_key\nreport(library_key())"


def test_any_change_in_the_kernels_is_another_key(user, library):
    keys = {user.run(LIBRARY_KEY, PYTHONPATH=str(library)).value}
    for file in ("kernels/playout.py", "search/sampling.py", "settings.py"):
        source = library / "rookery" / file
        source.write_text(source.read_text() + "# changed\n")
        keys.add(user.run(LIBRARY_KEY, PYTHONPATH=str(library)).value)
    assert len(keys) == 4


def test_every_module_that_compiles_kernels_is_in_the_key():
    package = Path(rookery.__file__).parent
    assert all((package / source).exists() for source in KERNEL_SOURCES)
    compiling = re.compile(r"\bnjit\b|\bjit\(|import .*\bSpecialisation\b|compiler\.settings import .*kernel")
    for file in package.rglob("*.py"):
        name = file.relative_to(package).as_posix()
        if compiling.search(file.read_text(encoding="utf-8")):
            assert name.startswith(KERNEL_SOURCES), f"{name} compiles, but its changes would not be noticed"


# --- files that are not as they were written ---


def test_a_damaged_entry_is_compiled_again(user):
    user.run()
    for file in user.cache.iterdir():
        file.write_bytes(file.read_bytes()[:-100])
    assert told(user.run()) == (20.0, "miss")
    assert told(user.run()) == (20.0, "hit")


def test_an_entry_under_the_name_of_another_is_compiled_again(user):
    user.run()
    (old,) = user.cache.iterdir()
    data = old.read_bytes()
    user.edit("user_helper.py", "10 * x", "30 * x")
    user.run()
    for file in user.cache.iterdir():
        file.write_bytes(data)
    assert told(user.run()) == (60.0, "miss")


OF_ANOTHER_USER = """
import os
_fstat = os.fstat
class _Another:
    def __init__(self, status): self._status = status
    def __getattr__(self, name): return 12345 if name == "st_uid" else getattr(self._status, name)
from rookery.compiler import cache as _cache
class _Os:
    def __getattr__(self, name): return getattr(os, name)
    def fstat(self, handle): return _Another(_fstat(handle))
_cache.os = _Os()
"""


def test_the_file_of_another_user_is_not_loaded(user):
    user.run()
    assert told(user.run(OF_ANOTHER_USER + REPLAY)) == (20.0, "miss")


def test_a_file_that_others_can_write_is_not_loaded(user):
    user.run()
    for file in user.cache.iterdir():
        file.chmod(0o620)
    assert told(user.run()) == (20.0, "miss")
    assert told(user.run()) == (20.0, "hit")


def test_an_entry_that_is_a_link_is_not_followed(user):
    user.run()
    (entry,) = user.cache.iterdir()
    entry.rename(user.folder / "elsewhere")
    entry.symlink_to(user.folder / "elsewhere")
    assert told(user.run()) == (20.0, "miss")
    assert not entry.is_symlink()


def test_a_folder_that_is_a_link_is_not_followed_and_said_once(user):
    user.run()
    user.cache.rename(user.folder / "elsewhere")
    user.cache.symlink_to(user.folder / "elsewhere")
    ran = user.run()
    assert told(ran) == (20.0, "miss")
    assert ran.stderr.count("no link is followed") == 1


def test_a_folder_into_which_everybody_can_write_brings_a_warning(user):
    user.run()
    user.cache.chmod(0o777)
    ran = user.run()
    assert told(ran) == (20.0, "hit")
    assert ran.stderr.count("every user can write into it") == 1


def test_the_folder_is_made_for_its_user_alone(user):
    user.run()
    assert user.cache.stat().st_mode & 0o777 == 0o700


# --- folders that cannot be written ---


def test_a_folder_that_cannot_be_made_is_said_once_and_the_search_goes_on(user):
    (user.folder / "file").write_text("in the way")
    ran = user.run(REPLAY + LEFTMOVE, ROOKERY_CACHE_DIR=str(user.folder / "file" / "cache"))
    assert ran.stderr.count("compiled code cannot be kept in") == 1
    assert "it will be compiled again in every process" in ran.stderr


FAILING = """
import errno, os, tempfile
def _refuse(*arguments, **options):
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))
tempfile.mkstemp = os.utime = os.replace = os.unlink = os.mkdir = _refuse
"""


def test_a_folder_that_can_only_be_read_is_read(user):
    user.run()
    ran = user.run(FAILING + REPLAY)
    assert (ran.value, ran.cache, ran.stderr) == (20.0, "hit", "")


def test_an_edit_with_a_folder_that_can_only_be_read_gives_the_new_result_and_says_so_once(user):
    user.run()
    kept = user.kept()
    user.edit("user_helper.py", "10 * x", "30 * x")
    ran = user.run(FAILING + LEFTMOVE + "\n" + REPLAY)
    assert ran.value == 60.0
    assert ran.stderr.count("cannot be kept") == 1
    assert "Read-only file system" in ran.stderr
    assert user.kept() == kept


FULL = """
import errno, os
class _Full:
    def __init__(self, file): self._file = file
    def __enter__(self): return self
    def __exit__(self, *error): self._file.close()
    def write(self, data):
        self._file.write(data[:1000])
        self._file.flush()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
_fdopen = os.fdopen
os.fdopen = lambda *arguments: _Full(_fdopen(*arguments))
"""


def test_a_full_disk_is_said_once_and_nothing_half_written_is_left(user):
    ran = user.run(FULL + LEFTMOVE + "\n" + REPLAY)
    assert ran.value == 20.0
    assert ran.stderr.count("cannot be kept") == 1
    assert "No space left on device" in ran.stderr
    assert user.kept() == []
    assert told(user.run()) == (20.0, "miss")


NO_HOME = """
from pathlib import Path
def _no_home(cls=None): raise RuntimeError("Could not determine home directory.")
Path.home = _no_home
"""


def test_without_a_home_folder_the_search_goes_on(user):
    ran = user.run(NO_HOME + REPLAY, ROOKERY_CACHE_DIR="", XDG_CACHE_HOME="")
    assert ran.value == 20.0
    assert "there is no home folder to keep compiled code in; set ROOKERY_CACHE_DIR" in ran.stderr


def test_interpreted_functions_need_no_cache(user):
    assert told(user.run(NUMBA_DISABLE_JIT="1")) == (20.0, "not kept")
    assert user.kept() == []


# --- what machine code may hold ---


HELPER_OF_ALL_KINDS = """
import math
import numpy as np
def helper(x):
    room = np.zeros(3)
    room += x
    if room.sum() > 100:
        raise ValueError("too much")
    return round(10 * x * room.sum() * math.exp(0.0) * math.sqrt(2.25) * np.cos(0.0))
"""


def test_cached_code_may_allocate_use_mathematics_and_raise(user):
    user.write(user_helper=HELPER_OF_ALL_KINDS)
    assert told(user.run()) == (90.0, "miss")
    assert told(user.run()) == (90.0, "hit")


RAISING = """
from user_problem import Steps
try:
    rk.replay(Steps(), [0])
except {0} as error:
    report(str(error))
"""


def test_an_exception_from_cached_code_reaches_the_user(user):
    user.edit("user_helper.py", "return 10 * x", "if x > 0:\n        raise ValueError('not one')\n    return x")
    runs = [user.run(RAISING.format("ValueError")) for _ in range(2)]
    assert ["not one" in ran.value for ran in runs] == [True, True]
    assert [ran.cache for ran in runs] == ["miss", "hit"]


OWN_EXCEPTION = (
    "class Mine(Exception): pass\ndef helper(x):\n    if x > 0:\n        raise Mine('not one')\n    return x\n"
)


def test_an_exception_of_the_users_from_cached_code_is_the_users(user):
    user.write(user_helper=OWN_EXCEPTION)
    program = "from user_helper import Mine" + RAISING.format("Mine")
    runs = [user.run(program) for _ in range(2)]
    assert ["not one" in ran.value for ran in runs] == [True, True]
    assert [ran.cache for ran in runs] == ["miss", "hit"]


LARGE = "import numpy as np\nTABLE = np.full(200_000, 10.0)\ndef helper(x):\n    return TABLE[x]\n"


def test_code_that_reads_a_large_global_where_it_lies_is_not_kept(user):
    user.write(user_helper=LARGE)
    assert [told(user.run()) for _ in range(2)] == [(20.0, "miss")] * 2
    assert user.kept() == []


UNKNOWN = """
import ctypes
absolute = ctypes.CDLL(None).abs
absolute.argtypes = [ctypes.c_int]
def helper(x):
    return absolute(-10)
"""


def test_what_has_no_exact_hash_is_not_kept(user):
    user.write(user_helper=UNKNOWN)
    assert [told(user.run()) for _ in range(2)] == [(20.0, "not kept")] * 2
    assert user.kept() == []


def test_functions_that_call_each_other_in_a_circle_are_compiled_but_never_kept(user):
    circle = "def helper(x):\n    return 7 if x == 0 else back(x - 1)\n\ndef back(x):\n    return helper(x) + 1\n"
    user.write(user_helper=circle)
    assert [user.run().value, user.run().value, user.kept()] == [16.0, 16.0, []]

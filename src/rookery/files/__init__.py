"""Files that people exchange: solutions, pictures, records of matches, SGF; read, written and verified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery import _lazy

if TYPE_CHECKING:
    from rookery.disk import check_writable as check_writable
    from rookery.disk import write_bytes as write_bytes
    from rookery.files.journals import JournalReader as JournalReader
    from rookery.files.journals import glance as glance
    from rookery.files.pictures import picture as picture
    from rookery.files.run_story import RunStory as RunStory
    from rookery.files.solutions import FileComparison as FileComparison
    from rookery.files.solutions import Verdict as Verdict
    from rookery.files.solutions import compare_files as compare_files
    from rookery.files.solutions import part_of_result as part_of_result
    from rookery.files.solutions import verify_file as verify_file
    from rookery.games.sgf import SgfGame as SgfGame
    from rookery.games.sgf import read_sgf as read_sgf
    from rookery.games.sgf import write_sgf as write_sgf
    from rookery.matches.game_files import write_game as write_game
    from rookery.matches.record_files import KeptGame as KeptGame
    from rookery.matches.record_files import KeptMatch as KeptMatch
    from rookery.matches.record_files import MatchVerdict as MatchVerdict
    from rookery.matches.record_files import check_sgf as check_sgf
    from rookery.matches.record_files import is_match as is_match
    from rookery.matches.record_files import kept_game as kept_game
    from rookery.matches.record_files import read_match as read_match
    from rookery.matches.record_files import verify_match as verify_match
    from rookery.matches.record_files import write_match_sgf as write_match_sgf
    from rookery.running.journal import Journal as Journal

__getattr__, __dir__, __all__ = _lazy(
    globals(),
    {
        "disk": "check_writable write_bytes",
        "files.pictures": "picture",
        "files.solutions": "FileComparison Verdict compare_files part_of_result verify_file",
        "files.journals": "JournalReader glance",
        "files.run_story": "RunStory",
        "games.sgf": "SgfGame read_sgf write_sgf",
        "matches.game_files": "write_game",
        "matches.record_files": "KeptGame KeptMatch MatchVerdict check_sgf is_match kept_game read_match verify_match"
        " write_match_sgf",
        "running.journal": "Journal",
    },
)

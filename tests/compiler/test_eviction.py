"""The cache folder stays within its size."""

from __future__ import annotations

import os

from rookery.compiler import cache


def test_entries_used_longest_ago_are_removed_first(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "MOST_BYTES", 250)
    for age, name in enumerate(["new", "middle", "old"]):
        file = tmp_path / f"{name}.kernel"
        file.write_bytes(b"x" * 100)
        os.utime(file, (1000 - age, 1000 - age))
    cache._evict(tmp_path)
    assert sorted(file.stem for file in tmp_path.iterdir()) == ["middle", "new"]

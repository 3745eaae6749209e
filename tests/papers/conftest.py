"""Fixtures of the papers' tests."""

from small_paper import small as small

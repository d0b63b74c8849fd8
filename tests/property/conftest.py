"""How hypothesis runs: without a clock, which a busy machine would fail, and printing what repeats a failure."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("mnemo", deadline=None, print_blob=True)
settings.load_profile("mnemo")

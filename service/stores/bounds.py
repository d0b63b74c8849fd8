"""How long the stores wait, and how much they do at once."""

from __future__ import annotations

SECOND_US = 1_000_000

TWIN_US = 30 * SECOND_US
"""An unused refresh token older than this is withdrawn when its parent is used again."""
REPLAY_US = 86_400 * SECOND_US
"""A used code is known again for as long after it expired."""
SWEEP_MAX = 1_000
"""Of each kind of thing, how many one sweep forgets."""

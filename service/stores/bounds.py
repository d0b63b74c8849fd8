"""How long the stores wait, and how much they do at once."""

from __future__ import annotations

SECOND_US = 1_000_000

TWIN_US = 30 * SECOND_US
"""An unused refresh token older than this is withdrawn when its parent is used again."""
REPLAY_US = 86_400 * SECOND_US
"""A used code is known again for as long after it expired."""
AWAITS_US = 3_600 * SECOND_US
"""A grant that no code was ever kept for is forgotten after this: what made it was cut short."""
SWEEP_MAX = 1_000
"""Of each kind of thing, how many one sweep forgets."""

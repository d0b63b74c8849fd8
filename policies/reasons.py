"""Why a proposal was settled as it was: every reason code, and the sentence that tells it and what to do.

Sentences are in ``parameters/phrases.fr.toml`` and ``phrases.en.toml``; both know the same codes. They speak to the
tool that proposed; where the owner is to be told something else, that is in ``phrases.owner.*.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from policies.language.lexicon import load

NEEDS_PASSKEY = "directive.passkey"
"""Of a directive that waits until a passkey confirms it."""
OTHER = "other"
"""What a code that has no sentence is told as."""
_NOBODY = "nobody_named"
_SAME = "conflict.same"
"""What the owner is told of a conflict with what its proposer may not see, and repeats."""


def reason_codes() -> frozenset[str]:
    """Every reason that an outcome may have."""
    return frozenset(load("phrases.en")) - {OTHER, _NOBODY}


def explanation(
    reason: str, language: str, details: Mapping[str, object] | None = None, *, to_owner: bool = False
) -> str:
    """The sentence that tells a reason and says what to do.

    Args:
        reason: a reason code.
        language: ``fr``; anything else is told in English.
        details: the outcome's, as far as the reader may see them. Without ``names``, none is told.
            ``conflicts`` are named to the owner alone, of a ruling of theirs.
        to_owner: whether the owner reads it, who has commands that settle it, and not a tool.
    """
    chosen = "fr" if language == "fr" else "en"
    phrases = load(f"phrases.{chosen}")
    names = cast("list[str]", (details or {}).get("names", []))
    shown = ", ".join(dict.fromkeys(names)) or str(phrases[_NOBODY])
    memories = ", ".join(cast("list[str]", (details or {}).get("conflicts", [])))
    sentence = str(phrases.get(reason, phrases[OTHER]))
    if to_owner:
        own = load(f"phrases.owner.{chosen}")
        known = _SAME if (details or {}).get("same") else reason
        sentence = str(own.get(known if known in own or known in phrases else OTHER, sentence))
    return sentence.replace("{names}", shown).replace("{memories}", memories)

"""Why a proposal was settled as it was: every reason code, and the sentence that tells it and what to do.

Sentences are in ``parameters/phrases.fr.toml`` and ``phrases.en.toml``; both know the same codes.
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


def reason_codes() -> frozenset[str]:
    """Every reason that an outcome may have."""
    return frozenset(load("phrases.en")) - {OTHER, _NOBODY}


def explanation(reason: str, language: str, details: Mapping[str, object] | None = None) -> str:
    """The sentence that tells a reason and says what to do.

    Args:
        reason: a reason code.
        language: ``fr``; anything else is told in English.
        details: the outcome's, as far as the reader may see them. Without ``names``, none is told.
            ``conflicts`` are named to the owner alone, of a ruling of theirs.
    """
    phrases = load("phrases.fr" if language == "fr" else "phrases.en")
    names = cast("list[str]", (details or {}).get("names", []))
    shown = ", ".join(names) or str(phrases[_NOBODY])
    memories = ", ".join(cast("list[str]", (details or {}).get("conflicts", [])))
    sentence = str(phrases.get(reason, phrases[OTHER]))
    return sentence.replace("{names}", shown).replace("{memories}", memories)

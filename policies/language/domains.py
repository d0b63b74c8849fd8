"""Which life domains a sentence belongs to, by the words of ``parameters/topics.toml``."""

from __future__ import annotations

import re
from functools import cache

from policies.language.identify import identify
from policies.language.lexicon import load
from policies.language.phrases import PhraseSet, phrase_set
from policies.language.tokens import tokenise

_LEXICON = "topics"
_TROUBLES = "couple_troubles"
_REMOVALS = "removals"
_MONEY = re.compile(r"[€$£¥]\s?\d|\d\s?(?:k\s?)?[€$£¥]")


def read_domains(text: str) -> tuple[str, ...]:
    """The life domains (ids of ``parameters/domains.toml``) that a text is placed in, sorted; health aside."""
    words = _found(text)
    found = words - {_TROUBLES, _REMOVALS}
    if _TROUBLES in words:
        found |= {"couple"}
    if _REMOVALS in words and not words & {"technology", "projects"}:
        found |= {"home"}
    return tuple(sorted(found))


def tells_troubles(text: str) -> bool:
    """Whether a text tells the troubles of a couple: S3, where light matters of the couple are S2."""
    return _TROUBLES in _found(text)


def _found(text: str) -> frozenset[str]:
    tokens = tokenise(text)
    language = identify(text)
    covers = _set("innocent").find(tokens, accents=True, language=language)
    found = {
        domain
        for domain in _domains()
        for hit in _set(domain).find(tokens, accents=True, language=language)
        if not any(cover.start <= hit.start and hit.end <= cover.end for cover in covers)
    }
    return frozenset(found | ({"finance"} if _MONEY.search(text) else set()))


@cache
def _domains() -> tuple[str, ...]:
    return tuple(name for name in load(_LEXICON) if name != "innocent")


@cache
def _set(key: str) -> PhraseSet:
    return phrase_set(_LEXICON, key)

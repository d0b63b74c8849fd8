"""The registered names as they can be found in texts: whole, in part, with or without the role they hold.

A name is compared as units: words joined by a hyphen are one ("Jean-Pierre" is not "Jean").
"""

from __future__ import annotations

import unicodedata
from collections import deque
from dataclasses import dataclass
from functools import lru_cache

from policies.language import gazetteer, lexicon
from policies.registry import Registry
from policies.terms import EntityId, EntityType
from policies.text import Word, is_stop_word, stem, words

_ROLES = {
    stem(word): role
    for role in lexicon.load("names")["roles"]
    for word in lexicon.words("names", f"roles.{role}")
}
_NO_NAMES = frozenset(lexicon.entries("names", "not_names.words"))
_LEGAL = lexicon.words("names", "organisations.legal")
Unit = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """One registered name or alias."""

    entity: EntityId
    type: EntityType
    tokens: tuple[str, ...]
    units: frozenset[Unit]
    """The units that may stand for the name: no stop-words, no common words outside a person's own name."""
    lower: bool
    """Registered without a capital: found without one too."""


class Roster:
    """The names of one registry. Immutable."""

    def __init__(self, registry: Registry) -> None:
        """Index every name and alias by its first word and by its units."""
        self.registry = registry
        self._by_first: dict[str, list[Name]] = {}
        self._by_unit: dict[Unit, list[Name]] = {}
        self.unspaced: list[tuple[str, EntityId]] = []
        for written, entity in registry.all_names():
            known = registry.entity(entity)
            tokens, units = _parts(written)
            if known is None or not tokens:
                continue
            if is_unspaced(written):
                self.unspaced.append((written, entity))
                continue
            telling = units if len(tokens) == 1 else _telling(written, known.type)
            name = Name(entity, known.type, tokens, telling, not any(c.isupper() for c in written))
            self._by_first.setdefault(tokens[0], []).append(name)
            for unit in telling:
                self._by_unit.setdefault(unit, []).append(name)
        for names in self._by_first.values():
            names.sort(key=lambda name: (-len(name.tokens), name.entity))

    def whole_at(self, found: tuple[Word, ...], index: int) -> list[Name]:
        """The registered names that stand whole at a word, however they are written: the longest ones."""
        best: list[Name] = []
        if is_no_name(found[index].surface):
            return best
        for name in self._by_first.get(found[index].folded, ()):
            if best and len(name.tokens) < len(best[0].tokens):
                break
            if tuple(word.folded for word in found[index : index + len(name.tokens)]) == name.tokens:
                best.append(name)
        return best

    def with_units(self, units: frozenset[Unit]) -> list[Name]:
        """The registered names that all these units are part of; initials count ("P." of "Paul")."""
        first = next((unit for unit in units if len(unit[0]) > 1), None)
        if first is None:
            return []
        return [
            name
            for name in self._by_unit.get(first, ())
            if all(unit in name.units or _is_initial(unit, name.units - units) for unit in units)
        ]

    def is_part(self, token: str) -> bool:
        """Whether a folded word alone is a unit of a registered name."""
        return (token,) in self._by_unit

    def traits(self, entity: EntityId) -> frozenset[str]:
        """The roles and other words that an entity's names hold beside a name: "plumber" for "Paul le plombier"."""
        return frozenset(
            trait(token)
            for name in self.registry.names(entity)
            for token in _parts(name)[0]
            if not is_stop_word(token) and not gazetteer.is_given(token)
        )


_KEPT_MAX = 8
_kept: deque[Roster] = deque(maxlen=_KEPT_MAX)


def roster_of(registry: Registry) -> Roster:
    """The roster of a registry: made once for the last few, told apart by identity for they are immutable."""
    for roster in tuple(_kept):
        if roster.registry is registry:
            return roster
    made = Roster(registry)
    _kept.append(made)
    return made


def is_no_name(surface: str) -> bool:
    """Whether a word, as written, is none although it folds to a name ("marié")."""
    return unicodedata.normalize("NFC", surface).casefold() in _NO_NAMES


def trait(token: str) -> str:
    """What a word tells of a person, the same in both languages ("plombier", "plumber")."""
    return _ROLES.get(stem(token), stem(token))


def units_of(found: tuple[Word, ...], text: str) -> frozenset[Unit]:
    """Words of a text as units: those joined by a hyphen stand together."""
    return frozenset(unit for unit, _ in _written_units(found, text))


def _written_units(found: tuple[Word, ...], text: str) -> list[tuple[Unit, bool]]:
    """Each unit, and whether it is written with a capital."""
    units: list[tuple[Unit, bool]] = []
    for index, word in enumerate(found):
        joined = index > 0 and text[found[index - 1].end : word.start] in ("-", "‐", "‑", ".-")
        if joined:
            units[-1] = ((*units[-1][0], word.folded), units[-1][1])
        else:
            units.append(((word.folded,), word.surface[0].isupper()))
    return units


@lru_cache(maxsize=16384)
def _telling(written: str, kind: EntityType) -> frozenset[Unit]:
    """The units of a name of several words that may stand for it: capitalised, and no mere common word."""
    person = kind in (EntityType.PERSON, EntityType.ANIMAL)
    telling: set[Unit] = set()
    for unit, capital in _written_units(words(written), written):
        token = unit[0]
        if not capital or is_stop_word(token) or token in _LEGAL or len(token) < 2:
            continue
        if len(unit) > 1 or person or not (gazetteer.is_common(token) or stem(token) in _ROLES):
            telling.add(unit)
    return frozenset(telling)


def _is_initial(unit: Unit, parts: frozenset[Unit]) -> bool:
    """Whether a unit is the initials of one of the parts, which are told by nothing else."""
    return all(len(token) == 1 for token in unit) and any(
        len(part) == len(unit) and all(map(str.startswith, part, unit)) for part in parts
    )


def is_unspaced(written: str) -> bool:
    """Whether a name is written in a script without blanks."""
    return any(
        "\u3040" <= c <= "\u30ff" or "\u3400" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" for c in written
    )


@lru_cache(maxsize=16384)
def _parts(written: str) -> tuple[tuple[str, ...], frozenset[Unit]]:
    found = words(written)
    return tuple(word.folded for word in found), units_of(found, written)

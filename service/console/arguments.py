"""What a proposal or a directive says beside its text: each argument named, and its value in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import cast

from service.console.filters import domain_label
from service.console.foresight import passed_moment
from service.console.telling import predicate
from service.console.visit import Visit

_FOR_MACHINES = frozenset({"public_key", "link", "assertion"})
_WORDS: Mapping[str, str] = {
    "kind": "terms.kind",
    "level": "terms.level",
    "discretion": "terms.discretion",
    "type": "terms.type",
    "ruling": "proposals.ruled",
    "change": "proposals.change",
}
"""By argument: the strings that say its values."""
_DATES: Mapping[str, bool] = {"valid_from": False, "effective": False, "from": False, "valid_to": True}
"""By argument: whether it is an end."""


def facts(visit: Visit, payload: Mapping[str, object], hidden: Collection[str] = ()) -> list[tuple[str, str]]:
    """What is passed, by what it is called, in the order it was passed; without what says nothing.

    Args:
        visit: in whose language.
        payload: the arguments.
        hidden: those that are shown elsewhere.
    """
    return [
        (_called(visit, name), _told(visit, name, value))
        for name, value in payload.items()
        if name not in _FOR_MACHINES and name not in hidden and value not in (None, "", [])
    ]


def _called(visit: Visit, name: str) -> str:
    key = f"fields.{name}"
    return visit.t(key) if visit.t.has(key) else name


def _told(visit: Visit, name: str, value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_told(visit, name, one) for one in cast("list[object]", value))
    if isinstance(value, bool):
        return visit.t("proposals.yes" if value else "proposals.no")
    if isinstance(value, Mapping):
        return _tied(visit, cast("Mapping[str, object]", value))
    text = str(value)
    words = f"{_WORDS.get(name)}.{text}"
    if visit.t.has(words):
        return visit.t(words)
    if name == "domains":
        return domain_label(visit, text)
    if name == "credential":
        found = visit.house.reader.passkeys().find(text)
        return text if found is None else f"{found.name} ({text})"
    if name in _DATES:
        moment = passed_moment(text, visit.house, ends=_DATES[name])
        return text if moment is None else visit.t.moment(moment)
    return _named(visit, text)


def _tied(visit: Visit, relation: Mapping[str, object]) -> str:
    """A relation from its subject to its object, in whatever order the three were passed."""
    subject, name, target = (str(relation.get(part) or "…") for part in ("subject", "predicate", "object"))
    return f"{_named(visit, subject)} {predicate(name, visit.language)} {_named(visit, target)}"


def _named(visit: Visit, text: str) -> str:
    """An entity by its name, where its id was passed."""
    found = visit.house.reader.registry().named(text) if text.startswith("ent:") else ()
    return found[0].name if found else text

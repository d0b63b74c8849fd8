"""What a proposal must be before it reaches the inbox: what can be refused at once is, and no secret is kept.

What only the ledger or the analysis of the text can tell is for the gates (``policies/gates.py``). Nothing here
depends on what the memory holds, ids aside: a tool learns nothing from what is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast
from zoneinfo import ZoneInfo

from policies import moments
from policies.errors import EntityUnknown, InvalidArgument, NothingSaid
from policies.parameters import Parameters
from policies.redaction import redact
from policies.registry import Registry
from policies.text import says_nothing

_OF_A_KNOWN_FORM = frozenset({"id", "kind", "change", "said_at", "valid_from", "valid_to", "effective"})
"""There is nothing to redact in them."""


def check(said: Mapping[str, Any], zone: ZoneInfo, parameters: Parameters) -> None:
    """Refuse what can be refused at once.

    Args:
        said: the arguments of a proposal, of the right types and lengths.
        zone: the owner's.
        parameters: the owner's.

    Raises:
        NothingSaid: the statement has no letter and no digit.
        NaiveDateTime: a date-time without its offset.
        InvalidDate: what should be a date is none.
        IntervalReversed: it ends before it begins.
        DomainUnknown: the owner has no such domain.
        InvalidArgument: the name of an entity has no letter and no digit.
    """
    if "statement" in said and says_nothing(said["statement"]):
        raise NothingSaid(field="statement")
    if "said_at" in said:
        moments.parse_said_at(said["said_at"], zone)
    if "effective" in said:
        moments.parse_turn(said["effective"], zone)
    begins = moments.parse_start(said["valid_from"], zone) if "valid_from" in said else None
    ends = moments.parse_end(said["valid_to"], zone) if "valid_to" in said else None
    moments.check_interval(begins, ends)
    for domain in said.get("domains", ()):
        parameters.domain(domain, field="domains")
    for field, name in _named(said):
        if says_nothing(name):
            raise InvalidArgument(field=field, problem="empty")


def entity_ids(said: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The ``ent:`` ids among the entities that a proposal names, each with its argument.

    A name may be anybody's, and the gates see to it; an id was served, or it is nobody's.
    """
    return [(field, name) for field, name in _named(said) if name.startswith("ent:")]


def check_ids(ids: list[tuple[str, str]], scope: Registry) -> None:
    """Refuse an id that nothing in scope answers to, whether it is hidden or never was.

    Args:
        ids: see ``entity_ids``.
        scope: the registry as the proposer may know it (``Registry.within``).

    Raises:
        EntityUnknown: there is such an id.
    """
    for field, name in ids:
        if not scope.named(name):
            raise EntityUnknown(field=field)


def without_secrets(said: Mapping[str, Any]) -> tuple[dict[str, object], bool]:
    """The arguments with every secret taken out of their texts, and whether there was any."""
    found = False

    def clean(value: object) -> object:
        nonlocal found
        if isinstance(value, str):
            redaction = redact(value)
            found = found or bool(redaction.kinds)
            return redaction.text
        if isinstance(value, list):
            return [clean(element) for element in cast("list[object]", value)]
        if isinstance(value, dict):
            return {name: clean(part) for name, part in cast("dict[str, object]", value).items()}
        return value

    kept = {name: value if name in _OF_A_KNOWN_FORM else clean(value) for name, value in said.items()}
    return kept, found


def _named(said: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in said.get("anchors", ()):
        yield "anchors", name
    relation = cast("Mapping[str, str]", said.get("relation", {}))
    for end in ("subject", "object"):
        if end in relation:
            yield f"relation.{end}", relation[end]

"""What the lists of the console are filtered by, and what their forms offer."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from policies.errors import InvalidArgument
from policies.registry import Registry
from policies.terms import Level
from service.console.visit import Visit

_NAMES_MAX = 300
"""As many names are suggested where an entity is asked for; the browser sorts them out."""
Choice = TypeVar("Choice", bound=StrEnum)


def chosen(visit: Visit, name: str, values: type[Choice]) -> Choice | None:
    """The choice that a parameter of the query makes; None for none.

    Raises:
        InvalidArgument: it is not among the values.
    """
    given = visit.query(name)
    if given and given not in {value.value for value in values}:
        raise InvalidArgument(field=name, problem="unknown")
    return values(given) if given else None


def chosen_level(visit: Visit, name: str) -> Level | None:
    """The level that a parameter of the query names; None for none.

    Raises:
        InvalidArgument: there is no such level.
    """
    given = visit.query(name)
    if given and given not in Level.__members__:
        raise InvalidArgument(field=name, problem="unknown")
    return Level[given] if given else None


def chosen_domain(visit: Visit, name: str = "domain") -> str:
    """The domain that a parameter of the query names; empty for none.

    Raises:
        DomainUnknown: the owner has no such domain.
    """
    given = visit.query(name)
    return visit.house.parameters.domain(given, field=name).id if given else ""


def names(registry: Registry) -> list[str]:
    """The names to suggest, of a registry that is not too large for it."""
    known = {entity.name for entity in registry.entities.values() if entity.merged_into is None}
    return sorted(known, key=str.casefold) if len(known) <= _NAMES_MAX else []


def domains(visit: Visit) -> list[tuple[str, str]]:
    """The domains with what they are called."""
    return [(domain, domain_label(visit, domain)) for domain in visit.house.parameters.domains]


def domain_label(visit: Visit, domain: str) -> str:
    """What a domain is called; its id, for one that the owner no longer has."""
    known = visit.house.parameters.domains.get(domain)
    return domain if known is None else known.labels[visit.language]

"""What the owner allows a tool, as a form says it; and whether a change allows more than before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from policies.errors import InvalidArgument
from policies.parameters import Parameters
from policies.terms import Grant, Instant
from service.console.fresh import Chosen
from service.grants import Mode

FIELDS = ("name", "scope", "limit", "domains", "mode", "days", "until", "language", "replaces")
"""What the forms of this subject hold, so that it can be kept while the owner signs in afresh."""

Limit = Literal["all", "some"]


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a tool may see and do."""

    name: str
    scope: str
    domains: tuple[str, ...] | None
    """None: every domain."""
    mode: Mode


def allowance(chosen: Chosen, parameters: Parameters) -> Allowance:
    """What a form allows. Whether its name and its domains can be is for ``service.grants`` to say.

    Raises:
        InvalidArgument: a choice that the form does not have, or a limit to no domain at all.
    """
    scope = _choice(chosen, "scope", tuple(parameters.scopes))
    limit = _choice(chosen, "limit", get_args(Limit))
    domains = tuple(chosen.every("domains"))
    if limit == "some" and not domains:
        raise InvalidArgument(field="domains", problem="too_few", limit=1)
    mode = _choice(chosen, "mode", get_args(Mode))
    return Allowance(
        name=" ".join(chosen.one("name").split()),
        scope=scope,
        domains=None if limit == "all" else domains,
        mode="read" if mode == "read" else "propose" if mode == "propose" else "both",
    )


def days(chosen: Chosen) -> int | None:
    """For how many days; None for no end.

    Raises:
        InvalidArgument: not a number.
    """
    given = chosen.one("days")
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and len(given) <= 6):
        raise InvalidArgument(field="days", problem="type", expected="integer")
    return int(given)


def mode_of(grant: Grant) -> Mode:
    """What a grant may do."""
    if grant.may_read and grant.may_propose:
        return "both"
    return "read" if grant.may_read else "propose"


def is_wider(grant: Grant, wanted: Allowance, until: Instant | None, parameters: Parameters) -> bool:
    """Whether anything would be allowed that is not allowed now: that asks for a fresh sign-in."""
    now, then = parameters.scope(grant.scope), parameters.scope(wanted.scope)
    more_domains = grant.domains is not None and (
        wanted.domains is None or not set(wanted.domains) <= set(grant.domains)
    )
    longer = grant.expires_at is not None and (until is None or until > grant.expires_at)
    more_ways = not {"both": {"read", "propose"}}.get(wanted.mode, {wanted.mode}) <= _ways(grant)
    return then.level > now.level or then.history > now.history or more_domains or longer or more_ways


def _ways(grant: Grant) -> set[str]:
    return {way for way, may in (("read", grant.may_read), ("propose", grant.may_propose)) if may}


def _choice(chosen: Chosen, field: str, allowed: tuple[str, ...]) -> str:
    given = chosen.one(field)
    if given not in allowed:
        raise InvalidArgument(field=field, problem="choice", allowed=list(allowed))
    return given

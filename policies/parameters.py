"""The owner's numbers and lists, read from ``policies/parameters/*.toml``, and the digest that names them.

The files ship with the package and are read once; a store may override them (``parameters(overrides)``) with
tables of the same shape. A domain's floor and discretion may be raised by an override, never lowered. Each
memory records the digest it was decided under, so that an audit can replay the decision.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import rfc8785

from policies.errors import DomainUnknown, SettingInvalid
from policies.language import lexicon
from policies.terms import Discretion, EntityType, Level

_FOLDER = Path(__file__).resolve().parent / "parameters"
_TABLES = (
    "scopes",
    "domains",
    "limits",
    "budget",
    "retry",
    "ranking",
    "verdict",
    "entities",
    "memories",
    "oauth",
)


@dataclass(frozen=True, slots=True)
class Scope:
    """A named scope: the highest level it may be served."""

    name: str
    level: Level
    history: bool
    """May ask what was believed at another time, and sees the proposals of every tool."""


@dataclass(frozen=True, slots=True)
class Domain:
    """A life domain: the lowest level and the default discretion of its memories, and what it is called."""

    id: str
    floor: Level
    discretion: Discretion
    labels: Mapping[str, str]
    """By language: ``fr`` and ``en``."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of what is submitted and asked. Units are last in the names."""

    body_bytes: int
    json_depth: int
    statement_characters: int
    statement_bytes: int
    words_characters: int
    conversation_characters: int
    query_characters: int
    query_tokens: int
    reads_per_minute: int
    proposals_per_minute: int
    burst_calls: int
    pending_per_grant: int
    cursor_seconds: int
    path_hops_default: int
    path_hops_max: int
    label_characters: int
    list_items: int


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is served at once (G4)."""

    pack_items: int
    pack_items_per_entity: int
    pack_items_per_event: int
    pack_tokens_default: int
    pack_tokens_min: int
    pack_tokens_max: int
    page_items: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """How relevance is made (see ``policies.ranking``)."""

    k1: float
    band: float
    anchor_weight: float
    date_weight: float
    near_share: float
    former_share: float
    absent_share: float
    certain: float
    """Best relevance at or above it: the verdict is ``certain``."""
    vague: float
    """At or above it: ``vague``. Below: ``unknown``."""


@dataclass(frozen=True, slots=True)
class Connecting:
    """Bounds of how tools connect over OAuth. A rate is of one address unless its name says ``of_all``."""

    code_seconds: int
    request_seconds: int
    access_seconds: int
    refresh_seconds: int
    unused_client_seconds: int
    body_bytes: int
    parameter_characters: int
    redirect_uris: int
    redirect_uri_characters: int
    name_characters: int
    document_seconds: int
    document_bytes: int
    document_timeout_seconds: int
    registrations_per_minute: int
    registrations_of_all_per_minute: int
    requests_per_minute: int
    requests_of_all_per_minute: int
    documents_per_minute: int
    documents_of_all_per_minute: int
    refreshes_per_minute: int
    refreshes_at_once: int
    refusals_per_minute: int

    @property
    def pending_us(self) -> int:
        """Microseconds that a client must still be known for when it asks: until its code is redeemed."""
        return (self.request_seconds + self.code_seconds) * 1_000_000


@dataclass(frozen=True, slots=True)
class Parameters:
    """Everything the owner may change, and the digest that names this very set."""

    scopes: Mapping[str, Scope]
    domains: Mapping[str, Domain]
    """In the order of the file, which is the order they are listed in."""
    limits: Limits
    budget: Budget
    ranking: Ranking
    connecting: Connecting
    private_callbacks: tuple[str, ...]
    """Where a client may be called back by a scheme of its own; a star in one stands for one name."""
    retry_delays_seconds: tuple[int, ...]
    entity_levels: Mapping[EntityType, Level]
    owner_level: Level
    unplaced_level: Level
    digest: str
    """SHA-256 of every parameter file and override, lexicons included; hexadecimal."""

    def scope(self, name: str) -> Scope:
        """The scope of a name.

        Raises:
            SettingInvalid: there is none.
        """
        found = self.scopes.get(name)
        if found is None:
            raise SettingInvalid(setting="scope", problem=f"must be one of {', '.join(self.scopes)}")
        return found

    def domain(self, identifier: str, *, field: str | None = None) -> Domain:
        """The domain of an id; ``field``: the argument that names it.

        Raises:
            DomainUnknown: the owner has no such domain.
        """
        found = self.domains.get(identifier)
        if found is None:
            raise DomainUnknown(field=field, domain=identifier)
        return found

    def floor(self, domains: tuple[str, ...]) -> Level:
        """The highest floor of some domains; S0 without any. A domain that is not known is S3."""
        return max((self._floor(domain) for domain in domains), default=Level.S0)

    def placed_level(self, level: Level | None, domains: tuple[str, ...]) -> Level:
        """The level of an assertion: what the rules found, at least its domains' floors; S1 with neither."""
        if level is None and not domains:
            return self.unplaced_level
        return max(level or Level.S0, self.floor(domains))

    def default_discretion(self, domains: tuple[str, ...]) -> Discretion:
        """The strictest default of some domains; ``OPEN`` without any."""
        known = (self.domains[domain].discretion for domain in domains if domain in self.domains)
        return max(known, key=lambda discretion: discretion.rank, default=Discretion.OPEN)

    def entity_level(self, kind: EntityType, *, owner: bool = False) -> Level:
        """The level of a registered entity whose owner named none."""
        return self.owner_level if owner else self.entity_levels[kind]

    def _floor(self, domain: str) -> Level:
        found = self.domains.get(domain)
        return Level.S3 if found is None else found.floor


def parameters(overrides: Mapping[str, Any] | None = None) -> Parameters:
    """The parameters as shipped, with a store's overrides (tables named as in the files) laid over them.

    Raises:
        SettingInvalid: an override names what does not exist, has the wrong type, or lowers a domain.
    """
    if not overrides:
        return _shipped()
    tables = _merged(_tables(), overrides)
    made = _parameters(tables, _digest(overrides))
    for domain in _shipped().domains.values():
        own = made.domains[domain.id]
        if own.floor < domain.floor or own.discretion.rank < domain.discretion.rank:
            raise SettingInvalid(setting=f"domains.{domain.id}", problem="may be raised, never lowered")
    return made


@cache
def _shipped() -> Parameters:
    return _parameters(_tables(), _digest({}))


def _tables() -> dict[str, Any]:
    return {
        name: table
        for file in ("scopes", "domains", "limits", "ranking", "levels", "oauth")
        for name, table in lexicon.load(file).items()
    }


def _digest(overrides: Mapping[str, Any]) -> str:
    files = {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(_FOLDER.glob("*.toml"))
    }
    return hashlib.sha256(rfc8785.dumps({"files": files, "overrides": dict(overrides)})).hexdigest()


def _merged(tables: dict[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(tables)
    for name, table in overrides.items():
        if name not in _TABLES or not isinstance(table, Mapping):
            raise SettingInvalid(setting=name, problem="is not a table of parameters")
        base = dict(merged[name])
        for key, value in cast("Mapping[str, Any]", table).items():
            nested = isinstance(value, Mapping)
            base[key] = {**base.get(key, {}), **value} if nested else value
        merged[name] = base
    return merged


def _parameters(tables: Mapping[str, Any], digest: str) -> Parameters:
    try:
        levels = dict(tables["entities"])
        connecting = dict(tables["oauth"])
        callbacks = tuple(str(callback) for callback in connecting.pop("private_callbacks"))
        return Parameters(
            scopes={name: _scope(name, table) for name, table in tables["scopes"].items()},
            domains={name: _domain(name, table) for name, table in tables["domains"].items()},
            limits=_numbers(Limits, tables["limits"]),
            budget=_numbers(Budget, tables["budget"]),
            ranking=_numbers(Ranking, {**tables["ranking"], **tables["verdict"]}),
            connecting=_numbers(Connecting, connecting),
            private_callbacks=callbacks,
            retry_delays_seconds=_delays(tables["retry"]["delays_seconds"]),
            owner_level=Level[levels.pop("owner")],
            entity_levels={EntityType(name): Level[level] for name, level in levels.items()},
            unplaced_level=Level[tables["memories"]["unplaced"]],
            digest=digest,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SettingInvalid(setting="parameters", problem=f"{type(error).__name__}: {error}") from error


def _delays(listed: list[Any]) -> tuple[int, ...]:
    delays = tuple(int(delay) for delay in listed)
    if not delays or min(delays) < 0:
        raise ValueError("no delay, or one below zero")
    return delays


def _scope(name: str, table: Mapping[str, Any]) -> Scope:
    return Scope(name=name, level=Level[table["level"]], history=bool(table["history"]))


def _domain(name: str, table: Mapping[str, Any]) -> Domain:
    if unknown := table.keys() - {"floor", "discretion", "fr", "en"}:
        raise KeyError(*sorted(unknown))
    return Domain(
        id=name,
        floor=Level[table["floor"]],
        discretion=Discretion(table.get("discretion", "open")),
        labels={"fr": str(table["fr"]), "en": str(table["en"])},
    )


_Numbers = TypeVar("_Numbers", Limits, Budget, Ranking, Connecting)


def _numbers(shape: type[_Numbers], table: Mapping[str, Any]) -> _Numbers:
    """A dataclass of numbers from a table of exactly its fields."""
    wanted = {field.name: (float if field.type == "float" else int) for field in fields(shape)}
    if unknown := set(table) - set(wanted):
        raise KeyError(*sorted(unknown))
    values: dict[str, Any] = {name: kind(table[name]) for name, kind in wanted.items()}
    if any(value < 0 for value in values.values()):
        raise ValueError("a number below zero")
    return shape(**values)

"""Settings: read once in a composition root, frozen, passed down. Nothing else reads the environment.

A value comes from the environment (``MNEMO_*``), else from ``mnemo.toml`` in the home, else from the
default written here. What belongs to one store (its owner, zone, language, where its graph is) is in its
``store.toml``, written once by ``mnemo init``; the environment wins over it too.
``docs/operations.md`` lists every setting.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, cast
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import platformdirs
import tzlocal
from pydantic import BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from policies.errors import SettingInvalid, StoreInvalid
from policies.terms import Level

STORE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
HANDLE = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
DEFAULT_PORT = 8765
DEMONSTRATION = "mnemo-demonstration"
"""The store of ``mnemo demo``, whose name marks a database that it may clear."""
ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^\s/?#@,]+")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def _listed(value: object) -> object:
    """The environment separates by commas; a list in ``mnemo.toml`` is one already."""
    if not isinstance(value, str):
        return value
    return tuple(one.strip() for one in value.split(",") if one.strip())


_Listed = Annotated[tuple[str, ...] | None, NoDecode, BeforeValidator(_listed)]


class _Sources(BaseSettings):
    """What the environment and ``mnemo.toml`` may say. Names are without ``MNEMO_``."""

    model_config = SettingsConfigDict(env_prefix="MNEMO_", extra="ignore", frozen=True)

    host: str = "127.0.0.1"
    port: int = Field(default=DEFAULT_PORT, ge=1, le=65535)
    public_url: str | None = None
    trusted_proxies: _Listed = None
    browser_origins: _Listed = None
    metrics_from: _Listed = None
    graph_url: str | None = None
    graph_user: str = "neo4j"
    graph_password_file: Path | None = None
    kv_url: str | None = None
    kv_password_file: Path | None = None
    classifier: Literal["rules", "anthropic", "openai"] = "rules"
    model: str | None = None
    model_url: str | None = None
    model_key_file: Path | None = None
    model_local: bool = False
    remote_max_level: Literal["S0", "S1", "S2", "S3"] = "S2"
    nightly: str = "0 3 * * *"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over the files, which arrive as initial values."""
        return env_settings, init_settings


@dataclass(frozen=True, slots=True)
class StoreFacts:
    """What ``mnemo init`` wrote of one store."""

    owner: str
    handle: str
    timezone: str
    lang: Literal["fr", "en"]
    graph_url: str | None = None
    kv_url: str | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a process needs to know, fixed for its life."""

    home: Path
    store: str
    facts: StoreFacts
    host: str
    port: int
    public_url: str | None
    """None: ``http://localhost:PORT`` of the running service."""
    graph_url: str | None
    """None: the embedded engine."""
    graph_user: str
    graph_password_file: Path | None
    kv_url: str | None
    """None: SQLite in the store's directory."""
    kv_password_file: Path | None
    classifier: Literal["rules", "anthropic", "openai"]
    model: str | None
    model_url: str | None
    model_key: SecretStr | None
    model_local: bool
    """The owner declares that ``model_url`` is a machine of theirs, although it is not loopback."""
    remote_max_level: Level
    nightly: str
    """Cron expression of five fields, in the owner's zone."""
    trusted_proxies: tuple[Network, ...] = ()
    """Whose ``X-Forwarded-*`` headers are believed."""
    browser_origins: tuple[str, ...] = ()
    """Of web pages that may call ``/mcp`` besides the service's own, lower case."""
    metrics_from: tuple[Network, ...] = ()
    """Whom ``/metrics`` is told besides this machine."""

    @property
    def store_dir(self) -> Path:
        """The store's own directory."""
        return store_dir(self.home, self.store)

    @property
    def keys_dir(self) -> Path:
        """Where the store's keys are, readable by the owner of the process alone."""
        return self.store_dir / "keys"

    @property
    def address(self) -> str:
        """Where clients reach the service."""
        return self.public_url or f"http://localhost:{self.port}"

    @property
    def zone(self) -> ZoneInfo:
        """The owner's time zone."""
        return ZoneInfo(self.facts.timezone)

    @property
    def database(self) -> str:
        """The store's database on the embedded engine."""
        return f"mnemo_{self.store}"


def default_home(environment: Mapping[str, str] = os.environ) -> Path:
    """``MNEMO_HOME``, else the platform's data folder."""
    named = environment.get("MNEMO_HOME")
    return Path(named).expanduser() if named else Path(platformdirs.user_data_dir("mnemo", appauthor=False))


def store_dir(home: Path, store: str) -> Path:
    """The directory of a named store.

    Raises:
        StoreInvalid: the name is not one to four dozen of ``a-z 0-9 _ -``.
    """
    if not STORE_NAME.fullmatch(store):
        raise StoreInvalid(store=store, problem="name")
    return home / "stores" / store


def active_store(home: Path, environment: Mapping[str, str] = os.environ) -> str:
    """``MNEMO_STORE``, else what ``mnemo store use`` chose, else ``default``."""
    named = environment.get("MNEMO_STORE")
    if named:
        return named
    chosen = home / "active"
    # Whatever is no name of a store is refused as one.
    return chosen.read_text("utf-8", "replace").strip() if chosen.is_file() else "default"


def read_store_facts(home: Path, store: str) -> StoreFacts:
    """What ``mnemo init`` wrote.

    Raises:
        StoreInvalid: there is no such store, or its ``store.toml`` is damaged.
    """
    path = store_dir(home, store) / "store.toml"
    if not path.is_file():
        raise StoreInvalid(store=store, problem="absent")
    try:
        facts = StoreFacts(**tomllib.loads(path.read_text("utf-8")))
        checked_zone(facts.timezone)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, TypeError, SettingInvalid) as fault:
        raise StoreInvalid(store=store, problem="damaged") from fault
    return facts


def load_settings(home: Path | None = None, store: str | None = None, **overrides: object) -> Settings:
    """Build the settings of this process.

    Args:
        home: ``--home``; None for ``MNEMO_HOME`` or the platform's data folder.
        store: ``--store``; None for ``MNEMO_STORE``, the active store or ``default``.
        overrides: values given on the command line (``host``, ``port``), which win over everything.

    Raises:
        SettingInvalid: a value does not parse, or a file it names cannot be read.
        StoreInvalid: the store does not exist.
    """
    home = (home or default_home()).absolute()
    store = store or active_store(home)
    facts = read_store_facts(home, store)
    sources = _read_sources(home)
    chosen = {name: value for name, value in overrides.items() if value is not None}
    return Settings(
        home=home,
        store=store,
        facts=facts,
        host=cast("str", chosen.get("host", sources.host)),
        port=cast("int", chosen.get("port", sources.port)),
        public_url=checked_public_url(sources.public_url),
        graph_url=checked_graph_url(sources.graph_url or facts.graph_url),
        graph_user=sources.graph_user,
        graph_password_file=sources.graph_password_file,
        kv_url=checked_kv_url(sources.kv_url or facts.kv_url),
        kv_password_file=sources.kv_password_file,
        classifier=sources.classifier,
        model=sources.model,
        model_url=_checked_url("MNEMO_MODEL_URL", sources.model_url, ("http", "https")),
        model_key=_model_key(sources),
        model_local=sources.model_local,
        remote_max_level=Level[sources.remote_max_level],
        nightly=_checked_cron(sources.nightly),
        trusted_proxies=_checked_networks("MNEMO_TRUSTED_PROXIES", sources.trusted_proxies or ()),
        browser_origins=_checked_origins(sources.browser_origins or ()),
        metrics_from=_checked_networks("MNEMO_METRICS_FROM", sources.metrics_from or ()),
    )


def write_store_facts(directory: Path, facts: StoreFacts) -> None:
    """Write ``store.toml``, whole or not at all."""
    given = {name: getattr(facts, name) for name in StoreFacts.__dataclass_fields__}
    # A JSON string is a TOML basic string, but for DEL, which JSON leaves as it is.
    lines = [
        f"{name} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f")
        for name, value in given.items()
        if value is not None
    ]
    handle, draft = tempfile.mkstemp(prefix="store.toml.", dir=directory)  # for this account alone
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    Path(draft).replace(directory / "store.toml")


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine can reach the address. A name other than localhost may be anything."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def local_zone() -> str:
    """The machine's IANA zone, ``UTC`` where it cannot be told."""
    return tzlocal.get_localzone_name() or "UTC"


def checked_graph_url(value: str | None) -> str | None:
    """The address of a Neo4j server, None for the embedded engine.

    Raises:
        SettingInvalid: not a Bolt address, or one that carries a password.
    """
    schemes = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
    return _checked_url("MNEMO_GRAPH_URL", value, schemes)


def checked_kv_url(value: str | None) -> str | None:
    """The address of a Redis server, None for SQLite.

    Raises:
        SettingInvalid: not a Redis address, or one that carries a password.
    """
    return _checked_url("MNEMO_KV_URL", value, ("redis", "rediss", "unix"))


def checked_public_url(value: str | None) -> str | None:
    """The address that clients use, which tokens and passkeys are bound to.

    Raises:
        SettingInvalid: more than scheme, name and port, or http where others than this machine would call it.
    """
    setting = "MNEMO_PUBLIC_URL"
    url = _checked_url(setting, value, ("http", "https"))
    if url is None:
        return None
    parts = urlsplit(url)
    if not parts.hostname or parts.path or parts.username is not None or set("?#") & set(url):
        raise SettingInvalid(setting=setting, problem="setting.bare")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise SettingInvalid(setting=setting, problem="setting.https")
    return url


def checked_zone(name: str) -> str:
    """The name of an IANA time zone.

    Raises:
        SettingInvalid: there is no such zone.
    """
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as fault:
        raise SettingInvalid(setting="timezone", problem="setting.zone") from fault
    return name


def _read_sources(home: Path) -> _Sources:
    path = home / "mnemo.toml"
    try:
        written = tomllib.loads(path.read_text("utf-8-sig")) if path.is_file() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as fault:
        raise SettingInvalid(setting="mnemo.toml", problem="setting.toml") from fault
    for name in written:
        if name not in _Sources.model_fields:
            # A misspelt setting that is passed over would leave its default in force without a word.
            raise SettingInvalid(setting=f"mnemo.toml: {name}", problem="unknown")
    try:
        return _Sources(**written)
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_input=False)[0]
        name = "MNEMO_" + str(first["loc"][0]).upper()
        raise SettingInvalid(setting=name, problem="setting.value") from fault


def _checked_url(setting: str, value: str | None, schemes: tuple[str, ...]) -> str | None:
    if value is None:
        return None
    try:
        parts = urlsplit(value)
        parts.port  # noqa: B018  (raises on a port out of range)
    except ValueError as fault:
        raise SettingInvalid(setting=setting, problem="setting.address") from fault
    if parts.scheme not in schemes:
        raise SettingInvalid(setting=setting, problem="setting.scheme", schemes=", ".join(schemes))
    if parts.password is not None:
        # A secret in an address ends up in process lists and logs.
        raise SettingInvalid(setting=setting, problem="setting.password")
    return value.rstrip("/")


def _checked_networks(setting: str, values: tuple[str, ...]) -> tuple[Network, ...]:
    try:
        return tuple(ipaddress.ip_network(one, strict=False) for one in values)
    except ValueError as fault:
        raise SettingInvalid(setting=setting, problem="setting.networks") from fault


def _checked_origins(values: tuple[str, ...]) -> tuple[str, ...]:
    origins = tuple(one.lower().rstrip("/") for one in values)
    if not all(ORIGIN.fullmatch(one) for one in origins):
        raise SettingInvalid(setting="MNEMO_BROWSER_ORIGINS", problem="setting.origins")
    return origins


def _checked_cron(expression: str) -> str:
    if len(expression.split()) != 5:
        raise SettingInvalid(setting="MNEMO_NIGHTLY", problem="setting.cron")
    return expression


def _model_key(sources: _Sources) -> SecretStr | None:
    if sources.model_key_file is not None:
        try:
            return SecretStr(sources.model_key_file.expanduser().read_text("utf-8").strip())
        except OSError as fault:
            raise SettingInvalid(setting="MNEMO_MODEL_KEY_FILE", problem="setting.unreadable") from fault
    key = os.environ.get("ANTHROPIC_API_KEY")
    return SecretStr(key) if key and sources.classifier == "anthropic" else None

"""Where grants, tokens and rates are kept: one protocol, SQLite or Redis behind it."""

from __future__ import annotations

from cypher.settings import Settings
from policies.errors import SettingInvalid
from service.stores.protocol import Store
from service.stores.sqlite import SqliteStore


def open_store(settings: Settings) -> Store:
    """The store that the settings name: Redis by ``kv_url``, else a file in the store's directory.

    Raises:
        SettingInvalid: the password file cannot be read.
        StoreUnavailable: the file cannot be opened.
    """
    if settings.kv_url is None:
        return SqliteStore(settings.store_dir / "kv.sqlite3")
    from service.stores.redis import RedisStore  # its library is slow to import, and most stores do without

    return RedisStore(settings.kv_url, settings.store, _password(settings))


def _password(settings: Settings) -> str | None:
    if settings.kv_password_file is None:
        return None
    try:
        return settings.kv_password_file.read_text("utf-8").strip()
    except OSError as fault:
        raise SettingInvalid(setting="MNEMO_KV_PASSWORD_FILE", problem="setting.unreadable") from fault

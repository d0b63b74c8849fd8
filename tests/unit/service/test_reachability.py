"""What stands between a client and the service is found, and told apart; before the real app, behind real TLS."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from ipaddress import ip_network
from pathlib import Path

import pytest
import uvicorn

from cypher.cli import open_terminal
from cypher.runtime import RandomIds, SystemClock
from cypher.settings import Settings
from policies.errors import (
    AddressCertificate,
    AddressClock,
    AddressNotOurs,
    AddressRedirects,
    AddressStripsAuthorization,
    AddressUnanswered,
    MnemoError,
    ProxyUnknown,
)
from service.app import create_app
from service.cli.looking import _check_reachable  # pyright: ignore[reportPrivateUsage]
from service.failures import told
from service.reachability import Reachability
from tests.support.plain_store import plain_store
from tests.support.redis_server import free_port
from tests.support.reverse_proxy import Certificate, Manners, certificate, own_proxy
from tests.support.waiting import eventually


@dataclass(frozen=True, slots=True)
class Served:
    """A real app on a port of the loopback, whose public address is a proxy's."""

    settings: Settings
    upstream: str
    proxy_port: int
    certificate: Certificate

    def looked_at(self, **changes: object) -> Reachability:
        settings = replace(self.settings, **changes)  # pyright: ignore[reportArgumentType]
        return Reachability(settings, SystemClock(), self.certificate.trust())


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("home")
    port, proxy_port = free_port(), free_port()
    settings = replace(
        plain_store(home),
        port=port,
        public_url=f"https://localhost:{proxy_port}",
        trusted_proxies=(ip_network("127.0.0.1"),),
    )
    app = create_app(settings, clock=SystemClock(), ids=RandomIds())
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_config=None, ws="none"))
    thread = threading.Thread(target=server.run)
    thread.start()
    eventually(lambda: server.started)
    yield Served(settings, f"http://127.0.0.1:{port}", proxy_port, certificate(home))
    server.should_exit = True
    thread.join(20)


def checks(public: Reachability) -> dict[str, Callable[[], None]]:
    return {
        "answers": public.answers,
        "is_ours": public.is_ours,
        "passes_calls": public.passes_calls,
        "keeps_time": public.keeps_time,
        "is_told_of_proxies": public.is_told_of_proxies,
    }


def failed(public: Reachability) -> dict[str, MnemoError]:
    found: dict[str, MnemoError] = {}
    for name, check in checks(public).items():
        try:
            check()
        except MnemoError as error:
            found[name] = error
    return found


def test_behind_a_proxy_as_it_should_be_nothing_is_found(served: Served) -> None:
    with own_proxy(served.upstream, served.proxy_port, served.certificate):
        assert failed(served.looked_at()) == {}


@pytest.mark.parametrize(
    ("manners", "check", "error"),
    [
        (Manners(redirects_to="/mcp/"), "passes_calls", AddressRedirects),
        (Manners(redirects_to="https://login.example/\x1b[31m"), "passes_calls", AddressRedirects),
        (Manners(strips_authorization=True), "passes_calls", AddressStripsAuthorization),
        (Manners(asks_for_a_password=True), "passes_calls", AddressStripsAuthorization),
        (Manners(hides_paths=True), "is_ours", AddressNotOurs),
        (Manners(writes_host="127.0.0.1:8765"), "is_ours", AddressNotOurs),
        (Manners(seconds_ahead=300), "keeps_time", AddressClock),
    ],
)
def test_each_way_to_be_in_the_way_is_told_by_its_name(
    served: Served, manners: Manners, check: str, error: type[MnemoError]
) -> None:
    """Failures that public servers have had: redirects of ``/mcp``, hidden metadata, headers dropped on the way."""
    with own_proxy(served.upstream, served.proxy_port, served.certificate, manners):
        found = failed(served.looked_at())
    assert type(found[check]) is error
    for language in ("fr", "en"):
        shown = told(found[check], language)
        assert f"localhost:{served.proxy_port}" in str(shown["message"])
        assert "\x1b" not in str(shown["message"])
        assert "…" not in str(shown["message"])
        assert shown["remedy"]


def test_an_address_that_differs_by_a_slash_or_a_port_is_another(served: Served) -> None:
    """Clients compare the resource with the URL to the character (RFC 9728 section 3.3)."""
    other = free_port()
    with own_proxy(served.upstream, other, served.certificate):
        found = failed(served.looked_at(public_url=f"https://localhost:{other}"))
    assert isinstance(found["is_ours"], AddressNotOurs)


def test_a_certificate_that_is_not_trusted_or_is_over_is_told(served: Served, tmp_path: Path) -> None:
    with own_proxy(served.upstream, served.proxy_port, served.certificate):
        untrusting = Reachability(served.settings, SystemClock())
        assert isinstance(failed(untrusting)["answers"], AddressCertificate)
    over = certificate(tmp_path, days=0)
    with own_proxy(served.upstream, served.proxy_port, over):
        public = Reachability(served.settings, SystemClock(), over.trust())
        assert isinstance(failed(public)["answers"], AddressCertificate)


def test_nobody_there_no_such_name_and_nobody_who_speaks_are_one(served: Served) -> None:
    with pytest.raises(AddressUnanswered):
        served.looked_at().answers()
    nowhere = served.looked_at(public_url="https://memory.invalid")
    assert not nowhere.is_of_this_machine
    with pytest.raises(AddressUnanswered):
        nowhere.answers()
    with socket.create_server(("127.0.0.1", served.proxy_port)) as silent:
        threading.Thread(target=lambda: silent.accept()[0].close(), daemon=True).start()
        with pytest.raises(AddressUnanswered):
            served.looked_at().answers()


def test_an_https_address_comes_through_something_that_must_be_known(served: Served) -> None:
    public = served.looked_at(trusted_proxies=())
    with pytest.raises(ProxyUnknown):
        public.is_told_of_proxies()
    assert served.looked_at(public_url="http://localhost:1").is_of_this_machine


def test_doctor_tells_what_is_in_the_way_and_leaves_a_sleeping_service_alone(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(settings: Settings) -> dict[object, object]:
        return {row["check"]: row["code"] for row in _check_reachable(settings)}

    open_terminal(home=None, store=None, as_json=False, lang="en")
    assert found(served.settings) == {}
    inside = replace(served.settings, public_url=None)
    assert set(found(inside).values()) == {None, "address.not_ours"}  # it serves another address
    elsewhere = replace(served.settings, public_url="https://memory.invalid")
    assert found(elsewhere) == {"public address": "address.unanswered"}
    with own_proxy(served.upstream, served.proxy_port, served.certificate):
        assert found(served.settings) == {"public address": "address.certificate"}
        monkeypatch.setenv("SSL_CERT_FILE", str(served.certificate.chain))
        assert set(found(served.settings).values()) == {None}
        monkeypatch.delenv("SSL_CERT_FILE")

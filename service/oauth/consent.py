"""The owner's answer to a tool that asks to connect: what the console shows of it, and what yes and no lead to.

A request waits ten minutes under a random handle. Yes makes the grant and a code that is good for a minute; if the
code is never redeemed, the sweep forgets both. The answer goes where the client asked for it, with ``state`` and
``iss`` (RFC 9207), and each request is answered once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from policies.errors import ConnectionGone, MnemoError
from policies.language.findings import Instruction
from policies.language.instructions import find_instruction
from policies.parameters import Parameters
from policies.ports import Clock
from policies.terms import Grant, GrantId, Instant
from service.addresses import Addresses
from service.grants import CLI_GRANT, NAME, Grants, Mode
from service.oauth.redirects import answering, is_loopback, matches, shown_host
from service.secrets import CODE_PREFIX, digest, new_secret
from service.stores.protocol import AuthorizationRequest, Client, Code, Store

_UNUSUAL = re.compile(r"[^\w .@:-]+")
_NAME_CHARACTERS = 60
_TAKEN = (CLI_GRANT.name, "owner")
"""Names of ours: what bears one would speak as the command line, or as the owner."""
_COMMAND_WORDS = 4
"""As many words make a command of what reads like one. Products have short ones for a name."""

Unfit = Literal["instruction", "long"]
"""What keeps a client's own name from being suggested: assistants are told whose words a memory is."""


@dataclass(frozen=True, slots=True)
class PendingConsent:
    """What a client asks for. Its name is what it says of itself: to be shown escaped, and trusted for nothing."""

    client_id: str
    client_name: str
    """Empty when it gave none."""
    client_host: str | None
    """Whose metadata document names it; None for one that registered, whose name nobody vouches for."""
    redirect_uri: str
    redirect_host: str
    """The host that gets the answer; the scheme, with its colon, of a program on the owner's machine."""
    is_loopback: bool
    """The answer stays on the machine of the browser."""
    scopes: tuple[str, ...]
    """Those of ours that it asked for; a wish, no more."""
    held: tuple[Grant, ...]
    """Living grants of this client, or of one with the same name that is called back at the same addresses, no more
    and no fewer: which the new grant may replace."""
    suggested_name: str
    """A name that no living grant bears."""
    unfit: Unfit | None
    """Why what the client calls itself is not suggested; None where it is, or there is nothing."""
    expires_at: Instant


class Consent:
    """Answers authorization requests in the owner's name. Whoever calls has checked that it is the owner."""

    def __init__(
        self, store: Store, grants: Grants, addresses: Addresses, parameters: Parameters, clock: Clock
    ) -> None:
        self._store = store
        self._grants = grants
        self._issuer = addresses.public_url
        self._bounds = parameters.connecting
        self._clock = clock

    def pending(self, handle: str) -> PendingConsent | None:
        """What waits under a handle; None when it was answered, expired, or never was."""
        request = self._store.oauth.request(digest(handle), self._clock.now())
        client = None if request is None else self._store.oauth.client(request.client)
        if request is None or client is None:
            return None
        host = urlsplit(client.id).netloc if client.registration_token is None else None
        unfit = unfit_name(client.name)
        named_by = "" if unfit else client.name
        living = self._grants.listed()
        return PendingConsent(
            client_id=client.id,
            client_name=client.name,
            client_host=host,
            redirect_uri=request.redirect_uri,
            redirect_host=shown_host(request.redirect_uri),
            is_loopback=is_loopback(request.redirect_uri),
            scopes=request.scopes,
            held=self._held(client, request.redirect_uri, living),
            suggested_name=free_name(named_by or host or shown_host(request.redirect_uri), living),
            unfit=unfit,
            expires_at=request.expires_at,
        )

    def approve(
        self,
        handle: str,
        *,
        name: str,
        scope: str,
        domains: Sequence[str] | None = None,
        mode: Mode = "both",
        days: int | None = None,
        replaces: GrantId | None = None,
    ) -> str:
        """Say yes: the address to send the browser to.

        Args:
            handle: of the request.
            name: how the owner calls the tool; unique among living grants, but for the one it replaces.
            scope: what the owner allows, whatever was asked.
            domains: limit it to these; None for every domain.
            mode: reading, proposing or both.
            days: until the grant expires; None for no end.
            replaces: a grant that ends at once.

        Raises:
            ConnectionGone: the request was answered, expired, or never was.
            GrantNameTaken: the name is in use. The request still waits, as it does after the next two.
            InvalidArgument: the name, the scope or the number of days cannot be used.
            DomainUnknown: the owner has no such domain.
        """
        request = self._store.oauth.take_request(digest(handle), self._clock.now())
        if request is None:
            raise ConnectionGone
        code = new_secret(CODE_PREFIX)
        try:
            self._grants.admit(
                name,
                scope,
                client=request.client,
                code=lambda grant: self._code(code, grant, request),
                domains=domains,
                mode=mode,
                days=days,
                replaces=replaces,
            )
        except MnemoError:
            # What the owner typed may be refused, or the store not answer: then the request waits on.
            self._store.oauth.put_request(request)
            raise
        return answering(request.redirect_uri, code=code, state=request.state, iss=self._issuer)

    def deny(self, handle: str) -> str:
        """Say no: the address to send the browser to.

        Raises:
            ConnectionGone: the request was answered, expired, or never was.
        """
        request = self._store.oauth.take_request(digest(handle), self._clock.now())
        if request is None:
            raise ConnectionGone
        return answering(request.redirect_uri, error="access_denied", state=request.state, iss=self._issuer)

    def _code(self, code: str, grant: GrantId, request: AuthorizationRequest) -> Code:
        return Code(
            digest=digest(code),
            grant=grant,
            client=request.client,
            redirect_uri=request.redirect_uri,
            challenge=request.challenge,
            resource=request.resource,
            expires_at=Instant(self._clock.now() + self._bounds.code_seconds * 1_000_000),
        )

    def _held(self, client: Client, redirect_uri: str, living: Sequence[Grant]) -> tuple[Grant, ...]:
        holders = self._store.oauth.clients_of({grant.client for grant in living})

        def is_same(grant: Grant) -> bool:
            holder = holders.get(grant.client)
            return grant.client == client.id or (
                holder is not None and _is_anew(client, holder, redirect_uri)
            )

        return tuple(filter(is_same, living))


def _is_anew(client: Client, holder: Client, redirect_uri: str) -> bool:
    """Whether a client is another that registered again, as tools do ever and again.

    Names are claimed, and anybody can add the addresses of another to their own: all must be the same, and the answer
    must go to one of them.
    """
    return (
        bool(client.name)
        and client.name == holder.name
        and all(matches(client.redirect_uris, uri) for uri in holder.redirect_uris)
        and all(matches(holder.redirect_uris, uri) for uri in client.redirect_uris)
        and matches(holder.redirect_uris, redirect_uri)
    )


def unfit_name(claimed: str) -> Unfit | None:
    """Why a client's own name is no name for a grant, which every assistant of level S3 is told; None where it is."""
    if len(claimed) > _NAME_CHARACTERS:
        return "long"
    return "instruction" if any(map(_instructs, (claimed, _plain(claimed)))) else None


def free_name(wanted: str, living: Sequence[Grant]) -> str:
    """A name for a grant that is like what is wanted, says nothing to an assistant, and is not in use."""
    stem = _plain(wanted)
    stem = stem if NAME.fullmatch(stem) and not _instructs(stem) else "assistant"
    taken = {grant.name for grant in living} | {name for name in (stem,) if name.casefold() in _TAKEN}
    numbered = (f"{stem[: _NAME_CHARACTERS - 4]} {number}" for number in range(2, len(taken) + 3))
    return next(name for name in (stem, *numbered) if name not in taken)


def _plain(claimed: str) -> str:
    words = _UNUSUAL.sub(" ", claimed).split()
    return " ".join(words).lstrip(" .@:-_")[:_NAME_CHARACTERS].rstrip(" :")


def _instructs(name: str) -> bool:
    found = find_instruction(name)
    return found is Instruction.DISGUISED or (
        found is Instruction.RULE and len(name.split()) >= _COMMAND_WORDS
    )

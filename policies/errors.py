"""Every error Mnemo tells a caller about: a code, a category, and where a person reads it, a sentence.

Callers match codes. ``service/failures.py`` holds the sentence and the remedy of each code in French and
English and how it is told over HTTP and MCP; ``docs/errors.md`` lists them; a test compares the three.
The message given here is for logs: no secret, no memory text, no driver words.
"""

from __future__ import annotations

from typing import ClassVar, Literal

Category = Literal["incorrect", "forbidden", "not_found", "conflict", "unavailable", "fault"]


class MnemoError(Exception):
    """The base of all. Raise a subclass; ``details`` fills the placeholders of its sentences."""

    code: ClassVar[str] = "internal.fault"
    category: ClassVar[Category] = "fault"

    def __init__(
        self,
        message: str = "",
        *,
        field: str | None = None,
        retry_after_s: int | None = None,
        **details: object,
    ) -> None:
        """Keep what failures.py needs to tell it.

        Args:
            message: for the log; never shown.
            field: the argument at fault, if one is.
            retry_after_s: whole seconds after which to try again, if that helps.
            details: values for the placeholders of the public sentence.
        """
        super().__init__(message or self.code)
        self.field = field
        self.retry_after_s = retry_after_s
        self.details = details


class InvariantBroken(MnemoError):
    """A condition that the code relies on does not hold: stop rather than go on."""

    code = "internal.invariant"
    category = "fault"


class InvalidArgument(MnemoError):
    """An argument of the wrong type or out of bounds. ``details['problem']`` says which."""

    code = "argument.invalid"
    category = "incorrect"


class UnknownArgument(MnemoError):
    """An argument that the tool does not have."""

    code = "argument.unknown"
    category = "incorrect"


class CommandUnknown(MnemoError):
    """A command that ``mnemo`` does not have. ``details['name']``."""

    code = "command.unknown"
    category = "incorrect"


class MissingArgument(MnemoError):
    """A required argument is absent."""

    code = "argument.missing"
    category = "incorrect"


class ArgumentTooLong(MnemoError):
    """Text beyond its limit. ``details``: ``limit``, ``unit``."""

    code = "argument.too_long"
    category = "incorrect"


class ArgumentTooDeep(MnemoError):
    """Arguments nested beyond the limit. ``details['limit']``."""

    code = "argument.too_deep"
    category = "incorrect"


class UnsafeText(MnemoError):
    """A lone surrogate, a NUL or a bidirectional control. ``details['character']`` names it."""

    code = "text.unsafe_character"
    category = "incorrect"


class NothingSaid(MnemoError):
    """A statement without a letter or a digit, once invisible characters are removed."""

    code = "text.nothing_said"
    category = "incorrect"


class NaiveDateTime(MnemoError):
    """A date-time without its offset."""

    code = "time.naive"
    category = "incorrect"


class InvalidDate(MnemoError):
    """A date that does not parse or does not exist."""

    code = "time.invalid"
    category = "incorrect"


class IntervalReversed(MnemoError):
    """An interval that ends before or when it begins."""

    code = "time.reversed"
    category = "incorrect"


class UnknownId(MnemoError):
    """Unknown, hidden, erased or malformed: one and the same answer."""

    code = "id.unknown"
    category = "not_found"


class EntityUnknown(MnemoError):
    """A name or id that no entity in view answers to."""

    code = "entity.unknown"
    category = "not_found"


class EntityAmbiguous(MnemoError):
    """A name that several entities in view answer to. ``details['candidates']``: ``[{id, name}]``."""

    code = "entity.ambiguous"
    category = "conflict"


class DomainUnknown(MnemoError):
    """A domain that the owner does not have."""

    code = "domain.unknown"
    category = "incorrect"


class ToolUnknown(MnemoError):
    """A tool, prompt or resource address that Mnemo does not have."""

    code = "tool.unknown"
    category = "not_found"


class GrantUnknown(MnemoError):
    """No living grant bears this name. ``details['name']``."""

    code = "grant.unknown"
    category = "not_found"


class GrantNameTaken(MnemoError):
    """A living grant bears this name already. ``details['name']``."""

    code = "grant.name_taken"
    category = "conflict"


class GrantChanged(MnemoError):
    """A grant is not as it was when whoever changes it looked. ``details['name']``."""

    code = "grant.changed"
    category = "conflict"


class GrantMode(MnemoError):
    """The owner granted this tool reading only, or proposing only."""

    code = "grant.mode"
    category = "forbidden"


class GrantRefused(MnemoError):
    """No grant, an expired or a revoked one."""

    code = "grant.refused"
    category = "forbidden"


class ScopeForbids(MnemoError):
    """An argument that only the owner and ``private-full`` may use."""

    code = "grant.scope"
    category = "forbidden"


class KeyConflict(MnemoError):
    """An idempotency key that was used with another body."""

    code = "proposal.key_conflict"
    category = "conflict"


class InboxFull(MnemoError):
    """Too many of this grant's proposals are pending."""

    code = "proposal.inbox_full"
    category = "unavailable"


class CursorInvalid(MnemoError):
    """A cursor that is forged, expired, or of another grant or query."""

    code = "cursor.invalid"
    category = "incorrect"


class RateLimited(MnemoError):
    """Too many calls in a minute."""

    code = "rate.limited"
    category = "unavailable"


class HostRefused(MnemoError):
    """A request for a host that this service is not."""

    code = "http.host"
    category = "forbidden"


class OriginRefused(MnemoError):
    """A request sent by a web page of another origin."""

    code = "http.origin"
    category = "forbidden"


class BodyTooLarge(MnemoError):
    """A request body beyond its limit. ``details['limit']``, in KiB."""

    code = "http.too_large"
    category = "incorrect"


class BodyTooSlow(MnemoError):
    """A request body that does not come to its end in time."""

    code = "http.too_slow"
    category = "incorrect"


class RequestInvalid(MnemoError):
    """A request that is not one JSON-RPC message."""

    code = "http.request"
    category = "incorrect"


class StoreUnavailable(MnemoError):
    """The store of grants and tokens does not answer."""

    code = "store.unavailable"
    category = "unavailable"


class LedgerUnavailable(MnemoError):
    """The graph engine does not answer."""

    code = "ledger.unavailable"
    category = "unavailable"


class CommitUncertain(LedgerUnavailable):
    """The connection was lost while a commit was being confirmed: read again, by key, whether it happened."""


class LedgerConflict(MnemoError):
    """Something is already recorded under a key that is unique."""

    code = "ledger.conflict"
    category = "conflict"


class StaleLease(MnemoError):
    """Another curator holds the lease: whatever was being committed was not."""

    code = "ledger.stale_lease"
    category = "conflict"


class DecisionStale(MnemoError):
    """What a decision rested on has changed since: decide again."""

    code = "ledger.decision_stale"
    category = "conflict"


class ClassifierUnavailable(MnemoError):
    """The language model is down, slow, garbled or refuses: the proposal is tried again later."""

    code = "classifier.unavailable"
    category = "unavailable"


class DirectiveRefused(MnemoError):
    """A directive without a valid proof of the owner, or that breaks a rule. ``details['problem']``."""

    code = "directive.refused"
    category = "forbidden"


class PasskeyRefused(MnemoError):
    """A passkey's answer that proves nothing: another challenge, page or key, or malformed."""

    code = "passkey.refused"
    category = "forbidden"


class StoreInvalid(MnemoError):
    """A store that does not exist, exists already, or cannot be used as asked."""

    code = "store.invalid"
    category = "incorrect"


class SettingInvalid(MnemoError):
    """A setting that is missing, malformed or unsafe. ``details['setting']``, ``details['problem']``."""

    code = "setting.invalid"
    category = "incorrect"


class HomeUnusable(MnemoError):
    """The file system refuses what a command needs in the home. ``details``: ``path``, ``problem``."""

    code = "home.unusable"
    category = "unavailable"


class CannotListen(MnemoError):
    """The address to serve on is taken or not ours. ``details``: ``host``, ``port``."""

    code = "service.cannot_listen"
    category = "unavailable"


class CuratorUnavailable(MnemoError):
    """No curator took the directive up in time; it waits in the inbox and is not lost."""

    code = "curator.unavailable"
    category = "unavailable"


class DemonstrationFailed(MnemoError):
    """A step of ``mnemo demo`` did not do what it must. ``details``: ``step``, ``words``."""

    code = "demonstration.failed"
    category = "fault"


class SignInRefused(MnemoError):
    """The passphrase, the code or the passkey is not the owner's."""

    code = "sign_in.refused"
    category = "forbidden"


class FormRefused(MnemoError):
    """A form that this browser's session did not ask for, or that is too old."""

    code = "form.refused"
    category = "forbidden"


class PageUnknown(MnemoError):
    """The console has no such page, or no longer."""

    code = "page.unknown"
    category = "not_found"


class ConnectionInvalid(MnemoError):
    """A request of an assistant to connect that names no client, or something twice."""

    code = "connection.invalid"
    category = "incorrect"


class ClientUnknown(MnemoError):
    """An assistant that asks to connect and never registered, or was forgotten."""

    code = "connection.client_unknown"
    category = "incorrect"


class ClientDocumentRefused(MnemoError):
    """The metadata document of an assistant that asks to connect cannot be fetched, or is not as it must be."""

    code = "connection.document"
    category = "incorrect"


class RedirectRefused(MnemoError):
    """An assistant asks to be called back at an address that it did not register."""

    code = "connection.redirect"
    category = "incorrect"


class ConnectionGone(MnemoError):
    """A request to connect that was answered, or that waited too long."""

    code = "connection.gone"
    category = "not_found"


class AddressNotPublic(MnemoError):
    """A client that runs elsewhere cannot reach an address of this machine. ``details``: ``client``, ``url``."""

    code = "connect.address"
    category = "forbidden"


class FileLeft(MnemoError):
    """A file of another program, left as it is. ``details``: ``path``, ``problem``."""

    code = "connect.file"
    category = "conflict"


class AddressUnanswered(MnemoError):
    """Nobody answers at the public address. ``details``: ``url``."""

    code = "address.unanswered"
    category = "unavailable"


class AddressCertificate(MnemoError):
    """The certificate of the public address is not valid. ``details``: ``url``."""

    code = "address.certificate"
    category = "unavailable"


class AddressNotOurs(MnemoError):
    """The public address does not say that it is this service's resource. ``details``: ``url``, ``found``."""

    code = "address.not_ours"
    category = "conflict"


class AddressRedirects(MnemoError):
    """Something before the service redirects its endpoint. ``details``: ``url``, ``found``."""

    code = "address.redirects"
    category = "conflict"


class AddressStripsAuthorization(MnemoError):
    """Something before the service drops the Authorization header. ``details``: ``url``."""

    code = "address.authorization"
    category = "conflict"


class AddressClock(MnemoError):
    """The clock of what answers and ours are apart. ``details``: ``url``, ``seconds``."""

    code = "address.clock"
    category = "conflict"


class ProxyUnknown(MnemoError):
    """There is a proxy before the service, and it was not told which. ``details``: ``url``."""

    code = "address.proxy"
    category = "incorrect"

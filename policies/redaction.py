"""Secrets in submitted text, taken out before anything is kept: keys, passwords, cards, bank accounts.

A secret is known by its form (the tokens of ``parameters/secrets.toml``, a private key's armour), by its
checksum (cards, IBANs), or because the text announces it ("my password is …"). Ordinary numbers, telephone
numbers and identifiers are left alone. The same text always gives the same result; twice changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from policies.language import lexicon

_BLANK = "[ \u00a0\u202f]"
_PRIVATE_KEY = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:.{0,20000}?-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|.{0,20000})",
    re.DOTALL,
)
_CREDENTIALS_IN_URL = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,30}://[^\s:/?#@\[\]]{0,200}:([^\s/?#@\[\]]{1,200})@", re.I
)
_BEARER = re.compile(r"\b(?:Bearer|Basic)\s{1,3}([A-Za-z0-9+/_.~-]{16,4000}={0,2})(?![A-Za-z0-9])")
_CARD = re.compile(
    rf"(?<![\w.,/+-])(?:\d{{4}}(?:(?P<sep>{_BLANK}|-)\d{{4}}(?:(?P=sep)\d{{4}}){{2}}(?:(?P=sep)\d{{3}})?"
    rf"|(?P<amex>{_BLANK}|-)\d{{6}}(?P=amex)\d{{4,5}})|\d{{15,19}})(?![\w/-]|[.,]\d)",
    re.ASCII,
)
_IBAN = re.compile(rf"(?<![\w-])[A-Z]{{2}}\d{{2}}(?:{_BLANK}?[A-Z0-9]){{11,28}}", re.ASCII | re.I)
_PIN = r"(?P<value>[0-9]{2} [0-9]{2}|(?=[A-F]{0,4}[0-9][0-9A-F]{0,8}[0-9])[0-9A-F]{3,10})(?!\w|[.,:/-]\d)"
_QUOTED = r"(?P<open>[\"'«“‘`])\s?(?P<quoted>[^\"'»”’`\n]{3,200}?)\s?[\"'»”’`]"
_IS = r"(?:\s+(?:is|was|are|est|sont|était)\s*:?|\s*,?\s*c['’]est|['’]s)\s+(?:le\s+|the\s+)?"
_BETWEEN = r"(?:\s+(?!(?:is|was|are|est|sont|était)\b)[\w'’.@&-]{1,40}){0,6}?"
"""Up to six words between the announcement and its verb: "for the office wifi", "du compte de Paul"."""


_ANNOUNCED = ("password", "api_key", "pin", "recovery_phrase")
_FORMED = frozenset({"pin", "recovery_phrase"})
"""What is announced and has a form of its own: it need not look like a password besides."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text without its secrets."""

    text: str
    """Each secret is replaced by a marker, ``[redacted:password]``."""
    kinds: tuple[str, ...]
    """What was taken out, in the order of the text; empty when nothing was."""


@dataclass(frozen=True, slots=True)
class _Secret:
    start: int
    end: int
    kind: str


def redact(text: str) -> Redaction:
    """The text with every secret replaced by a marker that names its kind."""
    pieces: list[str] = []
    kinds: list[str] = []
    end = 0
    for secret in _outermost(secret for find in _FINDERS for secret in find(text)):
        pieces += [text[end : secret.start], f"[redacted:{secret.kind}]"]
        kinds.append(secret.kind)
        end = secret.end
    return Redaction("".join((*pieces, text[end:])), tuple(kinds))


def _outermost(secrets: Iterable[_Secret]) -> Iterator[_Secret]:
    """Secrets in the order of the text, of overlapping ones the first, and of those the longest."""
    end = 0
    for secret in sorted(secrets, key=lambda s: (s.start, -s.end, s.kind)):
        if secret.start >= end:
            yield secret
            end = secret.end


def _private_keys(text: str) -> Iterator[_Secret]:
    for found in _PRIVATE_KEY.finditer(text):
        yield _Secret(*found.span(), "private_key")


def _known_tokens(text: str) -> Iterator[_Secret]:
    for kind, pattern in _token_patterns():
        for found in pattern.finditer(text):
            yield _Secret(*found.span(), kind)


def _credentials(text: str) -> Iterator[_Secret]:
    for found in _CREDENTIALS_IN_URL.finditer(text):
        yield _Secret(*found.span(1), "password")
    for found in _BEARER.finditer(text):
        # A word of letters alone is prose: "Bearer authentication".
        if re.search(r"[0-9+/_.=]", found[1]):
            yield _Secret(*found.span(1), "token")


def _announced(text: str) -> Iterator[_Secret]:
    innocent = [found.span() for found in _innocent_phrases().finditer(text)]
    for kind, stated, said, beside in _announcements():
        patterns = (stated, said, beside)
        for found in (found for pattern in patterns for found in pattern.finditer(text)):
            if any(start <= found.start() < end for start, end in innocent):
                continue
            groups = found.groupdict()
            group = "quoted" if groups.get("quoted") else "value"
            if found.re is stated or kind in _FORMED or _looks_secret(groups[group]):
                yield _Secret(*found.span(group), kind)


def _cards(text: str) -> Iterator[_Secret]:
    for found in _CARD.finditer(text):
        digits = re.sub(r"\D", "", found.group())
        if _is_card(digits, grouped=len(digits) < len(found.group())) and _luhn(digits):
            yield _Secret(*found.span(), "card")


def _ibans(text: str) -> Iterator[_Secret]:
    for found in _IBAN.finditer(text):
        length = _iban_lengths().get(found.group()[:2].upper(), 0)
        taken = 0
        for offset, character in enumerate(found.group()):
            taken += character.isalnum()
            if taken == length:
                end = found.start() + offset + 1
                whole = not text[end : end + 1].isalnum()
                if whole and _is_iban(re.sub(_BLANK, "", found.group()[: offset + 1]).upper()):
                    yield _Secret(found.start(), end, "iban")
                break


_FINDERS: tuple[Callable[[str], Iterator[_Secret]], ...] = (
    _private_keys,
    _known_tokens,
    _credentials,
    _announced,
    _cards,
    _ibans,
)


def _looks_secret(value: str) -> bool:
    """Whether what is said to be a password looks like one: ordinary prose ("is too weak") does not."""
    mixed = value[1:] != value[1:].lower() and value != value.upper()
    odd = re.search(r"[^\w'’-]", value) is not None
    return any(c.isdigit() for c in value) or mixed or odd or value.count("-") >= 2


def _luhn(digits: str) -> bool:
    total = 0
    for position, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + position % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _is_card(digits: str, *, grouped: bool) -> bool:
    """Whether the digits begin and end where a card's do. Company numbers (14 digits) do not."""
    length, start = len(digits), int(digits[:4])
    if length == 15:
        return digits[:2] in ("34", "37")
    if length == 14:
        return grouped and (digits[:2] in ("36", "38") or 3000 <= start <= 3059)
    if digits[0] == "4":
        return length in (16, 19)
    if 5100 <= start <= 5599 or 2221 <= start <= 2720 or 3528 <= start <= 3589:
        return length == 16
    return start == 6011 or digits[:2] in ("62", "65") or 6440 <= start <= 6499


def _is_iban(compact: str) -> bool:
    """ISO 7064 mod 97-10."""
    turned = compact[4:] + compact[:4]
    return int("".join(str(int(character, 36)) for character in turned)) % 97 == 1


def _phrase(phrase: str) -> str:
    """The pattern of a phrase of the lexicon, whatever its blanks and apostrophes."""
    return re.escape(phrase).replace(r"\ ", r"\s+").replace("'", "['’]")


@cache
def _iban_lengths() -> dict[str, int]:
    return {entry[:2]: int(entry[2:]) for entry in lexicon.entries("secrets", "iban.lengths")}


@cache
def _token_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    tokens: dict[str, str] = lexicon.load("secrets")["tokens"]
    return tuple(
        (kind, re.compile(rf"(?<![A-Za-z0-9_])(?:{pattern})(?![A-Za-z0-9_])"))
        for kind, pattern in tokens.items()
    )


@cache
def _innocent_phrases() -> re.Pattern[str]:
    return re.compile("|".join(_phrase(p) for p in lexicon.entries("secrets", "announced.innocent")), re.I)


@cache
def _announcements() -> tuple[tuple[str, re.Pattern[str], re.Pattern[str], re.Pattern[str]], ...]:
    """By kind: the secret stated after a sign or in quotes; said after a verb; right beside its name."""
    made: list[tuple[str, re.Pattern[str], re.Pattern[str], re.Pattern[str]]] = []
    for kind in _ANNOUNCED:
        phrases = lexicon.entries("secrets", f"announced.{kind}")
        names = "|".join(
            re.escape(p).replace(r"\ ", r"\s+").replace("'", "['’]")
            for p in sorted(phrases, key=len, reverse=True)
        )
        lead = rf"(?<!\w)(?:{names})(?!\w){_BETWEEN}"
        value = {
            "pin": _PIN,
            "recovery_phrase": r"(?P<value>\w{3,12}(?:[\s,]+\w{3,12}){11,23})",
        }.get(kind, r"(?P<value>(?!\[redacted)[^\s\"'«»“”‘’`]{3,200}(?<![.,;:!?)]))")
        stated = rf"{lead}(?:\s*[:=]\s*|{_IS}(?=[\"'«“‘`])|\s+(?=[\"«“`]))(?:{_QUOTED}|{value})"
        said = rf"{lead}{_IS}{value}"
        beside = rf"(?<!\w)(?:{names})\s+{value}"
        made.append((kind, re.compile(stated, re.I), re.compile(said, re.I), re.compile(beside, re.I)))
    return tuple(made)

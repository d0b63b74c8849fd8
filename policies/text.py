"""One normaliser for everything that is compared: search terms, names, duplicates, what is refused.

Text is kept as given; only what is derived here, from its folded form (see ``policies.folding``), is ever
matched. Everything runs in linear time.
"""

from __future__ import annotations

import hashlib
import re
import threading
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, cast

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

from policies.folding import fold as fold
from policies.folding import visible
from policies.language import lexicon

_BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_CJK = "\u3005-\u3007\u3041-\u309f\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_THAI_LIKE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_UNSPACED = f"{_CJK}{_THAI_LIKE}"
# Vowel signs of Indic scripts: marks to Unicode, letters to readers.
_SIGNS = "".join(chr(c) for c in range(0x0900, 0x0E00) if unicodedata.category(chr(c))[0] == "M")
_INNER = "\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff"
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_INNER}{_SIGNS}]|[.,:](?<=\d[.,:])(?=\d))*[+#]{{0,2}}")
_SPACED = rf"(?![{_UNSPACED}])[^\W_]"
_TOKEN = re.compile(rf"[{_UNSPACED}]+|\d+(?:[.,:]\d+)*(?!\w)|{_SPACED}(?:{_SPACED}|[{_SIGNS}])*[+#]{{0,2}}")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?!\d)")
_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_CITATION_MAX = 80
_CITATION = re.compile(r"\bmem:[a-z2-7]{4,64}\Z")
_AROUND_CITATION = frozenset(" \"'.,;:()[]{}<>")
_CONTRACTIONS = (
    (re.compile(r"\bcan'?t\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (
        re.compile(r"\b(ai|are|is|was|were|do|does|did|has|have|had|could|would|should|must|need)n't\b"),
        r"\1 not",
    ),
    (re.compile(r"\b(i|you|he|she|it|we|they|that|there|who|what)'s\b"), r"\1 is"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"\b(you|we|they)'re\b"), r"\1 are"),
    (re.compile(r"\b(i|you|we|they)'ve\b"), r"\1 have"),
    (re.compile(r"\b(i|you|he|she|it|we|they)'ll\b"), r"\1 will"),
)
_STOP_WORDS = lexicon.words("stopwords", "french") | lexicon.words("stopwords", "english")
_ACCENTED = frozenset(lexicon.entries("stopwords", "accented"))
_LETTERS = re.compile(r"[^\W\d_]+")
_local = threading.local()


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text as it stands there: ``text[start:end] == surface``; ``folded`` is what to compare."""

    surface: str
    folded: str
    start: int
    end: int


def words(text: str) -> tuple[Word, ...]:
    """The words of a text with their places, elisions and possessives apart ("l", "hôpital"; "Paul", "s")."""
    return tuple(
        Word(match.group(), fold(match.group()), match.start(), match.end()) for match in _WORD.finditer(text)
    )


def tokens(text: str) -> tuple[str, ...]:
    """Folded words in order, without punctuation.

    Thousands are joined ("12 500" is "12500"), a decimal comma is a point. A run of Chinese, Japanese or Thai,
    which is written without blanks, is one token.
    """
    folded = _THOUSANDS.sub(lambda found: found.group().replace(" ", ""), fold(text))
    return tuple(_number(found.group()) for found in _TOKEN.finditer(folded))


def stems(text: str) -> tuple[str, ...]:
    """The stem of each token, in order, stop-words included. Unspaced runs give characters and pairs."""
    return tuple(stem for token in tokens(text) for stem in _pieces(token))


def search_terms(text: str) -> tuple[str, ...]:
    """What a text is indexed and searched by: stems in order, without stop-words (unless there is nothing else).

    The same for documents and queries. Repeated terms are repeated.
    """
    all_tokens = tokens(text)
    spared = _spared(text)
    telling = [token for token in all_tokens if token not in _STOP_WORDS or token in spared] or all_tokens
    return tuple(stem for token in telling for stem in _pieces(token))


def is_stop_word(token: str) -> bool:
    """Whether a folded token carries no topic, in French or English."""
    return token in _STOP_WORDS


def is_idle(word: Word) -> bool:
    """Whether a word of a text carries no topic: a stop-word, as it is written there ("thé" is not "the")."""
    return word.folded in _STOP_WORDS and not _spared(word.surface)


def same_saying(text: str) -> str:
    """The text reduced to what it says: folded tokens, contractions written out, trailing citations removed."""
    plain = without_citations(fold(text))
    for pattern, full in _CONTRACTIONS:
        plain = pattern.sub(full, plain)
    return " ".join(found.group().replace(",", ".") for found in _TOKEN.finditer(plain))


def without_citations(text: str) -> str:
    """The text without the citations ("(mem:…)") at its end."""
    end = len(text)
    while True:  # each turn takes one citation off the end
        bare = end
        while bare and text[bare - 1] in _AROUND_CITATION:
            bare -= 1
        found = _CITATION.search(text, max(0, bare - _CITATION_MAX), bare)
        if found is None:
            return text[:end]
        end = found.start()


def dedup_key(text: str, anchors: Iterable[str] = (), domains: Iterable[str] = ()) -> str:
    """A digest that two sayings of the same thing share: the same words in order, anchors and domains.

    Case, accents, punctuation, quotes, Unicode forms, contractions and a trailing "(mem:…)" make no
    difference; negation, numbers and the order of the words do. 64 hexadecimal characters.
    """
    parts = (same_saying(text), " ".join(sorted(set(anchors))), " ".join(sorted(set(domains))))
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def unsafe_character(text: str) -> str | None:
    """The name of the first character that is refused: a lone surrogate, a NUL, a bidirectional control."""
    for character in text:
        if "\ud800" <= character <= "\udfff":
            return f"lone surrogate U+{ord(character):04X}"
        if character == "\x00":
            return "NUL"
        if character in _BIDI_CONTROLS:
            return unicodedata.name(character)
    return None


def says_nothing(text: str) -> bool:
    """Whether no letter and no digit is left once invisible characters are removed."""
    return not any(unicodedata.category(character)[0] in "LN" for character in visible(text))


def _spared(text: str) -> frozenset[str]:
    """The folded words of a text that are stop-words only without their accents."""
    if not any(accented in "éÉ\u0301" for accented in text):
        return frozenset()
    written = _LETTERS.findall(unicodedata.normalize("NFC", text).casefold())
    return frozenset(fold(word) for word in written if word in _ACCENTED)


def _number(token: str) -> str:
    if _GROUPED.fullmatch(token):
        return token.replace(",", "").replace(".", "")
    return token.replace(",", ".")


def _pieces(token: str) -> Iterable[str]:
    if re.match(rf"[{_UNSPACED}]", token):
        yield from token
        yield from (token[i : i + 2] for i in range(len(token) - 1))
    else:
        yield stem(token)


@lru_cache(maxsize=65536)
def stem(token: str) -> str:
    """The stem of a folded token.

    One rule for both languages (French endings, then English), so that a text need not be told its language:
    "travaillent" and "travaille", "works" and "working" meet.
    """
    if len(token) < 4 or len(token) > 64 or not token.isascii():
        return token
    # Folding has taken the accent that the French stemmer would see in "employée".
    bare = re.sub(r"ee(s?)$", r"e\1", token) if len(token) > 5 else token
    return _stemmer("english").stemWord(_stemmer("french").stemWord(bare))


def _stemmer(language: str) -> _Stemmer:  # a stemmer holds state: one for each thread
    found = cast("_Stemmer | None", getattr(_local, language, None))
    if found is None:
        found = cast("_Stemmer", snowballstemmer.stemmer(language))  # pyright: ignore[reportUnknownMemberType]
        setattr(_local, language, found)
    return found

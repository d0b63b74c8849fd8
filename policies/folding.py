"""The form under which texts are compared: the one folding that names, words, terms and duplicates share.

Folding goes through NFKC, case and accent folding, one form for each quote and dash, and a skeleton for
letters of other scripts that look Latin, so that "L’Hôpital", "l'hopital" and a Cyrillic "о" make no difference.
"""

from __future__ import annotations

import unicodedata

# Not of category Cf, yet nothing is drawn: joiners, fillers, variation selectors.
_INVISIBLE_OTHERS = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x3164, 0xFFA0}
_INVISIBLE = frozenset(
    {c for c in range(0x20000) if unicodedata.category(chr(c)) == "Cf"}
    | _INVISIBLE_OTHERS
    | set(range(0xFE00, 0xFE10))
    | set(range(0xE0000, 0xE0FFF))
)
# Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic. Vowel signs elsewhere are letters: kept.
_MARKS = {
    *range(0x0300, 0x0370),
    *range(0x0483, 0x0488),
    *range(0x0591, 0x05BE),
    *range(0x064B, 0x0660),
    *range(0x1AB0, 0x1B00),
    *range(0x1DC0, 0x1E00),
    *range(0x20D0, 0x2100),
    *range(0xFE20, 0xFE30),
}
_TYPOGRAPHY = (
    dict.fromkeys("’‘‛ʼʻʹ′＇`´", "'")
    | dict.fromkeys("“”„‟″«»‹›", '"')
    | dict.fromkeys("‐‑‒–—―−﹘﹣", "-")
    | {"…": "..."}
)
_LETTERS = {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "ð": "d", "þ": "th", "ŋ": "n"}
# Unicode's confusables (UTS 39) that look like one Latin letter. Lower case only: capitals fold to these first.
_LOOK_ALIKES = dict(
    zip(
        "аеорсухіјѕһԁԛԝѵӏвкмнтьүαβεζηικμνορτυχϲϳγօսհցոգզɑɡɩɪʏᴄᴏᴜᴠᴡᴢꜱⲟⲣⲥⲧⲩⲭⲕⲏⲙ",
        "aeopcyxijshdqwvibkmhtbyabeznikuvoptuxcjyouhgnqqagiiycouvwzsopctyxkhm",
        strict=True,
    )
)
_BEFORE_CASE = str.maketrans(_TYPOGRAPHY | {chr(c): "" for c in _INVISIBLE})
_AFTER_CASE = str.maketrans(_LETTERS | _LOOK_ALIKES | {chr(c): "" for c in _MARKS})


def fold(text: str) -> str:
    """The form under which texts are compared. Idempotent; blanks are collapsed; ``""`` if nothing shows."""
    plain = unicodedata.normalize("NFKD", text).translate(_BEFORE_CASE)
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", plain).casefold())
    plain = unicodedata.normalize("NFKC", plain.translate(_AFTER_CASE))
    return " ".join(plain.translate(_BEFORE_CASE).split())


def visible(text: str) -> str:
    """The text in NFKC with one form for each quote and dash, without the characters that draw nothing."""
    return unicodedata.normalize("NFKC", text).translate(_BEFORE_CASE)

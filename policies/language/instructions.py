"""Instructions to the assistants that will read a memory: ordinary rules, and instructions in disguise.

An ordinary instruction ("always answer in French") is a rule, for the owner to confirm. Overrides, roles, tool
names, "when the user says…", secret orders, side channels, what is hidden from a reader (invisible characters,
markup, encoded runs), and an instruction planted in an otherwise plain statement are disguised: quarantined.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise

from policies.folding import visible
from policies.language import lexicon
from policies.language.commands import find_commands
from policies.language.findings import Instruction
from policies.language.phrases import Hit, PhraseSet, phrase_set
from policies.language.tokens import Token, tokenise

_LEXICON = "instructions"
_CLASSES = (
    "assistants",
    "readers",
    "products",
    "wishes",
    "grave",
    "objects",
    "bare",
    "comma",
    "imperatives",
    "not_of",
    "infinitives",
)
_HIDDEN = frozenset(
    {0x200B, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x180E, 0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0}
)
_TAGS = range(0xE0000, 0xE0FFF)
_ZERO_WIDTH_JOINERS = frozenset({0x200C, 0x200D})
_SELECTORS = range(0xFE00, 0xFE10)
_SELECTORS_MAX = 3

_MARKUP = re.compile(
    r"<!--|<\?|<!\[CDATA|"
    r"</?\s?(?:system|user|assistant|human|ai|developer|instructions?|prompts?|context|memory|tools?|function|inst|"
    r"sys|admin|owner|important|secret|hidden|script|style|img|image|iframe|svg|object|embed|form|input|meta|link|"
    r"base|video|audio|details|template|span|div|font|table|marquee|body|html|head|a|p|br|b|i|u|s|h[1-6])"
    r"(?:[\s/][^<>]{0,2000})?>|"
    r"<\|[^|<>]{1,40}\|>|\[/?(?:INST|SYS|SYSTEM|ASSISTANT|USER|TOOL)\]|<</?SYS>>|"
    r"!\[[^\]]{0,200}\]|\]\(\s?(?:https?|data|javascript|file):|\b(?:data|javascript|vbscript):[a-z]{0,20}[/;,(]|"
    r"```|~~~|\{\{|\}\}|\{%|\$\{|#{2,6}\s?(?:system|instruction|assistant|user|human|prompt|new|end)",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"(?:^|[\n.;!?\"'()\[\]*#>|-])\s{0,4}[*_#]{0,3}\s?(?:system|assistant|developer|tool|human|ai|user|syst[eè]me|utilisateur|"
    r"utilisatrice|humain|ia|sistema|usuario|asistente|benutzer|assistent|system ?message|system ?note|"
    r"message syst[eè]me|instruction|instructions|prompt|系统|助手|用户)[*_]{0,3}\s?[:：]",
    re.IGNORECASE,
)
_LINK_WITH_QUERY = re.compile(r"\b(?:https?://|www\.)[^\s?]{1,2000}\?\S", re.IGNORECASE)
_ENCODED = re.compile(
    r"(?:%[0-9a-f]{2}){4}|(?:\\[ux][0-9a-f]{2,4}){3}|(?:&#x?[0-9a-f]{1,6};){3}|(?:\b[01]{8}\b[ ]?){4}|"
    r"(?:\b[0-9a-f]{2}[ ]){12}|\b[0-9a-f]{48,}\b",
    re.IGNORECASE,
)
_RUN = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
_TOOL_CALL = re.compile(
    r"\"(?:name|tool|function|arguments|role|content)\"\s?:|\b[a-z]+(?:_[a-z]+)+\s?\(|"
    r"\b(?:mem|send|read|write|delete|execute|run|fetch|search|browse|get|post|list|create)_[a-z_]+\b",
)
_CLAUSE_WORDS = lexicon.words("instructions", "clause_words")
_PLAIN_CLAUSE = 2


def find_instruction(text: str) -> Instruction:
    """What a text asks of the assistants that will read it."""
    if hides_something(text) or _is_machinery(text):
        return Instruction.DISGUISED
    tokens = tokenise(text)
    innocent = _set("innocent").find(tokens)
    if _bare(_set("disguised").find(tokens), innocent):
        return Instruction.DISGUISED
    rules = _bare([*_set("rule").find(tokens), *find_commands(text, tokens)], innocent)
    if not rules:
        return Instruction.NONE
    return Instruction.DISGUISED if _planted(tokens, rules) else Instruction.RULE


def hides_something(text: str) -> bool:
    """Whether a text holds characters that draw nothing and can carry a message: tags, zero-width runs, selectors.

    Joiners between letters of the scripts that need them, or inside an emoji, hide nothing.
    """
    selectors = 0
    for index, character in enumerate(text):
        code = ord(character)
        if code in _HIDDEN or code in _TAGS:
            return True
        if code in _SELECTORS or 0xE0100 <= code <= 0xE01EF:
            selectors += 1
        if code in _ZERO_WIDTH_JOINERS and not _joins(text, index):
            return True
        if code == 0xFEFF and index > 0:
            return True
    visible_characters = len(text) - selectors
    return selectors > _SELECTORS_MAX and selectors * 2 > visible_characters


def _joins(text: str, index: int) -> bool:
    around = text[max(index - 1, 0) : index] + text[index + 1 : index + 2]
    return len(around) == 2 and all(ord(c) >= 0x0600 and unicodedata.category(c)[0] in "LMS" for c in around)


def _is_machinery(text: str) -> bool:
    """Markup, role tags, links that carry a query, calls of tools, encoded runs."""
    shown = visible(text)
    patterns = (_MARKUP, _ROLE, _LINK_WITH_QUERY, _ENCODED, _TOOL_CALL)
    return any(pattern.search(shown) for pattern in patterns) or any(
        _is_blob(found.group()) for found in _RUN.finditer(shown)
    )


def _is_blob(run: str) -> bool:
    """Whether a long run of letters and digits reads like encoded data: cases and digits mixed, no words."""
    body = run.rstrip("=")
    digits = sum(c.isdigit() for c in body)
    changes = sum(a.islower() and b.isupper() for a, b in pairwise(body))
    if run.endswith("=") and len(body) % 4 in (2, 3):
        return True
    return digits >= 2 and changes >= 3 and any(c.isupper() for c in body)


def _planted(tokens: tuple[Token, ...], rules: list[Hit]) -> bool:
    """Whether an instruction stands beside a plain statement: a clause that says something else."""
    clauses = _clauses(tokens)
    ruled = [
        clause for clause in clauses if any(clause[0] < hit.end and hit.start < clause[1] for hit in rules)
    ]
    plain = [clause for clause in clauses if clause not in ruled and clause[1] - clause[0] > _PLAIN_CLAUSE]
    if not plain or not ruled:
        return False
    first_rule = ruled[0]
    return any(
        _says(tokens[start:end]) and (start < first_rule[0] or _ends_sentence(tokens, first_rule, start))
        for start, end in plain
    )


def _ends_sentence(tokens: tuple[Token, ...], rule: tuple[int, int], start: int) -> bool:
    """Whether a sentence ends between a rule and what comes after it: an afterthought belongs to the rule."""
    return any(token.ends_sentence for token in tokens[rule[1] : start])


def _says(clause: tuple[Token, ...]) -> bool:
    """Whether a clause asserts something: it has a subject or a verb of its own, and is no mere circumstance."""
    return _set("assertions").found_in(clause)


def _clauses(tokens: tuple[Token, ...]) -> list[tuple[int, int]]:
    clauses: list[tuple[int, int]] = []
    start = 0
    for index, token in enumerate(tokens):
        if token.is_mark or token.folded in _CLAUSE_WORDS:
            if index > start:
                clauses.append((start, index))
            start = index + 1
    if start < len(tokens):
        clauses.append((start, len(tokens)))
    return clauses


def _bare(hits: list[Hit], innocent: list[Hit]) -> list[Hit]:
    return [
        hit
        for hit in hits
        if not any(cover.start <= hit.start and hit.end <= cover.end for cover in innocent)
    ]


@cache
def _set(key: str) -> PhraseSet:
    return phrase_set(_LEXICON, key, classes=_CLASSES)

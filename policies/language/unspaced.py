"""Names in scripts written without blanks: Chinese, Japanese and Korean names that the registry may not know."""

from __future__ import annotations

import re
from collections.abc import Iterator

from policies.language import lexicon

_SURNAMES = "".join(lexicon.entries("unspaced", "surnames"))
_ORDINARY = frozenset(lexicon.entries("unspaced", "ordinary"))
_HAN = "\u4e00-\u9fff"
_BEFORE = "".join(lexicon.entries("unspaced", "before"))
_AFTER = "".join(lexicon.entries("unspaced", "after"))
_CHINESE = re.compile(
    rf"(?<![{_HAN}])(?P<head>[{_SURNAMES}][{_HAN}]{{1,2}}?)(?=[{_AFTER}]|[^{_HAN}]|$)"
    rf"|(?<=[{_BEFORE}])(?P<tail>[{_SURNAMES}][{_HAN}]{{1,2}}?)(?=[{_AFTER}]|[^{_HAN}]|$)"
)
_JAPANESE = re.compile(
    rf"(?P<name>[{_HAN}々]{{2,4}}|[\u30a0-\u30ff]{{2,8}})(?:さん|様|くん|君|ちゃん|先生|氏)"
)
_KOREAN = re.compile(r"(?P<name>[김이박최정강조윤장임한오서신권황안송류홍][가-힣]{1,2}) ?(?:씨|님)")


def names_of_people(text: str) -> Iterator[tuple[int, int]]:
    """Where names of people seem to stand, by surname or by the form of address, in order."""
    found: list[tuple[int, int]] = []
    for pattern in (_CHINESE, _JAPANESE, _KOREAN):
        for match in pattern.finditer(text):
            group = next(name for name, value in match.groupdict().items() if value)
            if match[group][:2] not in _ORDINARY:
                found.append(match.span(group))
    yield from sorted(found)

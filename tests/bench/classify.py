"""Scores the rules on the labelled statements: ``python tests/bench/classify.py [--quiet] [file…]``.

Prints the score by field and by file, then every miss. Without files: all of them.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from policies.terms import Outcome
from tests.support.labelled import FIELDS, FOLDER, answer, labelled, misses, registry


def main(arguments: list[str]) -> int:
    """Print the scores; 1 when a never case was committed."""
    quiet = "--quiet" in arguments
    files = [name for name in arguments if not name.startswith("-")]
    known = registry()
    committed: list[str] = []
    for file in files or sorted(path.stem for path in FOLDER.glob("*.txt")):
        scored: Counter[str] = Counter()
        right: Counter[str] = Counter()
        listed: list[str] = []
        statements = labelled(file)
        for one in statements:
            given = answer(one, known)
            wrong = misses(one, given)
            for field in FIELDS:
                scored[field] += 1
                right[field] += field not in wrong
            scored["whole"] += 1
            right["whole"] += not wrong
            if one.never and given.verdict.outcome is Outcome.COMMITTED:
                committed.append(one.statement)
            if wrong:
                shown = "; ".join(
                    f"{field}: {want or '∅'} ≠ {got or '∅'}" for field, (want, got) in wrong.items()
                )
                listed.append(f"  {one.statement}\n      {shown}")
        total = "  ".join(f"{field} {right[field] / scored[field]:.0%}" for field in (*FIELDS, "whole"))
        print(f"{file}: {len(statements)} statements  {total}")
        if not quiet and listed:
            print("\n".join(listed))
    print(f"never cases committed: {len(committed)}")
    print("\n".join(f"  {statement}" for statement in committed))
    return 1 if committed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

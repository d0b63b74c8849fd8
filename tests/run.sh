#!/bin/sh
# Everything that must hold: format, lint, types, import contracts, tests. Sets up .venv first.
# Arguments go to pytest. MNEMO_REQUIRE=neo4j,redis,chromium,node makes the absence of a component a failure.
set -eu
cd "$(dirname "$0")/.."
sh deploy/environment.sh requirements-dev.lock

# Hundreds of our own processes start: what one of them compiled, the others read.
unset PYTHONDONTWRITEBYTECODE

failed=""
check() {
  name=$1; shift
  echo "== $name"
  "$@" || failed="$failed $name"
}

check format .venv/bin/ruff format --check .
check lint .venv/bin/ruff check .
check imports .venv/bin/lint-imports
# The types are checked beside the tests, and told of after them.
types=$(mktemp)
.venv/bin/pyright > "$types" 2>&1 &
typing=$!
# A component that this machine lacks is named at the end, with what was not tested for it. Two workers, each with
# engines of its own (tests/support/scheduling.py).
if [ $# -gt 0 ]; then
  check tests .venv/bin/pytest "$@"
else
  # The unit and property tests alone must reach every branch of the policies. To note branches makes the others
  # twice as slow, so they are run without.
  check policies .venv/bin/pytest --numprocesses=2 tests/unit tests/property \
    --cov=policies --cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=100
  check tests .venv/bin/pytest --numprocesses=2 --ignore=tests/unit --ignore=tests/property
fi
wait "$typing" && typed=true || typed=false
cat "$types"; rm "$types"
check types "$typed"

if [ -n "$failed" ]; then echo "Failed:$failed" >&2; exit 1; fi
echo "All checks passed."

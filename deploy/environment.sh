#!/bin/sh
# Makes .venv from a lock file with hashes and installs Mnemo into it. Safe to repeat: does nothing when the
# lock file and the project's own metadata are those of the last time.
# Usage: sh deploy/environment.sh LOCKFILE
set -eu
cd "$(dirname "$0")/.."
lock=$1

find_python() {
  for candidate in ${PYTHON:-} python3.13 python3.12 python3.11 python3; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null
    then echo "$candidate"; return; fi
  done
  echo "Mnemo needs Python 3.11, 3.12 or 3.13 with its venv module (on Debian: apt-get install python3-venv)." >&2
  echo "Mnemo a besoin de Python 3.11, 3.12 ou 3.13 avec le module venv." >&2
  exit 1
}

stamp=.venv/mnemo-environment
wanted=$(cat "$lock" pyproject.toml deploy/environment.sh | cksum)
if [ -x .venv/bin/python ] && [ "$(cat "$stamp" 2>/dev/null)" = "$lock $wanted" ] && .venv/bin/python -c '' 2>/dev/null
then exit 0; fi

python=$(find_python)
echo "Setting up .venv with $("$python" -V) from $lock…" >&2
# Without pip, a run before was interrupted while it made the environment.
.venv/bin/python -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear .venv
PIP_DISABLE_PIP_VERSION_CHECK=1; export PIP_DISABLE_PIP_VERSION_CHECK
.venv/bin/python -m pip install --quiet --require-hashes -r "$lock"
# hatchling is in the lock, so that nothing unlocked is fetched to build the project itself.
.venv/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
echo "$lock $wanted" > "$stamp"

#!/bin/sh
# From a fresh clone to a working memory: sets up .venv, then runs the demonstration on the embedded engine.
# Needs Python 3.11 or later and nothing else. Arguments go to `mnemo demo`.
set -eu
cd "$(dirname "$0")/.."
sh deploy/environment.sh requirements.lock
exec .venv/bin/mnemo demo "$@"

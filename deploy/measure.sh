#!/usr/bin/env bash
# Prints every figure that this repository measures. It never fails a build: a
# figure is for people to read, and a busy machine gives others. Run it alone.
set -uo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }

step "engine: random playouts of every system, beside a loop that knows only Kalah"
go test -run '^$' -bench . -benchtime 1s ./engine

step "match, rooms, journals"
go test -run '^$' -bench . -benchtime 1s ./match/...

step "server, beside the smallest possible hub in the same run"
binary=$(mktemp -d)
trap 'rm -rf "$binary"' EXIT
go build -o "$binary/mancala" ./cmd/mancala && "$binary/mancala" bench --baseline --transport "$@"
exit 0

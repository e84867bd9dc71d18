#!/usr/bin/env bash
# Installs the programs that the full tests need (Debian or Ubuntu, with Go already
# installed) and runs every check that passes or fails. --long adds the long runs.
set -euo pipefail
cd "$(dirname "$0")/.."

long=
for arg in "$@"; do
  case $arg in
    --long) long=1 ;;
    *) echo "usage: deploy/test.sh [--long]" >&2; exit 2 ;;
  esac
done

step() { printf '\n== %s\n' "$*"; }

# need COMMAND PACKAGE...: installs the packages unless the command exists.
need() {
  command -v "$1" >/dev/null && return
  step "install ${*:2}"
  local sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  if [ -z "${updated:-}" ]; then
    $sudo apt-get update -qq
    updated=1
  fi
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${@:2}" >/dev/null
}
need gcc gcc libc6-dev # the race detector
need chromium chromium
need node nodejs
need npm npm
need promtool prometheus
PATH=$PATH:/usr/sbin # Debian installs haproxy there
need haproxy haproxy
need redis-server redis-server
PATH=$PATH:$(echo /usr/lib/postgresql/*/bin | tr ' ' :) need initdb postgresql # Debian installs initdb outside the path

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT

# With the profile (deploy/decisions/0017) every package would be compiled a second time.
export GOFLAGS=-pgo=off

step "gofmt, vet, staticcheck"
unformatted=$(gofmt -l cmd engine lobby match web)
[ -z "$unformatted" ] || { echo "not formatted: $unformatted"; exit 1; }
go vet ./...
go tool staticcheck ./...

step "npm packages, outside the repository"
npm install --silent --no-save --no-audit --no-fund --prefix "$tools" typescript@7.0.2 axe-core@4.14.1 >/dev/null

step "a test authority for certificates, outside the repository"
GOBIN=$tools go install github.com/letsencrypt/pebble/v2/cmd/pebble@v2.10.1

step "types of the modules in the browser"
"$tools/node_modules/.bin/tsc" --project web/static/tsconfig.json

step "modules in the browser"
node --test web/static/*/*.test.js

step "Go"
export MANCALA_TEST_ALL=1 # a test that lacks a program fails instead of being skipped
export MANCALA_AXE=$tools/node_modules/axe-core/axe.min.js
export MANCALA_PEBBLE=$tools/pebble
[ -z "$long" ] || export MANCALA_TEST_LONG=1
# The browser tests run on their own afterwards: two cores are few for them, and their
# time limits must not include waiting for another package.
go list ./... | grep -v /e2e$ | xargs go test -race -timeout "${long:+4}45m"

# Without the race detector: with it, a server that shares two cores with three pages is so
# slow that they wait for minutes. The packages above have run with it.
step "pages in Chromium"
go test ${long:+-race} -timeout "${long:+1}45m" ./cmd/mancala/e2e

if [ -n "$long" ]; then
  step "levels 7 and 8, whose games are too long for the race detector"
  go build -o "$tools/mancala" ./cmd/mancala
  "$tools/mancala" rules | while read -r name _; do
    "$tools/mancala" duel 7 6 --rules "$name" --openings 40
    "$tools/mancala" duel 8 7 --rules "$name" --openings 10
  done
fi

step "everything passed"

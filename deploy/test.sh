#!/usr/bin/env bash
# Installs what the full tests need (Debian or Ubuntu, with Go there already) and
# runs everything that can only pass or fail. --long adds the long runs.
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

# need COMMAND PACKAGE...: installs packages unless the command is there.
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
PATH=$PATH:/usr/sbin # where Debian has the next one
need haproxy haproxy
need redis-server redis-server
PATH=$PATH:$(echo /usr/lib/postgresql/*/bin | tr ' ' :) need initdb postgresql # Debian keeps it out of the path

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT

# With the profile (deploy/decisions/0017) everything would be compiled once more.
export GOFLAGS=-pgo=off

step "gofmt, vet, staticcheck"
unformatted=$(gofmt -l cmd engine lobby match web)
[ -z "$unformatted" ] || { echo "not formatted: $unformatted"; exit 1; }
go vet ./...
go tool staticcheck ./...

step "packages of npm, beside the repository"
npm install --silent --no-save --no-audit --no-fund --prefix "$tools" typescript@7.0.2 axe-core@4.14.1 >/dev/null

step "an authority for certificates, beside the repository"
GOBIN=$tools go install github.com/letsencrypt/pebble/v2/cmd/pebble@v2.10.1

step "types of the modules in the browser"
"$tools/node_modules/.bin/tsc" --project web/static/tsconfig.json

step "modules in the browser"
node --test web/static/*/*.test.js

step "Go"
export MANCALA_TEST_ALL=1 # a missing part is a failure here, not a skip
export MANCALA_AXE=$tools/node_modules/axe-core/axe.min.js
export MANCALA_PEBBLE=$tools/pebble
[ -z "$long" ] || export MANCALA_TEST_LONG=1
# The browser's turn comes alone: two cores are few for it, and a test that waits
# should not wait for another package.
go list ./... | grep -v /e2e$ | xargs go test -race -timeout "${long:+4}45m"

# The race detector makes a server that shares two cores with three pages so slow
# that they wait for minutes; what it can see of the server is seen above.
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

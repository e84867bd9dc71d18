#!/usr/bin/env bash
# Installs the programs that the full tests need (Debian or Ubuntu, with Go already
# installed) and runs every check that passes or fails. --long adds the long runs.
# --repeat N [PACKAGE ...] instead runs the tests of packages N times with every core kept
# busy by something else, to find tests that depend on how fast the machine is.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() { echo "usage: deploy/test.sh [--long | --repeat N [PACKAGE ...]]" >&2; exit 2; }
long='' repeat='' repeated=()
case ${1:-} in
  '') ;;
  --long) [ $# = 1 ] || usage; long=1 ;;
  --repeat) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage; repeat=$2 repeated=("${@:3}") ;;
  *) usage ;;
esac

tools=$(mktemp -d)

# step NAME: begins a step. How long the step before it took is for the summary.
step=
step() {
  took
  printf '\n== %s\n' "$*"
  step=$* began=$SECONDS
}
took() { [ -z "$step" ] || printf '%6d s  %s\n' $((SECONDS - began)) "$step" >>"$tools/steps"; }

# summary prints the time of each step and the slowest tests, also after a failure.
summary() {
  took
  printf '\n== %d s in all\n' $SECONDS
  [ ! -f "$tools/steps" ] || cat "$tools/steps"
  if [ -f "$tools/times" ]; then
    printf '\n== the slowest tests (seconds, package, name)\n'
    sort -rn "$tools/times" | sed -n 1,20p
  fi
}
trap 'halt; summary; rm -rf "$tools"' EXIT

# halt ends the tests that run in the background, also when the script is interrupted.
beside='' # their process group
halt() { [ -z "$beside" ] || kill -- "-$beside" 2>/dev/null || true; }

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
need chromium-headless-shell chromium-headless-shell || true # Ubuntu has none; the tests then use Chromium alone
need firefox-esr firefox-esr
need WebKitWebDriver webkit2gtk-driver
need Xvfb xvfb
need node nodejs
need npm npm
need promtool prometheus
PATH=$PATH:/usr/sbin # Debian installs haproxy there
need haproxy haproxy
need redis-server redis-server
PATH=$PATH:$(echo /usr/lib/postgresql/*/bin | tr ' ' :) need initdb postgresql # Debian installs initdb outside the path

# With the profile (deploy/decisions/0017) every package would be compiled a second time.
export GOFLAGS=-pgo=off

export MANCALA_TEST_ALL=1 # a test that lacks a program fails instead of being skipped
if [ -n "$repeat" ]; then
  step "the tests $repeat times, with every core kept busy"
  [ ${#repeated[@]} -gt 0 ] || mapfile -t repeated < <(go list ./lobby/... ./match/... ./web/...)
  for _ in $(seq "$(nproc)"); do
    while :; do :; done &
  done
  trap 'kill $(jobs -p) 2>/dev/null; summary; rm -rf "$tools"' EXIT
  go test -vet=off -count "$repeat" -p 1 -timeout 120m "${repeated[@]}"
  exit
fi

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

step "Go without the race detector"
export MANCALA_AXE=$tools/node_modules/axe-core/axe.min.js
export MANCALA_PEBBLE=$tools/pebble
[ -z "$long" ] || export MANCALA_TEST_LONG=1
go build -o "$tools/testreport" ./cmd/internal/testreport

# gotest FLAGS PACKAGES: runs tests and prints what failed. All packages have been vetted.
gotest() { go test -json -vet=off "$@" | "$tools/testreport" -times "$tools/times"; }

# These packages start no goroutine and share nothing that changes, so the race detector
# finds nothing in them, and their searches and pictures take ten times as long with it. A
# test in cmd/mancala checks that. Tests of the packages above them, which share their
# values between goroutines, have the race detector.
alone=(./engine/... ./lobby/pairing ./lobby/tournament/... ./web/learn ./web/picture)
gotest "${alone[@]}"

# These tests search, compile rule sets, read the sources, or send one request after the other.
# With the race detector they took a fifth of the time of all packages below.
single="BotsPlayEveryGame|ClicksInTheComposerMakeRuleSetsThatCanBePlayed|ComparisonShowsWhereTwoGamesPart"
single+="|ComposerShowsABoardForEveryOption|EveryRefusalLeadsToARule|RequestsOfStrangersAreCheap"
single+="|CitationsResolve|FilesOfAPackageReferOneWay|WalksNameFunctionsThatExist"
single+="|ReplayKeepsNoMoreThanOneRecordInMemory|NoRequestMakesTheServerFail"
single="^Test($single)$"
gotest -run "$single" ./lobby/bot ./cmd/mancala ./web

# There are five times as many simulations of rooms as with the race detector below.
gotest -run 'KeepTheirPromisesUnderFaults$' ./match/room

# All others share rooms, sockets, databases and caches between goroutines. Many of their
# tests wait for a clock of another process, so three packages run at once on two cores,
# and three tests of a package. The packages that take longest begin first: the last of
# them would otherwise run alone, and leave a core idle for minutes.
#
# The tests of processes start and kill the program 300 times. With the race detector they took a
# third of the processor time of all packages, in place of an eighth. The programs that
# cmd/mancala-bench measures have the race detector.
#
# Some packages are compiled without the race detector, also into those programs. SQLite keeps
# its memory outside of Go's heap, where the detector does not look. What draws, bundles, cuts
# typefaces and compresses works on values of one goroutine, once in each program.
step "Go with the race detector, and processes without"
unraced=(modernc.org/{sqlite/lib,libc/...,memory} mancala/web/picture image/... golang.org/x/image/...
  github.com/evanw/esbuild/... github.com/tdewolff/... compress/... github.com/andybalholm/brotli/...)
raced=$GOFLAGS$(printf ' -gcflags=%s=-race=false' "${unraced[@]}")
processes=./cmd/mancala/process
go list ./cmd/mancala-bench ./... | grep -vxFf <(go list "${alone[@]}" "$processes") | grep -v /e2e$ >"$tools/raced"
[ -z "$long" ] || export GOFLAGS=$raced
set -m # the background gets a process group of its own, which halt can end
gotest ${long:+-race} -parallel 3 -timeout "${long:+4}45m" "$processes" &
beside=$!
set +m
failed=
# A program with the race detector sleeps for a second before it ends, unless it is told not to. 60 packages
# and the servers of cmd/mancala-bench end so.
GORACE=atexit_sleep_ms=100 GOFLAGS=$raced gotest -race -skip "$single" -p 2 -parallel 3 -timeout "${long:+4}45m" $(<"$tools/raced") || failed=1
wait "$beside" || failed=1
beside=
[ -z "$failed" ]

# The tests in the browser run on their own: two cores are few for them, and their time
# limits must not include waiting for another package. They run without the race detector:
# with it, a server that shares two cores with three pages is so slow that they wait for
# minutes. The packages above have run with it.
step "pages in Chromium, one game in Firefox and in WebKit"
gotest ${long:+-race} -parallel 3 -timeout "${long:+1}60m" ./cmd/mancala/e2e

if [ -n "$long" ]; then
  step "thirty simulated days of abandoned games and guests"
  go run ./cmd/mancala-bench --work year --days 30 --daily 2000
  go run ./cmd/mancala-bench --work year --days 30 --daily 1000 --database postgres

  step "levels 7 and 8, whose games are too long for the race detector"
  go build -o "$tools/mancala" ./cmd/mancala
  "$tools/mancala" rules | while read -r name _; do
    "$tools/mancala" duel 7 6 --rules "$name" --openings 100 --sequential
    "$tools/mancala" duel 8 7 --rules "$name" --openings 30 --sequential
  done
fi

step "everything passed"

#!/usr/bin/env bash
# Prints every figure that this repository measures. It never fails a build, because
# figures depend on the machine. Run it while nothing else runs on the machine.
set -uo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }

step "engine: random playouts of every system, beside a loop that knows only Kalah"
go test -run '^$' -bench . -benchtime 1s ./engine

step "match, rooms, journals"
go test -run '^$' -bench . -benchtime 1s ./match/...

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT

step "pages: echo of a tap, frames of whole games, layout shift, Lighthouse"
npm install --silent --no-save --no-audit --no-fund --prefix "$tools" lighthouse@12.8.2 >/dev/null
MANCALA_MEASURE=1 MANCALA_LIGHTHOUSE=$tools/node_modules/.bin/lighthouse MANCALA_LIGHTHOUSE_RUNS=${LIGHTHOUSE_RUNS:-5} \
  go test -v -run TestFiguresOfTheQualityBarsArePrinted -count=1 -timeout 60m ./cmd/mancala/e2e | grep -vE '^ *(=== |--- PASS)|^(PASS|ok)\b'

step "server, beside the smallest possible hub in the same run"
# The hub is in mancala-bench. Both programs get the same profile (deploy/decisions/0017).
go build -pgo=cmd/mancala/default.pgo -o "$tools/" ./cmd/mancala ./cmd/mancala-bench
"$tools/mancala-bench" --baseline --transport "$@"

step "several instances of one service, beside one in the same run"
"$tools/mancala-bench" --work span,durable,crowd --time 10s

step "several instances: killed, frozen, restarted in turn, without Redis and PostgreSQL"
"$tools/mancala-bench" --work kills --faults "${KILLS:-200}"
"$tools/mancala-bench" --work freezes --faults "${FREEZES:-200}" # about 8 s each
"$tools/mancala-bench" --work rolling --games 1000
"$tools/mancala-bench" --work outage --away 60s
"$tools/mancala-bench" --chaos --faults 40

step "tournaments: 2,000 games of a round start while other games go on; instances killed and restarted"
"$tools/mancala-bench" --work tournament --players 4000 --rounds 1 --faults 0 --rate 200 --time 10s --nice
"$tools/mancala-bench" --work tournament --instances 1 --players 4000 --rounds 1 --faults 0 --rate 200 --time 10s --nice
"$tools/mancala-bench" --work tournament --players 500 --rounds 9                      # about 8 minutes
"$tools/mancala-bench" --work tournament --format knockout --players 300 --games 2      # about 15 minutes
step "a simulated year of abandoned games and guests, a tenth of 10,000 a day"
"$tools/mancala-bench" --work year --days 365 --daily 1000
"$tools/mancala-bench" --work year --days 365 --daily 200 --year-games 2160h
"$tools/mancala-bench" --work year --days 60 --daily 1000 --database postgres
exit 0

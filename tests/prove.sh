#!/usr/bin/env bash
# The long floor: the full numbers, for hours. Writes reports/prove-YYYY-MM-DD.md with seeds, machine and
# figures, and fails if any part failed. YIBU_SEED sets the seed (today's date otherwise).
set -uo pipefail
cd "$(dirname "$0")/.."

today=$(date -u +%F)
export YIBU_SEED=${YIBU_SEED:-$(date -u +%Y%m%d)}
mkdir -p reports
report=reports/prove-$today.md
work=$(mktemp -d)
server=
failed=0

finish() {
    if [ -n "$server" ]; then
        kill -TERM "$server" 2>/dev/null
        wait "$server" 2>/dev/null
    fi
    rm -rf "$work"
}
trap finish EXIT

say() { printf '%s\n' "$*" >>"$report"; }

# part NAME COMMAND…: runs it and notes result, time and the last lines of what it said.
part() {
    local name=$1 begun=$SECONDS result=passed
    shift
    printf '%s …\n' "$name"
    if ! "$@" >"$work/out" 2>&1; then
        result=FAILED
        failed=1
    fi
    say "" "## $name: $result"
    say "" "- \`$*\`" "- $((SECONDS - begun)) s" "" '```'
    tail -n 25 "$work/out" >>"$report"
    say '```'
}

# numbers NAME=VALUE… -- FILTER…: a part of the suite with other numbers than usual, on the released binary.
numbers() {
    local given=()
    while [ "$1" != -- ]; do
        given+=("$1")
        shift
    done
    shift
    env "${given[@]}" YIBU_BIN="$PWD/target/release/yibu" \
        cargo test --release --package yibu-tests --test yibu -- --nocapture "$@"
}

# Every race again and again: the scheduler makes another interleaving of each round.
races() {
    local round
    for round in $(seq "$1"); do
        if ! suite executor::races log_contract::postgres_nodes >"$work/race" 2>&1; then
            cat "$work/race"
            echo "round $round of $1"
            return 1
        fi
    done
    echo "$1 rounds"
}

suite() { cargo test --release --package yibu-tests --test yibu -- --nocapture "$@"; }

simulate() {
    ./target/release/yibu serve --dev --no-house --data "$work/data" --listen 127.0.0.1:0 >/dev/null &
    server=$!
    for _ in $(seq 600); do
        [ -s "$work/data/address" ] && break
        sleep 0.1
    done
    ./target/release/yibu simulate 200 --parallel 8 --seed "$YIBU_SEED" \
        --url "http://$(cat "$work/data/address")" || return 1
    # Beside the running server, and after its stop.
    ./target/release/yibu audit --data "$work/data" || return 1
    kill -TERM "$server"
    wait "$server" || return 1
    server=
    ./target/release/yibu audit --data "$work/data"
}

{
    echo "# Proof of $today"
    echo
    echo "- seed $YIBU_SEED"
    echo "- commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
    echo "- $(uname -srm), $(nproc) cores, $(awk '/MemTotal/ {print int($2 / 1024)}' /proc/meminfo) MiB"
    echo "- $(rustc --version)"
} >"$report"

part "build" cargo build --release --workspace --bin yibu
part "contract vectors" suite vectors_rules scenarios
part "non-interference, 1,000,000 pairs" env YIBU_CASES=1000000 \
    cargo test --release --package yibu-tests --test yibu -- --nocapture noninterference
part "crashes, 100 kills on each store" numbers YIBU_CRASHES=100 -- crash
part "two nodes, live and killed" numbers -- nodes
part "1,000 rounds of races" races 1000
part "200 simulated matches and audits" simulate
part "everything else" suite

printf 'report: %s\n' "$report"
exit "$failed"

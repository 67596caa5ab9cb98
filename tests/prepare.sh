#!/usr/bin/env bash
# Installs what the tests need beside cargo, where it is missing: PostgreSQL's server programs (the tests make
# clusters of their own with them and never use one that runs).
set -euo pipefail

have_postgres() { compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; }

install() {
    local sudo=()
    [ "$(id -u)" = 0 ] || sudo=(sudo)
    "${sudo[@]}" apt-get update -qq
    # Only the programs are needed; a cluster that the package makes is left alone.
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

have_postgres || install postgresql
have_postgres || { echo "PostgreSQL's server programs are needed (Debian package postgresql)" >&2; exit 1; }

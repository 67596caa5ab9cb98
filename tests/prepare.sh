#!/usr/bin/env bash
# Installs what the tests need beside cargo, where it is missing: PostgreSQL's server programs (the tests make
# clusters of their own with them and never use one that runs), Node for the web client, a browser with
# Chinese letters, and a mail server (aiosmtpd, in a Python environment of the tests' own).
set -euo pipefail
cd "$(dirname "$0")"

have_postgres() { compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; }
have_node() { command -v npm >/dev/null && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)'; }
have_browser() { [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; }
have_python() { python3 -c 'import ensurepip, venv' 2>/dev/null; }
have_mail() { .venv/bin/python -c 'import aiosmtpd' 2>/dev/null; }
have_letters() { compgen -G '/usr/share/fonts/opentype/noto/NotoSansCJK*' >/dev/null; }

install() {
    local sudo=()
    [ "$(id -u)" = 0 ] || sudo=(sudo)
    "${sudo[@]}" apt-get update -qq
    # Only the programs are needed; a cluster that the package makes is left alone.
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

missing=()
have_postgres || missing+=(postgresql)
have_node || missing+=(nodejs npm)
have_browser || missing+=(chromium)
have_letters || missing+=(fonts-noto-cjk)
have_mail || have_python || missing+=(python3-venv)
command -v openssl >/dev/null || missing+=(openssl)
[ "${#missing[@]}" = 0 ] || install "${missing[@]}"
have_postgres || { echo "PostgreSQL's server programs are needed (Debian package postgresql)" >&2; exit 1; }
have_node || { echo "Node 20 or newer with npm is needed" >&2; exit 1; }
have_browser || { echo "Chromium is needed (Debian package chromium; CHROMIUM names another path)" >&2; exit 1; }
have_mail || { python3 -m venv .venv && .venv/bin/pip install --quiet --requirement support/smtp/requirements.txt; }

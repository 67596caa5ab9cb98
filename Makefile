# Thin on purpose: each line calls cargo or a script of this repository.
.PHONY: run test prepare check deny prove bench

# Serve the product on an embedded store in ./data (development mode, loopback).
run:
	cargo run --bin yibu -- serve --dev

# Everything that a change must pass.
test: check prepare
	cargo build --workspace --bin yibu
	cargo test --workspace --no-fail-fast

# Installs what tests need, where it is missing.
prepare:
	tests/prepare.sh

# Form: formatting, lints, documentation.
check:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

# Licences, sources and bans of every dependency. Advisories need their database from the network.
deny:
	command -v cargo-deny >/dev/null || cargo install cargo-deny --locked
	cargo deny check bans licenses sources

# The long floor: hours; writes a dated report into ./reports.
prove:
	tests/prove.sh

# Figures, one JSON line each.
bench:
	cargo bench --package yibu-tests --bench figures

# Thin on purpose: each line calls cargo or a script of this repository.
.PHONY: run client test browser prepare check deny prove bench

# Serve the product on an embedded store in ./data (development mode, loopback). Without Node the API alone.
run:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory client; \
	else echo "npm is not installed: the web client is left out" >&2; fi
	cargo run --bin yibu -- serve --dev

# The web client, into api/web/dist. A release binary embeds what is there when it is compiled.
client: api/web/node_modules
	npm --prefix api/web run build

%/node_modules: %/package-lock.json
	npm --prefix $* ci --no-audit --no-fund
	touch $@

# Everything that a change must pass.
test: check prepare api/web/node_modules
	npm --prefix api/web run check
	npm --prefix api/web test
	$(MAKE) --no-print-directory client
	cargo build --workspace --bins
	cargo test --workspace --no-fail-fast
	$(MAKE) --no-print-directory browser

# Browsers against a server of their own, with the client and the binary that were built last.
browser: tests/browser/node_modules
	YIBU_BIN=$(abspath $(or $(CARGO_TARGET_DIR),target))/debug/yibu npm --prefix tests/browser test

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

//! Tells cargo when the web client that a release embeds has changed. Must not build the client.
#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

fn main() {
    // A debug build reads the client's files when it starts: nothing of them is compiled in.
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    println!("cargo::rerun-if-changed={}", if release { "web/dist" } else { "build.rs" });
}

//! The binary `yibu`: hands over to the command line. Must not hold anything else.

fn main() -> std::process::ExitCode {
    yibu_api::cli::main()
}

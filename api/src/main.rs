//! The binary `yibu`: hands over to the command line. Must not hold anything else.

/// Events and rows are made on one thread and dropped on another, by the million: here that is what the
/// system's allocator is slowest at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    yibu_api::cli::main()
}

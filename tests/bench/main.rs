//! `make bench`: one JSON line a figure. Peers are measured in the same run.

mod commands_postgres;
mod commits;
mod commits_postgres;
mod figure;
mod history;
mod http;
mod large;
mod rules;

/// The one of the binary `yibu`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut given = std::env::args().skip(1).filter(|arg| !arg.starts_with('-'));
    let only = given.next();
    if only.as_deref() == Some(large::ALONE) {
        return large::alone(given);
    }
    let wanted = |name: &str| only.as_deref().is_none_or(|only| name.contains(only));
    if wanted("rules") {
        print(&rules::run())?;
    }
    if wanted("commits") {
        print(&commits::run()?)?;
    }
    if wanted("postgres") {
        print(&commits_postgres::run()?)?;
    }
    if wanted("http") {
        print(&http::run()?)?;
    }
    if wanted("large") {
        print(&large::run()?)?;
    }
    Ok(())
}

fn print(figures: &[figure::Figure]) -> std::io::Result<()> {
    figures.iter().try_for_each(figure::Figure::print)
}

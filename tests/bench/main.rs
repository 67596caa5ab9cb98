//! `make bench`: one JSON line a figure. Peers are measured in the same run.

mod commits;
mod commits_postgres;
mod figure;
mod http;
mod rules;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let only = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
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
    Ok(())
}

fn print(figures: &[figure::Figure]) -> std::io::Result<()> {
    figures.iter().try_for_each(figure::Figure::print)
}

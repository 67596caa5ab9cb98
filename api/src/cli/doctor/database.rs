//! A shared database: whether it may lose what it acknowledged, and whether its clock is ours. Must not show its address, which may hold a password.

use super::{Findings, Grade};
use sqlx::{Connection, PgConnection};
use yibu_infrastructure::log::port::EventLog;

/// Settings that must not be off, and what is at stake.
const SAFE: [(&str, Grade, &str); 3] = [
    ("fsync", Grade::Wrong, "acknowledged events can be lost when its machine fails"),
    ("full_page_writes", Grade::Wrong, "its files can be damaged when its machine fails"),
    (
        "synchronous_commit",
        Grade::Note,
        "changes of accounts can be lost when it fails; the log sets it on for itself",
    ),
];

/// Looks at the server's settings. On a developer's site what may be lost is worth a word, and no more.
pub(super) async fn settings(found: &mut Findings, url: &str, dev: bool) {
    const WHAT: &str = "database";
    let read = async {
        let mut on = PgConnection::connect(url).await?;
        let mut off = Vec::new();
        for (setting, grade, risk) in SAFE {
            let value = sqlx::query_scalar("SELECT current_setting($1)").bind(setting);
            let value: String = value.fetch_one(&mut on).await?;
            if value == "off" {
                let grade = if dev { Grade::Note } else { grade };
                off.push((grade, format!("{setting} is off: {risk}")));
            }
        }
        on.close().await?;
        Ok::<_, sqlx::Error>(off)
    };
    match read.await {
        Ok(off) if off.is_empty() => found.good(WHAT, "what it acknowledges is on its disk"),
        Ok(off) => off.into_iter().for_each(|(grade, text)| found.say(WHAT, grade, text)),
        Err(error) => found.wrong(WHAT, error),
    }
}

/// Compares the clocks. A log whose clock is too far away does not open.
pub(super) async fn clock(found: &mut Findings, log: &dyn EventLog) {
    match log.skew().await {
        Ok(skew) if skew.0 == 0 => found.good("clock", "the database's agrees with this machine's"),
        Ok(skew) => {
            let (by, way) = (skew.0.abs(), if skew.0 > 0 { "ahead of" } else { "behind" });
            let text = format!("the database's is {by} ms {way} this machine's");
            found.note("clock", text);
        }
        Err(error) => found.wrong("clock", error),
    }
}

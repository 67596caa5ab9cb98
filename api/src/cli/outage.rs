//! `yibu admin outage`, `outages` and `release`: what the operator says and is told about clocks.

use super::admin::site;
use super::folder::{Folder, Opened};
use super::numbers::whole;
use super::{Outcome, console};
use crate::app::BUILD;
use crate::local::{self, Answer, Ask, AskFault};
use chrono::DateTime;
use clap::Args;
use serde_json::json;
use std::process::ExitCode;
use std::sync::Arc;
use yibu_domain::kernel::{Reason, Span, Time};
use yibu_domain::site::{Outage, OutageCause, SITE, Site, SiteCommand};
use yibu_infrastructure::executor::Executor;
use yibu_infrastructure::system::{Clock, SystemClock};

/// Declare an outage that the server did not notice by itself
///
/// Where the server itself was down, this happens by itself. Where it ran and people could not reach it (a
/// network, a proxy, a provider), declare it: every deadline that was open in that time moves by its length.
/// Deadlines that have run out meanwhile stay as they are. What of it is known already (`yibu admin outages`) is not
/// made good again; stretches shorter than a minute move nothing. Needs the running server. If it is broken off, the
/// same command again finishes it.
#[derive(Args)]
pub(super) struct DeclareOutage {
    /// When it began: 2026-07-30T18:00:00Z, or how long ago, as 90m, 2h or 1d
    #[arg(long, value_name = "TIME", value_parser = moment)]
    from: Moment,
    /// When it ended, written the same way; now where it is not given
    #[arg(long, value_name = "TIME", value_parser = moment)]
    to: Option<Moment>,
    /// Why, as a code of a-z, 0-9 and underscores, for instance provider_down
    #[arg(long, value_name = "CODE")]
    reason: Reason,
}

impl DeclareOutage {
    pub(super) async fn run(self, folder: &Folder, json: bool) -> Outcome {
        let now = SystemClock::new().now();
        let (from, to) = (self.from.at(now), self.to.map(|to| to.at(now)));
        let question = Ask::Outage { from, to, reason: self.reason };
        match local::ask(folder.site()?, &question, |_| {}).await {
            Ok(Answer::Outage { from, to, known, short, moved }) if json => {
                let span = |(from, to): &(Time, Time)| json!({ "from": from, "to": to });
                let short: Vec<_> = short.iter().map(span).collect();
                console::json(&json!({
                    "from": from, "to": to, "known": known, "short": short, "moved": moved,
                }))?;
                Ok(ExitCode::SUCCESS)
            }
            Ok(Answer::Outage { from, to, known, short, moved }) => {
                console::line(format!("outage from {from} to {to}: deadlines moved: {moved}"));
                for Outage { from, to, cause, .. } in known {
                    console::line(format!("  known before, {}: {from} to {to}", word(cause)));
                }
                for (from, to) in short {
                    console::line(format!("  shorter than a minute, left out: {from} to {to}"));
                }
                Ok(ExitCode::SUCCESS)
            }
            Ok(_) => Err("the server answered another question".into()),
            Err(AskFault::NoServer) => {
                Err("no server runs here; while none runs the clocks stand still by themselves"
                    .into())
            }
            Err(fault) => Err(fault.into()),
        }
    }
}

/// List the outages that are known, measured and declared
///
/// Every deadline that was open in one was moved by its length. Reads the log, whether or not a server runs.
#[derive(Args)]
pub(super) struct ListOutages;

impl ListOutages {
    pub(super) async fn run(folder: &Folder, json: bool) -> Outcome {
        let Opened { log, clock, entropy } = folder.read_log().await?;
        let site =
            Executor::<Site>::new(Arc::clone(&log), clock, entropy, "command-line", BUILD, 1);
        let state = site.state(SITE).await;
        log.close().await;
        let outages = &state?.outages;
        if json {
            console::json(outages)?;
        } else if outages.is_empty() {
            console::line("no outages");
        } else {
            for Outage { from, to, cause, .. } in outages {
                console::line(format!("{from}  {to}  {}  {}", word(*cause), *to - *from));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Set after how many hours seats that are not ready are released
///
/// Counted from the fourth person's sitting down; 0 = never. Tables that are open keep the value that they
/// were opened with.
#[derive(Args)]
pub(super) struct Release {
    /// Hours, 0 to 720
    #[arg(value_name = "HOURS", allow_negative_numbers = true, value_parser = whole::<i64>(0..=720))]
    hours: i64,
    /// Why, as a code of a-z, 0-9 and underscores, for instance holidays
    #[arg(long, value_name = "CODE")]
    reason: Reason,
}

impl Release {
    pub(super) async fn run(self, folder: &Folder, json: bool) -> Outcome {
        let (hours, reason) = (self.hours, self.reason);
        site(folder, SiteCommand::SetRelease { hours, reason }).await?;
        if json {
            console::json(&json!({ "releaseUnreadyHours": hours }))?;
        } else {
            console::line(match hours {
                0 => "seats that are not ready are never released".to_owned(),
                1 => "seats that are not ready are released after 1 hour".to_owned(),
                hours => format!("seats that are not ready are released after {hours} hours"),
            });
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// An instant, or how long ago it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Moment {
    At(Time),
    Ago(Span),
}

impl Moment {
    fn at(self, now: Time) -> Time {
        match self {
            Self::At(at) => at,
            Self::Ago(ago) => now - ago,
        }
    }
}

fn moment(text: &str) -> Result<Moment, String> {
    if let Ok(at) = DateTime::parse_from_rfc3339(text) {
        return Ok(Moment::At(Time(at.timestamp_millis())));
    }
    let ago = || {
        let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let number = number.parse::<i64>().ok().filter(|number| (0..=100_000).contains(number))?;
        let seconds = match unit {
            "s" => 1,
            "m" => 60,
            "h" => 3600,
            "d" => 86_400,
            _ => return None,
        };
        Some(Moment::Ago(Span::seconds(number * seconds)))
    };
    ago().ok_or_else(|| "a time is 2026-07-30T18:00:00Z, or how long ago: 90m, 2h, 1d".to_owned())
}

fn word(cause: OutageCause) -> &'static str {
    match cause {
        OutageCause::Gap => "measured",
        OutageCause::Declared => "declared",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_instants_or_lengths() {
        let at = moment("2026-07-30T18:00:00Z");
        assert_eq!(at, Ok(Moment::At(Time(1_785_434_400_000))));
        assert_eq!(moment("2026-07-30T20:00:00+02:00"), at);
        assert_eq!(moment("90m"), Ok(Moment::Ago(Span::seconds(5400))));
        assert_eq!(Moment::Ago(Span::hours(1)).at(Time(3_600_001)), Time(1));
        for wrong in ["", "h", "-1h", "yesterday", "2026-07-30", "9999999d", "1时"] {
            assert!(moment(wrong).is_err(), "{wrong}");
        }
    }
}

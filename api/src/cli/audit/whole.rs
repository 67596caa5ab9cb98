//! The log as a whole, in position order: every stream's chain, positions without gaps, the rolling hash
//! against the head, and what stands beside the events against what they say.

use super::claims::{self, id_of};
use super::ends::{self, Ends};
use super::gaps::{self, Behind};
use super::memos::Commands;
use super::report::Report;
use indicatif::ProgressBar;
use std::collections::HashSet;
use yibu_domain::kernel::MatchId;
use yibu_domain::matches::Match;
use yibu_infrastructure::log::archive::Pointer;
use yibu_infrastructure::log::looks::Seen;
use yibu_infrastructure::log::port::{EventLog, Head, ReadError, Stored};
use yibu_infrastructure::log::{ClaimTable, chain};

/// Events read at a time.
const PAGE: usize = 2_000;
/// So often what stands beside the events is read again because the log grew meanwhile.
const TRIES: u32 = 50;

/// What is held against the log beside its own head.
#[derive(Clone, Copy)]
pub(super) struct Against<'a> {
    /// The claims and commands that its store keeps.
    pub(super) beside: bool,
    /// What signed anchors promise.
    pub(super) anchors: &'a [Head],
}

/// What a log holds, by its own order.
pub(super) struct Whole {
    /// Its matches, in the order in which they began.
    pub(super) matches: Vec<MatchId>,
    /// Where its streams end.
    pub(super) ends: Ends,
}

struct Pass<'a> {
    anchors: &'a [Head],
    roller: chain::Roller,
    whole: Whole,
    claims: ClaimTable,
    commands: Commands,
    /// Archived events whose payloads cannot be had: by their frames, and in which words.
    frames: HashSet<Pointer>,
    words: HashSet<String>,
    /// There are events that cannot be read at all: nothing rolls over them.
    torn: bool,
    /// There is nothing that can be read up to the end.
    cut: bool,
    /// It ends before its head says, which was said.
    short: bool,
}

/// Checks the log.
pub(super) async fn check(
    log: &dyn EventLog,
    against: Against<'_>,
    report: &mut Report,
    bar: &ProgressBar,
) -> Result<Whole, ReadError> {
    let mut pass = Pass {
        anchors: against.anchors,
        roller: chain::Roller::new(),
        whole: Whole { matches: Vec::new(), ends: Ends::default() },
        claims: ClaimTable::default(),
        commands: Commands::new(),
        frames: HashSet::new(),
        words: HashSet::new(),
        torn: false,
        cut: false,
        short: false,
    };
    let mut left = TRIES;
    loop {
        pass.read_on(log, report, bar).await?;
        if pass.cut {
            break;
        }
        let head = head(log).await?;
        if let Ok(head) = &head
            && head.position > pass.roller.head().position
            && !grew(log, &pass).await?
        {
            let last = pass.roller.head().position;
            let text = format!("it ends at position {last}, but its head says {}", head.position);
            report.problem("log", None, text);
            pass.short = true;
        }
        if !against.beside {
            pass.ends_at(&head, report);
            break;
        }
        let mut beside = Report::default();
        let seen = seen(log, &mut beside).await?;
        if let Some(memos) = seen.memos.clone() {
            pass.commands.check(log, memos, &mut beside).await?;
        }
        // Only what was read while the log stood still can be compared.
        if self::head(log).await? != head || pass.is_behind(&head) {
            left -= 1;
            if left == 0 {
                report.note("the log grows too fast: its claims and commands were not compared");
                break;
            }
            continue;
        }
        pass.ends_at(&head, report);
        if !report.is_broken_off() {
            claims::differences(&pass.claims, &seen, report);
        }
        seen.odd.into_iter().for_each(|odd| report.odd(odd));
        if !pass.torn {
            report.take(beside);
        }
        break;
    }
    pass.leave(against, report);
    if against.beside {
        rows(log, report).await?;
        oddities(log, None, report).await?;
    }
    Ok(pass.whole)
}

/// Where the log says that it ends, or why that cannot be read.
async fn head(log: &dyn EventLog) -> Result<Result<Head, String>, ReadError> {
    match log.head().await {
        Err(ReadError::Failed(problem)) => Ok(Err(problem)),
        head => Ok(Ok(head?)),
    }
}

/// What stands beside the events, as far as the store shows it and it can be read.
async fn seen(log: &dyn EventLog, report: &mut Report) -> Result<Seen, ReadError> {
    if let Some(keeper) = log.custody() {
        return keeper.seen().await;
    }
    report.note("this store does not show which commands it remembers: not compared");
    match log.claims().await {
        Err(ReadError::Failed(problem)) => {
            report.problem("claims", None, problem);
            Ok(Seen::default())
        }
        claims => Ok(Seen::claimed(claims?)),
    }
}

/// What no writer of this program puts into a store, and no event tells of; `only`: what there is of one stream.
pub(super) async fn oddities(
    log: &dyn EventLog,
    only: Option<&str>,
    report: &mut Report,
) -> Result<(), ReadError> {
    let Some(keeper) = log.custody() else { return Ok(()) };
    match keeper.oddities().await {
        Ok(mut odd) => {
            odd.retain(|odd| only.is_none_or(|stream| odd.place == stream));
            odd.into_iter().for_each(|odd| report.odd(odd));
        }
        Err(error @ ReadError::Unreachable(_)) => return Err(error),
        Err(error) => report.problem("log", None, error),
    }
    Ok(())
}

/// Whether there is more to read.
async fn grew(log: &dyn EventLog, pass: &Pass<'_>) -> Result<bool, ReadError> {
    Ok(!ends::rows(log, pass.roller.head().position, 1).await?.is_empty())
}

/// What no hash covers, where a store has such columns.
async fn rows(log: &dyn EventLog, report: &mut Report) -> Result<(), ReadError> {
    let Some(keeper) = log.custody() else { return Ok(()) };
    let mut after = 0;
    loop {
        let (odd, last) = match keeper.odd_rows(after, PAGE).await {
            Ok(looked) => looked,
            Err(error @ ReadError::Unreachable(_)) => return Err(error),
            Err(error) => {
                report.problem("log", None, error);
                return Ok(());
            }
        };
        for row in odd {
            let text = format!("its column {} is not as this program writes it", row.column);
            report.row(&row.stream, row.version, row.position, text);
        }
        let Some(last) = last else { return Ok(()) };
        after = last;
    }
}

impl Pass<'_> {
    /// Whether there is more than was read; where nothing says so, nobody waits for more.
    fn is_behind(&self, head: &Result<Head, String>) -> bool {
        !self.short && head.as_ref().is_ok_and(|head| head.position > self.roller.head().position)
    }

    fn ends_at(&self, head: &Result<Head, String>, report: &mut Report) {
        match head {
            Ok(head) if *head != self.roller.head() && !self.torn && !self.short => {
                let text = "the rolling hash of the events is not that of the head";
                report.problem("log", None, text);
            }
            Ok(_) => {}
            Err(problem) => {
                let text =
                    format!("the row that says where the log ends cannot be read: {problem}");
                report.problem("head", None, text);
            }
        }
    }

    /// Says what could not be compared.
    fn leave(&self, against: Against<'_>, report: &mut Report) {
        let last = self.roller.head().position;
        let beyond = against.anchors.iter().filter(|anchor| anchor.position > last);
        for anchor in beyond.filter(|_| !self.cut) {
            let text = format!(
                "an anchor was signed at position {}, but the log ends at {last}",
                anchor.position
            );
            report.problem("anchor", None, text);
        }
        if self.torn {
            report.note("what cannot be read breaks the rolling hash: neither that nor anchors behind it, claims and remembered commands were compared");
        } else if report.is_broken_off() && against.beside {
            report.note("without all payloads, the claims were not compared");
        }
        report.ends(self.roller.head());
        report.streams = self.whole.ends.len();
    }

    /// Holds the anchors of this position against what was rolled so far.
    fn anchored(&self, event: &Stored, report: &mut Report) {
        let here = self.roller.head();
        let anchors = self.anchors.iter().filter(|_| !self.torn);
        for anchor in anchors.filter(|anchor| anchor.position == event.position) {
            if *anchor == here {
                report.anchors += 1;
            } else {
                report.event(event, "up to here, the log is not the one that was anchored");
            }
        }
    }

    /// Reads to the end of now. Pages become smaller until the one event is found that cannot be read; that is
    /// named, and what stands behind it is read.
    async fn read_on(
        &mut self,
        log: &dyn EventLog,
        report: &mut Report,
        bar: &ProgressBar,
    ) -> Result<(), ReadError> {
        let mut most = PAGE;
        loop {
            match self.page(log, most, report, bar).await {
                Ok(true) => most = (most * 2).min(PAGE),
                Ok(false) => return Ok(()),
                Err(error @ ReadError::Unreachable(_)) => return Err(error),
                Err(_) if most > 1 => most /= 2,
                Err(error) => {
                    self.pass_over(log, &error, report).await?;
                    if self.cut {
                        return Ok(());
                    }
                }
            }
        }
    }

    async fn pass_over(
        &mut self,
        log: &dyn EventLog,
        error: &ReadError,
        report: &mut Report,
    ) -> Result<(), ReadError> {
        let last = self.roller.head().position;
        match gaps::behind(log, last).await? {
            Behind::Shelved(row, frame) => {
                report.breaks_off();
                let words = error.to_string();
                if !self.words.contains(&words) && self.frames.insert(frame) {
                    report.event(&row, &words);
                    self.words.insert(words);
                }
                self.follow(&row, report);
                self.commands.take(&row, false);
                self.whole.ends.pass(&row);
            }
            Behind::Gap(next) => {
                report.gap(last, format!("{error}; behind position {next} it can be read again"));
                self.torn = true;
                self.roller = chain::Roller::at(Head { position: next, hash: chain::START });
            }
            Behind::Nothing => {
                report.gap(last, error.to_string());
                (self.torn, self.cut) = (true, true);
            }
        }
        Ok(())
    }

    async fn page(
        &mut self,
        log: &dyn EventLog,
        most: usize,
        report: &mut Report,
        bar: &ProgressBar,
    ) -> Result<bool, ReadError> {
        let events = log.read_all(self.roller.head().position, most).await?;
        for event in &events {
            self.follow(event, report);
            if let Err(error) = self.whole.ends.take(event, self.torn) {
                report.event(event, error);
            }
            claims::enter(&mut self.claims, event, report);
            self.commands.take(event, true);
        }
        report.events += events.len() as u64;
        bar.set_position(self.roller.head().position);
        Ok(!events.is_empty())
    }

    /// The event's place in the log.
    fn follow(&mut self, event: &Stored, report: &mut Report) {
        let last = self.roller.head().position;
        if event.position > last + 1 {
            let text = match last + 1 {
                one if one + 1 == event.position => format!("position {one} is missing"),
                first => format!("positions {first} to {} are missing", event.position - 1),
            };
            report.event(
                event,
                format!("{text}: position {} follows position {last}", event.position),
            );
        }
        if let Err(error) = self.roller.push(event) {
            report.event(event, error);
        }
        self.anchored(event, report);
        if let Some(id) = id_of::<Match>(&event.stream)
            && self.whole.ends.get(&event.stream).is_none()
        {
            self.whole.matches.push(MatchId(id));
        }
    }
}

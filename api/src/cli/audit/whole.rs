//! The log as a whole, in position order: every stream's chain, positions without gaps, the rolling hash
//! against the head, and the claims against what the events claim.

use super::Report;
use indicatif::ProgressBar;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use yibu_domain::kernel::{Claim, Decider, MatchId};
use yibu_domain::matches::Match;
use yibu_domain::players::Player;
use yibu_domain::site::Site;
use yibu_infrastructure::executor::aggregate_id;
use yibu_infrastructure::log::port::{EventLog, Head, ReadError, Stored};
use yibu_infrastructure::log::{ClaimTable, chain, codec};

/// Events read at a time.
const PAGE: usize = 2_000;
/// So often the claims are read again because the log grew meanwhile.
const TRIES: u32 = 50;

/// What is held against the log beside its own head.
#[derive(Clone, Copy)]
pub(super) struct Against<'a> {
    /// The claims that its store keeps.
    pub(super) claims: bool,
    /// What signed anchors promise.
    pub(super) anchors: &'a [Head],
}

struct Pass<'a> {
    anchors: &'a [Head],
    roller: chain::Roller,
    tips: HashMap<String, (u64, [u8; 32])>,
    matches: Vec<MatchId>,
    claims: ClaimTable,
    /// A stream that broke is not reported event by event.
    broken: HashSet<String>,
}

/// Checks the log and returns its matches, in the order in which they began.
pub(super) async fn check(
    log: &dyn EventLog,
    against: Against<'_>,
    report: &mut Report,
    bar: &ProgressBar,
) -> Result<Vec<MatchId>, ReadError> {
    let mut pass = Pass {
        anchors: against.anchors,
        roller: chain::Roller::new(),
        tips: HashMap::new(),
        matches: Vec::new(),
        claims: ClaimTable::default(),
        broken: HashSet::new(),
    };
    let mut left = TRIES;
    loop {
        if let Err((last, error)) = pass.read_on(log, report, bar).await {
            report.breaks_off(last, error);
            report.streams = pass.tips.len() as u64;
            return Ok(pass.matches);
        }
        let head = log.head().await?;
        if head.position > pass.roller.head().position && !grew(log, &pass).await? {
            let last = pass.roller.head().position;
            let text = format!("it ends at position {last}, but its head says {}", head.position);
            report.problem("log", None, text);
            break;
        }
        if !against.claims {
            pass.ends_at(head, report);
            break;
        }
        let claims = log.claims().await?;
        // Only what was read while the log stood still can be compared.
        if log.head().await? != head || head.position > pass.roller.head().position {
            left -= 1;
            if left == 0 {
                report.note("the log grows too fast: its claims were not compared");
                break;
            }
            continue;
        }
        pass.ends_at(head, report);
        differences(&pass.claims, &claims, report);
        break;
    }
    let last = pass.roller.head().position;
    for anchor in against.anchors.iter().filter(|anchor| anchor.position > last) {
        let text = format!(
            "an anchor was signed at position {}, but the log ends at {last}",
            anchor.position
        );
        report.problem("anchor", None, text);
    }
    report.ends(pass.roller.head());
    report.streams = pass.tips.len() as u64;
    Ok(pass.matches)
}

/// Whether there is more to read.
async fn grew(log: &dyn EventLog, pass: &Pass<'_>) -> Result<bool, ReadError> {
    let more = log.read_all(pass.roller.head().position, 1).await?;
    Ok(!more.is_empty())
}

impl Pass<'_> {
    fn ends_at(&self, head: Head, report: &mut Report) {
        if head != self.roller.head() {
            report.problem("log", None, "the rolling hash of the events is not that of the head");
        }
    }

    /// Holds the anchors of this position against what was rolled so far.
    fn anchored(&self, event: &Stored, report: &mut Report) {
        let here = self.roller.head();
        for anchor in self.anchors.iter().filter(|anchor| anchor.position == event.position) {
            if *anchor == here {
                report.anchors += 1;
            } else {
                report.event(event, "up to here, the log is not the one that was anchored");
            }
        }
    }

    /// Reads to the end of now. Where the log cannot be read any further, everything before that place is taken in,
    /// and its position given: pages become smaller until the one event is found.
    async fn read_on(
        &mut self,
        log: &dyn EventLog,
        report: &mut Report,
        bar: &ProgressBar,
    ) -> Result<(), (u64, ReadError)> {
        let mut most = PAGE;
        loop {
            match self.page(log, most, report, bar).await {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(_) if most > 1 => most = (most / 2).max(1),
                Err(error) => return Err((self.roller.head().position, error)),
            }
        }
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
            let last = self.roller.head().position;
            if event.position != last + 1 {
                let text = format!("position {} follows position {last}", event.position);
                report.event(event, text);
            }
            if let Err(error) = self.roller.push(event) {
                report.event(event, error);
            }
            self.anchored(event, report);
            self.chain(event, report);
            self.claim(event, report);
        }
        report.events += events.len() as u64;
        bar.set_position(self.roller.head().position);
        Ok(!events.is_empty())
    }

    fn chain(&mut self, event: &Stored, report: &mut Report) {
        let stream = event.stream.as_str();
        let (version, hash) = self.tips.get(stream).copied().unwrap_or((0, chain::START));
        if version == 0
            && let Some(id) = id_of::<Match>(stream)
        {
            self.matches.push(MatchId(id));
        }
        self.tips.insert(stream.to_owned(), (event.version, event.hash));
        let checked = chain::verify_stream(hash, version, std::slice::from_ref(event));
        if let Err(error) = checked
            && self.broken.insert(stream.to_owned())
        {
            report.event(event, error);
        }
    }

    fn claim(&mut self, event: &Stored, report: &mut Report) {
        let stream = event.stream.as_str();
        let claims = if id_of::<Match>(stream).is_some() {
            claims_of::<Match>(event)
        } else if id_of::<Player>(stream).is_some() {
            claims_of::<Player>(event)
        } else if aggregate_id::<Site>(stream).is_some() {
            claims_of::<Site>(event)
        } else {
            report.note(format!("stream {stream} is of a kind that this program does not know"));
            return;
        };
        let entered = claims
            .map_err(|error| error.to_string())
            .and_then(|claims| self.claims.apply(&claims).map_err(|error| error.to_string()));
        if let Err(problem) = entered {
            report.event(event, problem);
        }
    }
}

fn claims_of<D: Decider>(event: &Stored) -> Result<Vec<Claim>, codec::CodecError> {
    Ok(D::claims(&codec::decode::<D::Event>(event)?.event))
}

/// The id in a stream's name; the nil id belongs to the site alone.
fn id_of<D: Decider>(stream: &str) -> Option<uuid::Uuid> {
    aggregate_id::<D>(stream).filter(|id| !id.is_nil())
}

fn differences(wanted: &ClaimTable, stored: &ClaimTable, report: &mut Report) {
    for (counter, player) in keys(&wanted.counted, &stored.counted) {
        let (want, have) = (wanted.held(counter, player), stored.held(counter, player));
        if want != have {
            let text = format!("{} of player {player}: {have}, by the log {want}", counter.name());
            report.problem("claims", None, text);
        }
    }
    for key in wanted.unique.symmetric_difference(&stored.unique) {
        let text = if stored.unique.contains(key) { "is not in the log" } else { "is missing" };
        report.problem("claims", None, format!("{key} {text}"));
    }
    for counter in keys(&wanted.limits, &stored.limits) {
        let (want, have) = (wanted.limit(counter), stored.limit(counter));
        if want != have {
            let text = format!("limit of {}: {have}, by the log {want}", counter.name());
            report.problem("claims", None, text);
        }
    }
}

fn keys<K: Ord + Copy, V>(one: &BTreeMap<K, V>, other: &BTreeMap<K, V>) -> BTreeSet<K> {
    one.keys().chain(other.keys()).copied().collect()
}

//! `yibu replay-file`: a replay file read, played through by the rules, and shown at any of its events. Needs neither
//! a data folder nor a server. Must not show more of a file than the eyes that were asked for.

use super::numbers::whole;
use super::replay::{Eyes, Shape, coloured};
use super::{Outcome, console};
use crate::bounded;
use crate::files::replay::{MOST_BYTES, MOST_EVENTS, ReplayFile as Read, read};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use yibu_domain::games::siguo::notation::{diagram, seat_name, side_name};
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::visible;
use yibu_domain::matches::record::{
    Complete, Contradiction, Old, OldPlayback, Participant, Playback, Told,
};

/// Check a replay file by the rules, and show the board at any of its events
///
/// The file is played through from its first event on. One that contradicts the rules is shown up to the first
/// contradiction, and the exit code is 1. Versions 2 and 1 are read; what a file of version 1 does not tell is said
/// to be missing.
#[derive(Args)]
pub struct ReplayFile {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// After this event (in version 1: after this move); 0 is the initial position, the last one without it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(0..=MOST_EVENTS))]
    at: Option<usize>,
    /// Through whose eyes
    #[arg(long = "as", value_enum, default_value_t = Eyes::Open)]
    eyes: Eyes,
    /// Compute the match's fair draws again from seed and nonces
    #[arg(long)]
    check_draws: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A file at one of its events.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Scene {
    /// The version of the format.
    pub version: u32,
    /// The match, where it is told.
    pub match_id: Option<String>,
    /// How many events (in version 1: moves) the file has.
    pub events: usize,
    /// How many of them are played.
    pub at: usize,
    /// The last of them, where the file tells more than a move.
    pub event: Option<Told>,
    /// The pieces.
    pub pieces: Vec<Shape>,
    /// Who sat where.
    pub participants: Vec<Participant>,
    /// What the file does not tell.
    pub missing: Vec<&'static str>,
    /// Pieces whose identity the file does not tell.
    pub unknown: usize,
    /// Fair draws that were checked.
    pub draws: Option<usize>,
    /// Where it contradicts the rules, anywhere in the file.
    pub contradiction: Option<Refuted>,
}

/// A contradiction for scripts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refuted {
    /// The event, from 1.
    pub event: usize,
    /// What it is about.
    pub at: String,
    /// The stable code.
    pub why: &'static str,
    /// In words.
    pub told: String,
}

impl From<&Contradiction> for Refuted {
    fn from(found: &Contradiction) -> Self {
        let (why, told) = (found.why.code(), found.to_string());
        Self { event: found.event, at: found.at.clone(), why, told }
    }
}

impl ReplayFile {
    pub(super) fn run(self) -> Outcome {
        let file = read(&bounded::bytes(&self.file, MOST_BYTES)?)
            .map_err(|fault| format!("{}: {fault}", self.file.display()))?;
        let mut scene = Scene::of(&file, self.at, self.eyes)?;
        if self.check_draws {
            let Read::Complete(record) = &file else {
                return Err("a file of version 1 tells nothing of its draws".into());
            };
            scene.draws = Some(record.check_draws()?);
        }
        if self.json {
            console::json(&scene)?;
        } else {
            console::as_is(scene.text(console::colour()).trim_end());
        }
        Ok(if scene.contradiction.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

impl Scene {
    /// A file after `at` of its events, all of them without it, or as many as there are before the first contradiction.
    ///
    /// # Errors
    /// The file has fewer events.
    pub fn of(file: &Read, at: Option<usize>, eyes: Eyes) -> Result<Self, String> {
        let scene = match file {
            Read::Complete(record) => complete(record, at, eyes),
            Read::Old(record) => old(record, at, eyes),
        };
        match at {
            Some(at) if at > scene.events => Err(format!("the file has {} events", scene.events)),
            _ => Ok(scene),
        }
    }

    /// For a person.
    pub fn text(&self, colour: bool) -> String {
        let look = |at: Pos| {
            let found = self.pieces.iter().find(|shape| shape.at == at);
            found.map(|shape| (shape.seat, shape.identity))
        };
        let drawing = diagram(look);
        let drawing = if colour { coloured(&drawing) } else { drawing };
        let mut lines = vec![format!("replay file, version {}", self.version)];
        lines.extend(self.match_id.iter().map(|id| format!("match {id}")));
        let what =
            self.event.as_ref().map(|told| format!(": {} at {}", told.deed.place(), told.at));
        lines.push(format!("event {} of {}{}", self.at, self.events, what.unwrap_or_default()));
        lines.extend([String::new(), drawing]);
        for one in &self.participants {
            let (side, seat) = (side_name(one.seat.side()), seat_name(one.seat));
            let name = visible(one.nickname.as_deref().unwrap_or("已注销"));
            let house = if one.house { " (陪练)" } else { "" };
            let left = one.left_at.map(|at| format!(" to {at}")).unwrap_or_default();
            lines.push(format!("{side} {seat}: {name}{house}, from {}{left}", one.joined_at));
        }
        if self.unknown > 0 {
            lines.push(format!("missing: the identities of {} pieces", self.unknown));
        }
        lines.extend(self.missing.iter().map(|what| format!("missing: {what}")));
        lines.extend(self.draws.map(|count| format!("draws: {count} checked against the seed")));
        lines.extend(
            self.contradiction
                .iter()
                .map(|found| format!("contradiction: {}", visible(&found.told))),
        );
        lines.join("\n")
    }
}

fn complete(record: &Complete, at: Option<usize>, eyes: Eyes) -> Scene {
    let mut playback = Playback::new(record);
    let mut contradiction = None;
    while at.is_none_or(|at| playback.done() < at) {
        match playback.step() {
            Ok(true) => {}
            Ok(false) => break,
            Err(found) => {
                contradiction = Some(found);
                break;
            }
        }
    }
    let pieces = shapes(|at| playback.look(at), eyes);
    let (done, event) = (playback.done(), playback.last().cloned());
    // A file is judged as a whole, wherever it is looked at.
    let contradiction = contradiction.or_else(|| playback.play().err());
    Scene {
        version: record.version,
        match_id: Some(record.kept.id.to_string()),
        events: record.events.len(),
        at: done,
        event,
        pieces,
        participants: record.participants.clone(),
        missing: Vec::new(),
        unknown: 0,
        draws: None,
        contradiction: contradiction.as_ref().map(Refuted::from),
    }
}

fn old(record: &Old, at: Option<usize>, eyes: Eyes) -> Scene {
    let mut playback = OldPlayback::new(record);
    let (mut found, mut shown) = (None, None);
    loop {
        if Some(playback.done()) == at {
            shown = Some((playback.done(), shapes(|at| playback.look(at), eyes)));
        }
        match playback.step() {
            Ok(true) => {}
            Ok(false) => break,
            Err(contradiction) => {
                found = Some(contradiction);
                break;
            }
        }
    }
    let (done, pieces) =
        shown.unwrap_or_else(|| (playback.done(), shapes(|at| playback.look(at), eyes)));
    Scene {
        version: 1,
        match_id: None,
        events: record.moves.len(),
        at: done,
        event: None,
        pieces,
        participants: Vec::new(),
        missing: vec!["times", "people", "events other than moves", "how it ended"],
        unknown: record.unknown(),
        draws: None,
        contradiction: found.as_ref().map(Refuted::from),
    }
}

fn shapes(look: impl Fn(Pos) -> Option<(Seat, Option<Piece>)>, eyes: Eyes) -> Vec<Shape> {
    let standing = Pos::all().filter_map(|at| look(at).map(|(seat, piece)| (at, seat, piece)));
    let shown = standing.map(|(at, seat, piece)| {
        let open = eyes == Eyes::Open || eyes.seat() == Some(seat);
        Shape { at, seat, identity: piece.filter(|_| open) }
    });
    shown.collect()
}

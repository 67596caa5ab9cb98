//! A match as text and as JSON. Shows what it is given eyes for and nothing more.

use super::Eyes;
use serde::Serialize;
use yibu_domain::games::siguo::battle::Outcome as Battle;
use yibu_domain::games::siguo::notation::{diagram, move_text, seat_name, side_name};
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Event, Time};
use yibu_domain::matches::events::{Action, Moved, Outcome, TurnKind};
use yibu_domain::matches::view::{MatchView, Phase, PublicView, view};
use yibu_domain::matches::{MatchEvent, MatchState};
use yibu_infrastructure::log::port::Stored;

/// A match at one of its events.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Shown {
    /// The match's id.
    pub match_id: String,
    /// The number of the event.
    pub at: u64,
    /// When it counts.
    pub time: String,
    /// The public version.
    pub version: u64,
    /// Where the match stands.
    pub phase: Phase,
    /// Whose turn, until when.
    pub turn: Option<String>,
    /// Each seat in a few words, in the order s, e, n, w.
    pub seats: Vec<String>,
    /// The last move.
    pub last_move: Option<String>,
    /// How it ended.
    pub outcome: Option<String>,
    /// The pieces.
    pub pieces: Vec<Shape>,
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Shape {
    /// Where.
    pub at: Pos,
    /// Whose.
    pub seat: Seat,
    /// What, where the eyes see it.
    pub identity: Option<Piece>,
}

impl Shown {
    /// The state through somebody's eyes; none before the match's first event.
    pub(super) fn of(state: &MatchState, stored: &Stored, eyes: Eyes) -> Option<Self> {
        let live = state.live()?;
        let view = view(&live.sheet, eyes.audience());
        let public = &view.public;
        let pieces = match (eyes, state.position()) {
            (Eyes::Open, Some(truth)) => {
                let all = Seat::ALL.into_iter().flat_map(|seat| {
                    let men = truth.pieces(seat);
                    men.map(move |(at, _, piece)| Shape { at, seat, identity: Some(piece) })
                });
                all.collect()
            }
            _ => pieces(&view),
        };
        Some(Self {
            match_id: public.match_id.to_string(),
            at: stored.version,
            time: instant(stored.stamp.at),
            version: public.version,
            phase: public.phase,
            turn: public.turn.as_ref().map(|turn| {
                let kind = match turn.kind {
                    TurnKind::Normal => "on turn",
                    TurnKind::TakeoverFirst => "first turn after a takeover",
                    TurnKind::Vacant => "vacant, waits for a takeover",
                };
                let (seat, until) = (seat_name(turn.seat), instant(turn.deadline));
                format!("turn {}: {seat} {kind}, until {until}", turn.number)
            }),
            seats: Seat::ALL.into_iter().map(|seat| seat_words(public, seat)).collect(),
            last_move: public.last_move.as_ref().map(move_words),
            outcome: public.outcome.map(outcome_words),
            pieces,
        })
    }

    /// For a person.
    pub fn text(&self, colour: bool) -> String {
        let look = |at: Pos| {
            let found = self.pieces.iter().find(|shape| shape.at == at);
            found.map(|shape| (shape.seat, shape.identity))
        };
        let drawing = diagram(look);
        let drawing = if colour { coloured(&drawing) } else { drawing };
        let mut text = format!(
            "match {}\nevent {} at {}, public version {}\n\n{drawing}\n",
            self.match_id, self.at, self.time, self.version
        );
        let facts = self.turn.iter().chain(self.outcome.iter());
        let last = self.last_move.iter().map(|last| format!("last move: {last}"));
        for line in facts.cloned().chain(last).chain(self.seats.iter().cloned()) {
            text.push_str(&line);
            text.push('\n');
        }
        text
    }
}

fn pieces(view: &MatchView) -> Vec<Shape> {
    let seat = view.seat();
    let own = view.own.as_ref();
    if view.public.phase == Phase::Assembling {
        let (Some(seat), Some(own)) = (seat, own) else { return Vec::new() };
        let men = own.men.iter();
        let men = men.map(|man| Shape { at: man.piece, seat, identity: Some(man.identity) });
        return men.collect();
    }
    let men = view.public.men.iter().map(|man| {
        let known = (Some(man.seat) == seat).then(|| own?.identity(man.piece)).flatten();
        let flag = man.flag.then_some(Piece::Flag);
        Shape { at: man.at, seat: man.seat, identity: known.or(flag) }
    });
    men.collect()
}

/// Red for the seats s and n, blue for e and w, as on the board.
fn coloured(drawing: &str) -> String {
    let mut text = String::with_capacity(drawing.len() * 2);
    let mut letters = drawing.chars().peekable();
    while let Some(letter) = letters.next() {
        let seat = match letter {
            's' | 'n' => Some("31"),
            'e' | 'w' => Some("34"),
            _ => None,
        };
        let Some(code) = seat else {
            text.push(letter);
            continue;
        };
        text.push_str(&format!("\u{1b}[{code}m{letter}"));
        while let Some(more) = letters.next_if(|more| *more != ' ' && *more != '\n') {
            text.push(more);
        }
        text.push_str("\u{1b}[0m");
    }
    text
}

fn seat_words(public: &PublicView, seat: Seat) -> String {
    let card = &public.seats[seat];
    let state = match (public.phase, card.active, &card.person) {
        (Phase::Assembling, ..) => "hidden until the start".to_owned(),
        (_, false, _) => match card.eliminated {
            Some(cause) => format!("out ({})", plain(cause)),
            None => "does not play".to_owned(),
        },
        (_, true, None) => "vacant".to_owned(),
        (_, true, Some(person)) => format!("player {}", person.player),
    };
    let men = public.men_left(seat);
    format!("{} {} ({seat}): {state}, {men} men", side_name(seat.side()), seat_name(seat))
}

fn move_words(moved: &Moved) -> String {
    let outcome = match moved.outcome {
        Battle::None => "",
        Battle::Attacker => ", takes",
        Battle::Defender => ", falls",
        Battle::Both => ", both fall",
    };
    let met = moved.met.as_ref().map(|met| format!(" ({})", seat_name(met.seat)));
    let text = move_text(moved.from, moved.to);
    format!("{} {text}{outcome}{}", seat_name(moved.seat), met.unwrap_or_default())
}

fn outcome_words(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win { side, by } => format!("ended: {} wins ({})", side_name(side), plain(by)),
        Outcome::Draw { by } => format!("ended: a draw ({})", plain(by)),
        Outcome::NoResult { by } => format!("ended: no result ({})", plain(by)),
    }
}

/// A small word of the log as text: `no_moves` is "no moves".
fn plain(word: impl Serialize) -> String {
    let word = serde_json::to_value(word).unwrap_or_default();
    word.as_str().unwrap_or_default().replace('_', " ")
}

/// An event as everybody may know it.
pub(super) fn words(event: &MatchEvent) -> String {
    let name = event.name();
    let short = name.trim_start_matches("siguo.").trim_end_matches(".v1").replace('_', " ");
    match event.action() {
        Some(Action::Moved(moved)) => format!("{short}: {}", move_words(&moved)),
        Some(Action::TurnStarted(turn)) => {
            format!(
                "{short}: {} {}, until {}",
                turn.turn,
                seat_name(turn.seat),
                instant(turn.deadline)
            )
        }
        Some(Action::SeatEliminated(out)) => {
            format!("{short}: {} ({})", seat_name(out.seat), plain(out.cause))
        }
        Some(Action::Ended(end)) => outcome_words(end.outcome),
        Some(Action::Skipped(part)) => format!("{short}: {}", seat_name(part.seat)),
        Some(_) => short,
        None => format!("{short} (not public)"),
    }
}

/// An instant as UTC.
pub(super) fn instant(at: Time) -> String {
    match chrono::DateTime::from_timestamp_millis(at.0) {
        Some(at) => at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true),
        None => format!("{} ms", at.0),
    }
}

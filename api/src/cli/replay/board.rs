//! A match as text and as JSON. Shows what it is given eyes for and nothing more.

use super::Eyes;
use serde::Serialize;
use yibu_domain::games::siguo::battle::Outcome as Battle;
use yibu_domain::games::siguo::notation::{diagram, move_text, seat_name, side_name};
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::rules::Cause;
use yibu_domain::games::siguo::seat::{Seat, Side};
use yibu_domain::kernel::{Event, PlayerId, Time};
use yibu_domain::matches::events::{Action, Moved, Outcome, TurnKind};
use yibu_domain::matches::view::{MatchView, Phase, PublicView, TurnView, view};
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
    /// The clock that runs.
    pub turn: Option<TurnView>,
    /// Each seat, in the order s, e, n, w.
    pub seats: Vec<SeatShown>,
    /// The last move.
    pub last_move: Option<Moved>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// The pieces.
    pub pieces: Vec<Shape>,
}

/// A seat at an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatShown {
    /// Which.
    pub seat: Seat,
    /// Its side.
    pub side: Side,
    /// How it is.
    pub state: SeatState,
    /// Why it fell, where it did.
    pub eliminated: Option<Cause>,
    /// Who sits there, once that may be known.
    pub player: Option<PlayerId>,
    /// Men on the board.
    pub men: usize,
}

/// How a seat is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatState {
    /// Not shown before the start.
    Hidden,
    /// A person plays.
    Playing,
    /// Nobody sits there.
    Vacant,
    /// It fell.
    Eliminated,
    /// The rules leave it empty.
    Unused,
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
            turn: public.turn.clone(),
            seats: Seat::ALL.into_iter().map(|seat| seat_shown(public, seat)).collect(),
            last_move: public.last_move.clone(),
            outcome: public.outcome,
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
        let turn = self.turn.iter().map(turn_words);
        let outcome = self.outcome.iter().map(|outcome| outcome_words(*outcome));
        let last = self.last_move.iter().map(|last| format!("last move: {}", move_words(last)));
        for line in turn.chain(outcome).chain(last).chain(self.seats.iter().map(seat_words)) {
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
pub(crate) fn coloured(drawing: &str) -> String {
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

fn seat_shown(public: &PublicView, seat: Seat) -> SeatShown {
    let card = &public.seats[seat];
    let state = match (public.phase, card.active, &card.person) {
        (Phase::Assembling, ..) => SeatState::Hidden,
        (_, false, _) if card.eliminated.is_some() => SeatState::Eliminated,
        (_, false, _) => SeatState::Unused,
        (_, true, None) => SeatState::Vacant,
        (_, true, Some(_)) => SeatState::Playing,
    };
    SeatShown {
        seat,
        side: seat.side(),
        state,
        eliminated: card.eliminated,
        player: card.person.as_ref().map(|person| person.player),
        men: public.men_left(seat),
    }
}

fn turn_words(turn: &TurnView) -> String {
    let kind = match turn.kind {
        TurnKind::Normal => "on turn",
        TurnKind::TakeoverFirst => "first turn after a takeover",
        TurnKind::Vacant => "vacant, waits for a takeover",
    };
    let (seat, until) = (seat_name(turn.seat), instant(turn.deadline));
    format!("turn {}: {seat} {kind}, until {until}", turn.number)
}

fn seat_words(shown: &SeatShown) -> String {
    let SeatShown { seat, side, state, eliminated, player, men } = shown;
    let state = match (state, eliminated, player) {
        (SeatState::Eliminated, Some(cause), _) => format!("out ({})", plain(*cause)),
        (SeatState::Playing, _, Some(player)) => format!("player {player}"),
        (SeatState::Hidden, ..) => "hidden until the start".to_owned(),
        (SeatState::Vacant, ..) => "vacant".to_owned(),
        _ => "does not play".to_owned(),
    };
    format!("{} {} ({seat}): {state}, {men} men", side_name(*side), seat_name(*seat))
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
pub(crate) fn instant(at: Time) -> String {
    match chrono::DateTime::from_timestamp_millis(at.0) {
        Some(at) => at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true),
        None => format!("{} ms", at.0),
    }
}

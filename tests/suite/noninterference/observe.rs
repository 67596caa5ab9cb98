//! What a viewer gets to see of a state, as bytes; and two deliberately leaky observers that the test must catch.

use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::matches::view::{Audience, MatchView, view};
use yibu_domain::matches::{Live, MatchState};

/// Everything that the viewer is shown at a state.
pub trait Observe {
    fn see(&self, state: &MatchState, live: &Live, audience: Audience) -> Vec<u8>;
}

fn bytes(view: &MatchView) -> Vec<u8> {
    let moves: Vec<_> = view.legal_moves().map(|moves| moves.iter().collect()).unwrap_or_default();
    let routes: Vec<_> = moves.iter().take(3).map(|&(from, to)| view.route(from, to)).collect();
    serde_json::to_vec(&(&view.public, &view.own, moves, routes)).expect("views serialise")
}

/// The product's own view.
pub struct Honest;

impl Observe for Honest {
    fn see(&self, _: &MatchState, live: &Live, audience: Audience) -> Vec<u8> {
        bytes(&view(&live.sheet, audience))
    }
}

/// Adds how many men of the next seat can move: a "harmless" count.
pub struct LeakyCount;

impl Observe for LeakyCount {
    fn see(&self, state: &MatchState, live: &Live, audience: Audience) -> Vec<u8> {
        let mut seen = bytes(&view(&live.sheet, audience));
        let position = state.position().expect("a match");
        let stuck = |piece: Piece| matches!(piece, Piece::Mine | Piece::Flag);
        let counts = Seat::ALL.map(|seat| {
            let front = position.pieces(seat).filter(|(at, ..)| at.row() < 6);
            front.filter(|(_, _, piece)| !stuck(*piece)).count() as u8
        });
        seen.extend(counts);
        seen
    }
}

/// Lists the men in order of rank, without naming a single one.
pub struct LeakyOrder;

impl Observe for LeakyOrder {
    fn see(&self, state: &MatchState, live: &Live, audience: Audience) -> Vec<u8> {
        let mut view = view(&live.sheet, audience);
        let position = state.position().expect("a match");
        view.public.men.sort_by_key(|man| position.piece(man.at));
        bytes(&view)
    }
}

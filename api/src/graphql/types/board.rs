//! The board through the viewer's eyes, and moves. An identity is here only where the view itself has it.

use super::enums::{BattleOutcome, MarkColour, Piece, Seat};
use crate::graphql::scalars::Position;
use async_graphql::SimpleObject;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::{piece, seat};
use yibu_domain::matches::view::{self, Phase};
use yibu_domain::matches::{self, events::Moved};

/// A piece on the board.
#[derive(SimpleObject)]
pub struct BoardPiece {
    /// Where it stands.
    pub at: Position,
    /// Whose it is.
    pub seat: Seat,
    /// Its handle: the position where it started, which everyone could follow. Never changes.
    pub handle: Position,
    /// What it is: known for own pieces and for flags that the rules made public; null for all others.
    pub identity: Option<Piece>,
    /// Lies face down for the others: not a flag that the rules made public.
    pub face_down: bool,
}

/// A piece of the viewer's own tenure, the lost ones too.
#[derive(SimpleObject)]
pub struct OwnPiece {
    /// Its handle.
    pub handle: Position,
    /// What it is.
    pub identity: Piece,
    /// Where it stands; null when it is lost.
    pub at: Option<Position>,
}

/// A private mark of the viewer on somebody else's piece.
#[derive(SimpleObject)]
pub struct Mark {
    /// The piece's handle.
    pub handle: Position,
    /// What the viewer noted; empty where there is a colour alone.
    pub mark: String,
    /// The colour; null where there is none.
    pub colour: Option<MarkColour>,
}

impl From<(Pos, matches::Mark)> for Mark {
    fn from((handle, mark): (Pos, matches::Mark)) -> Self {
        let colour = mark.colour().map(Into::into);
        Self { handle: handle.into(), mark: mark.text().to_owned(), colour }
    }
}

/// Where one piece can go.
#[derive(SimpleObject)]
pub struct LegalMoves {
    /// Where the piece stands.
    pub from: Position,
    /// Where it can go, in index order.
    pub to: Vec<Position>,
}

/// What the viewer's own document says that a piece of a seat is.
pub fn own_identity(view: &view::MatchView, seat: seat::Seat, handle: Pos) -> Option<piece::Piece> {
    (view.seat() == Some(seat)).then(|| view.own.as_ref()?.identity(handle)).flatten()
}

/// Every piece that the viewer sees. Before the start those are the own ones.
pub fn pieces(view: &view::MatchView) -> Vec<BoardPiece> {
    if view.public.phase == Phase::Assembling {
        return forming(view);
    }
    let shown = view.public.men.iter().map(|man| {
        let own = own_identity(view, man.seat, man.piece);
        let public = man.flag.then_some(piece::Piece::Flag);
        BoardPiece {
            at: man.at.into(),
            seat: man.seat.into(),
            handle: man.piece.into(),
            identity: public.or(own).map(Into::into),
            face_down: !man.flag,
        }
    });
    shown.collect()
}

fn forming(view: &view::MatchView) -> Vec<BoardPiece> {
    let (Some(seat), Some(own)) = (view.seat(), &view.own) else {
        return Vec::new();
    };
    let men = own.men.iter().map(|man| BoardPiece {
        at: man.piece.into(),
        seat: seat.into(),
        handle: man.piece.into(),
        identity: Some(man.identity.into()),
        face_down: true,
    });
    men.collect()
}

/// The pieces of the viewer's own tenure.
pub fn own_pieces(view: &view::MatchView) -> Vec<OwnPiece> {
    let (Some(seat), Some(own)) = (view.seat(), &view.own) else {
        return Vec::new();
    };
    let place = |handle: Pos| {
        if view.public.phase == Phase::Assembling {
            return Some(handle);
        }
        let mut men = view.public.men.iter();
        men.find(|man| man.seat == seat && man.piece == handle).map(|man| man.at)
    };
    let men = own.men.iter().map(|man| OwnPiece {
        handle: man.piece.into(),
        identity: man.identity.into(),
        at: place(man.piece).map(Into::into),
    });
    men.collect()
}

/// Where each of the viewer's own pieces can go: nothing unless it is the viewer's turn.
pub fn legal_moves(view: &view::MatchView) -> Vec<LegalMoves> {
    let moves = view.legal_moves().unwrap_or_default();
    let all = moves.by_piece().map(|(from, to)| LegalMoves {
        from: from.into(),
        to: to.iter().map(Into::into).collect(),
    });
    all.collect()
}

/// A move as everybody saw it, with the viewer's own identities.
#[derive(SimpleObject)]
pub struct Move {
    /// The turn's ordinal.
    pub turn: u32,
    /// Whose move.
    pub seat: Seat,
    /// The moving piece's handle.
    pub handle: Position,
    /// What it is, when it is the viewer's own.
    pub identity: Option<Piece>,
    /// From.
    pub from: Position,
    /// To.
    pub to: Position,
    /// Every position walked, both ends included.
    pub route: Vec<Position>,
    /// Who stays.
    pub outcome: BattleOutcome,
    /// The piece that was met, where there was one.
    pub met: Option<MetPiece>,
    /// Flags that this made public.
    pub revealed: Vec<RevealedFlag>,
    /// The seat whose flag was captured.
    pub captured: Option<Seat>,
}

/// A piece that was met.
#[derive(SimpleObject)]
pub struct MetPiece {
    /// Whose.
    pub seat: Seat,
    /// Its handle.
    pub handle: Position,
    /// What it is, when it is the viewer's own.
    pub identity: Option<Piece>,
}

/// A flag that became public.
#[derive(SimpleObject)]
pub struct RevealedFlag {
    /// Whose.
    pub seat: Seat,
    /// Where it stands.
    pub at: Position,
}

impl Move {
    /// The move for a viewer.
    pub fn of(view: &view::MatchView, moved: &Moved) -> Self {
        let known = |seat, handle| own_identity(view, seat, handle).map(Piece::from);
        Self {
            turn: moved.turn,
            seat: moved.seat.into(),
            handle: moved.piece.into(),
            identity: known(moved.seat, moved.piece),
            from: moved.from.into(),
            to: moved.to.into(),
            route: moved.route.iter().map(|at| (*at).into()).collect(),
            outcome: moved.outcome.into(),
            met: moved.met.as_ref().map(|met| MetPiece {
                seat: met.seat.into(),
                handle: met.piece.into(),
                identity: known(met.seat, met.piece),
            }),
            revealed: (moved.revealed.iter())
                .map(|flag| RevealedFlag { seat: flag.seat.into(), at: flag.at.into() })
                .collect(),
            captured: moved.captured.map(Into::into),
        }
    }
}

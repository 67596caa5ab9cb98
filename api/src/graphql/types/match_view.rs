//! A match through one viewer's eyes. Wraps the domain's view and adds nothing but names, the list of public
//! actions and the time of now.

use super::actions::{self, ActionConnection, ActionEdge, MatchAction, PageInfo, Paging};
use super::board::{self, BoardPiece, LegalMoves, Mark, Move, OwnPiece};
use super::enums::{Phase, Seat, Side, ViewerRole};
use super::outcome::{Outcome, SettlementLine};
use super::rules::MatchRules;
use super::seats::{Candidacy, DrawOffer, SeatCard, TeamSurrenderProposal, Turn};
use crate::graphql::errors::account_fault;
use crate::graphql::ids::Global;
use crate::graphql::scalars::{DateTime, Hex256, Position, instant};
use crate::graphql::viewer::{app, viewer};
use async_graphql::{Context, Error, ID, Object};
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::seat;
use yibu_domain::kernel::Time;
use yibu_domain::matches::events::TurnKind;
use yibu_domain::matches::marks::is_markable;
use yibu_domain::matches::view::{self, Audience};

/// A match as one viewer may see it.
pub struct MatchView {
    view: view::MatchView,
    now: Time,
    /// The read models of actions must have come so far for the list to be complete.
    position: Option<u64>,
}

impl MatchView {
    /// A view, read at `now` from a state that the log had at `position` (none when the read models are
    /// known to have come so far).
    pub fn new(view: view::MatchView, now: Time, position: Option<u64>) -> Self {
        Self { view, now, position }
    }

    /// The public version.
    pub fn version(&self) -> u64 {
        self.view.public.version
    }

    /// The private version, for who sits.
    pub fn private_version(&self) -> Option<u64> {
        self.view.own.as_ref().map(|own| own.version)
    }

    fn seat(&self) -> Option<seat::Seat> {
        self.view.seat()
    }
}

/// A match as the viewer may see it.
#[Object]
impl MatchView {
    /// The match's global id.
    async fn id(&self) -> ID {
        Global::Match(self.view.public.match_id).id()
    }

    /// How many public events the match had. Everybody who may see the match sees the same steps.
    #[graphql(name = "version")]
    async fn public_version(&self) -> u64 {
        self.version()
    }

    /// How many private events the viewer's tenure had (arranging, the side's proposals); null without a seat.
    #[graphql(name = "privateVersion")]
    async fn own_version(&self) -> Option<u64> {
        self.private_version()
    }

    /// The server's time when this was read.
    async fn now(&self) -> DateTime {
        DateTime(self.now)
    }

    /// What the viewer is to the match.
    async fn role(&self) -> ViewerRole {
        match self.view.audience {
            Audience::Seat(_) => ViewerRole::Seated,
            Audience::Candidate(_) => ViewerRole::Candidate,
            Audience::Departed => ViewerRole::Departed,
        }
    }

    /// The seat in which the viewer sits.
    async fn my_seat(&self) -> Option<Seat> {
        self.seat().map(Into::into)
    }

    /// The viewer's side.
    async fn my_side(&self) -> Option<Side> {
        self.seat().map(|seat| seat.side().into())
    }

    /// Whether the viewer is done arranging; null unless the match assembles.
    async fn my_ready(&self) -> Option<bool> {
        let own = self.view.own.as_ref()?;
        (self.view.public.phase == view::Phase::Assembling).then_some(own.ready)
    }

    /// Skips that the viewer has left; null without an active seat in a match that runs.
    async fn my_skips_left(&self) -> Option<u32> {
        let public = &self.view.public;
        let seat = self.seat().filter(|seat| public.seats[*seat].active)?;
        let left = public.rules.skips.saturating_sub(public.seats[seat].skips_used);
        (public.phase == view::Phase::Playing).then_some(u32::from(left))
    }

    /// Every piece of the viewer's own tenure with its identity, the lost ones too; empty without a seat.
    async fn my_pieces(&self) -> Vec<OwnPiece> {
        board::own_pieces(&self.view)
    }

    /// The viewer's private marks on others' face-down pieces that are on the board, by handle; empty without a seat.
    /// They have no part in the versions: who sets one is answered with all.
    async fn marks(&self, ctx: &Context<'_>) -> Result<Vec<Mark>, Error> {
        let Some(player) = viewer(ctx)?.player().filter(|_| self.seat().is_some()) else {
            return Ok(Vec::new());
        };
        let noted = app(ctx)?.accounts().marks_of(player, self.view.public.match_id).await;
        let noted = noted.map_err(account_fault)?.into_iter();
        let shown = noted.filter(|(piece, _)| is_markable(&self.view, *piece));
        Ok(shown.map(Mark::from).collect())
    }

    /// Where the match stands in its life.
    async fn phase(&self) -> Phase {
        self.view.public.phase.into()
    }

    /// The rules that hold for the match's whole life.
    async fn rules(&self) -> MatchRules {
        MatchRules(self.view.public.rules.clone())
    }

    /// BLAKE3 of the 256-bit seed of the match's fair draws; the seed itself is in the replay of the finished match.
    async fn commitment(&self) -> Hex256 {
        Hex256(self.view.public.commitment)
    }

    /// When the table was opened.
    async fn opened_at(&self) -> DateTime {
        DateTime(self.view.public.opened)
    }

    /// When the match started.
    async fn started_at(&self) -> Option<DateTime> {
        instant(self.view.public.started)
    }

    /// When the match was settled.
    async fn ended_at(&self) -> Option<DateTime> {
        instant(self.view.public.ended)
    }

    /// Seats taken, before the start; who sits where stays hidden until then.
    async fn seats_taken(&self) -> u32 {
        u32::from(self.view.public.taken)
    }

    /// Seats ready, before the start.
    async fn seats_ready(&self) -> u32 {
        u32::from(self.view.public.ready)
    }

    /// When seats that are not ready are released, before the start; null when never.
    async fn release_at(&self) -> Option<DateTime> {
        instant(self.view.public.release)
    }

    /// The four seats in the order s, e, n, w.
    async fn seats(&self) -> Vec<SeatCard> {
        seat::Seat::ALL.into_iter().map(|seat| SeatCard::of(&self.view.public, seat)).collect()
    }

    /// The clock that runs.
    async fn turn(&self) -> Option<Turn> {
        self.view.public.turn.as_ref().map(Turn::from)
    }

    /// Whether the viewer is on turn.
    async fn my_turn(&self) -> bool {
        let turn = self.view.public.turn.as_ref();
        turn.is_some_and(|turn| turn.kind != TurnKind::Vacant && Some(turn.seat) == self.seat())
    }

    /// Every piece on the board as the viewer sees it; before the start the viewer's own formation.
    async fn board(&self) -> Vec<BoardPiece> {
        board::pieces(&self.view)
    }

    /// Where the viewer's pieces can go; empty unless it is the viewer's turn.
    async fn legal_moves(&self) -> Vec<LegalMoves> {
        board::legal_moves(&self.view)
    }

    /// The way that one of the viewer's own moves takes, both ends included; null when it is not legal.
    async fn route(
        &self,
        #[graphql(desc = "Where the piece stands.")] from: Position,
        #[graphql(desc = "Where it goes.")] to: Position,
    ) -> Option<Vec<Position>> {
        let (from, to) = (from.0.parse::<Pos>().ok()?, to.0.parse::<Pos>().ok()?);
        self.view.route(from, to).map(|route| route.into_iter().map(Into::into).collect())
    }

    /// The last move.
    async fn last_move(&self) -> Option<Move> {
        self.view.public.last_move.as_ref().map(|moved| Move::of(&self.view, moved))
    }

    /// The open draw offer.
    async fn draw_offer(&self) -> Option<DrawOffer> {
        self.view.public.draw.as_ref().map(|draw| DrawOffer::of(&self.view.public, draw))
    }

    /// The open team-surrender proposal of the viewer's own side.
    async fn team_surrender(&self) -> Option<TeamSurrenderProposal> {
        let proposal = self.view.own.as_ref()?.proposal.as_ref()?;
        Some(TeamSurrenderProposal { proposal: proposal.proposal, seat: proposal.seat.into() })
    }

    /// The viewer's own open candidacy.
    async fn candidacy(&self) -> Option<Candidacy> {
        let Audience::Candidate(seat) = self.view.audience else { return None };
        let turn = self.view.public.turn.as_ref();
        let waits = turn.filter(|turn| turn.kind == TurnKind::Vacant && turn.seat == seat);
        Some(Candidacy { seat: seat.into(), deadline: instant(waits.map(|turn| turn.deadline)) })
    }

    /// How the match ended.
    async fn outcome(&self) -> Option<Outcome> {
        self.view.public.outcome.map(Into::into)
    }

    /// The settlement: everybody who sat there at the end; empty until then.
    async fn settlement(&self) -> Vec<SettlementLine> {
        self.view.public.lines.iter().map(SettlementLine::from).collect()
    }

    /// Whether the players' retention of the finished match is over.
    async fn record_expired(&self) -> bool {
        self.view.public.record_expired
    }

    /// What happened so far, oldest first, up to this view's version.
    #[graphql(complexity = "child_complexity + 1")]
    async fn actions(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "So many from the front, 0 to 100; 50 when neither first nor last is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "So many from the back, 0 to 100.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
    ) -> Result<ActionConnection, Error> {
        let total = self.version();
        let versions = actions::page(&Paging { first, after, last, before }, total)?;
        let app = app(ctx)?;
        let id = self.view.public.match_id;
        let found = app.actions(id, versions.clone(), self.position).await?;
        let edges: Vec<ActionEdge> = found
            .iter()
            .map(|found| ActionEdge {
                cursor: actions::cursor(found.version),
                node: MatchAction::of(&self.view, found.version, found.at, &found.action),
            })
            .collect();
        let page_info = PageInfo {
            has_next_page: versions.end <= total,
            has_previous_page: versions.start > 1,
            start_cursor: edges.first().map(|edge| edge.cursor.clone()),
            end_cursor: edges.last().map(|edge| edge.cursor.clone()),
        };
        Ok(ActionConnection { edges, page_info, total_count: total })
    }
}

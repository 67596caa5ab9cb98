//! Finding a table or a vacancy for a player: the server chooses at random, and records among what. Knows of
//! read models only the small trait below; whoever composes the server connects them.

use super::company::Company;
use super::input::input_hash;
use super::matches::MatchExecutor;
use super::streams::Executor;
use super::{Done, Rejected, Request, aggregate_id};
use crate::log::port::Remembered;
use async_trait::async_trait;
use std::any::Any;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Actor, CommandId, Counter, MatchId, PlayerId, Time};
use yibu_domain::matches::events::{Nonce, Occupant};
use yibu_domain::matches::{Choice, Guest, Match, MatchCommand, MatchRefusal, RuleSet};
use yibu_domain::site::{SITE, Site};

/// So often another table is tried because the chosen one had filled up meanwhile.
const TRIES: u32 = 32;

pub(super) const MATCH_NEW: &str = "match_new";
pub(super) const MATCH_TAKEOVER: &str = "match_takeover";

/// What matchmaking reads. Both answers include everything committed before they were asked for.
#[async_trait]
pub trait Tables: Send + Sync + 'static {
    /// Tables that assemble and have a free seat.
    ///
    /// # Errors
    /// What the read model says.
    async fn assembling(&self) -> Result<Vec<OpenTable>, Rejected<MatchRefusal>>;

    /// Vacant seats that are waited for.
    ///
    /// # Errors
    /// What the read model says.
    async fn vacancies(&self) -> Result<Vec<Vacancy>, Rejected<MatchRefusal>>;
}

/// A table that assembles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenTable {
    /// Which match.
    pub match_id: MatchId,
    /// Its free seats.
    pub free: Vec<Seat>,
    /// Who sits there.
    pub players: Vec<PlayerId>,
}

/// A vacant seat whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vacancy {
    /// Which match.
    pub match_id: MatchId,
    /// Which seat.
    pub seat: Seat,
    /// When its wait runs out.
    pub deadline: Time,
}

/// A match that was found.
#[derive(Clone, Debug)]
pub struct Matched {
    /// Which one.
    pub match_id: MatchId,
    /// What came of it there.
    pub done: Done<Match>,
    /// What it was drawn from, in order of ids; empty for a new table and for a repeat.
    pub choices: Vec<MatchId>,
}

/// Finds tables and vacancies, one player after the other on all nodes, so that two who ask together meet, and two
/// who must not meet do not.
pub struct Matchmaker {
    matches: MatchExecutor,
    site: Executor<Site>,
    tables: Arc<dyn Tables>,
    company: Arc<dyn Company>,
    one_at_a_time: Mutex<()>,
}

/// The turn of one who looks for a place: on this node, and among the nodes. The latter ends first.
struct Turn<'a> {
    _nodes: Box<dyn Any + Send>,
    _node: MutexGuard<'a, ()>,
}

type Found = Result<Matched, Rejected<MatchRefusal>>;

impl Matchmaker {
    /// Over the executors, a read model, and what is known of people.
    pub fn new(
        matches: MatchExecutor,
        site: Executor<Site>,
        tables: Arc<dyn Tables>,
        company: Arc<dyn Company>,
    ) -> Self {
        Self { matches, site, tables, company, one_at_a_time: Mutex::new(()) }
    }

    /// Returns when everybody who looked for a place, on whichever node, has one or none: who was barred before the
    /// call takes no seat after it.
    ///
    /// # Errors
    /// [`Rejected::Unavailable`]: somebody else takes too long.
    pub async fn settled(&self) -> Result<(), Rejected<MatchRefusal>> {
        self.turn().await.map(drop)
    }

    /// Seats the guest at a random table with a free seat, or opens one (匹配新局).
    ///
    /// # Errors
    /// [`Rejected::LimitReached`] at the player's limit of full matches; else see [`Rejected`].
    pub async fn match_new(
        &self,
        guest: Guest,
        nonce: Option<Nonce>,
        key: Option<CommandId>,
        actor: Actor,
        correlation: Uuid,
    ) -> Found {
        let chosen = serde_json::to_vec(&nonce).map_err(fault)?;
        let asked =
            Asked { guest, key, actor, correlation, input: input_hash("", MATCH_NEW, &chosen) };
        let _turn = self.turn().await?;
        if let Some(again) = self.repeated(&asked).await? {
            return Ok(again);
        }
        let apart = self.apart(&asked.guest).await?;
        self.room(&asked.guest, Counter::Full).await?;
        let mut full = HashSet::new();
        for _ in 0..TRIES {
            let tables = self.tables.assembling().await?;
            let open = tables.into_iter().filter(|table| {
                !table.free.is_empty()
                    && !table.players.contains(&asked.guest.player)
                    && !table.players.iter().any(|player| apart.contains(player))
                    && !full.contains(&table.match_id)
            });
            let choice = self.cut(in_order(open.map(|table| table.match_id)));
            let Some(match_id) = self.pick(&choice.among) else {
                return self.open(asked, nonce).await;
            };
            let command = MatchCommand::TakeSeat {
                guest: asked.guest.clone(),
                nonce: nonce.clone(),
                tables: choice.clone(),
            };
            match self.send(&asked, match_id, command, choice.among).await {
                Err(Rejected::Refused(MatchRefusal::TableFull | MatchRefusal::MatchNotFound)) => {
                    full.insert(match_id);
                }
                other => return other,
            }
        }
        self.open(asked, nonce).await
    }

    /// Makes the guest a candidate for a random vacant seat (匹配残局).
    ///
    /// # Errors
    /// [`Rejected::LimitReached`] at the player's limit of takeovers, [`MatchRefusal::NoVacancy`] where there
    /// is none for this player; else see [`Rejected`].
    pub async fn match_takeover(
        &self,
        guest: Guest,
        key: Option<CommandId>,
        actor: Actor,
        correlation: Uuid,
    ) -> Found {
        let asked =
            Asked { guest, key, actor, correlation, input: input_hash("", MATCH_TAKEOVER, &[]) };
        let _turn = self.turn().await?;
        if let Some(again) = self.repeated(&asked).await? {
            return Ok(again);
        }
        let apart = self.apart(&asked.guest).await?;
        self.room(&asked.guest, Counter::Takeover).await?;
        let mut gone = HashSet::new();
        for _ in 0..TRIES {
            let choice = self.cut(self.eligible(asked.guest.player, &apart, &gone).await?);
            let Some(match_id) = self.pick(&choice.among) else {
                break;
            };
            let command =
                MatchCommand::MatchTakeover { guest: asked.guest.clone(), choices: choice.clone() };
            match self.send(&asked, match_id, command, choice.among).await {
                // Taken: on another node the player used the chance for this match just now.
                Err(
                    Rejected::Refused(MatchRefusal::NoVacancy | MatchRefusal::MatchNotFound)
                    | Rejected::Taken { .. },
                ) => {
                    gone.insert(match_id);
                }
                other => return other,
            }
        }
        Err(Rejected::Refused(MatchRefusal::NoVacancy))
    }

    /// What came of the same key before, before anything else is looked at.
    async fn repeated(&self, asked: &Asked) -> Result<Option<Matched>, Rejected<MatchRefusal>> {
        let (Some(account), Some(key)) = (asked.actor.player(), asked.key) else {
            return Ok(None);
        };
        let found = self.matches.log().find_command(account, key).await?;
        match found {
            None => Ok(None),
            Some(found) => self.again(asked, found).await.map(Some),
        }
    }

    async fn again(&self, asked: &Asked, found: Remembered) -> Found {
        if found.memo.input != asked.input {
            return Err(Rejected::IdempotencyConflict);
        }
        let id = aggregate_id::<Match>(&found.stream).map(MatchId);
        let match_id = id.ok_or(Rejected::IdempotencyConflict)?;
        let state = self.matches.state(match_id).await?.unwrap_or_default();
        let done = Done { state, events: Vec::new(), receipt: None, repeated: Some(found) };
        Ok(Matched { match_id, done, choices: Vec::new() })
    }

    /// Refuses at the limit of now. House players are never counted.
    async fn room(&self, guest: &Guest, counter: Counter) -> Result<(), Rejected<MatchRefusal>> {
        if guest.occupant == Occupant::House {
            return Ok(());
        }
        let (held, limit) = self.matches.log().count(counter, guest.player).await?;
        if held >= limit {
            return Err(Rejected::LimitReached(counter));
        }
        Ok(())
    }

    async fn open(&self, asked: Asked, nonce: Option<Nonce>) -> Found {
        let site = self.site.state(SITE).await?;
        let match_id = self.matches.entropy().match_id();
        let command = MatchCommand::Open {
            match_id,
            rules: RuleSet::formal(site.release_unready()),
            seed: None,
            guest: asked.guest.clone(),
            nonce,
        };
        self.send(&asked, match_id, command, Vec::new()).await
    }

    async fn turn(&self) -> Result<Turn<'_>, Rejected<MatchRefusal>> {
        let node = self.one_at_a_time.lock().await;
        match self.company.turn().await {
            Ok(nodes) => Ok(Turn { _nodes: nodes, _node: node }),
            Err(problem) => {
                tracing::warn!(%problem, "no turn to look for a place");
                Err(Rejected::Unavailable)
            }
        }
    }

    /// Who may not be in the same match as the guest. Refuses those who may not sit down at all.
    async fn apart(&self, guest: &Guest) -> Result<BTreeSet<PlayerId>, Rejected<MatchRefusal>> {
        if guest.occupant == Occupant::House {
            return Ok(BTreeSet::new());
        }
        let seating = self.company.of(guest.player).await.map_err(fault)?;
        if seating.barred {
            return Err(Rejected::Refused(MatchRefusal::NotAllowed));
        }
        Ok(seating.apart)
    }

    /// Vacancies that are open to the player by the states of their matches, and in which nobody ever sat or wanted
    /// to who must not meet the player there.
    async fn eligible(
        &self,
        player: PlayerId,
        apart: &BTreeSet<PlayerId>,
        gone: &HashSet<MatchId>,
    ) -> Result<Vec<MatchId>, Rejected<MatchRefusal>> {
        let vacancies = self.tables.vacancies().await?;
        let now = self.matches.clock().now();
        let mut open = Vec::new();
        for Vacancy { match_id, .. } in vacancies {
            if gone.contains(&match_id) {
                continue;
            }
            let state = self.matches.state(match_id).await?;
            let waits = state.as_ref().and_then(|state| state.live()).is_some_and(|live| {
                let in_time = live.turn().is_some_and(|turn| now < turn.deadline);
                let mut people = live.sheet.people.roles.keys();
                let alone = !people.any(|other| apart.contains(other));
                in_time && alone && live.takeover_open_to(player)
            });
            if waits {
                open.push(match_id);
            }
        }
        Ok(in_order(open))
    }

    async fn send(
        &self,
        asked: &Asked,
        match_id: MatchId,
        command: MatchCommand,
        choices: Vec<MatchId>,
    ) -> Found {
        let request = Request {
            key: asked.key,
            ..Request::new(match_id.0, command, asked.actor, asked.correlation)
        };
        let done = self.matches.execute_chosen(request, asked.input).await?;
        // Another node was faster with the same key, and chose another match.
        let elsewhere =
            done.repeated.as_ref().and_then(|found| aggregate_id::<Match>(&found.stream));
        Ok(Matched {
            match_id: elsewhere.map_or(match_id, MatchId),
            choices: if elsewhere.is_some() { Vec::new() } else { choices },
            done,
        })
    }

    /// The set drawn from, cut down by chance to what an event may name.
    fn cut(&self, mut among: Vec<MatchId>) -> Choice {
        let of = u32::try_from(among.len()).unwrap_or(u32::MAX);
        while among.len() > Choice::MOST {
            let Some(out) = self.pick(&among) else { break };
            among.retain(|id| *id != out);
        }
        Choice { among, of }
    }

    /// One of them, each as likely as any other.
    fn pick(&self, choices: &[MatchId]) -> Option<MatchId> {
        let count = u64::try_from(choices.len()).ok().filter(|count| *count > 0)?;
        let fair = u64::MAX - u64::MAX % count;
        loop {
            let bytes = self.matches.entropy().bytes32().0;
            let word = bytes.first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
            if word < fair {
                return usize::try_from(word % count)
                    .ok()
                    .and_then(|index| choices.get(index).copied());
            }
        }
    }
}

/// A wish with what only its sender knows.
struct Asked {
    guest: Guest,
    key: Option<CommandId>,
    actor: Actor,
    correlation: Uuid,
    input: [u8; 32],
}

fn in_order(ids: impl IntoIterator<Item = MatchId>) -> Vec<MatchId> {
    let mut ids: Vec<_> = ids.into_iter().collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn fault(error: impl Into<Box<dyn std::error::Error>>) -> Rejected<MatchRefusal> {
    Rejected::Failed(error.into().to_string())
}

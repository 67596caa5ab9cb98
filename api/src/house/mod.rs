//! House players (陪练) of development mode: they fill tables that lack people, play, and take over vacant
//! seats, so that one person alone can try a whole match. They send commands through the executor and look
//! through the read models like people; must never be started in production or be given the truth.

mod seats;
mod waits;

use crate::app::{App, LOBBY, MATCH_VIEWS};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use waits::{Waits, What};
use yibu_domain::kernel::{Actor, MatchId, PlayerId, Span, Time};
use yibu_domain::matches::events::Occupant;
use yibu_domain::matches::{Choice, Guest, MatchCommand};
use yibu_infrastructure::executor::Request;

/// The names; enough that a vacancy always finds one who never sat in the match.
const NAMES: [&str; 8] = [
    "陪练一号",
    "陪练二号",
    "陪练三号",
    "陪练四号",
    "陪练五号",
    "陪练六号",
    "陪练七号",
    "陪练八号",
];

/// After something did not work, it is tried again after this time at the earliest.
const RETRY: Span = Span(500);

/// Tables of one house player that one look regards.
const MOST_TABLES: u32 = 1_000;

/// The longest wait for the read models to show what was just done.
const CATCH_UP: Duration = Duration::from_secs(2);

/// How quick house players are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// A table with a person waits so long for other people.
    pub patience: Span,
    /// They think so long about whatever waits for them.
    pub think: Span,
    /// A vacant seat on turn waits so long for a person.
    pub takeover_patience: Span,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            patience: Span::seconds(3),
            think: Span::seconds(1),
            takeover_patience: Span::seconds(20),
        }
    }
}

/// Why there are no house players.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("house players: {0}")]
pub struct HouseFault(String);

#[expect(clippy::needless_pass_by_value, reason = "errors are mapped with it")]
fn fault(error: impl ToString) -> HouseFault {
    HouseFault(error.to_string())
}

/// One house player.
#[derive(Clone, Copy)]
struct Member {
    player: PlayerId,
    nickname: u32,
}

impl Member {
    fn guest(self) -> Guest {
        Guest { player: self.player, occupant: Occupant::House, nickname: self.nickname }
    }
}

/// The house players of a server.
pub struct House {
    app: Arc<App>,
    settings: Settings,
    members: Vec<Member>,
    waits: Waits,
}

impl House {
    /// Finds or makes the accounts of the house.
    ///
    /// # Errors
    /// The accounts or the log failed.
    pub async fn open(app: Arc<App>, settings: Settings) -> Result<Self, HouseFault> {
        let mut members = Vec::new();
        for name in NAMES {
            let found = app.accounts().house_player(name).await.map_err(fault)?;
            if found.pending {
                let recorded = app.record_player(found.player, true).await;
                recorded.map_err(|error| fault(error.message))?;
            }
            members.push(Member { player: found.player, nickname: found.revision });
        }
        Ok(Self { app, settings, members, waits: Waits::default() })
    }

    /// Who they are.
    pub fn members(&self) -> Vec<PlayerId> {
        self.members.iter().map(|member| member.player).collect()
    }

    /// Plays until told to stop.
    pub async fn run(mut self, stop: CancellationToken) {
        let mut changes = self.app.lobby_changes();
        while !stop.is_cancelled() {
            // Before the look: what changes during it wakes again.
            changes.borrow_and_update();
            let next = match self.look().await {
                Ok(()) => self.waits.next(),
                Err(fault) => {
                    tracing::warn!(%fault, "the house could not look around");
                    Some(self.now() + RETRY)
                }
            };
            let app = Arc::clone(&self.app);
            let wait = async {
                match next {
                    Some(next) => app.clock().until(next).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = stop.cancelled() => return,
                () = wait => {}
                changed = changes.changed() => if changed.is_err() { return },
            }
        }
    }

    fn now(&self) -> Time {
        self.app.clock().now()
    }

    fn is_member(&self, player: PlayerId) -> bool {
        self.members.iter().any(|member| member.player == player)
    }

    /// Looks at everything that may want a house player, and does what is due.
    async fn look(&mut self) -> Result<(), HouseFault> {
        self.waits.begin();
        self.level().await?;
        self.fill_tables().await?;
        self.fill_vacancies().await?;
        self.play().await?;
        self.waits.end();
        Ok(())
    }

    /// Waits until the views of matches show at least what the lobby shows now.
    async fn level(&self) -> Result<(), HouseFault> {
        let shown = self.app.views().progress(LOBBY).map_or(0, |lobby| lobby.borrow().checkpoint);
        self.app.views().reached(MATCH_VIEWS, shown, CATCH_UP).await.map_err(fault)
    }

    async fn fill_tables(&mut self) -> Result<(), HouseFault> {
        for table in self.app.lobby().assembling().await.map_err(fault)? {
            let id = table.match_id;
            let (house, persons): (Vec<_>, Vec<_>) =
                table.players.iter().copied().partition(|player| self.is_member(*player));
            if persons.is_empty() {
                for player in house {
                    self.send(id, player, MatchCommand::Leave).await;
                }
                continue;
            }
            if !self.waits.due(What::Table(id), self.now(), self.settings.patience) {
                continue;
            }
            for member in self.others(&house, table.free.len()) {
                let tables = Choice::all(vec![id]);
                let command = MatchCommand::TakeSeat { guest: member.guest(), nonce: None, tables };
                if !self.send(id, member.player, command).await {
                    self.waits.again(What::Table(id), self.now() + RETRY);
                }
            }
        }
        Ok(())
    }

    /// So many members who are not among `seated`, beginning anywhere.
    fn others(&self, seated: &[PlayerId], count: usize) -> Vec<Member> {
        let start = usize::from(self.app.entropy().salt()[0]) % self.members.len().max(1);
        let round = self.members.iter().cycle().skip(start).take(self.members.len());
        let free = round.filter(|member| !seated.contains(&member.player));
        free.take(count).copied().collect()
    }

    /// Sends a command; false where it was not granted, which the next look will judge anew.
    async fn send(&self, id: MatchId, player: PlayerId, command: MatchCommand) -> bool {
        let correlation = self.app.entropy().uuid();
        let request = Request::new(id.0, command, Actor::House(player), correlation);
        match self.app.matches().execute(request).await {
            Ok(done) => {
                if let Some(receipt) = done.receipt {
                    // Late is no fault: the next look sees it.
                    let _ = self.app.views().reached(LOBBY, receipt.position, CATCH_UP).await;
                    let _ = self.app.views().reached(MATCH_VIEWS, receipt.position, CATCH_UP).await;
                }
                true
            }
            Err(rejection) => {
                tracing::debug!(%rejection, match_id = %id, "the house was refused");
                false
            }
        }
    }
}

//! People who go for good or are barred: their seats are left, the log hears of it, and what the accounts hold of
//! them goes. Every step may be done again, so that a start, or another node, goes on where one stopped. Must not
//! decide who goes.

use super::App;
use super::reading::{LEADERBOARD, LOBBY, caught_up};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use yibu_domain::kernel::{Actor, PlayerId, Span};
use yibu_domain::matches::{MatchCommand, Removal};
use yibu_domain::players::PlayerCommand;
use yibu_domain::site::{SITE, SiteCommand};
use yibu_infrastructure::executor::{Rejected, Request};

/// How often a server looks for what was left unfinished.
const EVERY: Span = Span::seconds(60);

/// Why a departure stopped midway; it is gone on with later.
type Stopped = String;

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
fn stopped(error: impl ToString) -> Stopped {
    error.to_string()
}

/// Goes on with what was left unfinished, until `stop`.
pub(super) async fn run(app: Arc<App>, stop: CancellationToken) {
    if let Err(problem) = app.compare_suspensions().await {
        tracing::warn!(%problem, "suspensions could not be compared with the log");
    }
    loop {
        let next = app.clock.now() + EVERY;
        if stop.run_until_cancelled(app.clock.until(next)).await.is_none() {
            return;
        }
        app.resume_departures().await;
    }
}

impl App {
    /// Goes on with every departure that is not finished. What cannot be finished now waits for the next time.
    pub(super) async fn resume_departures(&self) {
        let told = |player: PlayerId, done: Result<(), Stopped>| {
            if let Err(problem) = done {
                tracing::warn!(%player, %problem, "a departure is not finished yet");
            }
        };
        match self.accounts.pending_deletions().await {
            Ok(players) => {
                for player in players {
                    told(player, self.delete_player(player).await);
                }
            }
            Err(failure) => tracing::warn!(%failure, "departures cannot be looked up"),
        }
        match self.accounts.suspended_in_seats().await {
            Ok(players) => {
                for player in players {
                    told(player, self.leave_suspended(player).await);
                }
            }
            Err(failure) => tracing::warn!(%failure, "suspensions cannot be looked up"),
        }
    }

    /// Makes the accounts bar exactly whom the log calls suspended: a crash may have come between the two.
    pub(super) async fn compare_suspensions(&self) -> Result<(), Stopped> {
        caught_up(self.log.as_ref(), &self.views, LEADERBOARD)
            .await
            .map_err(|behind| behind.to_string())?;
        let logged = self.leaderboard.suspended().await.map_err(stopped)?;
        let barred = self.accounts.suspended().await.map_err(stopped)?;
        let missing = logged.iter().filter(|player| !barred.contains(player));
        let surplus = barred.iter().filter(|player| !logged.contains(player));
        for player in missing.chain(surplus) {
            self.follow_standing(*player).await.map_err(stopped)?;
        }
        Ok(())
    }

    /// Goes to the end with an account that was marked as going, whatever becomes of the caller.
    pub async fn finish_deletion(self: &Arc<Self>, player: PlayerId) {
        let app = Arc::clone(self);
        let work = tokio::spawn(async move {
            if let Err(problem) = app.delete_player(player).await {
                tracing::warn!(%player, %problem, "a deletion is not finished yet");
            }
        });
        if let Err(problem) = work.await {
            tracing::error!(%player, %problem, "a deletion has failed");
        }
    }

    /// Makes the accounts bar the player, or not, as the player's stream says now; then the seats of whoever is
    /// barred are left.
    ///
    /// # Errors
    /// In words: the log or the accounts failed. That seats could not be left is no error: it is done later.
    pub async fn follow_standing(&self, player: PlayerId) -> Result<(), Stopped> {
        let barred = loop {
            let barred = self.is_barred(player).await?;
            if barred {
                self.accounts.suspend(player).await.map_err(stopped)?;
            } else {
                self.accounts.reinstate(player).await.map_err(stopped)?;
            }
            // Another node may have followed another event meanwhile: who writes last looks again.
            if self.is_barred(player).await? == barred {
                break barred;
            }
        };
        if barred && let Err(problem) = self.leave_suspended(player).await {
            tracing::warn!(%player, %problem, "the seats of a suspended player are not left yet");
        }
        Ok(())
    }

    /// Whether the log calls the player suspended. Of a deleted account nothing is kept.
    async fn is_barred(&self, player: PlayerId) -> Result<bool, Stopped> {
        let state = self.players.state(player.0).await.map_err(stopped)?;
        Ok(state.suspended && !state.deleted)
    }

    async fn delete_player(&self, player: PlayerId) -> Result<(), Stopped> {
        self.record_player(player, false).await.map_err(|error| error.message)?;
        self.leave_seats(player, Removal::AccountDeleted).await?;
        if self.accounts.is_admin(player).await.map_err(stopped)? {
            let command = SiteCommand::RevokeAdmin { player };
            let request = Request::new(SITE, command, Actor::System, self.entropy.uuid());
            self.site.execute(request).await.map_err(stopped)?;
        }
        let (command, actor) = (PlayerCommand::Delete, Actor::System);
        let request = Request::new(player.0, command, actor, self.entropy.uuid());
        self.players.execute(request).await.map_err(stopped)?;
        self.accounts.erase(player).await.map_err(stopped)
    }

    async fn leave_suspended(&self, player: PlayerId) -> Result<(), Stopped> {
        self.leave_seats(player, Removal::Suspended).await?;
        self.accounts.confirm_seats_left(player).await.map_err(stopped)
    }

    /// Leaves every seat and candidacy of somebody who gets no new ones any more.
    async fn leave_seats(&self, player: PlayerId, cause: Removal) -> Result<(), Stopped> {
        self.matchmaker.settled().await.map_err(stopped)?;
        caught_up(self.log.as_ref(), &self.views, LOBBY)
            .await
            .map_err(|behind| behind.to_string())?;
        let tables = self.lobby.tables_of(player, u32::MAX).await.map_err(stopped)?;
        for place in tables {
            let command = MatchCommand::Remove { player, cause };
            let correlation = self.entropy.uuid();
            let request = Request::new(place.match_id.0, command, Actor::System, correlation);
            match self.matches.execute(request).await {
                // It ended a moment ago: there is nothing left to leave.
                Ok(_) | Err(Rejected::Refused(_)) => {}
                Err(rejection) => return Err(stopped(rejection)),
            }
        }
        Ok(())
    }
}

//! Makes of what lies in the outbox what is mailed: whom it goes to, in which language, with which links, and
//! whether it is still true. Must not send, and must not tell a match's secrets to anybody.

use super::opt_out::OptOut;
use super::reading::caught_up;
use super::{App, LOBBY, Links};
use async_trait::async_trait;
use std::sync::{Arc, Weak};
use uuid::Uuid;
use yibu_domain::kernel::{MatchId, PlayerId, Time};
use yibu_domain::reminders::{self, Retry, TurnRef};
use yibu_infrastructure::accounts::outbox::{Destination, Job, Posting};
use yibu_infrastructure::accounts::{Accounts, Failure};
use yibu_infrastructure::log::port::EventLog;
use yibu_infrastructure::mail::{Locale, Mail, MailKind, ReplayMail, TurnLine, TurnMail};
use yibu_infrastructure::system::Clock;
use yibu_infrastructure::workers::{ComposeFault, Composed, Composer};
use yibu_projections::Views;
use yibu_projections::models::Lobby;

/// The reminders of people, as mails need them.
#[async_trait]
pub trait Desks: Send + Sync + 'static {
    /// What becomes of a planned turn mail now; what it says anew is noted as told, and in the outbox.
    ///
    /// # Errors
    /// The database failed.
    async fn retry(
        &self,
        job: Uuid,
        player: PlayerId,
        planned: &reminders::Mail,
        now: Time,
    ) -> Result<Retry, ComposeFault>;

    /// The player's settings.
    ///
    /// # Errors
    /// The database failed.
    async fn settings(&self, player: PlayerId) -> Result<reminders::Settings, ComposeFault>;

    /// Stops the player's turn mails.
    ///
    /// # Errors
    /// The database failed.
    async fn turn_off(&self, player: PlayerId) -> Result<(), ComposeFault>;
}

/// The files of matches that ended.
#[async_trait]
pub trait Replays: Send + Sync + 'static {
    /// The file's name and the file; `None` where there is none, or no more.
    ///
    /// # Errors
    /// It cannot be made now.
    async fn file(&self, match_id: MatchId) -> Result<Option<(String, Vec<u8>)>, ComposeFault>;
}

#[async_trait]
impl Desks for Accounts {
    async fn retry(
        &self,
        job: Uuid,
        player: PlayerId,
        planned: &reminders::Mail,
        now: Time,
    ) -> Result<Retry, ComposeFault> {
        self.retry_turn_mail(job, player, planned, now).await.map_err(unmade)
    }

    async fn settings(&self, player: PlayerId) -> Result<reminders::Settings, ComposeFault> {
        self.reminder_settings(player).await.map_err(unmade)
    }

    async fn turn_off(&self, player: PlayerId) -> Result<(), ComposeFault> {
        self.set_reminder_mode_off(player).await.map_err(unmade)
    }
}

/// The sender is a part of the server: it must not hold what holds it.
#[async_trait]
impl Replays for Weak<App> {
    async fn file(&self, match_id: MatchId) -> Result<Option<(String, Vec<u8>)>, ComposeFault> {
        let app = self.upgrade().ok_or_else(|| ComposeFault("the server stops".to_owned()))?;
        let made = app.replay_file(match_id).await;
        let made = made.map_err(|error| ComposeFault(error.message))?;
        Ok(made.map(|file| (file.name, file.text.into_bytes())))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
fn unmade(failure: Failure) -> ComposeFault {
    ComposeFault(failure.to_string())
}

/// The composer of a site.
pub struct Composing {
    /// Whom mails go to.
    pub accounts: Accounts,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// How far things are.
    pub log: Arc<dyn EventLog>,
    /// When turns run out: in the lobby.
    pub views: Views,
    /// Where mails lead.
    pub links: Links,
    /// The tokens in turn mails.
    pub opt_out: OptOut,
    /// What turn mails say.
    pub desks: Arc<dyn Desks>,
    /// What replay mails bring.
    pub replays: Arc<dyn Replays>,
}

#[async_trait]
impl Composer for Composing {
    async fn compose(&self, job: &Job) -> Result<Composed, ComposeFault> {
        let Some((to, locale)) = self.receiver(job).await? else { return Ok(Composed::Drop) };
        let site = self.links.site();
        let kind = match &job.posting {
            Posting::PasswordChanged => Content::Say(MailKind::PasswordChanged { site }),
            Posting::EmailChanged { new_masked } => {
                let new_masked = new_masked.clone();
                Content::Say(MailKind::EmailChanged { new_masked, site })
            }
            Posting::AccountDeleted => Content::Say(MailKind::AccountDeleted),
            Posting::Turn(planned) => self.turn(job, planned).await?,
            Posting::Replay { match_id } => self.replay(*match_id).await?,
        };
        Ok(match kind {
            Content::Say(kind) => Composed::Send(Mail { to, locale, kind }),
            Content::Hold(until) => Composed::Hold(until),
            Content::Nothing => Composed::Drop,
        })
    }
}

/// What a mail has to say.
enum Content {
    Say(MailKind),
    Hold(Time),
    Nothing,
}

impl Composing {
    /// Address and language; `None` where there is nobody any more.
    async fn receiver(&self, job: &Job) -> Result<Option<(String, Locale)>, ComposeFault> {
        let person = self.accounts.person(job.player).await;
        let person = person.map_err(|failure| ComposeFault(failure.to_string()))?;
        let locale = person.as_ref().map(|person| person.locale).or(job.locale).unwrap_or_default();
        let to = match &job.to {
            Destination::Address(to) => Some(to.clone()),
            Destination::Verified => person.map(|person| person.email),
        };
        Ok(to.map(|to| (to, locale)))
    }

    async fn turn(&self, job: &Job, planned: &reminders::Mail) -> Result<Content, ComposeFault> {
        let now = self.clock.now();
        let mail = match self.desks.retry(job.id, job.player, planned, now).await? {
            Retry::Send(mail) => mail,
            Retry::Hold(until) => return Ok(Content::Hold(until)),
            Retry::Drop => return Ok(Content::Nothing),
        };
        let settings = self.desks.settings(job.player).await?;
        Ok(Content::Say(MailKind::Turn(TurnMail {
            kind: mail.kind,
            deadline: self.lines(job.player, &mail.deadline).await?,
            waiting: self.lines(job.player, &mail.waiting).await?,
            timed_out: self.lines(job.player, &mail.timed_out).await?,
            zone: settings.zone,
            unsubscribe: self.links.unsubscribe(&self.opt_out.token(job.player)),
        })))
    }

    /// The turns with their deadlines.
    async fn lines(
        &self,
        player: PlayerId,
        turns: &[TurnRef],
    ) -> Result<Vec<TurnLine>, ComposeFault> {
        // The turn may have begun a moment ago.
        let caught_up = caught_up(self.log.as_ref(), &self.views, LOBBY).await;
        caught_up.map_err(|behind| ComposeFault(behind.to_string()))?;
        let lobby = Lobby::new(&self.views);
        let mut lines = Vec::with_capacity(turns.len());
        for &TurnRef { match_id, .. } in turns {
            let place = lobby.place(player, match_id).await;
            let place = place.map_err(|error| ComposeFault(error.to_string()))?;
            let deadline = place.filter(|place| place.my_turn).and_then(|place| place.deadline);
            lines.push(TurnLine { match_id, link: self.links.table(match_id), deadline });
        }
        Ok(lines)
    }

    async fn replay(&self, match_id: MatchId) -> Result<Content, ComposeFault> {
        let Some((file_name, file)) = self.replays.file(match_id).await? else {
            return Ok(Content::Nothing);
        };
        let link = self.links.replay();
        Ok(Content::Say(MailKind::Replay(ReplayMail { match_id, link, file_name, file })))
    }
}

//! What people themselves do about their reminders: settings, turns that they have seen, what to expect; and what
//! becomes of a mail that could not be sent at once. Each is one transaction with the person's desk; the planner looks
//! at it at once.

use super::super::outbox::{self, Posting};
use super::super::turns::Turn;
use super::super::{Accounts, Failure};
use super::desks;
use tokio::sync::watch;
use uuid::Uuid;
use yibu_domain::kernel::{PlayerId, Time};
use yibu_domain::reminders::{Happening, Mail, Mode, Retry, Settings, TurnRef, Upcoming, Wait};

impl Accounts {
    /// A person's settings of turn mails; those that everybody begins with where nothing was set.
    ///
    /// # Errors
    /// The database failed.
    pub async fn reminder_settings(&self, player: PlayerId) -> Result<Settings, Failure> {
        let mut on = self.inner.db.reading().acquire().await?;
        let mut found = desks::load(&mut on, &[player]).await?;
        Ok(found.get_mut(&player).map(|kept| *kept.desk().settings()).unwrap_or_default())
    }

    /// Sets them from now on. What is over stays told, and limits go on.
    ///
    /// # Errors
    /// The database failed.
    pub async fn set_reminder_settings(
        &self,
        player: PlayerId,
        settings: Settings,
    ) -> Result<(), Failure> {
        self.note_wish(player, |_| Happening::SettingsChanged(settings)).await
    }

    /// Stops a person's turn mails and leaves the other settings as they are.
    ///
    /// # Errors
    /// The database failed.
    pub async fn set_reminder_mode_off(&self, player: PlayerId) -> Result<(), Failure> {
        let off = |settings: Settings| Settings { mode: Mode::Off, ..settings };
        self.note_wish(player, |now| Happening::SettingsChanged(off(now))).await
    }

    /// Notes that the person really had this own turn before the eyes. The caller knows that it is the open one. A
    /// repeat changes nothing.
    ///
    /// # Errors
    /// The database failed.
    pub async fn mark_turn_seen(&self, player: PlayerId, turn: TurnRef) -> Result<(), Failure> {
        self.note_wish(player, |_| Happening::Seen(turn)).await
    }

    /// The mails of the coming week if nothing else happens.
    ///
    /// # Errors
    /// The database failed.
    pub async fn upcoming_reminders(
        &self,
        player: PlayerId,
        wait: Wait,
    ) -> Result<Vec<Upcoming>, Failure> {
        let mut on = self.inner.db.reading().acquire().await?;
        let mut found = desks::load(&mut on, &[player]).await?;
        let now = self.inner.clock.now();
        Ok(found.get_mut(&player).map(|kept| kept.desk().upcoming(wait, now)).unwrap_or_default())
    }

    /// What becomes, at `now`, of a turn mail that lies in the outbox as `job`: what it says by then is noted as told
    /// on the desk and written into the outbox, in one transaction.
    ///
    /// # Errors
    /// The database failed; ask again.
    pub async fn retry_turn_mail(
        &self,
        job: Uuid,
        player: PlayerId,
        mail: &Mail,
        now: Time,
    ) -> Result<Retry, Failure> {
        let mut tx = self.inner.db.write(&[Turn::Desks]).await?;
        let mut found = desks::load(&mut tx, &[player]).await?;
        let Some(mut kept) = found.remove(&player) else { return Ok(Retry::Drop) };
        let retry = kept.desk().retry(mail, now);
        if let Retry::Send(anew) = &retry {
            desks::save(&mut tx, &mut [kept]).await?;
            if anew != mail {
                outbox::rewrite(&mut tx, job, &Posting::Turn(anew.clone())).await?;
            }
            tx.commit().await?;
        }
        Ok(retry)
    }

    /// Wakes when somebody wished something: the planner looks then.
    pub(crate) fn wishes(&self) -> watch::Receiver<u64> {
        self.inner.bells.wishes()
    }

    /// Notes something on the person's desk and makes it due. Who has no account has no desk.
    async fn note_wish(
        &self,
        player: PlayerId,
        wish: impl FnOnce(Settings) -> Happening,
    ) -> Result<(), Failure> {
        let mut tx = self.inner.db.write(&[Turn::Desks]).await?;
        let mut found = desks::load(&mut tx, &[player]).await?;
        let Some(mut kept) = found.remove(&player) else { return Ok(()) };
        let now = self.inner.clock.now();
        let happening = wish(*kept.desk().settings());
        kept.note(now, happening);
        kept.wake = Some(kept.wake.map_or(now, |wake| wake.min(now)));
        desks::save(&mut tx, &mut [kept]).await?;
        tx.commit().await?;
        self.inner.bells.wish();
        self.inner.bells.ring([player]);
        Ok(())
    }
}

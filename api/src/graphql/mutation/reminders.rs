//! What a person does about reminders: a turn is seen, notices are read, mails are set. All of it may be repeated
//! without harm. Must not let a stranger learn that a match exists.

use crate::graphql::errors::{UserError, account_fault, unread};
use crate::graphql::ids::match_of;
use crate::graphql::scalars::Uuid;
use crate::graphql::types::enums::ReminderMode;
use crate::graphql::types::notices::number_of;
use crate::graphql::types::reminders::ReminderSettings;
use crate::graphql::viewer::{app, audience, viewer};
use async_graphql::{Context, Error, ID, InputObject, Object, SimpleObject};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::PlayerId;
use yibu_domain::matches::view::Audience;
use yibu_domain::reminders::{Mode, Settings, SettingsFault, TurnRef};

/// A turn that was seen.
#[derive(InputObject)]
pub struct MarkTurnSeenInput {
    /// Names this command. A repeat changes nothing.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
    /// The ordinal of the turn's clock, as the page showed it.
    pub turn: u32,
}

/// The answer to a turn that was seen.
#[derive(SimpleObject, Default)]
pub struct MarkTurnSeenPayload {
    /// Why it was not noted.
    pub user_errors: Vec<UserError>,
}

/// Notices that were read.
#[derive(InputObject)]
pub struct MarkNoticesReadInput {
    /// Names this command. A repeat changes nothing.
    pub idempotency_key: Uuid,
    /// The latest notice that was read, and with it all before it; all that there are when not given.
    pub up_to: Option<ID>,
}

/// The answer to notices that were read.
#[derive(SimpleObject, Default)]
pub struct MarkNoticesReadPayload {
    /// How many are not read now.
    pub unread: Option<u32>,
    /// Why nothing was noted.
    pub user_errors: Vec<UserError>,
}

/// New settings of turn mails.
#[derive(InputObject)]
pub struct UpdateReminderSettingsInput {
    /// Names this command. A repeat changes nothing.
    pub idempotency_key: Uuid,
    /// Which mails.
    pub mode: ReminderMode,
    /// The first minute of the receiving window on the wall clock, `HH:MM`, 00:00 to 23:59.
    pub from: String,
    /// The first minute after it, `HH:MM`. The same as `from`: all day. Earlier than `from`: over midnight.
    pub to: String,
    /// The time zone of that wall clock, by its IANA name, for instance `Asia/Shanghai`.
    pub zone: String,
}

/// The answer to new settings.
#[derive(SimpleObject, Default)]
pub struct ReminderSettingsPayload {
    /// The settings of now, also when nothing was changed.
    pub settings: Option<ReminderSettings>,
    /// Why nothing was changed.
    pub user_errors: Vec<UserError>,
}

/// Reminders.
#[derive(Default)]
pub struct RemindersMutation;

/// Reminders.
#[Object]
impl RemindersMutation {
    /// Notes that the viewer really has this own turn open on a visible page: no ordinary mail goes about it any
    /// more, the one in its last hour still does. `STALE_TURN` when it is not the viewer's open turn (any more).
    async fn mark_turn_seen(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: MarkTurnSeenInput,
    ) -> Result<MarkTurnSeenPayload, Error> {
        let refused = |error| Ok(MarkTurnSeenPayload { user_errors: vec![error] });
        let Some(player) = viewer(ctx)?.player() else {
            return refused(UserError::unauthenticated());
        };
        match own_turn(ctx, player, &input).await? {
            Ok(turn) => {
                let marked = app(ctx)?.accounts().mark_turn_seen(player, turn).await;
                marked.map_err(account_fault)?;
                Ok(MarkTurnSeenPayload::default())
            }
            Err(error) => refused(error),
        }
    }

    /// Notes that the viewer has read notices.
    async fn mark_notices_read(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: MarkNoticesReadInput,
    ) -> Result<MarkNoticesReadPayload, Error> {
        let Some(player) = viewer(ctx)?.player() else {
            let user_errors = vec![UserError::unauthenticated()];
            return Ok(MarkNoticesReadPayload { unread: None, user_errors });
        };
        let up_to = input.up_to.as_ref().map(number_of).transpose()?;
        let accounts = app(ctx)?.accounts();
        accounts.mark_notices_read(player, up_to).await.map_err(account_fault)?;
        let unread = accounts.unread_notices(player).await.map_err(account_fault)?;
        Ok(MarkNoticesReadPayload { unread: Some(unread), user_errors: Vec::new() })
    }

    /// Sets which turn mails come, and when. Running turns are planned anew; what a mail has told stays told.
    async fn update_reminder_settings(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: UpdateReminderSettingsInput,
    ) -> Result<ReminderSettingsPayload, Error> {
        let Some(player) = viewer(ctx)?.player() else {
            let user_errors = vec![UserError::unauthenticated()];
            return Ok(ReminderSettingsPayload { settings: None, user_errors });
        };
        let accounts = app(ctx)?.accounts();
        let mut user_errors = Vec::new();
        match settings(&input) {
            Ok(settings) => {
                let set = accounts.set_reminder_settings(player, settings).await;
                set.map_err(account_fault)?;
            }
            Err(error) => user_errors.push(error),
        }
        let now = accounts.reminder_settings(player).await.map_err(account_fault)?;
        Ok(ReminderSettingsPayload { settings: Some(now.into()), user_errors })
    }
}

/// The turn that the input names, where it is the player's open one.
async fn own_turn(
    ctx: &Context<'_>,
    player: PlayerId,
    input: &MarkTurnSeenInput,
) -> Result<Result<TurnRef, UserError>, Error> {
    let Some(match_id) = match_of(&input.match_id) else {
        return Ok(Err(UserError::match_not_found()));
    };
    let state = app(ctx)?.matches().state(match_id).await.map_err(unread)?;
    let live = state.as_deref().and_then(|state| Some((state.live()?, audience(state, player)?)));
    let Some((live, audience)) = live else { return Ok(Err(UserError::match_not_found())) };
    let own = |seat: Seat| audience == Audience::Seat(seat);
    let open = live.turn().filter(|turn| own(turn.seat) && turn.number == input.turn);
    let stale = || UserError::new("STALE_TURN", "this is not your open turn").about("turn");
    Ok(open.map(|turn| TurnRef { match_id, turn: turn.number }).ok_or_else(stale))
}

fn settings(input: &UpdateReminderSettingsInput) -> Result<Settings, UserError> {
    let refused = |field: &'static str| {
        move |fault: SettingsFault| UserError::new(fault.code(), fault.to_string()).about(field)
    };
    let mut settings = Settings { mode: Mode::from(input.mode), ..Settings::default() };
    settings.window.from = input.from.parse().map_err(refused("from"))?;
    settings.window.to = input.to.parse().map_err(refused("to"))?;
    settings.zone = input.zone.parse().map_err(refused("zone"))?;
    Ok(settings)
}

//! Private marks. Judged on the match as the sender sees it; kept among the accounts, so that neither the log nor
//! anybody else ever learns of one.

use super::payload::MatchPayload;
use crate::graphql::errors::{UserError, account_fault, unread};
use crate::graphql::ids::match_of;
use crate::graphql::scalars::{Position, Uuid};
use crate::graphql::types::enums::MarkColour;
use crate::graphql::viewer::{app, audience, viewer};
use async_graphql::{Context, Error, ID, InputObject, Object};
use yibu_domain::kernel::CommandId;
use yibu_domain::matches::marks;
use yibu_domain::matches::view::view;
use yibu_infrastructure::accounts::{MarkWish, Wished};

/// A mark on somebody else's piece.
#[derive(InputObject)]
pub struct SetMarkInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
    /// The piece's handle.
    pub handle: Position,
    /// What to note, at most 40 characters; null or blank = no text.
    pub mark: Option<String>,
    /// The colour; null = none. Without a text and a colour the mark is taken away.
    pub colour: Option<MarkColour>,
}

/// Private marks.
#[derive(Default)]
pub struct MarksMutation;

/// Private marks.
#[Object]
impl MarksMutation {
    /// Notes a guess or a colour on a face-down piece of another seat (私人标记). The viewer alone sees it, while sitting there.
    async fn set_mark(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: SetMarkInput,
    ) -> Result<MatchPayload, Error> {
        let app = app(ctx)?;
        let Some(player) = viewer(ctx)?.player() else {
            return Ok(MatchPayload::refused(UserError::unauthenticated()));
        };
        let id = match_of(&input.match_id);
        let state = match id {
            Some(id) => app.matches().state(id).await.map_err(unread)?,
            None => None,
        };
        let seen = state.as_deref().and_then(|state| {
            let audience = audience(state, player)?;
            Some((state, view(&state.live()?.sheet, audience)))
        });
        let (Some(id), Some((state, seen))) = (id, seen) else {
            return Ok(MatchPayload::refused(UserError::match_not_found()));
        };
        let wish = MarkWish {
            player,
            key: CommandId(input.idempotency_key.0),
            match_id: id,
            handle: &input.handle.0,
            text: input.mark.as_deref(),
            colour: input.colour.map(Into::into),
        };
        let mut wished = app.accounts().mark_wished(&wish).await.map_err(account_fault)?;
        if wished == Wished::New {
            let text = wish.text.unwrap_or_default();
            match marks::judge(&seen, wish.handle, text, wish.colour) {
                Ok((piece, mark)) => {
                    let done = app.accounts().set_mark(&wish, piece, mark.as_ref()).await;
                    wished = done.map_err(account_fault)?;
                }
                Err(refusal) => {
                    let payload = MatchPayload::of(app, state, player, None);
                    return Ok(payload.with_error(UserError::from(refusal)));
                }
            }
        }
        let payload = MatchPayload::of(app, state, player, None);
        Ok(match wished {
            Wished::Conflict => payload.with_error(UserError::idempotency_conflict()),
            Wished::New | Wished::Repeated => payload,
        })
    }
}

//! Everything that can be read. Must not change anything, a session's time of last use excepted.

use super::errors::{account_fault, coded, fault, unread};
use super::ids::{Global, match_of, player_of};
use super::scalars::LogPosition;
use super::types::MatchView;
use super::types::account::{Me, Session};
use super::types::admin::{Admin, Announcement};
use super::types::lobby::Lobby;
use super::types::notices::NoticeConnection;
use super::types::people::Player;
use super::types::replay::Replay;
use super::types::rules::{FormationRules, MatchRules};
use super::types::standings::{
    LeaderboardConnection, LeaderboardOrder, LeaderboardPeriod, PlayerProfile,
};
use super::viewer::{administrator, app, viewer};
use async_graphql::{Context, Error, ID, Object, Union};
use yibu_domain::kernel::MatchId;
use yibu_domain::matches::RuleSet;
use yibu_domain::site::SITE;
use yibu_projections::models::leaderboard::{Period, Standing};

/// Everything that can be read.
pub struct Query;

/// Something with a global id.
#[derive(Union)]
pub enum Node {
    /// A match that the viewer may see.
    Match(Box<MatchView>),
    /// A player.
    Player(Player),
    /// One of the viewer's sessions.
    Session(Session),
}

/// The match as the viewer sees it, from the read models.
///
/// # Errors
/// Faults of the read models.
pub async fn shown(
    ctx: &Context<'_>,
    id: MatchId,
    after: Option<LogPosition>,
) -> Result<Option<MatchView>, Error> {
    let (app, viewer) = (app(ctx)?, viewer(ctx)?);
    let Some(player) = viewer.player() else { return Ok(None) };
    if let Some(after) = after {
        app.catch_up(crate::app::MATCH_VIEWS, &after.0).await?;
    }
    let seen = app.view_now(id, player).await?;
    Ok(seen.map(|seen| MatchView::new(seen.view, app.clock().now(), Some(seen.position))))
}

async fn sessions_of(ctx: &Context<'_>) -> Result<Vec<Session>, Error> {
    let viewer = viewer(ctx)?;
    let Some(current) = &viewer.session else { return Ok(Vec::new()) };
    let listed = app(ctx)?.accounts().list_sessions(current.player).await.map_err(account_fault)?;
    let id = current.id;
    Ok(listed.into_iter().map(|session| Session { current: session.id == id, session }).collect())
}

/// Everything that can be read.
#[Object]
impl Query {
    /// Whoever is logged in; null without a session.
    async fn viewer(&self, ctx: &Context<'_>) -> Result<Option<Me>, Error> {
        let session = viewer(ctx)?.session.as_ref();
        Ok(session.map(|session| Me { player: session.player, session: session.id }))
    }

    /// The viewer's tables, what waits there, and what can be matched; null without a session.
    async fn lobby(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "Wait, for a moment at most, until the answer shows everything up to there."
        )]
        after: Option<LogPosition>,
    ) -> Result<Option<Lobby>, Error> {
        let Some(player) = viewer(ctx)?.player() else { return Ok(None) };
        if let Some(after) = after {
            app(ctx)?.catch_up(crate::app::LOBBY, &after.0).await?;
        }
        Lobby::of(app(ctx)?, player).await.map(Some)
    }

    /// A match as the viewer sees it. The error `MATCH_NOT_FOUND` when there is none, or none of the viewer's
    /// business: the two cannot be told apart.
    #[graphql(name = "match")]
    async fn one_match(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The match.")] id: ID,
        #[graphql(
            desc = "Wait, for a moment at most, until the answer shows everything up to there."
        )]
        after: Option<LogPosition>,
    ) -> Result<Option<MatchView>, Error> {
        let found = match match_of(&id) {
            Some(id) => shown(ctx, id, after).await?,
            None => None,
        };
        if found.is_none() {
            // Beside the error the field is null: the engine would leave a failed field out of the answer.
            let error = coded("MATCH_NOT_FOUND", "no such match").into_server_error(ctx.item.pos);
            ctx.add_error(ctx.set_error_path(error));
        }
        Ok(found)
    }

    /// The complete replay of a finished match, for those who took part, until 3 days after its end. Null for
    /// everybody else, while the match runs, and afterwards: the answers cannot be told apart.
    async fn replay(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The match.")] match_id: ID,
    ) -> Result<Option<Replay>, Error> {
        let (Some(player), Some(id)) = (viewer(ctx)?.player(), match_of(&match_id)) else {
            return Ok(None);
        };
        Ok(app(ctx)?.replay_for(id, player).await?.map(Replay))
    }

    /// Whatever has this global id, if the viewer may see it.
    async fn node(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The global id.")] id: ID,
    ) -> Result<Option<Node>, Error> {
        match Global::read(&id) {
            Some(Global::Match(id)) => {
                Ok(shown(ctx, id, None).await?.map(|view| Node::Match(Box::new(view))))
            }
            Some(Global::Player(id)) => {
                if viewer(ctx)?.player().is_none() {
                    return Ok(None);
                }
                let names = app(ctx)?.accounts().nickname_of(&[id]).await.map_err(account_fault)?;
                Ok(names.contains_key(&id).then(|| Node::Player(id.into())))
            }
            Some(Global::Session(id)) => {
                let mut sessions = sessions_of(ctx).await?.into_iter();
                Ok(sessions.find(|listed| listed.session.id == id).map(Node::Session))
            }
            None => Ok(None),
        }
    }

    /// The players who took part in matches, the best first; null without a session.
    async fn leaderboard(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What comes first.", default_with = "LeaderboardOrder::Points")]
        order: LeaderboardOrder,
        #[graphql(desc = "Which time is counted.", default_with = "LeaderboardPeriod::AllTime")]
        period: LeaderboardPeriod,
        #[graphql(desc = "So many from the front, 0 to 100; 50 when not given.")] first: Option<
            i32,
        >,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
    ) -> Result<Option<LeaderboardConnection>, Error> {
        if viewer(ctx)?.player().is_none() {
            return Ok(None);
        }
        LeaderboardConnection::of(app(ctx)?, order, period, first, after.as_deref()).await.map(Some)
    }

    /// What everybody may know of a player; null without a session, and when there is no such player. Of a deleted
    /// account the statistics are left, without a name.
    async fn player(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The player.")] id: ID,
    ) -> Result<Option<PlayerProfile>, Error> {
        let (app, viewer) = (app(ctx)?, viewer(ctx)?);
        let Some(player) = player_of(&id).filter(|_| viewer.player().is_some()) else {
            return Ok(None);
        };
        let names = app.accounts().nickname_of(&[player]).await.map_err(account_fault)?;
        if !names.contains_key(&player) {
            let board = app.leaderboard().await;
            let found = board.statistics(player, Period::AllTime).await.map_err(fault)?;
            if found.standing != Standing::Deleted {
                return Ok(None);
            }
        }
        Ok(Some(PlayerProfile { player }))
    }

    /// The viewer's in-app notices (站内通知), the latest first; null without a session.
    async fn notices(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "So many from the front, 0 to 100; 50 when not given.")] first: Option<
            i32,
        >,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
    ) -> Result<Option<NoticeConnection>, Error> {
        let Some(player) = viewer(ctx)?.player() else { return Ok(None) };
        NoticeConnection::of(app(ctx)?, player, first, after.as_deref()).await.map(Some)
    }

    /// The viewer's sessions, last used first; empty without one.
    async fn sessions(&self, ctx: &Context<'_>) -> Result<Vec<Session>, Error> {
        sessions_of(ctx).await
    }

    /// What administrators see; null for everybody else.
    async fn admin(&self, ctx: &Context<'_>) -> Result<Option<Admin>, Error> {
        Ok(administrator(ctx).await?.is_ok().then_some(Admin))
    }

    /// What the banner says to everybody; null when nothing.
    async fn announcement(&self, ctx: &Context<'_>) -> Result<Option<Announcement>, Error> {
        let site = app(ctx)?.site().state(SITE).await.map_err(unread)?;
        Ok(site.announcement.as_ref().map(Into::into))
    }

    /// How formations are made.
    async fn formation_rules(&self) -> FormationRules {
        FormationRules
    }

    /// The rules of the formal match (正式四暗对局), as a table that opens now takes them: the release of unready
    /// seats is a setting of the site and may be another for tables that are open.
    async fn rules(&self, ctx: &Context<'_>) -> Result<MatchRules, Error> {
        let site = app(ctx)?.site().state(SITE).await.map_err(unread)?;
        Ok(MatchRules(RuleSet::formal(site.release_unready())))
    }
}

//! All paths of the server in one place. Must not know what stands behind them.

use super::assets::{self, Client};
use super::doors::{Doors, NewId};
use super::headers::{Outfit, outfit};
use super::health::{self, Health};
use super::local_only::local_only;
use super::observe::observe;
use super::session::Inside;
use super::unsubscribe::{self, Stop};
use super::{dev_mail, graphql_routes, pages, schemas};
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use std::sync::Arc;
use tokio_util::task::TaskTracker;
use yibu_infrastructure::mail::DevMailbox;

/// What the router puts together.
pub struct Parts {
    /// The GraphQL doors.
    pub doors: Doors<Inside>,
    /// Whether the server takes work, and why not.
    pub health: Health,
    /// Pages for developers, for names of this machine alone.
    pub development: bool,
    /// The development mailbox, where mails land there.
    pub mailbox: Option<DevMailbox>,
    /// The address under which people reach the server.
    pub public_url: String,
    /// What stops turn mails.
    pub stop: Arc<dyn Stop>,
    /// Notes which requests are under way.
    pub under_way: TaskTracker,
    /// The server is reached by TLS.
    pub tls: bool,
    /// New ids, for requests.
    pub new_id: NewId,
}

/// The whole server.
pub fn router(parts: Parts) -> Router {
    let leaving = parts.health.readiness.closing().clone();
    let mut router = graphql_routes(parts.doors).merge(health::routes(parts.health));
    let development = parts.development;
    router = router.merge(pages::routes(development)).merge(schemas::routes());
    router = router.merge(assets::routes(Client::embedded(), pages::home(development)));
    router = router.merge(unsubscribe::routes(parts.stop));
    if let Some(mailbox) = parts.mailbox {
        router = router.merge(dev_mail::routes(mailbox, &parts.public_url));
    }
    if development {
        router = router.layer(from_fn(local_only));
    }
    let outfitted = Outfit { tls: parts.tls, new_id: parts.new_id, leaving };
    router
        .layer(from_fn_with_state(parts.under_way, observe))
        .layer(from_fn_with_state(outfitted, outfit))
}

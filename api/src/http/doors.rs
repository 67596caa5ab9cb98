//! What all doors share: settings, limits, counts, figures and the sign to close. Must not hold anything
//! about one request.

use super::answer::Answer;
use super::census::{Caps, Census};
use super::gate::{AuthFault, Caller, Credentials, Gate};
use super::graphql_ws::SocketTimes;
use super::limits::{Class, Limits, Now, Payer, Quotas, Verdict};
use super::origin::OriginPolicy;
use super::peer::Network;
use crate::graphql::guard::Admitted;
use async_graphql::Request;
use async_graphql::parser::types::OperationType;
use axum::http::HeaderMap;
use futures_util::FutureExt;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// How long the inside may take to say who asks.
pub const AUTH_TIME: Duration = Duration::from_secs(10);

/// What the operator decides about the doors.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whose pages may ask.
    pub origins: OriginPolicy,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted: Vec<Network>,
    /// Serve the explorer on `GET /graphql` to browsers. Development only.
    pub explorer: bool,
    /// Whether clients may ask for the schema.
    pub introspection: bool,
    /// Rate limits.
    pub quotas: Quotas,
    /// How many sockets and streams.
    pub caps: Caps,
    /// How patient sockets are.
    pub times: SocketTimes,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            origins: OriginPolicy::default(),
            trusted: Vec::new(),
            explorer: false,
            introspection: true,
            quotas: Quotas::DEFAULT,
            caps: Caps::DEFAULT,
            times: SocketTimes::DEFAULT,
        }
    }
}

/// A source of new ids, for faults and requests.
pub type NewId = Arc<dyn Fn() -> Uuid + Send + Sync>;

/// The doors' common state. Cheap to clone.
pub struct Doors<G> {
    /// The inside.
    pub gate: G,
    /// The rest.
    pub house: Arc<House>,
}

impl<G: Clone> Clone for Doors<G> {
    fn clone(&self) -> Self {
        Self { gate: self.gate.clone(), house: Arc::clone(&self.house) }
    }
}

/// What the doors share besides the gate.
pub struct House {
    /// The operator's decisions.
    pub settings: Settings,
    /// The rate limiter; resolvers may charge it too.
    pub limits: Limits,
    /// Long-lived connections.
    pub census: Census,
    /// New ids.
    pub new_id: NewId,
    /// Fires when the server drains or stops: sockets are then closed with 1012 and clients connect again.
    pub closing: CancellationToken,
}

impl House {
    /// Counts an internal fault.
    pub(super) fn count_fault(&self) {
        metrics::counter!("yibu_faults_total").increment(1);
    }
}

impl<G: Gate> Doors<G> {
    /// Doors before `gate`. `closing` is fired by the one who stops the server.
    pub fn new(
        gate: G,
        settings: Settings,
        now: Now,
        new_id: NewId,
        closing: CancellationToken,
    ) -> Self {
        let house = House {
            limits: Limits::new(settings.quotas, now),
            census: Census::new(settings.caps),
            settings,
            new_id,
            closing,
        };
        Self { gate, house: Arc::new(house) }
    }

    /// Asks the inside who asks, for a bounded time.
    ///
    /// # Errors
    /// As [`Gate::authenticate`]; a late answer is none.
    pub(super) async fn authenticate(
        &self,
        credentials: Credentials,
    ) -> Result<Caller<G::Viewer>, AuthFault> {
        tokio::time::timeout(AUTH_TIME, self.gate.authenticate(credentials))
            .await
            .unwrap_or(Err(AuthFault::Unavailable))
    }

    /// Charges an address before anything is spent on its request.
    pub(super) fn charge_network(&self, kind: OperationType, address: IpAddr) -> Verdict {
        self.house.limits.charge(class_of(kind), Payer::network(address), 1)
    }

    /// Charges an admitted request: its operation to the account, its narrower root fields to account and
    /// address, each as often as it is asked for.
    pub(super) fn charge(
        &self,
        admitted: &Admitted,
        account: Option<Uuid>,
        address: IpAddr,
        network: Verdict,
    ) -> Verdict {
        let limits = &self.house.limits;
        let account = account.map(Payer::Account);
        let mut verdict = network;
        if let Some(account) = account {
            verdict = verdict.tighter(limits.charge(class_of(admitted.kind), account, 1));
        }
        for class in admitted.roots.iter().filter_map(|root| self.gate.class_of(root)) {
            for payer in account.into_iter().chain([Payer::network(address)]) {
                if verdict.retry_after.is_none() {
                    verdict = verdict.tighter(limits.charge(class, payer, 1));
                }
            }
        }
        verdict
    }

    /// Makes the admitted request the caller's.
    pub(super) fn prepare(&self, admitted: Admitted, viewer: G::Viewer) -> Request {
        let request = admitted.request.data(viewer);
        if self.house.settings.introspection { request } else { request.disable_introspection() }
    }

    /// Executes a query or a mutation: the answer, and headers that the inside wants on it.
    pub(super) async fn execute(&self, request: Request, cost: u32) -> (Answer, HeaderMap) {
        let running = AssertUnwindSafe(self.gate.execute(request)).catch_unwind();
        match running.await {
            Ok(mut response) => {
                let headers = std::mem::take(&mut response.http_headers);
                (Answer::of(response, &self.house).cost(cost), headers)
            }
            Err(_) => (Answer::broken(&self.house), HeaderMap::new()),
        }
    }

    /// Counts a request.
    pub(super) fn count(&self, door: &'static str, outcome: &'static str) {
        metrics::counter!("yibu_requests_total", "door" => door, "outcome" => outcome).increment(1);
    }
}

/// The rate class of an operation.
const fn class_of(kind: OperationType) -> Class {
    match kind {
        OperationType::Mutation => Class::Mutation,
        OperationType::Query | OperationType::Subscription => Class::Query,
    }
}

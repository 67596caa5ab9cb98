//! A small schema and a gate behind the doors, so that the doors are tested without the game.

use async_graphql::{
    EmptyMutation, Error, Object, Request, Response, Schema, SimpleObject, Subscription,
};
use futures_util::stream::{self, BoxStream, Stream, StreamExt};
use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use yibu_api::http::limits::Class;
use yibu_api::http::{AuthFault, Caller, Credentials, Gate};

/// Who asks.
#[derive(Clone)]
pub(crate) struct Guest(pub(crate) Option<Uuid>);

#[derive(SimpleObject)]
struct Leaf {
    name: String,
}

pub(crate) struct Node;

#[Object]
impl Node {
    async fn a(&self) -> Node {
        Node
    }
    async fn b(&self, x: Option<Vec<i32>>) -> i32 {
        x.map_or(0, |x| i32::try_from(x.len()).unwrap_or(i32::MAX))
    }
    /// Ready only after the fields beside it.
    async fn late(&self) -> i32 {
        tokio::task::yield_now().await;
        1
    }
    async fn leaves(&self) -> Vec<Leaf> {
        vec![Leaf { name: "one".into() }]
    }
}

pub(crate) struct Query;

#[Object]
impl Query {
    async fn hello(&self) -> &'static str {
        "hello"
    }
    async fn echo(&self, text: String) -> String {
        text
    }
    async fn node(&self) -> Node {
        Node
    }
    async fn account(&self, ctx: &async_graphql::Context<'_>) -> Option<String> {
        ctx.data_unchecked::<Guest>().0.map(|id| id.to_string())
    }
    async fn fault(&self) -> Result<i32, Error> {
        Err(Error::new("the secret plan"))
    }
    async fn panics(&self, number: Option<i32>) -> i32 {
        number.expect("a resolver that breaks")
    }
}

pub(crate) struct Mutation;

static BUMPS: AtomicU32 = AtomicU32::new(0);

#[Object]
impl Mutation {
    async fn bump(&self) -> u32 {
        BUMPS.fetch_add(1, Ordering::Relaxed)
    }
    async fn login(&self) -> bool {
        true
    }
}

pub(crate) struct Subscriptions;

#[Subscription]
impl Subscriptions {
    async fn count(&self, to: i32) -> impl Stream<Item = i32> {
        stream::iter(0..to)
    }
    async fn nodes(&self) -> impl Stream<Item = Node> {
        stream::iter([Node, Node])
    }
    async fn forever(&self) -> impl Stream<Item = i32> {
        stream::pending()
    }
    async fn breaks(&self) -> impl Stream<Item = i32> {
        stream::repeat_with(|| -> i32 { panic!("a stream that breaks") })
    }
    async fn flood(&self) -> impl Stream<Item = String> {
        stream::repeat_with(|| "x".repeat(60_000))
    }
}

pub(crate) type Toy = Schema<Query, Mutation, Subscriptions>;

/// The schema alone.
pub(crate) fn schema() -> Toy {
    Schema::build(Query, Mutation, Subscriptions).finish()
}

/// A schema without mutations, to see that the guard does not care.
pub(crate) fn bare() -> Schema<Query, EmptyMutation, Subscriptions> {
    Schema::build(Query, EmptyMutation, Subscriptions).finish()
}

/// The gate: the token or cookie `good` is an account, `bad` is refused, `away` cannot be checked.
#[derive(Clone)]
pub(crate) struct ToyGate {
    schema: Toy,
    pub(crate) account: Uuid,
    pub(crate) session: CancellationToken,
    classes: Arc<HashMap<&'static str, Class>>,
}

impl ToyGate {
    pub(crate) fn new() -> Self {
        Self {
            schema: schema(),
            account: Uuid::from_u128(7),
            session: CancellationToken::new(),
            classes: Arc::new(HashMap::from([("login", Class::Login)])),
        }
    }
}

impl Gate for ToyGate {
    type Viewer = Guest;

    async fn authenticate(&self, credentials: Credentials) -> Result<Caller<Guest>, AuthFault> {
        let token = credentials.bearer.as_deref().or_else(|| credentials.cookie("session"));
        let account = match token {
            None => None,
            Some("good") => Some(self.account),
            Some("away") => return Err(AuthFault::Unavailable),
            Some(_) => return Err(AuthFault::Refused),
        };
        Ok(Caller { viewer: Guest(account), account, ended: self.session.clone() })
    }

    fn run(&self, request: Request) -> impl Future<Output = Response> + Send {
        self.schema.execute(request)
    }

    fn stream(&self, request: Request) -> BoxStream<'static, Response> {
        let versions = stream::iter(1_u64..);
        let answers = self.schema.execute_stream(request);
        answers
            .zip(versions)
            .map(|(response, version)| response.extension("version", version.into()))
            .boxed()
    }

    fn class_of(&self, root: &str) -> Option<Class> {
        self.classes.get(root).copied()
    }
}

/// How long a test waits for the other side before it fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

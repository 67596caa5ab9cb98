//! Who did what when, for administrators and auditors: the outside of every event. Holds nothing of a payload but
//! the reason code that whoever acted gave.

use crate::engine::registry::{signed, unsigned};
use crate::engine::{
    Bound, Conn, Fact, Fault, Fed, Fold, Insert, Poison, Projection, Row, Views, ViewsError, id,
};
use async_trait::async_trait;
use sqlx::{Executor, Row as _};
use uuid::Uuid;
use yibu_domain::kernel::{Actor, MatchId, PlayerId, Reason, Time};
use yibu_domain::matches::MatchEvent;

const NAME: &str = "audit_trail";
const COLUMNS: [&str; 11] = [
    "position", "version", "happened", "recorded", "actor", "actor_id", "command", "category",
    "id", "name", "reason",
];

/// The read model as the engine knows it.
pub struct Model;

impl Projection for Model {
    fn name(&self) -> &'static str {
        NAME
    }

    fn shape(&self) -> u32 {
        2
    }

    fn tables(&self) -> &'static [&'static str] {
        &["audit_trail"]
    }

    fn schema(&self) -> &'static str {
        include_str!("../../../migrations/views/audit_trail.sql")
    }

    fn begin(&self, _views: &Views, generation: u64) -> Box<dyn Fold> {
        let table = format!("audit_trail_g{generation}");
        Box::new(Folding { traces: Vec::new(), insert: Insert::replacing(&table, &COLUMNS, 1) })
    }
}

/// Who causes events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActorKind {
    /// The server itself.
    System,
    /// A deadline that ran out.
    Timer,
    /// A person with an account.
    Player,
    /// A house player.
    House,
    /// A person acting as administrator.
    Admin,
}

impl From<Actor> for ActorKind {
    fn from(actor: Actor) -> Self {
        match actor {
            Actor::System => Self::System,
            Actor::Timer => Self::Timer,
            Actor::Player(_) => Self::Player,
            Actor::House(_) => Self::House,
            Actor::Admin(_) => Self::Admin,
        }
    }
}

/// One event from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Global position.
    pub position: u64,
    /// Its number in its stream.
    pub version: u64,
    /// From when it counts.
    pub happened: Time,
    /// When the log wrote it.
    pub recorded: Time,
    /// Who caused it.
    pub actor: Actor,
    /// The kind of the command, for instance `move`.
    pub command: String,
    /// The kind of stream, for instance `match`.
    pub category: String,
    /// Which one of that kind; nil for the site.
    pub id: Uuid,
    /// The event's stored name with version.
    pub name: String,
    /// Why, where whoever acted said so.
    pub reason: Option<String>,
}

impl Trace {
    fn of(fed: &Fed) -> Self {
        let happened = match &fed.fact {
            Ok(Fact::Match(_, event)) => event.at,
            Ok(Fact::Player(_, event)) => event.at,
            Ok(Fact::Site(event)) => event.at,
            Ok(Fact::Other) | Err(_) => fed.recorded,
        };
        let parts = fed.stream.split_once('-');
        let parts = parts.and_then(|(category, id)| Some((category, id.parse::<Uuid>().ok()?)));
        let (category, id) = parts.unwrap_or((&fed.stream, Uuid::nil()));
        Self {
            position: fed.position,
            version: fed.version,
            happened,
            recorded: fed.recorded,
            actor: fed.actor,
            command: fed.command.clone(),
            category: category.to_owned(),
            id,
            name: fed.name.clone(),
            reason: reason(&fed.fact).map(ToString::to_string),
        }
    }
}

/// The reason code of an event.
fn reason(fact: &Result<Fact, Poison>) -> Option<&Reason> {
    match fact {
        Ok(Fact::Site(event)) => event.event.reason(),
        Ok(Fact::Player(_, event)) => event.event.reason(),
        Ok(Fact::Match(_, event)) => match &event.event {
            MatchEvent::Voided(parts) => parts.public.as_ref().map(|part| &part.reason),
            _ => None,
        },
        Ok(Fact::Other) | Err(_) => None,
    }
}

struct Folding {
    traces: Vec<(Trace, Option<PlayerId>)>,
    insert: Insert,
}

#[async_trait]
impl Fold for Folding {
    async fn absorb(&mut self, batch: &[Fed]) -> Result<(), Fault> {
        self.traces.extend(batch.iter().map(|fed| (Trace::of(fed), fed.actor.player())));
        Ok(())
    }

    async fn flush(&mut self, tx: &mut Conn) -> Result<(), ViewsError> {
        let traces = std::mem::take(&mut self.traces);
        Ok(self.insert.run(tx, &traces, bind).await?)
    }

    fn changed_matches(&self) -> usize {
        self.traces.len()
    }
}

fn bind<'q>(query: Bound<'q>, (trace, person): &'q (Trace, Option<PlayerId>)) -> Bound<'q> {
    query
        .bind(signed(trace.position))
        .bind(signed(trace.version))
        .bind(trace.happened.0)
        .bind(trace.recorded.0)
        .bind(ActorKind::from(trace.actor) as i64)
        .bind(person.as_ref().map(|player| player.0.as_bytes().as_slice()))
        .bind(trace.command.as_str())
        .bind(trace.category.as_str())
        .bind(trace.id.as_bytes().as_slice())
        .bind(trace.name.as_str())
        .bind(trace.reason.as_deref())
}

/// Which events are asked for: those that fit everything that is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sought {
    /// Of this match.
    pub of_match: Option<MatchId>,
    /// Caused by this player in whatever role, or of the player's own stream.
    pub player: Option<PlayerId>,
    /// Caused by this kind of actor.
    pub actor: Option<ActorKind>,
    /// Recorded at this instant or later.
    pub from: Option<Time>,
    /// Recorded before this instant.
    pub until: Option<Time>,
    /// Caused by an administrator, or of the site: what the office did, and nothing of how people play.
    pub office: bool,
}

/// Queries on the trail. For administrators and auditors alone.
#[derive(Clone)]
pub struct AuditTrail {
    views: Views,
}

impl AuditTrail {
    /// Queries on an open store.
    pub fn new(views: &Views) -> Self {
        Self { views: views.clone() }
    }

    /// The events that are sought before a position (`None`: before now), the latest first, at most `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn page(
        &self,
        sought: Sought,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<Trace>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let mut which = "position < $1 AND recorded >= $2 AND recorded < $3".to_owned();
        let mut ids = Vec::new();
        let mut mark = |id: Uuid| {
            ids.push(id);
            ids.len() + 4
        };
        if let Some(MatchId(id)) = sought.of_match {
            which += &format!(" AND category = 'match' AND id = ${}", mark(id));
        }
        if let Some(PlayerId(id)) = sought.player {
            let who = mark(id);
            which += &format!(" AND (actor_id = ${who} OR category = 'player' AND id = ${who})");
        }
        if sought.office {
            // In the words of the index.
            which += " AND (actor = 4 OR category = 'site')";
        }
        if let Some(actor) = sought.actor {
            which += &format!(" AND actor = {}", actor as i64);
        }
        let sql = format!(
            "SELECT {} FROM audit_trail_g{} WHERE {which} ORDER BY position DESC LIMIT $4",
            COLUMNS.join(", "),
            reading.generation()
        );
        let query = sqlx::query(&sql)
            .bind(signed(before.unwrap_or(u64::MAX)))
            .bind(sought.from.map_or(i64::MIN, |from| from.0))
            .bind(sought.until.map_or(i64::MAX, |until| until.0))
            .bind(i64::from(limit));
        let query = ids.iter().fold(query, |query, id| query.bind(id.as_bytes().as_slice()));
        let rows = reading.connection().fetch_all(query).await?;
        rows.iter().map(trace).collect()
    }
}

/// A row in the order of the columns.
fn trace(row: &Row) -> Result<Trace, ViewsError> {
    let person = row.try_get::<Option<&[u8]>, _>(5)?.map(Uuid::from_slice).transpose();
    let person = person.map_err(|_| ViewsError::Document(NAME))?.map(PlayerId);
    let actor = match (row.try_get::<i64, _>(4)?, person) {
        (0, None) => Actor::System,
        (1, None) => Actor::Timer,
        (2, Some(player)) => Actor::Player(player),
        (3, Some(player)) => Actor::House(player),
        (4, Some(player)) => Actor::Admin(player),
        _ => return Err(ViewsError::Document(NAME)),
    };
    Ok(Trace {
        position: unsigned(row.try_get(0)?),
        version: unsigned(row.try_get(1)?),
        happened: Time(row.try_get(2)?),
        recorded: Time(row.try_get(3)?),
        actor,
        command: row.try_get(6)?,
        category: row.try_get(7)?,
        id: id(row, 8)?,
        name: row.try_get(9)?,
        reason: row.try_get(10)?,
    })
}

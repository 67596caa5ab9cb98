//! Durable commands per second, from what is asked to what is stored: our executor over the shared store, and
//! the framework of `cqrs_es` on postgres-es as its makers join them. The same aggregate, the same decisions.

use super::commits::sum;
use cqrs_es::CqrsFramework;
use cqrs_es::persist::PersistedEventStore;
use postgres_es::PostgresEventRepository;
use std::sync::Arc;
use std::time::{Duration, Instant};
use uuid::Uuid;
use yibu_domain::kernel::{Actor, CommandId, PlayerId, Reason, Time};
use yibu_domain::site::{Site, SiteCommand};
use yibu_infrastructure::executor::hosted::HostedCommand;
use yibu_infrastructure::executor::{Executor, Hosted, Request};
use yibu_infrastructure::system::Entropy;

const ROUND: Duration = Duration::from_secs(2);

/// The framework over the repository that is measured.
pub(crate) type Framework =
    CqrsFramework<Hosted<Site>, PersistedEventStore<PostgresEventRepository, Hosted<Site>>>;

/// The framework as its makers join it: every command loads its aggregate's events.
pub(crate) fn framework(repository: PostgresEventRepository) -> Framework {
    CqrsFramework::new(PersistedEventStore::new_event_store(repository), Vec::new(), ())
}

/// Every writer gives its own aggregate one command after the other, each under a key, as clients do.
pub(crate) async fn ours(executor: &Executor<Site>, entropy: &Entropy, writers: usize) -> f64 {
    let start = Instant::now();
    let tasks = (0..writers).map(|_| {
        let (executor, entropy) = (executor.clone(), entropy.clone());
        tokio::spawn(async move {
            let (id, actor) = (entropy.uuid(), Actor::Admin(entropy.player_id()));
            let mut done = 0.0;
            while start.elapsed() < ROUND {
                let request = Request::new(id, command(done), actor, entropy.uuid());
                let request = request.keyed(CommandId(entropy.uuid()));
                if executor.execute(request).await.is_err() {
                    break;
                }
                done += 1.0;
            }
            done
        })
    });
    sum(tasks.collect()).await / start.elapsed().as_secs_f64()
}

/// The same on the framework, which knows no keys.
pub(crate) async fn theirs(framework: &Arc<Framework>, entropy: &Entropy, writers: usize) -> f64 {
    let start = Instant::now();
    let tasks = (0..writers).map(|_| {
        let (framework, entropy) = (Arc::clone(framework), entropy.clone());
        tokio::spawn(async move {
            let (id, actor) = (entropy.uuid().to_string(), Actor::Admin(PlayerId(Uuid::nil())));
            let mut done = 0.0;
            while start.elapsed() < ROUND {
                let (now, dice) = (Time(1_800_000_000_000), entropy.dice());
                let command = HostedCommand { command: command(done), actor, now, dice };
                if framework.execute(&id, command).await.is_err() {
                    break;
                }
                done += 1.0;
            }
            done
        })
    });
    sum(tasks.collect()).await / start.elapsed().as_secs_f64()
}

/// Something that always happens, and asks for nothing else.
fn command(n: f64) -> SiteCommand {
    let reason = "bench".parse::<Reason>().expect("a reason code");
    SiteCommand::SetAnnouncement { text: Some(format!("{n:0>140}")), reason }
}

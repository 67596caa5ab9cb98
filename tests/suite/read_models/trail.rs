//! The audit trail against the log itself: every event from outside, by match, by person, by actor, by time.

use super::histories::World;
use super::rig::{MemoryFeed, Rig, Store};
use yibu_domain::kernel::{Actor, Dated, Time};
use yibu_domain::matches::MatchEvent;
use yibu_domain::players::PlayerEvent;
use yibu_domain::site::SiteEvent;
use yibu_projections::models::AuditTrail;
use yibu_projections::models::audit_trail::{ActorKind, Sought, Trace};
use yibu_projections::{Fact, Fed};

fn outside(fed: &Fed) -> Trace {
    let (category, id, happened) = match fed.fact.as_ref().unwrap() {
        Fact::Match(id, event) => ("match", id.0, event.at),
        Fact::Player(id, event) => ("player", id.0, event.at),
        Fact::Site(event) => ("site", uuid::Uuid::nil(), event.at),
        Fact::Other => ("table", uuid::Uuid::from_u128(5), fed.recorded),
    };
    Trace {
        position: fed.position,
        version: fed.version,
        happened,
        recorded: fed.recorded,
        actor: fed.actor,
        command: fed.command.clone(),
        category: category.to_owned(),
        id,
        name: fed.name.clone(),
        reason: reason(fed.fact.as_ref().unwrap()),
    }
}

/// Why, by the stored form of those events that have a reason.
fn reason(fact: &Fact) -> Option<String> {
    let reason = match fact {
        Fact::Match(_, Dated { event: MatchEvent::Voided(parts), .. }) => {
            &parts.public.as_ref().unwrap().reason
        }
        Fact::Player(_, Dated { event: PlayerEvent::Suspended(part), .. })
        | Fact::Player(_, Dated { event: PlayerEvent::Reinstated(part), .. }) => &part.reason,
        Fact::Player(_, Dated { event: PlayerEvent::PointsAdjusted(part), .. }) => &part.reason,
        Fact::Site(Dated { event: SiteEvent::LimitsSet(part), .. }) => &part.reason,
        _ => return None,
    };
    Some(reason.to_string())
}

async fn all(trail: &AuditTrail, sought: Sought, most: u32) -> Vec<Trace> {
    let mut found: Vec<Trace> = Vec::new();
    loop {
        let before = found.last().map(|trace| trace.position);
        let page = trail.page(sought, before, most).await.unwrap();
        if page.is_empty() {
            found.reverse();
            return found;
        }
        found.extend(page);
    }
}

pub(super) async fn the_trail_is_the_outside_of_the_log(store: Store) {
    let mut world = World::new(91, 12, 5);
    world.grow(3_000);
    let mut log = world.log.clone();
    // A stream that this program does not follow leaves a trace all the same.
    log.push(Fed {
        position: log.len() as u64 + 1,
        stream: format!("table-{}", uuid::Uuid::from_u128(5)),
        version: 1,
        name: "table.opened.v1".to_owned(),
        recorded: Time(1_800_000_000_000),
        actor: Actor::Player(world.players[1]),
        command: "open".to_owned(),
        fact: Ok(Fact::Other),
    });
    let rig = Rig::new(store).await;
    rig.catch_up("audit_trail", &MemoryFeed::new(log.clone()), 500).await;
    let trail = AuditTrail::new(&rig.views);
    let wanted: Vec<Trace> = log.iter().map(outside).collect();
    let everything = Sought::default();
    assert_eq!(all(&trail, everything, 700).await, wanted);
    let first = trail.page(everything, None, 3).await.unwrap();
    assert!(first.iter().eq(wanted.iter().rev().take(3)));
    for (id, _) in world.matches.iter().take(6) {
        let of_match = |trace: &&Trace| trace.category == "match" && trace.id == id.0;
        let sought = Sought { of_match: Some(*id), ..everything };
        assert!(all(&trail, sought, 90).await.iter().eq(wanted.iter().filter(of_match)));
    }
    for player in &world.players {
        let of_player = |trace: &&Trace| {
            let own = trace.category == "player" && trace.id == player.0;
            trace.actor.player() == Some(*player) || own
        };
        let sought = Sought { player: Some(*player), ..everything };
        assert!(all(&trail, sought, 90).await.iter().eq(wanted.iter().filter(of_player)));
    }
    let kinds = [
        ActorKind::System,
        ActorKind::Timer,
        ActorKind::Player,
        ActorKind::House,
        ActorKind::Admin,
    ];
    let (from, until) = (wanted[800].recorded, wanted[2_000].recorded);
    for kind in kinds {
        let of_kind = |trace: &&Trace| ActorKind::from(trace.actor) == kind;
        let sought = Sought { actor: Some(kind), ..everything };
        let got = all(&trail, sought, 400).await;
        assert!(!got.is_empty() && got.iter().eq(wanted.iter().filter(of_kind)), "{kind:?}");
        let inside = |trace: &&Trace| of_kind(trace) && (from..until).contains(&trace.recorded);
        let sought = Sought { from: Some(from), until: Some(until), ..sought };
        assert!(all(&trail, sought, 400).await.iter().eq(wanted.iter().filter(inside)));
    }
    // What the office did, and of the players' own doings nothing.
    let office = |trace: &&Trace| {
        ActorKind::from(trace.actor) == ActorKind::Admin || trace.category == "site"
    };
    let got = all(&trail, Sought { office: true, ..everything }, 7).await;
    assert!(got.iter().any(|trace| trace.reason.is_some()), "the reasons are there");
    assert!(got.iter().eq(wanted.iter().filter(office)));
    // Everything at once: what one person did in one match.
    let someone = wanted.iter().find(|trace| trace.command == "move").unwrap();
    let sought = Sought {
        of_match: Some(yibu_domain::kernel::MatchId(someone.id)),
        player: someone.actor.player(),
        actor: Some(someone.actor.into()),
        ..everything
    };
    let fits = |trace: &&Trace| trace.id == someone.id && trace.actor == someone.actor;
    assert!(all(&trail, sought, 50).await.iter().eq(wanted.iter().filter(fits)));
}

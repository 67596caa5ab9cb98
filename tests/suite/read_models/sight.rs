//! What viewers get from the rows is what the domain says they may see, at the same version; strangers get
//! nothing, and the public document names no identity.

use super::histories::World;
use super::rig::{MemoryFeed, Rig, Store};
use std::collections::HashSet;
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::kernel::{MatchId, PlayerId};
use yibu_domain::matches::events::{Action, MatchEvent};
use yibu_domain::matches::view::{Phase, view};
use yibu_projections::Fact;
use yibu_projections::models::{MatchActions, MatchViews};

pub(super) async fn everybody_sees_what_the_domain_says(store: Store) {
    let mut world = World::new(21, 16, 6);
    world.grow(6_000);
    let feed = MemoryFeed::hidden(world.log.clone());
    let rig = Rig::new(store).await;
    let views = MatchViews::new(&rig.views);
    let (mut seen, mut refused, mut own_men) = (0, 0, 0);
    let stops = [700, 1_900, 3_300, 4_600, feed.len()];
    for position in stops {
        feed.show(position);
        rig.catch_up("match_views", &feed, 5_000).await;
        for (id, _) in &world.matches {
            let state = world.at(*id, position);
            for player in &world.players {
                let wanted = state.live().and_then(|live| {
                    let audience = live.sheet.audience(*player)?;
                    Some(view(&live.sheet, audience))
                });
                let got = views.view_for(*id, *player).await.unwrap();
                match (&got, &wanted) {
                    (Some(_), Some(_)) => seen += 1,
                    (None, None) => refused += 1,
                    _ => {}
                }
                own_men += got
                    .iter()
                    .filter_map(|seen| seen.view.own.as_ref())
                    .map(|own| own.men.len())
                    .sum::<usize>();
                assert_eq!(got.map(|seen| seen.view), wanted);
            }
            let people = views.people_of(*id).await.unwrap();
            assert_eq!(people, state.live().map(|live| live.sheet.people.clone()));
        }
    }
    assert!(seen > 200 && refused > 200 && own_men > 1_000, "{seen} {refused} {own_men}");
    let stranger = PlayerId(uuid::Uuid::from_u128(1));
    let unknown = MatchId(uuid::Uuid::from_u128(2));
    assert_eq!(views.view_for(world.matches[0].0, stranger).await.unwrap(), None);
    assert_eq!(views.view_for(unknown, world.players[0]).await.unwrap(), None);
}

/// Every name by which a piece is stored or shown, but for the flag's, which the rules make public.
fn identities() -> Vec<String> {
    let pieces = Piece::ALL.into_iter().filter(|piece| *piece != Piece::Flag);
    pieces.map(|piece| serde_json::to_string(&piece).unwrap()).collect()
}

pub(super) async fn no_shared_row_names_an_identity(store: Store) {
    let mut world = World::new(22, 12, 6);
    world.grow(5_000);
    let feed = MemoryFeed::new(world.log.clone());
    let rig = Rig::new(store).await;
    rig.catch_up_all(&feed).await;
    let identities = identities();
    let (mut shared, mut own) = (0, 0);
    for row in rig.rows().await {
        let names = identities.iter().any(|name| row.contains(name.as_str()));
        if row.starts_with("match_views_own ") {
            own += usize::from(names);
        } else {
            shared += 1;
            assert!(!names, "a shared row names an identity: {row}");
        }
    }
    // The search would find one if it were there.
    assert!(shared > 300 && own > 20, "{shared} {own}");
}

pub(super) async fn actions_are_the_public_events_in_order_without_gaps(store: Store) {
    let mut world = World::new(23, 12, 5);
    world.grow(4_000);
    let feed = MemoryFeed::new(world.log.clone());
    let rig = Rig::new(store).await;
    rig.catch_up("match_actions", &feed, 700).await;
    let actions = MatchActions::new(&rig.views);
    let mut kinds = HashSet::new();
    for (id, state) in &world.matches {
        let wanted: Vec<Action> = world
            .log
            .iter()
            .filter_map(|fed| match &fed.fact {
                Ok(Fact::Match(of, event)) if of == id => event.event.action(),
                _ => None,
            })
            .collect();
        let total = actions.total(*id).await.unwrap();
        assert_eq!(Some(total), state.live().map(|live| live.sheet.public.version));
        let mut got = Vec::new();
        while let page @ [_, ..] = &actions.page(*id, got.len() as u64, 50).await.unwrap()[..] {
            for (recorded, version) in page.iter().zip(got.len() as u64 + 1..) {
                assert_eq!(recorded.version, version);
            }
            got.extend(page.iter().map(|recorded| recorded.action.clone()));
        }
        assert_eq!(got, wanted);
        let last = actions.last(*id, None, 7).await.unwrap();
        let ends: Vec<_> = last.into_iter().map(|recorded| recorded.action).collect();
        assert_eq!(ends, wanted[wanted.len().saturating_sub(7)..]);
        let middle = actions.last(*id, Some(4), 2).await.unwrap();
        assert!(
            middle
                .iter()
                .map(|recorded| recorded.version)
                .eq([2, 3].into_iter().filter(|v| *v <= total))
        );
        kinds.extend(wanted.iter().map(std::mem::discriminant));
    }
    assert!(kinds.len() > 18, "{}", kinds.len());
}

pub(super) async fn whoever_leaves_or_loses_a_chance_loses_the_sight_with_it(store: Store) {
    let mut world = World::new(24, 16, 6);
    world.grow(8_000);
    let feed = MemoryFeed::hidden(world.log.clone());
    let rig = Rig::new(store).await;
    let views = MatchViews::new(&rig.views);
    let (mut left, mut lost) = (0, 0);
    for fed in &world.log {
        let Ok(Fact::Match(id, event)) = &fed.fact else { continue };
        let (player, gone) = match &event.event {
            MatchEvent::Left(parts) => (parts.public.as_ref().map(|p| p.person.player), false),
            MatchEvent::CandidateWithdrew(parts) => {
                (parts.secret.facts.as_ref().map(|f| f.person.player), true)
            }
            MatchEvent::CandidateLost(parts) => {
                (parts.secret.facts.as_ref().map(|f| f.person.player), true)
            }
            _ => continue,
        };
        feed.show(fed.position);
        rig.catch_up("match_views", &feed, 5_000).await;
        let seen = views.view_for(*id, player.unwrap()).await.unwrap();
        if gone {
            assert_eq!(seen, None);
            lost += 1;
        } else {
            let seen = seen.unwrap();
            assert!(seen.view.own.is_none() && seen.view.public.phase != Phase::Assembling);
            left += 1;
        }
    }
    assert!(left > 3 && lost > 1, "{left} {lost}");
}

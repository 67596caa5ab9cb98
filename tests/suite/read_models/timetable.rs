//! The clocks in the rows are those that run in the folded truth.

use super::histories::World;
use super::rig::{MemoryFeed, Rig, Store};
use yibu_domain::kernel::Time;
use yibu_domain::matches::Live;
use yibu_domain::matches::events::TurnKind;
use yibu_domain::matches::view::Phase;
use yibu_projections::models::{Deadline, Deadlines, Due};

fn clock(live: &Live) -> Option<Deadline> {
    let due = live.due()?;
    let what = match live.turn() {
        None if live.phase() == Phase::Ended => Due::Retention,
        None => Due::Release,
        Some(turn) if turn.kind == TurnKind::Vacant => {
            Due::TakeoverWait { number: turn.number, seat: turn.seat }
        }
        Some(turn) => Due::Turn { number: turn.number, seat: turn.seat },
    };
    Some(Deadline { match_id: live.sheet.public.match_id, due, what })
}

pub(super) async fn every_running_clock_is_listed_and_no_other(store: Store) {
    let mut world = World::new(41, 16, 9);
    world.grow(6_000);
    let feed = MemoryFeed::hidden(world.log.clone());
    let rig = Rig::new(store).await;
    let deadlines = Deadlines::new(&rig.views);
    let (mut releases, mut retained) = (0, 0);
    for position in (100..=feed.len()).step_by(150) {
        feed.show(position);
        rig.catch_up("deadlines", &feed, 37).await;
        let mut wanted: Vec<Deadline> = world
            .matches
            .iter()
            .filter_map(|(id, _)| clock(world.at(*id, position).live()?))
            .collect();
        wanted.sort_by_key(|clock| (clock.due, clock.match_id));
        let all = deadlines.due(Time(i64::MAX), u32::MAX).await.unwrap();
        assert_eq!(all, wanted);
        let stopped = wanted.iter().filter(|clock| clock.what != Due::Retention);
        assert!(deadlines.open().await.unwrap().iter().eq(stopped));
        releases += wanted.iter().filter(|clock| clock.what == Due::Release).count();
        retained += wanted.iter().filter(|clock| clock.what == Due::Retention).count();
        if let [first, .., last] = &wanted[..] {
            let due = deadlines.due(first.due, 100).await.unwrap();
            assert!(due.iter().all(|clock| clock.due == first.due) && due[0] == *first);
            assert_eq!(deadlines.due(last.due, 2).await.unwrap(), wanted[..2]);
            assert_eq!(deadlines.due(Time(first.due.0 - 1), 9).await.unwrap(), []);
            let before = Time(first.due.0 - 1);
            assert_eq!(deadlines.next(before).await.unwrap(), Some(first.due));
            assert_eq!(deadlines.next(last.due).await.unwrap(), None);
            let late = wanted.iter().filter(|clock| clock.due < last.due).count() as u64;
            let earliest = (late > 0).then_some(first.due);
            assert_eq!(deadlines.overdue(last.due).await.unwrap(), (late, earliest));
            assert_eq!(deadlines.overdue(first.due).await.unwrap(), (0, None));
        }
    }
    assert!(releases > 0 && retained > 0);
}

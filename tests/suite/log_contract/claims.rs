//! Rules that span streams.

use super::fixture::{Fixture, memo, player};
use futures_util::future::join_all;
use yibu_domain::kernel::{Claim, Counter, DEFAULT_LIMIT, PlayerId};
use yibu_infrastructure::log::ClaimTable;
use yibu_infrastructure::log::port::{AppendError, Commit, Expected};

const FULL: AppendError = AppendError::LimitReached { counter: Counter::Full };

fn take(player: PlayerId) -> Claim {
    Claim::Take { counter: Counter::Full, player }
}

fn release(player: PlayerId) -> Claim {
    Claim::Release { counter: Counter::Full, player }
}

fn room(player: PlayerId) -> Claim {
    Claim::Room { counter: Counter::Full, player }
}

fn limit(most: u32) -> Claim {
    Claim::Limit { counter: Counter::Full, most }
}

fn unique(key: &str) -> Claim {
    Claim::Unique { key: key.to_owned() }
}

async fn count(fixture: &Fixture, player: PlayerId) -> (u32, u32) {
    fixture.log.count(Counter::Full, player).await.unwrap()
}

pub(super) async fn limits_are_exact_under_races(fixture: Fixture) {
    let takes = (0..50).flat_map(|n| {
        [1, 2].map(|who| {
            fixture.append(fixture.claiming(&format!("match-{n}-{who}"), vec![take(player(who))]))
        })
    });
    let outcomes = join_all(takes).await;
    let granted = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(granted, 2 * DEFAULT_LIMIT as usize);
    assert!(outcomes.into_iter().filter_map(Result::err).all(|error| error == FULL));
    for who in [1, 2] {
        assert_eq!(count(&fixture, player(who)).await, (DEFAULT_LIMIT, DEFAULT_LIMIT));
    }
    let other = Claim::Take { counter: Counter::Takeover, player: player(1) };
    fixture.append(fixture.claiming("match-other", vec![other])).await.unwrap();
    assert_eq!(fixture.everything().await.len(), granted + 1);
}

/// Whoever reads a count finds the commits that it counts: what is on its way does not count.
pub(super) async fn claims_change_with_the_commit(fixture: Fixture) {
    let me = player(1);
    fixture.append(fixture.claiming("site", vec![limit(1000)])).await.unwrap();
    let takes =
        (0..60).map(|n| fixture.append(fixture.claiming(&format!("match-{n}"), vec![take(me)])));
    let look = async {
        loop {
            let before = fixture.everything().await.len();
            let counted = 1 + count(&fixture, me).await.0 as usize;
            let after = fixture.everything().await.len();
            assert!(before <= counted && counted <= after, "{before} {counted} {after}");
            if before == 61 {
                break;
            }
            tokio::task::yield_now().await;
        }
    };
    let (outcomes, ()) = futures_util::join!(join_all(takes), look);
    assert!(outcomes.iter().all(Result::is_ok));
}

pub(super) async fn release_and_room(fixture: Fixture) {
    let me = player(1);
    let claim = async |claims| fixture.append(fixture.claiming("match-a", claims)).await;
    claim(vec![release(me)]).await.unwrap();
    assert_eq!(count(&fixture, me).await.0, 0);
    claim(vec![take(me); 4]).await.unwrap();
    claim(vec![room(me)]).await.unwrap();
    assert_eq!(count(&fixture, me).await.0, 4);
    claim(vec![take(me)]).await.unwrap();
    assert_eq!(claim(vec![room(me)]).await, Err(FULL));
    claim(vec![release(me), room(me)]).await.unwrap();
    assert_eq!(count(&fixture, me).await.0, 4);
}

pub(super) async fn a_lowered_limit_takes_nothing_away(fixture: Fixture) {
    let me = player(1);
    let claim = async |claims| fixture.append(fixture.claiming("site", claims)).await;
    claim(vec![take(me); 4]).await.unwrap();
    claim(vec![limit(2)]).await.unwrap();
    assert_eq!(count(&fixture, me).await, (4, 2));
    assert_eq!(claim(vec![take(me)]).await, Err(FULL));
    assert_eq!(claim(vec![release(me), take(me)]).await, Err(FULL));
    claim(vec![release(me), release(me)]).await.unwrap();
    assert_eq!(claim(vec![room(me)]).await, Err(FULL));
    claim(vec![release(me), take(me)]).await.unwrap();
    claim(vec![limit(3), take(me)]).await.unwrap();
    assert_eq!(count(&fixture, me).await, (3, 3));
}

pub(super) async fn a_key_is_claimed_once(fixture: Fixture) {
    let tries = (0..50)
        .map(|n| fixture.append(fixture.claiming(&format!("match-{n}"), vec![unique("chance/a")])));
    let outcomes = join_all(tries).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    let taken = AppendError::Taken { key: "chance/a".to_owned() };
    assert!(outcomes.into_iter().filter_map(Result::err).all(|error| error == taken));
    fixture.append(fixture.claiming("match-b", vec![unique("chance/b")])).await.unwrap();
}

pub(super) async fn a_refused_commit_leaves_nothing(fixture: Fixture) {
    let me = player(1);
    fixture.append(fixture.claiming("match-a", vec![unique("k")])).await.unwrap();
    let before = (fixture.log.head().await.unwrap(), fixture.log.claims().await.unwrap());

    // The third claim fails; what the first two would have changed does not stay.
    let claims = vec![take(me), unique("fresh"), unique("k")];
    let refused = Commit { memo: Some(memo(1, 1)), ..fixture.claiming("match-new", claims) };
    let sent = refused.clone();
    let among = [
        fixture.append(fixture.commit("match-b", Expected::None)),
        fixture.append(sent),
        fixture.append(fixture.commit("match-c", Expected::None)),
    ];
    let outcomes = join_all(among).await;
    assert_eq!(outcomes[1], Err(AppendError::Taken { key: "k".to_owned() }));
    assert!(outcomes[0].is_ok() && outcomes[2].is_ok(), "the others of its batch stand");

    let since = fixture.log.read_all(before.0.position, 9).await.unwrap();
    assert_eq!(since.len(), 2);
    assert_eq!(fixture.log.head().await.unwrap().position, since[1].position);
    assert_eq!(fixture.log.claims().await.unwrap(), before.1);
    assert_eq!(fixture.log.find_command(me, memo(1, 1).id).await.unwrap(), None);
    assert!(fixture.log.read_stream("match-new", 0, 9).await.unwrap().is_empty());

    // Sent again it is judged anew.
    let again = Commit { claims: vec![take(me), unique("fresh")], ..refused };
    fixture.append(again).await.unwrap();
    assert_eq!(count(&fixture, me).await.0, 1);
}

pub(super) async fn claims_in_one_commit_see_each_other(fixture: Fixture) {
    let me = player(1);
    let claim = async |claims| fixture.append(fixture.claiming("match-a", claims)).await;
    let too_many = vec![take(me); DEFAULT_LIMIT as usize + 1];
    assert_eq!(claim(too_many).await, Err(FULL));
    let twice = claim(vec![unique("k"), unique("k")]).await;
    assert_eq!(twice, Err(AppendError::Taken { key: "k".to_owned() }));
    assert_eq!(fixture.log.claims().await.unwrap(), ClaimTable::default());
    claim(vec![limit(1), take(me), release(me), take(me), release(me)]).await.unwrap();
    assert_eq!(count(&fixture, me).await, (0, 1));
}

pub(super) async fn the_table_is_what_the_commits_say(fixture: Fixture) {
    let mut expected = ClaimTable::default();
    for n in 0..60_u32 {
        let who = player(u128::from(n % 4));
        let claims = match n % 6 {
            0..=2 => vec![take(who), unique(&format!("key/{}", n % 20))],
            3 => vec![release(who)],
            4 => vec![limit(n % 5), Claim::Take { counter: Counter::Takeover, player: who }],
            _ => vec![room(who), limit(4)],
        };
        let outcome = fixture.append(fixture.claiming("match-a", claims.clone())).await;
        assert_eq!(outcome.map(drop), expected.apply(&claims));
    }
    assert_eq!(fixture.log.claims().await.unwrap(), expected);
    assert!(!expected.counted.is_empty() && expected.unique.len() > 3);
}

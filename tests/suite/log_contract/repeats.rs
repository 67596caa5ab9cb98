//! Commands that come twice.

use super::fixture::{Fixture, memo, player};
use futures_util::future::join_all;
use yibu_domain::kernel::{Claim, Counter, Span};
use yibu_infrastructure::log::chain::Roller;
use yibu_infrastructure::log::port::{
    AppendError, Commit, Expected, MEMO_DAYS, Memo, Receipt, Remembered,
};

fn with_memo(fixture: &Fixture, stream: &str, expected: Expected, memo: Memo) -> Commit {
    Commit { memo: Some(memo), ..fixture.commit(stream, expected) }
}

pub(super) async fn a_repeat_is_recognised_before_everything_else(fixture: Fixture) {
    let first = with_memo(&fixture, "match-a", Expected::None, memo(1, 1));
    let Receipt { position, version } = fixture.append(first).await.unwrap();
    assert_eq!(version, 1);
    fixture.append(fixture.commit("match-a", Expected::Any)).await.unwrap();

    // Another input, another stream, a wrong version and a claim that cannot be had: still a repeat.
    let full = Claim::Limit { counter: Counter::Full, most: 0 };
    let taken = Claim::Take { counter: Counter::Full, player: player(1) };
    let again = Memo { input: [8; 32], result: "OTHER".to_owned(), ..memo(1, 1) };
    let mut repeat = with_memo(&fixture, "match-b", Expected::Exact(9), again);
    repeat.claims = vec![full, taken];
    let remembered =
        Remembered { memo: memo(1, 1), stream: "match-a".to_owned(), version: 1, position };
    let told = fixture.append(repeat).await.unwrap_err();
    assert_eq!(told, AppendError::Repeated(Box::new(remembered.clone())));

    let find = async |account, id| {
        fixture.log.find_command(player(account), memo(account, id).id).await.unwrap()
    };
    assert_eq!(find(1, 1).await, Some(remembered));
    assert_eq!(find(1, 2).await, None);
    assert_eq!(find(2, 1).await, None);
    assert_eq!(fixture.everything().await.len(), 2);
}

pub(super) async fn memos_are_per_account_and_fade(fixture: Fixture) {
    let send = async |account| {
        fixture.append(with_memo(&fixture, "match-a", Expected::Any, memo(account, 1))).await
    };
    send(1).await.unwrap();
    send(2).await.unwrap();
    assert!(matches!(send(1).await, Err(AppendError::Repeated(_))));

    fixture.clock.advance(Span(Span::hours(24 * MEMO_DAYS).0 - 1));
    assert!(matches!(send(2).await, Err(AppendError::Repeated(_))));
    fixture.clock.advance(Span(1));
    let find = async || fixture.log.find_command(player(1), memo(1, 1).id).await.unwrap();
    assert_eq!(find().await, None);
    // Judged anew, and remembered anew.
    let again = send(1).await.unwrap();
    assert_eq!(again.version, 3);
    assert_eq!(find().await.unwrap().position, again.position);
    assert!(matches!(send(1).await, Err(AppendError::Repeated(_))));
}

pub(super) async fn the_same_command_fifty_times(fixture: Fixture) {
    let tries = (0..50)
        .map(|_| fixture.append(with_memo(&fixture, "match-a", Expected::Exact(0), memo(1, 1))));
    let outcomes = join_all(tries).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    for outcome in outcomes.into_iter().filter_map(Result::err) {
        assert!(matches!(outcome, AppendError::Repeated(found) if found.version == 1));
    }
    assert_eq!(fixture.everything().await.len(), 1);
}

/// Many streams at once, each command sent twice beside one that comes too early; now and then with a claim.
pub(super) async fn what_crosses_is_done_once(fixture: Fixture) {
    const STREAMS: u128 = 12;
    const ROUNDS: u64 = 25;
    let counter = Counter::Takeover;
    let play = async |n: u128| {
        let (stream, account) = (format!("match-{n}"), player(n));
        let mut taken = false;
        for version in 0..ROUNDS {
            let memo = memo(n, u128::from(version));
            let mut first = with_memo(&fixture, &stream, Expected::Exact(version), memo);
            if version % 4 == 3 {
                let player = account;
                first.claims = vec![match taken {
                    true => Claim::Release { counter, player },
                    false => Claim::Take { counter, player },
                }];
                taken = !taken;
            }
            let early = fixture.commit(&stream, Expected::Exact(version + 2));
            let (one, two, early) = futures_util::join!(
                fixture.append(first.clone()),
                fixture.append(first),
                fixture.append(early),
            );
            let (done, repeated) = if one.is_ok() { (one, two) } else { (two, one) };
            let done = done.unwrap();
            assert_eq!(done.version, version + 1);
            let Err(AppendError::Repeated(known)) = repeated else { panic!("{repeated:?}") };
            assert_eq!((known.position, known.version), (done.position, done.version));
            let Err(AppendError::Conflict { actual, .. }) = early else { panic!("{early:?}") };
            assert!((version..=version + 1).contains(&actual), "{actual} in round {version}");
        }
        assert_eq!(fixture.log.count(counter, account).await.unwrap().0, u32::from(taken));
    };
    join_all((0..STREAMS).map(play)).await;

    let events = fixture.everything().await;
    assert_eq!(events.len() as u64, STREAMS as u64 * ROUNDS);
    let mut roller = Roller::new();
    events.iter().for_each(|event| roller.push(event).unwrap());
    assert_eq!(roller.head().hash, fixture.log.head().await.unwrap().hash);
}

//! Private marks as rows: one person's, one match's, by handle.

use super::stage::{Stage, Store};
use uuid::Uuid;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::kernel::{CommandId, MatchId, PlayerId, Span};
use yibu_domain::matches::{Mark, MarkColour};
use yibu_infrastructure::accounts::{MarkWish, Wished};

const FIRST: MatchId = MatchId(Uuid::from_u128(1));
const SECOND: MatchId = MatchId(Uuid::from_u128(2));

async fn set(
    stage: &Stage,
    (player, match_id): (PlayerId, MatchId),
    key: u128,
    handle: &str,
    text: Option<&str>,
) -> Wished {
    set_coloured(stage, (player, match_id), key, handle, (text, None)).await
}

async fn set_coloured(
    stage: &Stage,
    (player, match_id): (PlayerId, MatchId),
    key: u128,
    handle: &str,
    (text, colour): (Option<&str>, Option<MarkColour>),
) -> Wished {
    let mark = Mark::parse(text.unwrap_or_default(), colour).unwrap();
    let key = CommandId(Uuid::from_u128(key));
    let wish = MarkWish { player, key, match_id, handle, text, colour };
    stage.accounts.set_mark(&wish, handle.parse().unwrap(), mark.as_ref()).await.unwrap()
}

async fn noted(stage: &Stage, player: PlayerId, id: MatchId) -> Vec<(String, String)> {
    let marks = stage.accounts.marks_of(player, id).await.unwrap();
    let shown = |(handle, mark): (Pos, Mark)| {
        let colour = mark.colour().map_or("", MarkColour::name);
        (handle.to_string(), format!("{}{colour}", mark.text()))
    };
    marks.into_iter().map(shown).collect()
}

fn one(handle: &str, mark: &str) -> (String, String) {
    (handle.to_owned(), mark.to_owned())
}

pub(super) async fn a_mark_is_set_changed_and_taken_away_once_per_key(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await.player;
    let west = stage.person("west").await.player;
    let here = (north, FIRST);
    assert_eq!(set(&stage, here, 1, "e11", Some("雷")).await, Wished::New);
    assert_eq!(set(&stage, here, 2, "e12", Some("旗?")).await, Wished::New);
    assert_eq!(set(&stage, (west, FIRST), 1, "e11", Some("炸")).await, Wished::New);
    assert_eq!(noted(&stage, north, FIRST).await, [one("e11", "雷"), one("e12", "旗?")]);
    assert_eq!(noted(&stage, west, FIRST).await, [one("e11", "炸")]);
    assert!(noted(&stage, north, SECOND).await.is_empty());

    assert_eq!(set(&stage, here, 3, "e11", Some("军")).await, Wished::New);
    // An earlier wish that comes again brings nothing back.
    assert_eq!(set(&stage, here, 1, "e11", Some("雷")).await, Wished::Repeated);
    for (match_id, handle, text) in
        [(FIRST, "e11", Some("旅")), (FIRST, "e13", Some("雷")), (SECOND, "e11", Some("雷"))]
    {
        assert_eq!(set(&stage, (north, match_id), 1, handle, text).await, Wished::Conflict);
    }
    assert_eq!(noted(&stage, north, FIRST).await, [one("e11", "军"), one("e12", "旗?")]);
    assert_eq!(set(&stage, here, 4, "e11", None).await, Wished::New);
    assert_eq!(set(&stage, here, 5, "e11", Some("  ")).await, Wished::New);
    assert_eq!(noted(&stage, north, FIRST).await, [one("e12", "旗?")]);

    // A colour goes with the text, alone, or not at all; it is part of the wish.
    let red = Some(MarkColour::Red);
    for (key, wish, wanted) in
        [(7, (Some("旗"), red), "旗red"), (8, (None, red), "red"), (9, (Some("旗"), None), "旗")]
    {
        assert_eq!(set_coloured(&stage, here, key, "e12", wish).await, Wished::New);
        assert_eq!(noted(&stage, north, FIRST).await, [one("e12", wanted)]);
    }
    let other = (Some("旗"), Some(MarkColour::Blue));
    assert_eq!(set_coloured(&stage, here, 7, "e12", other).await, Wished::Conflict);

    // The same wish at the same instant is done once.
    let (one_of, other) = tokio::join!(
        set(&stage, here, 6, "e14", Some("连")),
        set(&stage, here, 6, "e14", Some("连"))
    );
    assert!([one_of, other].contains(&Wished::New) && [one_of, other].contains(&Wished::Repeated));
}

pub(super) async fn marks_go_with_the_match(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await.player;
    let west = stage.person("west").await.player;
    let mut key = 0;
    for player in [north, west] {
        for id in [FIRST, SECOND] {
            key += 1;
            set(&stage, (player, id), key, "e11", Some("雷")).await;
        }
    }
    stage.pass(Span::hours(1));
    let before = yibu_infrastructure::system::Clock::now(&stage.clock) - Span::seconds(1);
    set(&stage, (north, SECOND), 9, "e12", Some("雷")).await;
    assert_eq!(stage.accounts.marked_matches(before).await.unwrap(), [FIRST]);
    stage.accounts.drop_marks(FIRST).await.unwrap();
    for player in [north, west] {
        assert!(noted(&stage, player, FIRST).await.is_empty());
    }
    assert_eq!(noted(&stage, west, SECOND).await, [one("e11", "雷")]);
    assert!(
        stage.accounts.marked_matches(before).await.unwrap().is_empty(),
        "the other is younger"
    );
}

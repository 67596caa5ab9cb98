//! Nicknames by player and back, and house players.

use super::stage::{Stage, Store, code_of};
use yibu_domain::kernel::PlayerId;

pub(super) async fn names_are_found_by_player_and_players_by_name(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("North").await;
    let west = stage.person("west").await;
    let nobody = PlayerId(Default::default());
    let names = stage
        .accounts
        .nickname_of(&[north.player, nobody, west.player, north.player])
        .await
        .unwrap();
    assert_eq!(names.len(), 2);
    assert_eq!(names[&north.player].nickname, "North");
    assert_eq!((names[&west.player].revision, names[&west.player].house), (1, false));
    let many: Vec<_> = (0..1000).map(|_| west.player).collect();
    assert_eq!(stage.accounts.nickname_of(&many).await.unwrap().len(), 1);
    assert!(stage.accounts.nickname_of(&[]).await.unwrap().is_empty());
    let then = stage
        .accounts
        .nickname_at(&[(north.player, 1), (north.player, 2), (nobody, 1)])
        .await
        .unwrap();
    assert_eq!(then.len(), 1);
    assert_eq!(then[&(north.player, 1)], "North");
    for (text, wanted) in [
        ("north", Some(north.player)),
        (" ＷＥＳＴ ", Some(west.player)),
        ("east", None),
        ("", None),
    ] {
        assert_eq!(stage.accounts.player_by_nickname(text).await.unwrap(), wanted);
    }
    let huge = "n".repeat(1_000_000);
    assert_eq!(stage.accounts.player_by_nickname(&huge).await.unwrap(), None);
}

pub(super) async fn a_house_player_is_made_once_and_marked(store: Store) {
    let stage = Stage::new(store).await;
    let race = (0..20).map(|_| {
        let accounts = stage.accounts.clone();
        tokio::spawn(async move { accounts.house_player("House One").await.unwrap() })
    });
    let mut players = Vec::new();
    for task in race.collect::<Vec<_>>() {
        let house = task.await.unwrap();
        assert!(house.pending);
        players.push(house.player);
    }
    players.dedup();
    let [player] = players[..] else {
        panic!("one house player was expected, not {}", players.len());
    };
    stage.accounts.confirm_recorded(player).await.unwrap();
    let again = stage.accounts.house_player("house one").await.unwrap();
    assert_eq!((again.player, again.pending), (player, false));
    let names = stage.accounts.nickname_of(&[player]).await.unwrap();
    assert!(names[&player].house);
    assert!(stage.accounts.person(player).await.unwrap().is_none());
}

pub(super) async fn house_and_people_do_not_share_names(store: Store) {
    let stage = Stage::new(store).await;
    stage.person("north").await;
    assert_eq!(code_of(stage.accounts.house_player("NORTH").await), "NICKNAME_TAKEN");
    assert_eq!(code_of(stage.accounts.house_player("a\u{200b}b").await), "NICKNAME_INVALID");
    stage.accounts.house_player("Old Pine").await.unwrap();
    stage.ask("west@example.org").await.unwrap();
    let code = stage.mailed_code("west@example.org").await;
    // The second one has a Cyrillic letter.
    for name in ["old pine", "\u{43e}ld pine", "Old-P1ne"] {
        let taken = stage.register_with("west@example.org", &code, name).await;
        assert_eq!(code_of(taken), "NICKNAME_TAKEN", "{name}");
    }
    stage.register_with("west@example.org", &code, "old oak").await.unwrap();
    assert_eq!(code_of(stage.accounts.house_player("\u{43e}ld oak").await), "NICKNAME_TAKEN");
}

//! Accounts that go and accounts that are barred: what is shut at once, what is left at the end.

use super::stage::{PASSWORD, Stage, Store, asker, code_of, database_of, origin};
use tokio_util::sync::CancellationToken;
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::Place;
use yibu_infrastructure::mail::Locale;
use yibu_tests::postgres::Cluster;

const NORTH: &str = "north@example.org";

pub(super) async fn a_marked_account_is_shut_and_waits_over_a_restart(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let elsewhere = stage.login(NORTH, PASSWORD, &origin(2)).await.unwrap();
    let from = origin(1);
    let wrong = stage.accounts.begin_deletion(asker(&north.session, &from, 1), "x").await;
    assert_eq!(code_of(wrong), "PASSWORD_WRONG");
    assert!(stage.accounts.pending_deletions().await.unwrap().is_empty());
    // Whose account is not marked is not erased.
    stage.accounts.erase(north.player).await.unwrap();
    assert!(stage.accounts.person(north.player).await.unwrap().is_some());

    let signals = [
        stage.accounts.watch(north.session.id).await.unwrap(),
        stage.accounts.watch(elsewhere.session.id).await.unwrap(),
    ];
    stage.accounts.begin_deletion(asker(&north.session, &from, 1), PASSWORD).await.unwrap();
    assert!(signals.iter().all(CancellationToken::is_cancelled));
    assert_eq!(code_of(stage.login(NORTH, PASSWORD, &origin(2)).await), "CREDENTIALS_WRONG");
    assert!(stage.accounts.standing(north.player).await.unwrap().barred);
    let again = stage.accounts.change_nickname(asker(&north.session, &from, 2), "pine").await;
    assert_eq!(code_of(again), "SESSION_ENDED");
    let again = stage.accounts.change_password(
        asker(&north.session, &from, 3),
        PASSWORD,
        "nine elms and oaks",
    );
    assert_eq!(code_of(again.await), "SESSION_ENDED");

    let stage = stage.reopened().await;
    assert_eq!(stage.accounts.pending_deletions().await.unwrap(), [north.player]);
    stage.accounts.erase(north.player).await.unwrap();
    assert!(stage.accounts.pending_deletions().await.unwrap().is_empty());
    stage.accounts.erase(north.player).await.unwrap();
    assert_eq!(stage.posted("account_deleted"), [NORTH]);
    assert_eq!(code_of(stage.login(NORTH, PASSWORD, &origin(2)).await), "CREDENTIALS_WRONG");
}

pub(super) async fn nothing_of_an_erased_account_is_left_but_its_bare_id(store: Store) {
    let stage = Stage::new(store).await;
    let (north, west) = (stage.person("north").await, stage.person("west").await);
    let from = origin(1);
    let own = |key| asker(&north.session, &from, key);
    stage.accounts.change_nickname(own(1), "pine").await.unwrap();
    stage.accounts.grant_admin(north.player).await.unwrap();
    stage.accounts.suspend(west.player).await.unwrap();
    stage.pass(Span::seconds(60));
    stage.accounts.request_reset(NORTH, Locale::En, "x", &from).await.unwrap();
    let (oak, locale) = ("oak@example.org", Locale::ZhHant);
    stage.accounts.request_email_change(&north.session, oak, PASSWORD, &from).await.unwrap();
    stage.accounts.change_locale(own(2), locale).await.unwrap();
    let kept = stage.login(NORTH, PASSWORD, &origin(2)).await.unwrap();
    let player = north.player.0.simple().to_string();
    let before = rows_of(&stage, &player);
    for table in
        ["accounts", "nicknames", "sessions", "devices", "networks", "account_commands", "admins"]
    {
        assert!(
            before.iter().any(|(name, rows)| name == table && *rows > 0),
            "{table}: {before:?}"
        );
    }
    let asker = asker(&kept.session, &from, 3);
    stage.accounts.begin_deletion(asker, PASSWORD).await.unwrap();
    stage.accounts.erase(north.player).await.unwrap();
    // Every table that has a column for a player: also those that others add.
    for (table, rows) in rows_of(&stage, &player) {
        // The one mail that says so, which ends by itself.
        let wanted = i64::from(table == "players" || table == "outbox");
        assert_eq!(rows, wanted, "{table}");
    }
    for table in ["codes", "code_sends", "resets"] {
        let sql = format!("SELECT COUNT(*) FROM {table} WHERE address = '{NORTH}'");
        assert_eq!(stage.count(&sql), 0, "{table}");
    }
    assert!(stage.accounts.nickname_of(&[north.player]).await.unwrap().is_empty());
    let then = stage.accounts.nickname_at(&[(north.player, 1), (north.player, 2)]).await.unwrap();
    assert!(then.is_empty());
    // Others are as they were; name and address are free.
    assert!(stage.accounts.person(west.player).await.unwrap().is_some());
    stage.pass(Span::hours(1));
    stage.ask(NORTH).await.unwrap();
    let code = stage.mailed_code(NORTH).await;
    let anew = stage.register_with(NORTH, &code, "pine").await.unwrap();
    assert_ne!(anew.player, north.player);
}

/// How many rows of a player each table has that can have some.
fn rows_of(stage: &Stage, player: &str) -> Vec<(String, i64)> {
    let (tables, id) = match &stage.place {
        Place::Folder(folder) => {
            let on = rusqlite::Connection::open(folder.join("accounts.db")).unwrap();
            let sql = "SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
                       WHERE m.type = 'table' AND c.name = 'player' ORDER BY 1";
            let mut asked = on.prepare(sql).unwrap();
            let found = asked.query_map([], |row| row.get::<_, String>(0)).unwrap();
            (found.map(Result::unwrap).collect::<Vec<_>>(), format!("x'{player}'"))
        }
        Place::Postgres(_) => {
            let sql = "SELECT table_name FROM information_schema.columns \
                       WHERE column_name = 'player' AND table_schema = 'public' ORDER BY 1";
            let found = Cluster::shared().psql(database_of(&stage.place), sql);
            (found.lines().map(str::to_owned).collect(), format!("'\\x{player}'::bytea"))
        }
    };
    assert!(tables.len() > 8, "{tables:?}");
    let rows =
        |table: &String| stage.count(&format!("SELECT COUNT(*) FROM {table} WHERE player = {id}"));
    tables.iter().map(|table| (table.clone(), rows(table))).collect()
}

pub(super) async fn a_suspended_account_is_told_so_at_the_right_password_alone(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let signal = stage.accounts.watch(north.session.id).await.unwrap();
    for _ in 0..2 {
        stage.accounts.suspend(north.player).await.unwrap();
    }
    assert!(signal.is_cancelled());
    assert!(stage.accounts.authenticate(north.token.expose()).await.unwrap().is_none());
    assert_eq!(code_of(stage.login(NORTH, "seven elms", &origin(2)).await), "CREDENTIALS_WRONG");
    assert_eq!(code_of(stage.login(NORTH, PASSWORD, &origin(2)).await), "ACCOUNT_SUSPENDED");
    assert_eq!(stage.count("SELECT COUNT(*) FROM sessions"), 0);
    assert_eq!(stage.accounts.suspended_in_seats().await.unwrap(), [north.player]);
    stage.accounts.confirm_seats_left(north.player).await.unwrap();
    assert!(stage.accounts.suspended_in_seats().await.unwrap().is_empty());
    let stage = stage.reopened().await;
    assert_eq!(stage.accounts.suspended().await.unwrap(), [north.player]);
    assert_eq!(code_of(stage.login(NORTH, PASSWORD, &origin(2)).await), "ACCOUNT_SUSPENDED");
    for _ in 0..2 {
        stage.accounts.reinstate(north.player).await.unwrap();
    }
    stage.login(NORTH, PASSWORD, &origin(2)).await.unwrap();
}

//! A match is played to its end: everybody who took part gets the file once, nobody else does, and three days later it
//! is gone from sight.

use super::{address, id, notices, replay, told};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use yibu_api::cli::simulate::{Options, run};
use yibu_api::files::replay::{ReplayFile, read};
use yibu_api::house::{House, Settings};
use yibu_domain::kernel::Span;
use yibu_domain::matches::events::Joined;
use yibu_domain::matches::record::{Complete, Left, Playback};
use yibu_infrastructure::executor::stream_name;
use yibu_infrastructure::system::Clock as _;
use yibu_tests::app::TestApp;
use yibu_tests::client::Client;
use yibu_tests::letters::{all, arrived, attachment, letters, settle};
use yibu_tests::table::{Table, payload};

/// Becomes a candidate for the only vacant seat.
async fn candidate(client: &Client) {
    let input = json!({ "idempotencyKey": client.key() });
    let found = client.mutate("matchTakeover", "MatchTakeoverInput", &payload(), &input).await;
    assert_eq!(found["match"]["role"], "CANDIDATE", "{found}");
}

fn opened(file: &[u8]) -> Complete {
    let Ok(ReplayFile::Complete(record)) = read(file) else { panic!("a file of ours") };
    Playback::new(&record).play().expect("it follows the rules");
    record.check_draws().expect("its draws are fair");
    *record
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_is_played_to_its_end_and_kept_by_who_took_part() {
    let app = TestApp::start().await;
    let mut table = Table::started(&app, "story").await;
    let (heir, looker, stranger) =
        (app.player("heir").await, app.player("looker").await, app.player("stranger").await);
    for _ in 0..12 {
        assert_eq!(table.ply().await, "PLAYING");
    }
    let seat = table.on_turn(&table.view(&table.people[0]).await);
    let gone = table.people[seat].clone();
    table.ok(&gone, "leave", "LeaveInput", &json!({})).await;
    candidate(&looker).await;
    candidate(&heir).await;
    table.ok(&heir, "confirmTakeover", "ConfirmTakeoverInput", &json!({})).await;
    table.people[seat] = heir.clone();
    let mut plies = 0;
    while table.ply().await != "ENDED" {
        plies += 1;
        assert!(plies < 5_000, "a random match ends");
    }

    let mut partakers = table.people.clone();
    partakers.push(gone);
    let file = replay(&heir, &table.id).await;
    for person in &partakers {
        let address = address(person).await;
        let [letter] = &arrived(&app, &address, "replay", 1).await[..] else {
            panic!("one letter to {address}")
        };
        let (name, bytes) = attachment(letter).expect("the file is attached");
        assert_eq!(
            (json!(name), json!(String::from_utf8(bytes.clone()).unwrap())),
            (file["fileName"].clone(), file["file"].clone()),
            "as on the site"
        );
        let record = opened(&bytes);
        assert_eq!(record.participants.len(), 5);
        let left: Vec<_> = record.participants.iter().filter_map(|one| one.left_why).collect();
        assert_eq!(left, [Left::Left]);
        let joined = record.participants.iter().filter(|one| one.joined == Joined::Takeover);
        assert_eq!(joined.count(), 1);
    }
    settle(&app).await;
    let sent = all(&app).await.into_iter().filter(|letter| letter.kind == "replay").count();
    assert_eq!(sent, partakers.len(), "once each, and to nobody who only looked");
    for person in [&looker, &stranger] {
        assert_eq!(replay(person, &table.id).await, Value::Null);
    }

    app.pass(Span::hours(48)).await;
    settle(&app).await;
    for person in &partakers {
        assert_eq!(told(&notices(person).await, "REPLAY_EXPIRES"), 1);
        assert_ne!(replay(person, &table.id).await, Value::Null);
    }
    app.pass(Span::hours(24)).await;
    let stream = stream_name::<yibu_domain::matches::Match>(id(&table).0);
    loop {
        let events = app.app().log().read_stream(&stream, 0, 100_000).await.unwrap();
        if events.last().is_some_and(|last| last.name == "siguo.record_expired.v1") {
            break;
        }
        // The worker of the clocks is about to.
        tokio::task::yield_now().await;
    }
    settle(&app).await;
    for person in &partakers {
        assert_eq!(replay(person, &table.id).await, Value::Null);
        assert_eq!(table.glance(person, "phase").await, Value::Null);
        assert_eq!(letters(&app, &address(person).await, "replay").await.len(), 1);
        let points = person
            .data("{ viewer { results(first: 5) { edges { node { points } } } } }", &json!({}))
            .await;
        let results = points["viewer"]["results"]["edges"].as_array().map(Vec::len);
        assert_eq!(results, Some(1), "points and results stay");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn house_players_get_no_mail() {
    const AT_ONCE: Settings =
        Settings { patience: Span(0), think: Span(0), takeover_patience: Span(0) };
    let app = TestApp::start().await;
    let house = House::open(app.app().clone(), AT_ONCE).await.unwrap();
    let members = house.members();
    let stop = CancellationToken::new();
    let playing = tokio::spawn(house.run(stop.clone()));
    let options = Options {
        parallel: 1,
        seats: 1,
        surrender_one_in: 0,
        ..Options::new(format!("http://{}", app.addr), 1)
    };
    assert_eq!(run(options, |_| {}).await.unwrap().matches, 1);
    stop.cancel();
    playing.await.unwrap();
    settle(&app).await;
    let sent = all(&app).await;
    let replays: Vec<_> = sent.iter().filter(|letter| letter.kind == "replay").collect();
    let [letter] = &replays[..] else { panic!("one letter: {}", replays.len()) };
    let record = opened(&attachment(letter).expect("the file is attached").1);
    let people = record.participants.iter().map(|one| one.player);
    let house = people.filter(|player| members.contains(player)).count();
    assert_eq!(record.participants.len() - house, 1, "one person, who got the letter");
    let figures = app.app().accounts().outbox().figures(app.clock.now()).await.unwrap();
    assert_eq!((figures.sent, figures.failed), (1, 0));
}

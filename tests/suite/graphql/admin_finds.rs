//! What administrators look up: matches by their public facts, players, the trail, and how the inside fares.

use super::admin::{TRAIL, administrator};
use crate::leaks::Truth;
use crate::leaks::whole_match::player_of;
use serde_json::{Value, json};
use yibu_api::graphql::ids::match_of;
use yibu_domain::kernel::{Actor, Span};
use yibu_domain::site::{SITE, SiteCommand};
use yibu_infrastructure::executor::Request;
use yibu_tests::app::TestApp;
use yibu_tests::client::{Client, PASSWORD};
use yibu_tests::letters::settle;
use yibu_tests::table::Table;

const FOUND: &str = "query($id: ID!) { admin { findMatch(id: $id) { id phase openedAt startedAt endedAt voidable \
    seats { seat active player { id nickname house } } outcome { kind } } } }";
const WHO: &str = "query($id: ID, $email: String, $nickname: String) { admin { \
    findPlayer(id: $id, email: $email, nickname: $nickname) { player { id nickname } email createdAt suspended deleted house } } }";

async fn found(person: &Client, id: &str) -> Value {
    person.data(FOUND, &json!({ "id": id })).await["admin"]["findMatch"].take()
}

async fn who(person: &Client, by: Value) -> Value {
    person.data(WHO, &by).await["admin"]["findPlayer"].take()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_is_found_by_its_public_facts_alone() {
    let app = TestApp::start().await;
    let keeper = administrator(&app, "keeper").await;
    let mut table = Table::seated(&app, "found").await;
    let forming = found(&keeper, &table.id).await;
    assert_eq!((&forming["phase"], &forming["startedAt"]), (&json!("ASSEMBLING"), &Value::Null));
    let nobody = |seen: &Value| {
        seen["seats"].as_array().expect("four").iter().all(|seat| seat["player"].is_null())
    };
    assert!(nobody(&forming), "who sits where is hidden until the start");
    table.start().await;
    for _ in 0..30 {
        table.ply().await;
    }
    let playing = found(&keeper, &table.id).await;
    assert_eq!((&playing["phase"], &playing["voidable"]), (&json!("PLAYING"), &json!(true)));
    for (seat, person) in table.people.iter().enumerate() {
        let me = person.data("{ viewer { player { id nickname house } } }", &json!({})).await;
        assert_eq!(playing["seats"][seat]["player"], me["viewer"]["player"]);
        assert_eq!(playing["seats"][seat]["active"], true);
    }
    for id in ["6d00000000000040008000000000000001", "nonsense"] {
        assert_eq!(found(&keeper, id).await, Value::Null);
    }
    // Neither by the ordinary ways: an administrator is a stranger to the match.
    let id = json!({ "id": table.id });
    let seen = keeper.send("query($id: ID!) { match(id: $id) { phase } }", &id).await;
    assert_eq!(seen["errors"][0]["extensions"]["code"], "MATCH_NOT_FOUND");
    keeper.data(TRAIL, &json!({})).await;
    let id = match_of(&table.id.as_str().into()).expect("a match");
    let truth = Truth::of(app.app(), id).await;
    let leaks = truth.leaks(player_of(&keeper).await, &keeper.heard());
    assert_eq!(leaks, Vec::<String>::new());
    let heard = keeper.heard().join("\n");
    for word in ["siguo.", "seat_taken", "formation", "ready"] {
        assert!(!heard.contains(word), "the trail tells nothing of how people play: {word}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_is_found_by_one_thing_that_is_known() {
    let app = TestApp::start().await;
    let keeper = administrator(&app, "keeper").await;
    let somebody = app.player("Somebody").await;
    let me = somebody.data("{ viewer { player { id nickname } createdAt } }", &json!({})).await;
    let id = &me["viewer"]["player"]["id"];
    let wanted = json!({ "player": me["viewer"]["player"], "email": "Somebody@example.org",
        "createdAt": me["viewer"]["createdAt"], "suspended": false, "deleted": false, "house": false });
    for by in [
        json!({ "id": id }),
        json!({ "email": "somebody@EXAMPLE.org" }),
        json!({ "nickname": "sOMEBODY" }),
    ] {
        assert_eq!(who(&keeper, by.clone()).await, wanted, "{by}");
    }
    for by in [
        json!({ "id": "7000000000000040008000000000000001" }),
        json!({ "id": "nonsense" }),
        json!({ "email": "nobody@example.org" }),
        json!({ "email": "no address" }),
        json!({ "nickname": "nobody" }),
    ] {
        assert_eq!(who(&keeper, by.clone()).await, Value::Null, "{by}");
    }
    for by in [json!({}), json!({ "id": id, "nickname": "Somebody" })] {
        let answer = keeper.send(WHO, &by).await;
        assert_eq!(answer["errors"][0]["extensions"]["code"], "BAD_INPUT", "{by}");
    }
    // Who is none learns neither an address nor whether somebody is there.
    for by in [json!({ "nickname": "keeper" }), json!({ "nickname": "nobody" }), json!({})] {
        assert_eq!(somebody.data(WHO, &by).await, json!({ "admin": null }));
    }
    assert!(!somebody.heard().join("\n").contains("keeper@"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_trail_tells_who_did_what_when_and_why() {
    let app = TestApp::start().await;
    let keeper = administrator(&app, "keeper").await;
    // From the command line, as the server itself.
    let reason = "by_hand".parse().expect("a reason code");
    let command = SiteCommand::SetNormalMailWait { minutes: 20, reason };
    let request = Request::new(SITE, command, Actor::System, app.app().entropy().uuid());
    app.app().site().execute(request).await.expect("granted");
    for hours in 1..=3 {
        app.clock.advance(Span::seconds(1));
        let input = json!({ "idempotencyKey": keeper.key(), "hours": hours, "reason": format!("try_{hours}") });
        let kind = "AdminSetReleaseInput";
        let answer = keeper.mutate("adminSetRelease", kind, "settings { fullLimit }", &input).await;
        assert_eq!(answer["userErrors"], json!([]));
    }
    let mut entries = Vec::new();
    let mut after = Value::Null;
    loop {
        let page =
            keeper.data(TRAIL, &json!({ "first": 2, "after": after })).await["admin"]["trail"]
                .take();
        assert_eq!(page["pageInfo"]["hasPreviousPage"], json!(!after.is_null()));
        let edges = page["edges"].as_array().expect("a list").clone();
        assert_eq!(page["pageInfo"]["endCursor"], edges.last().expect("an entry")["cursor"]);
        after = page["pageInfo"]["endCursor"].clone();
        entries.extend(edges.into_iter().map(|mut edge| edge["node"].take()));
        if page["pageInfo"]["hasNextPage"] == false {
            break;
        }
    }
    let told: Vec<(&str, &Value, &Value)> = entries
        .iter()
        .map(|entry| (entry["event"].as_str().expect("a name"), &entry["by"], &entry["reason"]))
        .collect();
    let by = json!({ "nickname": "keeper" });
    let (three, two, one) = (json!("try_3"), json!("try_2"), json!("try_1"));
    let wanted = [
        ("site.release_set.v1", &by, &three),
        ("site.release_set.v1", &by, &two),
        ("site.release_set.v1", &by, &one),
        ("site.normal_mail_wait_set.v1", &Value::Null, &json!("by_hand")),
        ("site.founded.v1", &Value::Null, &Value::Null),
    ];
    assert_eq!(told, wanted);
    assert_eq!(entries[0]["at"], "2026-09-21T14:13:23.000Z");
    for bad in [json!({ "after": "1" }), json!({ "first": 101 })] {
        let answer = keeper.send(TRAIL, &bad).await;
        assert_eq!(answer["errors"][0]["extensions"]["code"], "BAD_INPUT");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn how_the_inside_fares_is_told_in_numbers() {
    let app = TestApp::start().await;
    let keeper = administrator(&app, "keeper").await;
    let table = Table::started(&app, "inside").await;
    table.view(&table.people[0]).await;
    let head = app.app().log().head().await.expect("readable").position;
    for name in app.app().views().names() {
        let within = std::time::Duration::from_secs(60);
        app.app().views().reached(name, head, within).await.expect("caught up");
    }
    let query = "{ admin { projections { name position lag lagSeconds state fault } \
        mailQueue { waiting delayed oldestAt sentLastDay failedLastDay } \
        lateness { overdueDeadlines latestSeconds } } }";
    let seen = keeper.data(query, &json!({})).await["admin"].take();
    let models = seen["projections"].as_array().expect("a list");
    let names: Vec<&str> = models.iter().filter_map(|model| model["name"].as_str()).collect();
    assert_eq!(names, app.app().views().names());
    for model in models {
        let told = [&model["position"], &model["lag"], &model["lagSeconds"]];
        assert_eq!(told, [&json!(head), &json!(0), &json!(0)], "{model}");
        assert_eq!((&model["state"], &model["fault"]), (&json!("RUNNING"), &Value::Null));
    }
    assert_eq!(seen["lateness"], json!({ "overdueDeadlines": 0, "latestSeconds": 0 }));
    // The keeper's code and four people's, which never lay in the outbox.
    let mut queue = json!({ "waiting": 0, "delayed": 0, "oldestAt": null, "sentLastDay": 5, "failedLastDay": 0 });
    assert_eq!(seen["mailQueue"], queue);
    let changed = json!({ "idempotencyKey": keeper.key(), "current": PASSWORD, "password": "quiet horse 7 engines" });
    let kind = "ChangePasswordInput";
    keeper.mutate("changePassword", kind, "viewer { email }", &changed).await;
    settle(&app).await;
    let mails = async || keeper.data(query, &json!({})).await["admin"]["mailQueue"].take();
    queue["sentLastDay"] = json!(6);
    assert_eq!(mails().await, queue);
    app.pass(Span::hours(24)).await;
    assert_eq!(mails().await["sentLastDay"], 0);
}

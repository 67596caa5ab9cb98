//! Everything that a match tells besides its views: notices live, turn mails, marks, files and what administrators may
//! ask. Four play to the settlement, one leaves, one comes; nobody is told what is hidden, and the file is for those
//! who took part, when it is over.

use super::Truth;
use super::whole_match::player_of;
use serde_json::{Value, json};
use yibu_api::graphql::ids::match_of;
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::kernel::{PlayerId, Span, Time};
use yibu_infrastructure::mail::StoredLetter;
use yibu_infrastructure::system::Clock as _;
use yibu_tests::app::TestApp;
use yibu_tests::client::{Client, Socket};
use yibu_tests::letters::{all, attachment, settle};
use yibu_tests::table::{Table, payload};

/// The men as a mail would call them.
const NAMES: [&str; 14] = [
    "司令",
    "军长",
    "師長",
    "师长",
    "旅长",
    "团长",
    "营长",
    "连长",
    "排长",
    "工兵",
    "炸弹",
    "地雷",
    "军旗",
    "司令部",
];

async fn listen(client: &Client) -> Socket {
    let mut socket = client.socket().await;
    let query =
        "subscription { notices { unread latest { id kind at matchId seat turn deadline } } }";
    socket.subscribe("notices", query, &json!({})).await;
    socket.frame().await.expect("a first frame");
    socket
}

/// Hears notices until one of this kind is the latest.
async fn hear(socket: &mut Socket, kind: &str) {
    loop {
        let update = socket.frame().await.expect("a frame")["notices"].take();
        let latest = update["latest"].as_array().expect("a list");
        if latest.iter().any(|notice| notice["kind"] == kind) {
            return;
        }
    }
}

async fn replay(client: &Client, id: &str) -> Value {
    let query = "query($id: ID!) { replay(matchId: $id) { fileName file } }";
    client.data(query, &json!({ "id": id })).await["replay"].take()
}

/// Puts a mark that nobody else has on somebody else's man.
async fn mark(table: &Table, person: &Client, mark: &str) {
    let view = table.view(person).await;
    let men = view["board"].as_array().expect("a board").iter();
    let others = men.filter(|man| man["seat"] != view["mySeat"] && man["faceDown"] == true);
    let handle = others.map(|man| man["handle"].clone()).next().expect("somebody's man");
    let input = json!({ "handle": handle, "mark": mark });
    let set = table.command(person, "setMark", "SetMarkInput", &input).await;
    assert_eq!(set["userErrors"], json!([]), "{set}");
}

/// What only an administrator is answered, and ids of what is not one's own.
async fn pry(table: &Table, person: &Client, sessions: &[Value]) {
    let id = json!({ "id": table.id });
    let query = "query($id: ID!) { admin { settings { fullLimit } trail { edges { cursor } } \
        findMatch(id: $id) { phase seats { player { id } } } findPlayer(id: $id) { email } } }";
    assert_eq!(person.data(query, &id).await, json!({ "admin": null }));
    let input = json!({ "idempotencyKey": person.key(), "matchId": table.id, "reason": "curious" });
    let kind = "AdminVoidMatchInput";
    let void = person.mutate("adminVoidMatch", kind, "match { phase }", &input).await;
    assert_eq!(void["userErrors"][0]["code"], "NOT_ALLOWED");
    let node = "query($id: ID!) { node(id: $id) { __typename ... on MatchView { mySeat \
        board { at seat handle identity } marks { handle mark } myPieces { handle identity } } } }";
    person.send(node, &id).await;
    let mut own = 0;
    for session in sessions {
        let found = person.data(node, &json!({ "id": session })).await;
        own += u32::from(!found["node"].is_null());
    }
    assert!(own <= 1, "others' sessions are nobody's");
    let query = "{ viewer { export upcomingReminders { at kind matches { matchId turn } } } }";
    person.data(query, &json!({})).await;
}

/// What a mail says that it must not; a file is judged by its own rules.
fn slips(letter: &StoredLetter, truth: &Truth, names: &[String]) -> Vec<String> {
    let words = [&letter.subject, &letter.plain, &letter.html].map(String::as_str).join("\n");
    let mut slips = truth.spoken(&words);
    let codes = Piece::ALL.into_iter().map(Piece::code);
    let words_of = |text: &str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .map(str::to_ascii_lowercase)
            .collect::<Vec<_>>()
    };
    let said = words_of(&words);
    slips.extend(codes.filter(|code| said.iter().any(|word| word == code)).map(str::to_owned));
    slips.extend(NAMES.iter().filter(|name| words.contains(**name)).map(|name| (*name).to_owned()));
    slips.extend(names.iter().filter(|name| words.contains(name.as_str())).cloned());
    if letter.kind != "replay" && attachment(letter).is_some() {
        slips.push(format!("a file in a mail of kind {}", letter.kind));
    }
    slips
}

struct Person {
    client: Client,
    player: PlayerId,
    address: String,
    mark: String,
    /// How far the person's messages were judged strictly: what came after is the file.
    before_file: usize,
}

impl Person {
    async fn of(client: &Client, number: usize) -> Self {
        let data = client.data("{ viewer { email } }", &json!({})).await;
        let address = data["viewer"]["email"].as_str().expect("an address").to_owned();
        let player = player_of(client).await;
        Self {
            client: client.clone(),
            player,
            address,
            mark: format!("Zq{number}!"),
            before_file: 0,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_a_match_tells_says_too_much() {
    let app = TestApp::start().await;
    let mut table = Table::started(&app, "told").await;
    let (heir, looker) = (app.player("heir").await, app.player("looker").await);
    let mut people = Vec::new();
    for (number, client) in table.people.iter().chain([&heir, &looker]).enumerate() {
        people.push(Person::of(client, number).await);
    }
    let mut sessions = Vec::new();
    for person in &people {
        let data = person.client.data("{ viewer { sessionId } }", &json!({})).await;
        sessions.push(data["viewer"]["sessionId"].clone());
    }
    let mut sockets = Vec::new();
    for person in &people {
        sockets.push(listen(&person.client).await);
    }
    for person in &people[..4] {
        mark(&table, &person.client, &person.mark).await;
    }

    // Turns wait and are mailed; then somebody leaves, one looks and one comes.
    for _ in 0..6 {
        app.pass(Span::seconds(16 * 60)).await;
        settle(&app).await;
        table.ply().await;
    }
    let seat = table.on_turn(&table.view(&table.people[0]).await);
    table.ok(&table.people[seat], "leave", "LeaveInput", &json!({})).await;
    for client in [&looker, &heir] {
        let input = json!({ "idempotencyKey": client.key() });
        let found = client.mutate("matchTakeover", "MatchTakeoverInput", &payload(), &input).await;
        assert_eq!(found["match"]["role"], "CANDIDATE", "{found}");
        pry(&table, client, &sessions).await;
    }
    table.ok(&heir, "confirmTakeover", "ConfirmTakeoverInput", &json!({})).await;
    table.people[seat] = heir.clone();
    mark(&table, &heir, &people[4].mark).await;
    for person in &people {
        assert_eq!(replay(&person.client, &table.id).await, Value::Null, "it runs");
        pry(&table, &person.client, &sessions).await;
    }
    let mut plies = 0;
    while table.ply().await != "ENDED" {
        plies += 1;
        assert!(plies < 5_000, "a random match ends");
    }
    let ended = app.clock.now();
    settle(&app).await;
    for (number, socket) in sockets.iter_mut().enumerate() {
        let last = match number {
            5 => "CANDIDACY_ENDED",
            _ if number == seat => "LEFT",
            _ => "MATCH_ENDED",
        };
        hear(socket, last).await;
    }

    for person in &mut people {
        pry(&table, &person.client, &sessions).await;
        person.before_file = person.client.heard().len();
        let file = replay(&person.client, &table.id).await;
        assert_eq!(file.is_null(), person.address.starts_with("looker"), "{}", person.address);
    }
    let id = match_of(&table.id.as_str().into()).expect("a match");
    judge(&app, &Truth::of(app.app(), id).await, &people, ended).await;
}

async fn judge(app: &TestApp, truth: &Truth, people: &[Person], ended: Time) {
    let names: Vec<String> = people
        .iter()
        .filter_map(|person| person.address.split('@').next())
        .map(str::to_owned)
        .collect();
    for person in people {
        let heard = person.client.heard();
        let strictly = &heard[..person.before_file];
        assert!(strictly.iter().any(|text| text.contains("latest")), "notices were heard");
        assert_eq!(truth.leaks(person.player, strictly), Vec::<String>::new());
        let others = people.iter().filter(|other| other.player != person.player);
        let marks: Vec<&str> = others.map(|other| other.mark.as_str()).collect();
        let marked = heard.iter().find(|text| marks.iter().any(|mark| text.contains(mark)));
        assert_eq!(marked, None, "others' marks");
    }
    let letters = all(app).await;
    let (mut turns, mut files) = (0, 0);
    for letter in &letters {
        assert_eq!(slips(letter, truth, &others_of(&names, &letter.to)), Vec::<String>::new());
        let file = attachment(letter);
        match letter.kind.as_str() {
            "turn" => turns += 1,
            "replay" => {
                files += 1;
                assert!(file.is_some() && letter.at >= ended, "only when it is over");
                assert!(!letter.to.starts_with("looker"), "not to who only looked");
            }
            _ => {}
        }
        // A letter's every byte, but for those of the file.
        if file.is_none() {
            let text = String::from_utf8_lossy(&letter.bytes);
            assert_eq!(truth.spoken(&text), Vec::<String>::new());
        }
    }
    assert_eq!(files, 5);
    assert!(turns >= 4, "turns were mailed: {turns}");
}

fn others_of(names: &[String], to: &str) -> Vec<String> {
    names.iter().filter(|name| !to.starts_with(name.as_str())).cloned().collect()
}

#[test]
fn the_scanner_of_mails_bites() {
    let truth = Truth {
        known: Default::default(),
        flags: Default::default(),
        secrets: ["ab".repeat(32)].into(),
        only_candidates: [PlayerId(uuid::Uuid::from_u128(9))].into(),
    };
    let letter = |plain: &str, bytes: &str| StoredLetter {
        number: 1,
        message_id: String::new(),
        at: Time(0),
        to: "a@example.org".to_owned(),
        kind: "turn".to_owned(),
        locale: yibu_infrastructure::mail::Locale::ZhHans,
        subject: String::new(),
        plain: plain.to_owned(),
        html: String::new(),
        file: String::new(),
        bytes: bytes.as_bytes().to_vec(),
    };
    let names = ["south".to_owned()];
    let found = |plain: &str, bytes: &str| slips(&letter(plain, bytes), &truth, &names).len();
    assert_eq!(found("轮到您走棋：牌桌 0000a1，还剩 3 小时", ""), 0);
    assert_eq!(found("对方的工兵", ""), 1);
    assert_eq!(found("a BOMB at e11", ""), 1);
    assert_eq!(found("south moved", ""), 1);
    assert_eq!(found(&"ab".repeat(32), ""), 1);
    assert_eq!(found("00000000000000000000000000000009", ""), 1);
    let file = "Content-Disposition: attachment;\r\n filename=\"a\"\r\n\
        Content-Transfer-Encoding: quoted-printable\r\n\r\n{}\r\n--x";
    assert_eq!(found("", file), 1);
}

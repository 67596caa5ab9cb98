//! Everything that one person receives of a server, as text: answers, first frames, notices, mails, refusals; and two
//! deliberately leaky servers that the test must catch.

use super::probes::probes;
use super::worlds::World;
use serde_json::{Value, json};
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::seat::Seat;
use yibu_tests::client::Client;
use yibu_tests::letters::all;
use yibu_tests::table::{ACTIONS, VIEW};

/// What a server gives away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leak {
    /// Nothing, if the product is right.
    None,
    /// Notices list the men in order of rank, without naming a single one.
    Notice,
    /// Turn mails carry a checksum of the board, so that a client might see whether anything changed.
    Mail,
}

/// What the person received: where, and the text.
pub type Received = Vec<(String, String)>;

const VIEWER: &str = "{ viewer { player { id nickname } email isAdmin locale sessionId unreadNotices export \
    fullMatches { held limit } takeovers { held limit } reminderSettings { mode from to zone } \
    upcomingReminders { at kind matches { matchId turn reason } } \
    points(first: 20) { edges { node { at points balance cause matchId result } } } \
    results(first: 20) { edges { node { matchId seat joined cause points result } } } } }";
const NOTICES: &str = "{ notices(first: 100) { unread pageInfo { hasNextPage endCursor } \
    edges { cursor node { id kind at matchId seat turn deadline read } } } }";
const LOBBY: &str = "fullMatches { held limit } takeovers { held limit } openTables vacancies now \
    tables { matchId phase role seat seats { seat person { house nicknameThen player { id nickname } } } \
    seatsTaken seatsReady turn turnKind turnNumber deadline openedAt startedAt myTurn waitsForMe \
    arranging drawWaiting teamSurrenderWaiting } endedTables { matchId \
    outcome { kind winner winBy drawBy noResultBy } }";
const NODE: &str = "query($id: ID!) { node(id: $id) { __typename ... on MatchView { phase version } \
    ... on Player { id nickname house } } }";

/// What is read without a match's id.
fn questions() -> Vec<(&'static str, String)> {
    vec![
        ("viewer", VIEWER.to_owned()),
        ("notices", NOTICES.to_owned()),
        ("lobby", format!("{{ lobby {{ {LOBBY} }} }}")),
        ("sessions", "{ sessions { id createdAt current device } }".to_owned()),
        ("announcement", "{ announcement { text since } }".to_owned()),
        (
            "leaderboard",
            "{ leaderboard { totalCount edges { node { rank player { id } statistics { points matches } } } } }"
                .to_owned(),
        ),
        (
            "admin",
            "{ admin { settings { fullLimit } lateness { overdueDeadlines } projections { __typename } \
             mailQueue { __typename } trail { edges { cursor } } findPlayer(nickname: \"w0\") { suspended } } }"
                .to_owned(),
        ),
    ]
}

async fn ask(client: &Client, query: &str, variables: &Value) -> String {
    client.send(query, variables).await;
    client.last_heard()
}

async fn first_frame(client: &Client, query: &str, variables: &Value) -> String {
    let mut socket = client.socket().await;
    socket.subscribe("first", query, variables).await;
    socket.hear().await.expect("a first frame");
    client.last_heard()
}

impl World {
    /// What a person receives now. Probes are many; they are left out where only `some` is wanted.
    pub async fn received(&self, viewer: usize, some: bool, leak: Leak) -> Received {
        let (client, id) = (&self.table.people[viewer], json!({ "id": self.table.id }));
        let mut received = Received::new();
        let mut note = |place: &str, text: String| received.push((place.to_owned(), text));
        for (place, query) in questions() {
            let mut text = ask(client, &query, &json!({})).await;
            if leak == Leak::Notice && place == "notices" {
                text += &format!("{:?}", self.by_rank().await);
            }
            note(place, text);
        }
        let query = format!("query($id: ID!) {{ match(id: $id) {{ {VIEW} {ACTIONS} }} }}");
        note("match", ask(client, &query, &id).await);
        let query = "query($id: ID!) { replay(matchId: $id) { fileName file expiresAt } }";
        note("replay", ask(client, query, &id).await);
        let query = "query($id: ID!) { admin { findMatch(id: $id) { phase seats { active } } } }";
        note("admin of the match", ask(client, query, &id).await);
        note("node of the match", ask(client, NODE, &id).await);
        for other in &self.players {
            note("node of a player", ask(client, NODE, &json!({ "id": other })).await);
            let query = "query($id: ID!) { player(id: $id) { player { nickname } rank statistics { matches points } } }";
            note("player", ask(client, query, &json!({ "id": other })).await);
        }
        let query = format!("subscription($id: ID!) {{ match(id: $id) {{ {VIEW} }} }}");
        note("frame of the match", first_frame(client, &query, &id).await);
        let query = "subscription { notices { unread latest { id kind at seat turn deadline } } }";
        note("frame of notices", first_frame(client, query, &json!({})).await);
        let query = format!("subscription {{ lobby {{ {LOBBY} }} }}");
        note("frame of the lobby", first_frame(client, &query, &json!({})).await);
        for (number, text) in self.letters(viewer, leak).await.into_iter().enumerate() {
            note(&format!("mail {number}"), text);
        }
        if !some {
            let view = self.table.view(client).await;
            let other = self.players[(viewer + 1) % 4].as_str();
            for probe in probes(&view, &self.address(viewer), other, || client.key()) {
                let text = ask(client, &probe.query, &json!({ "input": probe.input })).await;
                note(&format!("refusal of {} {}", probe.name, probe.input), text);
            }
        }
        received
    }

    /// All mails to the person, in words; where the server listens is chance.
    async fn letters(&self, viewer: usize, leak: Leak) -> Vec<String> {
        let address = self.address(viewer);
        let mut texts = Vec::new();
        for letter in all(&self.app).await.into_iter().filter(|letter| letter.to == address) {
            let mut text = [&letter.kind, &letter.subject, &letter.plain, &letter.html]
                .map(String::as_str)
                .join("\n");
            if leak == Leak::Mail && letter.kind == "turn" {
                text +=
                    blake3::hash(format!("{:?}", self.men().await).as_bytes()).to_hex().as_str();
            }
            texts.push(text.replace(&self.app.addr.to_string(), "here"));
        }
        texts
    }

    /// The truth: every man with its place.
    async fn men(&self) -> Vec<(Pos, Piece)> {
        let state = self.app.app().matches().state(self.id()).await.expect("readable");
        let state = state.expect("a match");
        let position = state.position().expect("a board");
        let men =
            |seat| position.pieces(seat).map(|(at, _, piece)| (at, piece)).collect::<Vec<_>>();
        Seat::ALL.into_iter().flat_map(men).collect()
    }

    async fn by_rank(&self) -> Vec<String> {
        let mut men = self.men().await;
        men.sort_by_key(|(_, piece)| *piece);
        men.into_iter().map(|(at, _)| at.to_string()).collect()
    }
}

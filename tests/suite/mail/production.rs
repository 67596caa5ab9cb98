//! Whole servers with mail: one that has none does not start, one with a mail server registers people, and one that
//! is killed with a mail on its way sends it again under the same Message-ID.

use super::stage::{PLAYER, TO};
use crate::cli::{binary, text, yibu};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use uuid::Uuid;
use yibu_domain::kernel::Time;
use yibu_infrastructure::accounts::outbox::Posting;
use yibu_infrastructure::accounts::{Accounts, AccountsDb, Place, Settings};
use yibu_infrastructure::mail::NoMail;
use yibu_infrastructure::system::{Entropy, ManualClock};
use yibu_tests::app::TestApp;
use yibu_tests::client::PASSWORD;
use yibu_tests::letters::arrived;
use yibu_tests::outbox::{self, Lying};
use yibu_tests::smtp::{Door, SmtpServer};

/// The longest that a start may take on a busy machine.
const START: Duration = Duration::from_secs(60);
const PUBLIC: &str = "https://yibu.example";

/// Settings of a site with this mail server.
fn site(mail: &SmtpServer) -> Vec<String> {
    let authority = mail.authority();
    [
        format!("mail.smtp_url={}", mail.url()),
        "mail.from=异步 <yibu@mail.test>".to_owned(),
        format!("mail.authorities={}", authority.display()),
        format!("http.public_url={PUBLIC}"),
    ]
    .into_iter()
    .flat_map(|set| ["--set".to_owned(), set])
    .collect()
}

/// A server process in production mode, and where it listens.
async fn serve(data: &Path, mail: &SmtpServer) -> (Child, String) {
    let mut command = Command::new(binary());
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data).args(site(mail));
    command.env("YIBU_LOG", "error").env_remove("YIBU_DEV").env_remove("DATABASE_URL");
    let mut process =
        command.stdout(Stdio::piped()).kill_on_drop(true).spawn().expect("the binary starts");
    let mut said = BufReader::new(process.stdout.take().expect("its output is ours")).lines();
    let first = tokio::time::timeout(START, said.next_line()).await;
    let first = first.expect("the server does not start").expect("readable");
    let first = first.expect("the server ended at its start");
    let address = first.split("http://").nth(1).and_then(|rest| rest.split('/').next());
    (process, address.expect("it says where it listens").to_owned())
}

async fn ask(address: &str, query: &str, input: &Value) -> Value {
    let request = reqwest::Client::new()
        .post(format!("http://{address}/graphql"))
        .header("origin", PUBLIC)
        .json(&json!({ "query": query, "variables": { "input": input } }));
    let answer = request.send().await.expect("an answer").text().await.expect("a body");
    serde_json::from_str(&answer).expect("JSON")
}

#[tokio::test]
async fn without_mail_or_with_half_of_it_nothing_starts() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mail = SmtpServer::start(Door::StartTls, true).await;
    let site = site(&mail);
    let check = |more: &[&str]| {
        let output = yibu(&data, &[&["serve", "--check"], more].concat());
        (output.status.success(), text(&output.stderr))
    };
    let all: Vec<&str> = site.iter().map(String::as_str).collect();
    assert_eq!(check(&all), (true, String::new()));
    let no_address = &all[..all.len() - 2];
    for (settings, said) in [
        (&[][..], "nobody could register"),
        (no_address, "mail.smtp_url needs http.public_url"),
        (&[&all[..], &["--set", "mail.authorities=/nowhere.pem"]].concat(), "/nowhere.pem"),
        (&[&all[..], &["--set", "mail.smtp_url=smtp://h?tls=none"]].concat(), "?tls=none"),
    ] {
        let (good, told) = check(settings);
        assert!(!good && told.contains(said), "{said}: {told}");
        assert!(!told.contains("p%3Aw"), "{told}");
    }
    let serve = yibu(&data, &["serve"]);
    assert_eq!(serve.status.code(), Some(1));
    assert!(text(&serve.stderr).contains("nobody could register"));
    assert!(!data.exists(), "nothing was made");
}

#[tokio::test]
async fn people_register_by_mail_at_a_real_site() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut mail = SmtpServer::start(Door::StartTls, true).await;
    let (_process, address) = serve(&data, &mail).await;
    let page = reqwest::get(format!("http://{address}/dev/mail")).await.unwrap();
    assert!(!page.text().await.unwrap().contains("开发信箱"), "no pages for developers");

    let wish = "mutation($input: RequestCodeInput!) { requestCode(input: $input) { userErrors { code } } }";
    let input = json!({ "email": "south@example.org", "locale": "ZH_HANT" });
    let asked = ask(&address, wish, &input).await;
    assert_eq!(asked["data"]["requestCode"]["userErrors"], json!([]), "{asked}");
    let letter = mail.taken().await;
    assert!(letter.tls && letter.login.is_some());
    assert_eq!(letter.to, ["south@example.org"]);
    let code = letter.headers["Subject"].rsplit(' ').next().unwrap().to_owned();
    assert_eq!(letter.headers["Subject"], format!("異步驗證碼 {code}"));

    let wish = "mutation($input: RegisterInput!) { register(input: $input) { token userErrors { code } } }";
    let input = json!({ "email": "south@example.org", "code": code, "nickname": "南山",
        "password": "correct horse 9 battery", "bearer": true });
    let registered = ask(&address, wish, &input).await;
    assert!(registered["data"]["register"]["token"].is_string(), "{registered}");

    // A mail server that refuses the receiver: the wish is refused and does not count.
    mail.order("refuse").await;
    let wish = "mutation($input: RequestCodeInput!) { requestCode(input: $input) { userErrors { code } } }";
    let input = json!({ "email": "east@example.org" });
    let refused = ask(&address, wish, &input).await;
    assert_eq!(refused["data"]["requestCode"]["userErrors"][0]["code"], "MAIL_UNAVAILABLE");
    mail.word("refused").await;
    mail.order("accept").await;
    let again = ask(&address, wish, &input).await;
    assert_eq!(again["data"]["requestCode"]["userErrors"], json!([]), "{again}");
    mail.taken().await;
}

#[tokio::test]
async fn a_killed_server_sends_what_was_on_its_way_under_the_same_id() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let mut mail = SmtpServer::start(Door::StartTls, true).await;
    let db = AccountsDb::open(Place::Folder(data.clone())).await.unwrap();
    let (clock, entropy) = (Arc::new(ManualClock::at(Time(0))), Entropy::seeded(1));
    let accounts = Accounts::open(db, Arc::new(NoMail), clock, entropy, Settings::default()).await;
    let accounts = accounts.unwrap();
    accounts.db().close().await;
    drop(accounts);
    let (id, posting) = (Uuid::from_u128(5), &Posting::AccountDeleted);
    let (due, expires) = (Time(0), Time(i64::MAX));
    let lying = Lying { id, player: PLAYER, to: TO, posting, due, expires };
    outbox::lay(&Place::Folder(data.clone()), &lying).await.unwrap();

    // The letter was taken, nobody said so, and the server is gone.
    mail.order("hold").await;
    let (mut process, _) = serve(&data, &mail).await;
    let first = mail.taken().await;
    process.kill().await.unwrap();
    let file = rusqlite::Connection::open(data.join("accounts.db")).unwrap();
    let open: i64 = file
        .query_row("SELECT COUNT(*) FROM outbox WHERE ended IS NULL AND fence = 1", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(open, 1);
    // The lease runs out.
    file.execute("UPDATE outbox SET due = 0", []).unwrap();
    drop(file);

    mail.restart().await;
    let (mut process, _) = serve(&data, &mail).await;
    let again = mail.taken().await;
    assert_eq!(again.headers["Message-ID"], first.headers["Message-ID"]);
    assert_eq!(again.headers["Message-ID"], "<00000000000000000000000000000005@mail.test>");
    let id = process.id().unwrap().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
    assert!(process.wait().await.unwrap().success());
    let file = rusqlite::Connection::open(data.join("accounts.db")).unwrap();
    let outcome: (String, Option<String>) = file
        .query_row("SELECT outcome, recipient FROM outbox", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    assert_eq!(outcome, ("sent".to_owned(), None));
}

#[tokio::test]
async fn in_development_the_outbox_empties_into_the_mailbox() {
    let server = TestApp::start().await;
    let west = server.player("west").await;
    let input = json!({ "idempotencyKey": west.key(), "current": PASSWORD, "password": "quiet horse 7 engines" });
    let done =
        west.mutate("changePassword", "ChangePasswordInput", "viewer { email }", &input).await;
    assert_eq!(done["userErrors"], json!([]));
    let letters = arrived(&server, "west@example.org", "password_changed", 1).await;
    let plain = &letters[0].plain;
    assert!(plain.contains(&format!("http://{}/", server.addr)), "{plain}");
}

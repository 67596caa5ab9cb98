//! The mails of a server in this process: what lies in its development mailbox, what is attached, and waiting until
//! everything that is to be told was told. Asserts nothing about the product.

use super::app::TestApp;
use std::sync::Arc;
use std::time::Duration;
use yibu_domain::kernel::Span;
use yibu_infrastructure::mail::StoredLetter;
use yibu_infrastructure::system::Clock as _;
use yibu_infrastructure::workers::Planner;
use yibu_infrastructure::workers::planner::Step;

/// How often is looked before the clock is turned on by a second, which is what the sender waits for. Many: a clock that
/// runs away from a busy machine ends leases and tells other minutes.
const LOOKS: u32 = 2_000;
/// The most seconds by which the clock is turned on while something is waited for.
const MOST: u32 = 100;
/// The longest that a read model may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// All letters of a kind to an address, the first first.
pub async fn letters(app: &TestApp, address: &str, kind: &str) -> Vec<StoredLetter> {
    let mut found = all(app).await;
    found.retain(|letter| letter.to == address && letter.kind == kind);
    found
}

/// All letters that the mailbox keeps, the first first.
pub async fn all(app: &TestApp) -> Vec<StoredLetter> {
    let mailbox = app.app().mailbox().expect("tests have a mailbox");
    let mut found = mailbox.list(yibu_infrastructure::mail::KEPT).await.expect("readable");
    found.reverse();
    found
}

/// Waits, by the server's own workers alone, until so many letters of a kind have come to an address.
pub async fn arrived(app: &TestApp, address: &str, kind: &str, count: usize) -> Vec<StoredLetter> {
    for _ in 0..MOST {
        for _ in 0..LOOKS {
            let found = letters(app, address, kind).await;
            if found.len() >= count {
                return found;
            }
            tokio::task::yield_now().await;
        }
        app.pass(Span::seconds(1)).await;
    }
    let figures = app.app().accounts().outbox().figures(app.clock.now()).await;
    panic!("{address} got no {count} letters of kind {kind}: {figures:?}");
}

/// Returns when nothing is left to be told: reminders are planned up to now, the outbox is empty, and the read models
/// show all that the log has.
pub async fn settle(app: &TestApp) {
    let inside = app.app();
    let clock = Arc::new(app.clock.clone());
    // As a second node: whoever is faster plans, and what is planned is planned once.
    let (accounts, wait) = (inside.accounts().clone(), Arc::new(inside.site().clone()));
    let planner = Planner::new(accounts, inside.log_handle(), clock, wait);
    while let Step::More = planner.step().await.expect("reminders can be planned") {}
    let mut looks = 0;
    loop {
        let figures = inside.accounts().outbox().figures(app.clock.now()).await.expect("readable");
        if figures.waiting + figures.retrying == 0 {
            break;
        }
        looks += 1;
        if looks >= MOST * LOOKS {
            let head = inside.log().head().await.expect("readable").position;
            let lag = inside.views().lag(yibu_api::app::LOBBY, head);
            panic!("the outbox does not empty: {figures:?}, the lobby is behind by {lag:?}");
        }
        if looks % LOOKS == 1 {
            app.pass(Span::seconds(1)).await;
        }
        tokio::task::yield_now().await;
    }
    let head = inside.log().head().await.expect("readable").position;
    for model in inside.views().names() {
        inside.views().reached(model, head, PATIENCE).await.expect("it follows");
    }
}

/// The file that is attached to a letter, with its name.
pub fn attachment(letter: &StoredLetter) -> Option<(String, Vec<u8>)> {
    let text = std::str::from_utf8(&letter.bytes).expect("letters are ASCII");
    let (_, part) = text.split_once("Content-Disposition: attachment;")?;
    // The header may be folded before the name.
    let part = part.trim_start().strip_prefix("filename=\"").expect("a name in quotes");
    let (name, rest) = part.split_once('"').expect("a name in quotes");
    let (headers, rest) = rest.split_once("\r\n\r\n").expect("headers and a body");
    let (body, _) = rest.split_once("\r\n--").expect("an end");
    let (_, encoding) = headers.split_once("Content-Transfer-Encoding: ").expect("an encoding");
    let bytes = match encoding.split_whitespace().next() {
        Some("base64") => decoded(body),
        Some("quoted-printable") => unquoted(body),
        other => panic!("an encoding that files do not need: {other:?}"),
    };
    Some((name.to_owned(), bytes))
}

/// What quoted-printable text stands for (RFC 2045).
fn unquoted(text: &str) -> Vec<u8> {
    let text = text.replace("=\r\n", "");
    let mut pieces = text.split('=');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let (digits, rest) = piece.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}

/// What base64 text stands for (RFC 4648).
fn decoded(text: &str) -> Vec<u8> {
    let alphabet = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']);
    let alphabet: String = alphabet.collect();
    let digits = text.chars().filter_map(|c| alphabet.find(c));
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0, 0_usize);
    for digit in digits {
        held = held << 6 | digit;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits & 0xff).expect("eight bits"));
            held &= (1 << bits) - 1;
        }
    }
    bytes
}

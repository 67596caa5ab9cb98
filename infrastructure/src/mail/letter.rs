//! A letter: one mail of one kind to one receiver, written as text and HTML, some with a file. The same job gives
//! the same Message-ID, and the same mail at the same instant the same bytes. Must not send.

use super::kind::{Mail, MailKind};
use super::{Locale, layout, texts};
use chrono::DateTime;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox as Party, Message, MultiPart, SinglePart};
use std::error::Error as StdError;
use std::time::SystemTime;
use thiserror::Error;
use uuid::Uuid;
use yibu_domain::kernel::Time;

/// One mail as written, ready to be handed over as it is.
#[derive(Clone, PartialEq, Eq)]
pub struct Letter {
    /// The Message-ID with its angle brackets; a function of the job.
    pub message_id: String,
    /// When it was written.
    pub at: Time,
    /// The receiver's address.
    pub to: String,
    /// The name of its kind.
    pub kind: &'static str,
    /// Its language.
    pub locale: Locale,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub plain: String,
    /// Its text as HTML.
    pub html: String,
    /// The whole message.
    pub bytes: Vec<u8>,
}

/// Shows neither receiver nor contents.
impl std::fmt::Debug for Letter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Letter({} {})", self.kind, self.message_id)
    }
}

/// A letter cannot be written.
#[derive(Debug, Error)]
pub enum LetterFault {
    /// Sender or receiver is no mail address.
    #[error("a mail address is broken")]
    Address(#[from] lettre::address::AddressError),
    /// A file cannot be attached under its name.
    #[error("a mail's file has a broken name")]
    File,
    /// The message cannot be put together.
    #[error("a mail cannot be put together")]
    Message(#[from] lettre::error::Error),
}

impl Letter {
    /// Writes the mail of one job at an instant.
    ///
    /// # Errors
    /// An address that is none.
    pub fn write(mail: &Mail, job: Uuid, from: &str, at: Time) -> Result<Self, LetterFault> {
        let from: Party = from.parse()?;
        let to = Party::new(None, mail.to.parse()?);
        let message_id = format!("<{}@{}>", job.simple(), from.email.domain());
        let text = texts::text(&mail.kind, mail.locale, at);
        let plain = layout::plain(&text, mail.locale);
        let html = layout::html(&text, mail.locale);
        let words = MultiPart::alternative()
            .boundary(format!("yibu-{}", job.simple()))
            .singlepart(SinglePart::plain(plain.clone()))
            .singlepart(SinglePart::builder().header(ContentType::TEXT_HTML).body(html.clone()));
        let body = match &mail.kind {
            MailKind::Replay(replay) => {
                if !is_file_name(&replay.file_name) {
                    return Err(LetterFault::File);
                }
                let json = ContentType::parse("application/json").map_err(|_| LetterFault::File)?;
                let attached = Attached(replay.file_name.clone());
                let file = SinglePart::builder().header(attached).header(json);
                let file = file.body(replay.file.clone());
                let boundary = format!("yibu-file-{}", job.simple());
                MultiPart::mixed().boundary(boundary).multipart(words).singlepart(file)
            }
            _ => words,
        };
        let mut message = Message::builder()
            .from(from)
            .to(to)
            .date(date(at))
            .message_id(Some(message_id.clone()))
            .subject(&text.subject)
            .raw_header(raw("Auto-Submitted", "auto-generated"))
            .raw_header(raw("Content-Language", mail.locale.tag()));
        if let Some(link) = mail.kind.unsubscribe() {
            message = message.raw_header(whole("List-Unsubscribe", &format!("<{link}>")));
            // One click is allowed over TLS alone (RFC 8058).
            if link.starts_with("https://") {
                let one_click = "List-Unsubscribe=One-Click";
                message = message.raw_header(whole("List-Unsubscribe-Post", one_click));
            }
        }
        Ok(Self {
            message_id,
            at,
            to: mail.to.clone(),
            kind: mail.kind.name(),
            locale: mail.locale,
            subject: text.subject,
            plain,
            html,
            bytes: message.multipart(body)?.formatted(),
        })
    }
}

fn date(at: Time) -> SystemTime {
    DateTime::from_timestamp_millis(at.0).map_or(SystemTime::UNIX_EPOCH, SystemTime::from)
}

fn raw(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

/// A header that is not to be folded: what is between its angle brackets is copied by machines.
fn whole(name: &'static str, value: &str) -> HeaderValue {
    let name = HeaderName::new_from_ascii_str(name);
    HeaderValue::dangerous_new_pre_encoded(name, value.to_owned(), value.to_owned())
}

/// The name of an attached file, in one piece however long: the library would number the pieces of a name that fills a
/// line (RFC 2231), and not every mail program puts them together.
#[derive(Clone)]
struct Attached(String);

impl Header for Attached {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Content-Disposition")
    }

    fn parse(name: &str) -> Result<Self, Box<dyn StdError + Send + Sync>> {
        Ok(Self(name.to_owned()))
    }

    fn display(&self) -> HeaderValue {
        whole("Content-Disposition", &format!("attachment; filename=\"{}\"", self.0))
    }
}

fn is_file_name(name: &str) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    !name.is_empty() && name.chars().all(good)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::{ReplayMail, TurnLine, TurnMail};
    use yibu_domain::kernel::MatchId;
    use yibu_domain::reminders;

    fn mail(locale: Locale, kind: MailKind) -> Mail {
        Mail { to: "north@example.org".into(), locale, kind }
    }

    fn code() -> MailKind {
        MailKind::VerificationCode { code: "042137".into(), minutes: 10 }
    }

    #[test]
    fn the_same_job_gives_the_same_bytes_in_every_language() {
        let job = Uuid::from_u128(7);
        let at = Time(1_790_000_000_000);
        for locale in Locale::ALL {
            let write =
                |kind| Letter::write(&mail(locale, kind), job, "Yibu <yibu@example.org>", at);
            let letter = write(code()).unwrap();
            assert!(letter == write(code()).unwrap());
            assert_eq!(letter.message_id, "<00000000000000000000000000000007@example.org>");
            for part in [&letter.subject, &letter.plain, &letter.html] {
                assert!(part.contains("042137"), "{locale}");
            }
            let bytes = String::from_utf8(letter.bytes).unwrap();
            assert!(bytes.is_ascii(), "{locale}");
            for wanted in [
                "Message-ID: <00000000000000000000000000000007@example.org>\r\n",
                "To: north@example.org\r\n",
                "Date: Mon, 21 Sep 2026 14:13:20 +0000\r\n",
                "multipart/alternative",
                "text/plain",
                "text/html",
                "MIME-Version: 1.0",
                "Auto-Submitted: auto-generated",
            ] {
                assert!(bytes.contains(wanted), "{wanted}\n{bytes}");
            }
            assert!(bytes.lines().all(|line| line.len() <= 998));
            let other = write(MailKind::AlreadyRegistered).unwrap();
            assert_ne!(other.plain, letter.plain);
            assert!(!format!("{other:?}").contains("north"));
        }
    }

    #[test]
    fn a_broken_address_is_refused_and_breaks_no_header() {
        for to in ["", "north", "a@b\r\nBcc: c@d.example", "north@"] {
            let mail = Mail { to: to.into(), locale: Locale::En, kind: code() };
            assert!(Letter::write(&mail, Uuid::nil(), "yibu@example.org", Time(0)).is_err());
        }
    }

    #[test]
    fn a_file_comes_beside_the_words() {
        let kind = |file_name: &str| {
            MailKind::Replay(ReplayMail {
                match_id: MatchId(Uuid::from_u128(1)),
                link: "https://yibu.example/replay".into(),
                file_name: file_name.into(),
                file: "{\"车\": 1}".into(),
            })
        };
        let write = |name: &str| {
            let mail = mail(Locale::En, kind(name));
            Letter::write(&mail, Uuid::from_u128(7), "yibu@example.org", Time(0))
        };
        let name = "2026-09-21-6170fea4.yibu-replay.json";
        let bytes = String::from_utf8(write(name).unwrap().bytes).unwrap();
        assert!(bytes.is_ascii());
        for wanted in [
            "multipart/mixed",
            "multipart/alternative",
            &format!("\r\nContent-Disposition: attachment; filename=\"{name}\"\r\n"),
            "Content-Type: application/json",
        ] {
            assert!(bytes.contains(wanted), "{wanted}\n{bytes}");
        }
        for name in ["", "a\r\nBcc: b", "a/b", "车.json"] {
            assert!(matches!(write(name), Err(LetterFault::File)), "{name}");
        }
    }

    #[test]
    fn turn_mails_alone_can_be_ended_by_one_click() {
        let turn = |base: &str| {
            MailKind::Turn(TurnMail {
                kind: reminders::MailKind::Normal,
                deadline: Vec::new(),
                waiting: vec![TurnLine {
                    match_id: MatchId(Uuid::from_u128(1)),
                    link: format!("{base}/tables/1"),
                    deadline: None,
                }],
                timed_out: Vec::new(),
                zone: reminders::Zone::default(),
                unsubscribe: format!("{base}/unsubscribe/{}", "0123456789abcdef".repeat(4)),
            })
        };
        let write = |kind| {
            let mail = mail(Locale::ZhHans, kind);
            let letter = Letter::write(&mail, Uuid::nil(), "yibu@example.org", Time(0)).unwrap();
            String::from_utf8(letter.bytes).unwrap()
        };
        let click = "\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n";
        let shown = write(turn("https://yibu.example"));
        let link = "https://yibu.example/unsubscribe/";
        assert!(shown.contains(&format!("\r\nList-Unsubscribe: <{link}0123")), "{shown}");
        assert!(shown.contains(click), "{shown}");
        let plain_http = write(turn("http://127.0.0.1:8080"));
        assert!(plain_http.contains("List-Unsubscribe: <http:") && !plain_http.contains(click));
        assert!(!write(code()).contains("List-Unsubscribe"));
    }
}

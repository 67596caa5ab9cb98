//! Writes a mail down as an RFC 5322 message, plain text beside HTML. The same job gives the same bytes and
//! the same Message-ID. Must not send.

use super::Locale;
use super::texts::{self, Paragraph};
use chrono::DateTime;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox as Party, Message, MultiPart, SinglePart};
use std::time::SystemTime;
use thiserror::Error;
use uuid::Uuid;
use yibu_domain::kernel::Time;

/// What a mail is about, with all that its text needs.
#[derive(Clone, PartialEq, Eq)]
pub enum MailKind {
    /// The code that shows that an address is read by whoever registers it.
    VerificationCode {
        /// The digits to be typed.
        code: String,
        /// For how long they are valid.
        minutes: u32,
    },
    /// Somebody tried to register an address that has an account.
    AlreadyRegistered,
}

impl MailKind {
    /// The kind's stable name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::VerificationCode { .. } => "verification_code",
            Self::AlreadyRegistered => "already_registered",
        }
    }
}

/// Never shows a code.
impl std::fmt::Debug for MailKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// One mail to be written.
#[derive(Clone, PartialEq, Eq)]
pub struct Mail {
    /// The receiver's address.
    pub to: String,
    /// The receiver's language.
    pub locale: Locale,
    /// What it says.
    pub kind: MailKind,
}

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
    /// The message cannot be put together.
    #[error("a mail cannot be put together")]
    Message(#[from] lettre::error::Error),
}

impl Letter {
    /// Writes the mail of one job.
    ///
    /// # Errors
    /// An address that is none.
    pub fn write(mail: &Mail, job: Uuid, from: &str, at: Time) -> Result<Self, LetterFault> {
        let from: Party = from.parse()?;
        let to = Party::new(None, mail.to.parse()?);
        let message_id = format!("<{}@{}>", job.simple(), from.email.domain());
        let text = texts::text(&mail.kind, mail.locale);
        let plain = plain(&text.paragraphs, mail.locale);
        let html = html(&text.subject, &text.paragraphs, mail.locale);
        let body = MultiPart::alternative()
            .boundary(format!("yibu-{}", job.simple()))
            .singlepart(SinglePart::plain(plain.clone()))
            .singlepart(SinglePart::builder().header(ContentType::TEXT_HTML).body(html.clone()));
        let message = Message::builder()
            .from(from)
            .to(to)
            .date(date(at))
            .message_id(Some(message_id.clone()))
            .subject(&text.subject)
            .raw_header(raw("Auto-Submitted", "auto-generated"))
            .raw_header(raw("Content-Language", mail.locale.tag()))
            .multipart(body)?;
        Ok(Self {
            message_id,
            at,
            to: mail.to.clone(),
            kind: mail.kind.name(),
            locale: mail.locale,
            subject: text.subject,
            plain,
            html,
            bytes: message.formatted(),
        })
    }
}

fn date(at: Time) -> SystemTime {
    DateTime::from_timestamp_millis(at.0).map_or(SystemTime::UNIX_EPOCH, SystemTime::from)
}

fn raw(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

fn plain(paragraphs: &[Paragraph], locale: Locale) -> String {
    let mut out = String::new();
    for paragraph in paragraphs {
        match paragraph {
            Paragraph::Words(words) => out.push_str(words),
            Paragraph::Code(code) => {
                out.push_str("    ");
                out.push_str(code);
            }
        }
        out.push_str("\n\n");
    }
    out.push_str("-- \n");
    out.push_str(texts::signature(locale));
    out.push('\n');
    out
}

fn html(subject: &str, paragraphs: &[Paragraph], locale: Locale) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{}</title></head>\n\
         <body style=\"font-family:sans-serif;line-height:1.6;max-width:36em;margin:1em auto\">\n",
        locale.tag(),
        escape(subject)
    );
    for paragraph in paragraphs {
        match paragraph {
            Paragraph::Words(words) => {
                out.push_str(&format!("<p>{}</p>\n", escape(words)));
            }
            Paragraph::Code(code) => out.push_str(&format!(
                "<p style=\"font-size:2em;letter-spacing:.2em;font-family:monospace\">{}</p>\n",
                escape(code)
            )),
        }
    }
    out.push_str(&format!(
        "<p style=\"color:#666;font-size:.85em\">{}</p>\n</body></html>\n",
        escape(texts::signature(locale))
    ));
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn markup_is_escaped() {
        assert_eq!(escape("<b>&\""), "&lt;b&gt;&amp;&quot;");
    }
}

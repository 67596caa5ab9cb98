//! What the mails say, in every language, a file for each concern. Plain words only: no address, no layout
//! beyond paragraphs.

mod addresses;
mod codes;
mod replay;
mod security;
mod turns;

use super::{Locale, MailKind};
use yibu_domain::kernel::{MatchId, Time};

/// A mail's subject and paragraphs.
pub(super) struct Text {
    pub(super) subject: String,
    pub(super) paragraphs: Vec<Paragraph>,
}

/// One paragraph of a mail.
pub(super) enum Paragraph {
    /// Running text.
    Words(String),
    /// A code to be typed, shown large.
    Code(String),
    /// Words that lead somewhere.
    Link {
        /// The words.
        words: String,
        /// Where they lead.
        url: String,
    },
    /// Several places.
    List(Vec<Entry>),
}

/// One place of a list.
pub(super) struct Entry {
    pub(super) words: String,
    pub(super) url: String,
}

/// The words for one mail, written at `at`.
pub(super) fn text(kind: &MailKind, locale: Locale, at: Time) -> Text {
    match kind {
        MailKind::VerificationCode { code, minutes } => codes::verification(code, *minutes, locale),
        MailKind::AlreadyRegistered => codes::already_registered(locale),
        MailKind::AddressInUse => addresses::in_use(locale),
        MailKind::NoAccount => addresses::no_account(locale),
        MailKind::PasswordReset { link, minutes } => {
            security::password_reset(link, *minutes, locale)
        }
        MailKind::PasswordChanged { site } => security::password_changed(site, locale),
        MailKind::EmailChanged { new_masked, site } => {
            security::email_changed(new_masked, site, locale)
        }
        MailKind::AccountDeleted => security::account_deleted(locale),
        MailKind::Turn(mail) => turns::text(mail, locale, at),
        MailKind::Replay(mail) => replay::text(mail, locale),
    }
}

/// The line below every mail.
pub(super) fn signature(locale: Locale) -> &'static str {
    match locale {
        Locale::ZhHans => "异步 Yibu · 这封邮件由系统自动发出，请勿回复。",
        Locale::ZhHant => "異步 Yibu · 這封郵件由系統自動發出，請勿回覆。",
        Locale::En => "Yibu · This mail was sent automatically; please do not reply.",
    }
}

/// What a match is called in a mail: the end of its id, as it stands in its address.
fn table(id: MatchId, locale: Locale) -> String {
    const SHOWN: usize = 6;
    let id = id.0.simple().to_string();
    let short = id.get(id.len().saturating_sub(SHOWN)..).unwrap_or_default();
    match locale {
        Locale::ZhHans | Locale::ZhHant => format!("牌桌 {short}"),
        Locale::En => format!("Table {short}"),
    }
}

/// Paragraphs of running text.
fn words<const N: usize>(paragraphs: [String; N]) -> Vec<Paragraph> {
    paragraphs.into_iter().map(Paragraph::Words).collect()
}

//! The mail that brings a replay. Says nothing about the match: the file does.

use super::{Paragraph, Text, table};
use crate::mail::Locale;
use crate::mail::kind::ReplayMail;

pub(super) fn text(mail: &ReplayMail, locale: Locale) -> Text {
    let table = table(mail.match_id, locale);
    let (subject, first, second) = match locale {
        Locale::ZhHans => (
            format!("{table} 的复盘"),
            format!(
                "{table} 已经结束。附件 {} 是这一局的完整复盘：每一子、每一步、每一次吃子。",
                mail.file_name
            ),
            "在复盘页打开附件即可从头看起，不用登录：",
        ),
        Locale::ZhHant => (
            format!("{table} 的復盤"),
            format!(
                "{table} 已經結束。附件 {} 是這一局的完整復盤：每一子、每一步、每一次吃子。",
                mail.file_name
            ),
            "在復盤頁打開附件即可從頭看起，不用登入：",
        ),
        Locale::En => (
            format!("Replay of {}", table.to_lowercase()),
            format!(
                "{table} has ended. The attached file {} is its whole replay: every piece, every move, every \
                 battle.",
                mail.file_name
            ),
            "Open the file on the replay page to watch it from the beginning, without logging in:",
        ),
    };
    Text {
        subject,
        paragraphs: vec![
            Paragraph::Words(first),
            Paragraph::Link { words: second.to_owned(), url: mail.link.clone() },
        ],
    }
}

//! Codes by mail, and what is said instead of a code. Must not be put into the outbox: a code is a secret.

use super::{Paragraph, Text, words};
use crate::mail::Locale;

/// The code itself.
pub(super) fn verification(code: &str, minutes: u32, locale: Locale) -> Text {
    let (subject, before, after) = match locale {
        Locale::ZhHans => (
            format!("异步验证码 {code}"),
            "您的验证码是：".to_owned(),
            format!(
                "{minutes} 分钟内有效。请勿告诉任何人。如果不是您本人在操作，忽略这封邮件即可。"
            ),
        ),
        Locale::ZhHant => (
            format!("異步驗證碼 {code}"),
            "您的驗證碼是：".to_owned(),
            format!(
                "{minutes} 分鐘內有效。請勿告訴任何人。如果不是您本人在操作，忽略這封郵件即可。"
            ),
        ),
        Locale::En => (
            format!("Yibu verification code {code}"),
            "Your verification code is:".to_owned(),
            format!(
                "It is valid for {minutes} minutes. Tell it to nobody. If it was not you who asked for it, \
                 you can ignore this mail."
            ),
        ),
    };
    Text {
        subject,
        paragraphs: vec![
            Paragraph::Words(before),
            Paragraph::Code(code.to_owned()),
            Paragraph::Words(after),
        ],
    }
}

/// The address has an account already.
pub(super) fn already_registered(locale: Locale) -> Text {
    let (subject, first, second) = match locale {
        Locale::ZhHans => (
            "您已有异步账号",
            "有人用这个邮箱地址申请注册异步账号，但它已经注册过了。请直接用密码登录。",
            "如果不是您本人在操作，忽略这封邮件即可，您的账号没有任何变化。",
        ),
        Locale::ZhHant => (
            "您已有異步帳號",
            "有人用這個郵箱地址申請註冊異步帳號，但它已經註冊過了。請直接用密碼登入。",
            "如果不是您本人在操作，忽略這封郵件即可，您的帳號沒有任何變化。",
        ),
        Locale::En => (
            "You already have a Yibu account",
            "Somebody asked for a new Yibu account with this mail address, but it has one already. \
             Please log in with your password.",
            "If it was not you, you can ignore this mail; nothing about your account has changed.",
        ),
    };
    Text { subject: subject.to_owned(), paragraphs: words([first.to_owned(), second.to_owned()]) }
}

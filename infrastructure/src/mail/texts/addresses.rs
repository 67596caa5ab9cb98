//! What the mails say that answer for an address: that it has an account, or has none.

use super::{Locale, Text, words};

/// Somebody wants this address for an account.
pub(super) fn in_use(locale: Locale) -> Text {
    let (subject, first, second) = match locale {
        Locale::ZhHans => (
            "此邮箱已用于异步账号",
            "有人想把一个异步账号的邮箱改为这个地址，但这个地址已经有账号了，所以没有更改。",
            "如果不是您本人在操作，忽略这封邮件即可，您的账号没有任何变化。",
        ),
        Locale::ZhHant => (
            "此郵箱已用於異步帳號",
            "有人想把一個異步帳號的郵箱改為這個地址，但這個地址已經有帳號了，所以沒有更改。",
            "如果不是您本人在操作，忽略這封郵件即可，您的帳號沒有任何變化。",
        ),
        Locale::En => (
            "This address has a Yibu account already",
            "Somebody wanted to make this the mail address of a Yibu account, but it has an account already, so \
             nothing was changed.",
            "If it was not you, you can ignore this mail; nothing about your account has changed.",
        ),
    };
    Text { subject: subject.to_owned(), paragraphs: words([first, second].map(str::to_owned)) }
}

/// Somebody wanted to reset the password of an address without an account.
pub(super) fn no_account(locale: Locale) -> Text {
    let (subject, first, second) = match locale {
        Locale::ZhHans => (
            "这个邮箱没有异步账号",
            "有人想重设这个邮箱地址的异步密码，但它没有注册过账号。您可能用的是另一个邮箱。",
            "如果不是您本人在操作，忽略这封邮件即可。",
        ),
        Locale::ZhHant => (
            "這個郵箱沒有異步帳號",
            "有人想重設這個郵箱地址的異步密碼，但它沒有註冊過帳號。您可能用的是另一個郵箱。",
            "如果不是您本人在操作，忽略這封郵件即可。",
        ),
        Locale::En => (
            "There is no Yibu account with this address",
            "Somebody wanted to reset the Yibu password of this mail address, but it has no account. You may have \
             used another address.",
            "If it was not you, you can ignore this mail.",
        ),
    };
    Text { subject: subject.to_owned(), paragraphs: words([first, second].map(str::to_owned)) }
}

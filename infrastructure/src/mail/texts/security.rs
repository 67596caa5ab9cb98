//! What the owner of an account is told about its safety, whatever the settings of turn mails.

use super::{Paragraph, Text, words};
use crate::mail::Locale;

/// A new password may be chosen.
pub(super) fn password_reset(link: &str, minutes: u32, locale: Locale) -> Text {
    let (subject, open, after) = match locale {
        Locale::ZhHans => (
            "重设异步账号的密码",
            "打开下面的链接，设一个新密码：",
            format!(
                "链接 {minutes} 分钟内有效，只能用一次。请勿转给任何人。如果不是您本人在操作，忽略这封邮件即可，\
                 密码没有任何变化。"
            ),
        ),
        Locale::ZhHant => (
            "重設異步帳號的密碼",
            "打開下面的連結，設一個新密碼：",
            format!(
                "連結 {minutes} 分鐘內有效，只能用一次。請勿轉給任何人。如果不是您本人在操作，忽略這封郵件即可，\
                 密碼沒有任何變化。"
            ),
        ),
        Locale::En => (
            "Reset the password of your Yibu account",
            "Open this link to choose a new password:",
            format!(
                "It is valid for {minutes} minutes and works once. Pass it on to nobody. If it was not you who \
                 asked for it, you can ignore this mail; your password has not changed."
            ),
        ),
    };
    Text {
        subject: subject.to_owned(),
        paragraphs: vec![
            Paragraph::Link { words: open.to_owned(), url: link.to_owned() },
            Paragraph::Words(after),
        ],
    }
}

/// The password was changed.
pub(super) fn password_changed(site: &str, locale: Locale) -> Text {
    let (subject, first, second) = match locale {
        Locale::ZhHans => (
            "异步账号的密码已修改",
            "您的异步账号刚刚换了新密码，其他设备都已登出。",
            "如果不是您本人在操作，请立即到登录页用“忘记密码”重设：",
        ),
        Locale::ZhHant => (
            "異步帳號的密碼已修改",
            "您的異步帳號剛剛換了新密碼，其他裝置都已登出。",
            "如果不是您本人在操作，請立即到登入頁用「忘記密碼」重設：",
        ),
        Locale::En => (
            "The password of your Yibu account was changed",
            "Your Yibu account has a new password, and all other devices were logged out.",
            "If it was not you, reset it at once by \u{201c}forgotten password\u{201d} where you log in:",
        ),
    };
    warning(subject, first.to_owned(), second, site)
}

/// The address was changed; told to the old one.
pub(super) fn email_changed(new_masked: &str, site: &str, locale: Locale) -> Text {
    let (subject, first, second) = match locale {
        Locale::ZhHans => (
            "异步账号的邮箱已更换",
            format!("您的异步账号的邮箱已换成 {new_masked}。从现在起，这个旧地址不再能用来登录。"),
            "如果不是您本人在操作，请尽快联系本站管理员：",
        ),
        Locale::ZhHant => (
            "異步帳號的郵箱已更換",
            format!("您的異步帳號的郵箱已換成 {new_masked}。從現在起，這個舊地址不再能用來登入。"),
            "如果不是您本人在操作，請盡快聯絡本站管理員：",
        ),
        Locale::En => (
            "The mail address of your Yibu account was changed",
            format!(
                "The mail address of your Yibu account is {new_masked} now. This old address can no longer be \
                 used to log in."
            ),
            "If it was not you, tell the site's administrator as soon as you can:",
        ),
    };
    warning(subject, first, second, site)
}

/// The account was deleted.
pub(super) fn account_deleted(locale: Locale) -> Text {
    let (subject, first, second) = match locale {
        Locale::ZhHans => (
            "异步账号已注销",
            "您的异步账号已注销，邮箱、密码、昵称和设置都已删除。您还坐着的席位已离开，以前的对局里显示为“已注销”。",
            "这是发给您的最后一封邮件。以后可以用这个地址重新注册。",
        ),
        Locale::ZhHant => (
            "異步帳號已註銷",
            "您的異步帳號已註銷，郵箱、密碼、暱稱和設定都已刪除。您還坐著的席位已離開，以前的對局裡顯示為「已註銷」。",
            "這是發給您的最後一封郵件。以後可以用這個地址重新註冊。",
        ),
        Locale::En => (
            "Your Yibu account was deleted",
            "Your Yibu account was deleted, with its mail address, password, nicknames and settings. You have left \
             the seats that you had; earlier matches show \u{201c}deleted\u{201d} in your place.",
            "This is the last mail to you. You may register with this address again.",
        ),
    };
    Text { subject: subject.to_owned(), paragraphs: words([first.to_owned(), second.to_owned()]) }
}

fn warning(subject: &str, first: String, second: &str, site: &str) -> Text {
    Text {
        subject: subject.to_owned(),
        paragraphs: vec![
            Paragraph::Words(first),
            Paragraph::Link { words: second.to_owned(), url: site.to_owned() },
        ],
    }
}

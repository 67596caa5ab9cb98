//! `/dev/mail`: the development mailbox as plain pages. Must be served in development alone, where the
//! server listens on loopback.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;
use yibu_infrastructure::mail::{DevMailbox, MailFault, StoredLetter};

/// How many letters the list shows.
const SHOWN: u32 = 100;

/// What the pages of a letter need: the letters, and the address of this site in them.
type Room = (DevMailbox, Arc<str>);

/// The pages of a mailbox; `site` is the address under which its letters lead here.
pub fn routes(mailbox: DevMailbox, site: &str) -> Router {
    Router::new()
        .route("/dev/mail", get(list))
        .route("/dev/mail/{number}", get(letter))
        .route("/dev/mail/{number}/eml", get(eml))
        .with_state((mailbox, site.into()))
}

async fn list(State((mailbox, _)): State<Room>) -> Response {
    let letters = match mailbox.list(SHOWN).await {
        Ok(letters) => letters,
        Err(fault) => return broken(&fault),
    };
    let rows: String = letters
        .iter()
        .map(|letter| {
            format!(
                "<li><a href=\"/dev/mail/{}\">{}</a> · {} · {}</li>",
                letter.number,
                escaped(&letter.subject),
                escaped(&letter.to),
                escaped(&letter.kind)
            )
        })
        .collect();
    if letters.is_empty() {
        let hint = "<p>还没有邮件。注册时要的验证码会出现在这里。</p>\
             <p lang=\"en\">No mail yet. The codes for registering will appear here.</p>";
        return page("开发信箱 Mail", hint);
    }
    page("开发信箱 Mail", &format!("<ol reversed>{rows}</ol>"))
}

async fn letter(State((mailbox, site)): State<Room>, Path(number): Path<i64>) -> Response {
    match found(&mailbox, number).await {
        Ok(letter) => {
            let body = format!(
                "<p>{}</p><pre class=\"letter\">{}</pre><p><a href=\"/dev/mail/{number}/eml\">.eml</a> · \
                 <a href=\"/dev/mail\">all</a></p>",
                escaped(&letter.to),
                linked(&letter.plain, &site)
            );
            page(&letter.subject, &body)
        }
        Err(response) => *response,
    }
}

async fn eml(State((mailbox, _)): State<Room>, Path(number): Path<i64>) -> Response {
    match found(&mailbox, number).await {
        Ok(letter) => ([(header::CONTENT_TYPE, "message/rfc822")], letter.bytes).into_response(),
        Err(response) => *response,
    }
}

async fn found(mailbox: &DevMailbox, number: i64) -> Result<StoredLetter, Box<Response>> {
    match mailbox.get(number).await {
        Ok(Some(letter)) => Ok(letter),
        Ok(None) => Err(Box::new((StatusCode::NOT_FOUND, "no such letter").into_response())),
        Err(fault) => Err(Box::new(broken(&fault))),
    }
}

fn broken(fault: &MailFault) -> Response {
    tracing::error!(%fault, "the development mailbox cannot be read");
    (StatusCode::INTERNAL_SERVER_ERROR, "the mailbox cannot be read").into_response()
}

fn page(title: &str, body: &str) -> Response {
    let title = escaped(title);
    let text = format!(
        "<!doctype html><html lang=\"zh-Hans\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><link rel=\"stylesheet\" href=\"/pages.css\">\
         <main><h1>{title}</h1>{body}</main></html>"
    );
    let mut response = super::pages::page(text);
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The text with the addresses of this site as links. They are paths, so that they lead to the same site by whatever
/// name of it the reader came; whatever else the text holds stays text.
fn linked(text: &str, site: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(site) {
        let (before, found) = rest.split_at(at);
        let end = found.find(|c: char| !c.is_ascii_graphic() || "<>\"'\\".contains(c));
        let (address, after) = found.split_at(end.unwrap_or(found.len()).max(site.len()));
        let path = &address[site.len()..];
        out.push_str(&escaped(before));
        if path.starts_with('/') && !path.starts_with("//") {
            out.push_str(&format!("<a href=\"{}\">{}</a>", escaped(path), escaped(address)));
        } else {
            out.push_str(&escaped(address));
        }
        rest = after;
    }
    out + &escaped(rest)
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_text_and_never_markup() {
        assert_eq!(escaped("<b a=\"x\">&'"), "&lt;b a=&quot;x&quot;&gt;&amp;&#39;");
    }

    #[test]
    fn addresses_of_this_site_alone_are_links() {
        let site = "http://127.0.0.1:8080";
        let shown = linked(
            "a <b>\n  http://127.0.0.1:8080/reset#token=1f&x。\nhttp://127.0.0.1:8080/",
            site,
        );
        let link =
            "<a href=\"/reset#token=1f&amp;x\">http://127.0.0.1:8080/reset#token=1f&amp;x</a>";
        let home = "<a href=\"/\">http://127.0.0.1:8080/</a>";
        assert_eq!(shown, format!("a &lt;b&gt;\n  {link}。\n{home}"));
        for other in [
            "https://elsewhere.example/x",
            "http://127.0.0.1:80801/x",
            "http://127.0.0.1:8080@elsewhere.example/x",
            "http://127.0.0.1:8080//elsewhere.example/x",
            "http://127.0.0.1:8080",
            "javascript:alert(1)",
        ] {
            assert_eq!(linked(other, site), other);
        }
        assert!(!linked("http://127.0.0.1:8080/\"onclick=x", site).contains("\"onclick"));
    }
}

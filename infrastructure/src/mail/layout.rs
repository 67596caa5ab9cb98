//! How a text is laid out: as plain text, and as HTML that needs nothing from elsewhere. Holds no words.

use super::Locale;
use super::texts::{Entry, Paragraph, Text, signature};

/// The text as plain text.
pub(super) fn plain(text: &Text, locale: Locale) -> String {
    let mut out = String::new();
    for paragraph in &text.paragraphs {
        match paragraph {
            Paragraph::Words(words) => out.push_str(words),
            Paragraph::Code(code) => {
                out.push_str("    ");
                out.push_str(code);
            }
            Paragraph::Link { words, url } => out.push_str(&format!("{words}\n{url}")),
            Paragraph::List(entries) => {
                let lines =
                    entries.iter().map(|Entry { words, url }| format!("· {words}\n  {url}"));
                out.push_str(&lines.collect::<Vec<_>>().join("\n"));
            }
        }
        out.push_str("\n\n");
    }
    out.push_str("-- \n");
    out.push_str(signature(locale));
    out.push('\n');
    out
}

/// The text as HTML.
pub(super) fn html(text: &Text, locale: Locale) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{}</title></head>\n\
         <body style=\"font-family:sans-serif;line-height:1.6;max-width:36em;margin:1em auto\">\n",
        locale.tag(),
        escape(&text.subject)
    );
    for paragraph in &text.paragraphs {
        match paragraph {
            Paragraph::Words(words) => out.push_str(&format!("<p>{}</p>\n", escape(words))),
            Paragraph::Code(code) => out.push_str(&format!(
                "<p style=\"font-size:2em;letter-spacing:.2em;font-family:monospace\">{}</p>\n",
                escape(code)
            )),
            Paragraph::Link { words, url } => {
                out.push_str(&format!("<p>{}</p>\n", anchor(words, url)));
            }
            Paragraph::List(entries) => {
                out.push_str("<ul>\n");
                for Entry { words, url } in entries {
                    out.push_str(&format!("<li>{}</li>\n", anchor(words, url)));
                }
                out.push_str("</ul>\n");
            }
        }
    }
    out.push_str(&format!(
        "<p style=\"color:#666;font-size:.85em\">{}</p>\n</body></html>\n",
        escape(signature(locale))
    ));
    out
}

fn anchor(words: &str, url: &str) -> String {
    format!("<a href=\"{}\">{}</a>", escape(url), escape(words))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("<b>&\""), "&lt;b&gt;&amp;&quot;");
        assert_eq!(anchor("a<", "x\"y"), "<a href=\"x&quot;y\">a&lt;</a>");
    }

    #[test]
    fn a_list_shows_each_place_under_its_words() {
        let entry = |words: &str| Entry { words: words.into(), url: format!("https://x/{words}") };
        let paragraphs = vec![Paragraph::List(vec![entry("a"), entry("b")])];
        let text = Text { subject: "s".into(), paragraphs };
        let shown = plain(&text, Locale::En);
        assert!(shown.starts_with("· a\n  https://x/a\n· b\n  https://x/b\n\n-- \n"), "{shown}");
        assert!(html(&text, Locale::En).contains("<li><a href=\"https://x/b\">b</a></li>"));
    }
}

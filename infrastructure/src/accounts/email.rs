//! Mail addresses as people type them, and the form by which two of them are the same. Must not ask whether
//! an address exists.

use super::Refusal;

/// A mail address that can be written to.
#[derive(Clone, PartialEq, Eq)]
pub struct Email {
    shown: String,
    key: String,
}

impl Email {
    /// Takes an address of the plain form `name@host.example`: at most 254 ASCII characters, no quotes, no
    /// comments, no bare numbers for a host.
    ///
    /// # Errors
    /// [`Refusal::EmailInvalid`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let shown = text.trim();
        let (name, host) = shown.rsplit_once('@').ok_or(Refusal::EmailInvalid)?;
        if shown.len() > 254 || !is_name(name) || !is_host(host) {
            return Err(Refusal::EmailInvalid);
        }
        Ok(Self { shown: shown.to_owned(), key: shown.to_ascii_lowercase() })
    }

    /// The address as it was typed, for mails.
    pub fn as_str(&self) -> &str {
        &self.shown
    }

    /// The address with most of its name hidden, for whoever knows it to recognise.
    pub(super) fn masked(&self) -> String {
        let (name, host) = self.shown.rsplit_once('@').unwrap_or_default();
        format!("{}***@{host}", name.chars().next().unwrap_or('*'))
    }

    /// The normalised address: equal for addresses that differ in case only.
    pub fn key(&self) -> &str {
        &self.key
    }
}

/// Does not print the address.
impl std::fmt::Debug for Email {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Email(…)")
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 64
        && name.split('.').all(|part| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b))
        })
}

fn is_host(host: &str) -> bool {
    let labels: Vec<&str> = host.split('.').collect();
    labels.len() >= 2
        && labels.iter().all(|label| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        })
        && labels.last().is_some_and(|top| top.bytes().any(|b| b.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_addresses_pass_and_meet_by_key() {
        let one = Email::parse("  North.Wind+go@Example.ORG ").unwrap();
        assert_eq!(one.as_str(), "North.Wind+go@Example.ORG");
        assert_eq!(one.key(), Email::parse("north.wind+GO@example.org").unwrap().key());
        assert!(!format!("{one:?}").contains("North"));
        assert_eq!(one.masked(), "N***@Example.ORG");
        for good in ["a@b.cd", "x_y@sub.host-1.example", "o'b@example.org"] {
            assert!(Email::parse(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        let long = format!("{}@example.org", "a".repeat(65));
        let far = format!("a@{}.org", "b.".repeat(130));
        for bad in [
            "",
            "@",
            "a",
            "a@",
            "@b.cd",
            "a@b",
            "a b@c.de",
            "a@b.cd\r\nBcc: x@y.zz",
            "a@@b.cd",
            ".a@b.cd",
            "a.@b.cd",
            "a..b@c.de",
            "\"a\"@b.cd",
            "a@[127.0.0.1]",
            "a@127.0.0.1",
            "a@-b.cd",
            "a@b..cd",
            "a@b.cd.",
            "ä@b.cd",
            "a@ü.de",
            "a@b.cd,c@d.ef",
            "<a@b.cd>",
            "a\0@b.cd",
            &long,
            &far,
        ] {
            assert_eq!(Email::parse(bad), Err(Refusal::EmailInvalid), "{bad}");
        }
    }
}

//! Why an administrator did something, as a code. Free words stay out of the log: they could hold
//! personal data, which nobody could erase there.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A stable reason code: 1 to 40 of `a-z`, `0-9` and `_`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Reason(String);

/// The text is no reason code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a reason is a code of 1 to 40 letters a-z, digits and underscores")]
pub struct NotAReason;

impl FromStr for Reason {
    type Err = NotAReason;
    fn from_str(text: &str) -> Result<Self, NotAReason> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if (1..=40).contains(&text.len()) && text.bytes().all(plain) {
            Ok(Self(text.to_owned()))
        } else {
            Err(NotAReason)
        }
    }
}

impl TryFrom<String> for Reason {
    type Error = NotAReason;
    fn try_from(text: String) -> Result<Self, NotAReason> {
        text.parse()
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> Self {
        reason.0
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

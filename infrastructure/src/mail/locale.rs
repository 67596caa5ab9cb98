//! The languages that mails are written in. Holds no text.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A language of the product.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Locale {
    /// Simplified Chinese (简体中文).
    #[default]
    #[serde(rename = "zh-Hans")]
    ZhHans,
    /// Traditional Chinese (繁體中文).
    #[serde(rename = "zh-Hant")]
    ZhHant,
    /// English.
    #[serde(rename = "en")]
    En,
}

/// The text names no language of the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the language is none of zh-Hans, zh-Hant, en")]
pub struct UnknownLocale;

impl Locale {
    /// All languages.
    pub const ALL: [Self; 3] = [Self::ZhHans, Self::ZhHant, Self::En];

    /// The language's tag (BCP 47).
    pub const fn tag(self) -> &'static str {
        match self {
            Self::ZhHans => "zh-Hans",
            Self::ZhHant => "zh-Hant",
            Self::En => "en",
        }
    }
}

impl fmt::Display for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

impl FromStr for Locale {
    type Err = UnknownLocale;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|locale| locale.tag().eq_ignore_ascii_case(text))
            .ok_or(UnknownLocale)
    }
}

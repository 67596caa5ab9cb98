//! What the banner says to everybody. Must not judge what is said, only whether it can be shown in one line.

use super::refusal::SiteRefusal;
use crate::kernel::{Time, is_plain};
use unicode_normalization::UnicodeNormalization;

/// Most characters (code points) of an announcement.
pub const MOST_CHARACTERS: usize = 500;

/// What the banner says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Announcement {
    /// The text, in one line.
    pub text: String,
    /// Since when it says so.
    pub since: Time,
}

/// The text as it is shown, trimmed and in NFC; `None` when nothing is left of it.
///
/// # Errors
/// `INVALID_ANNOUNCEMENT`.
pub(super) fn checked(text: &str) -> Result<Option<String>, SiteRefusal> {
    // Bounds the work below: NFC makes no text a quarter as long.
    if text.len() > MOST_CHARACTERS * 16 {
        return Err(SiteRefusal::InvalidAnnouncement);
    }
    let text: String = text.trim().nfc().collect();
    if text.chars().count() > MOST_CHARACTERS || !text.chars().all(is_plain) {
        return Err(SiteRefusal::InvalidAnnouncement);
    }
    Ok(Some(text).filter(|text| !text.is_empty()))
}

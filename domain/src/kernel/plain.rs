//! Which characters may stand in a text that other people or the writer read later, and how a text with others is
//! shown all the same. Judges single characters; how long a text may be is said where the text belongs.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Whether the character shows what it is and where it stands: no control or format character (what turns the
/// direction of writing is one), no line or paragraph separator, nothing private or unassigned.
pub fn is_plain(c: char) -> bool {
    let breaks = matches!(
        c.general_category(),
        GeneralCategory::LineSeparator | GeneralCategory::ParagraphSeparator
    );
    !breaks && c.general_category_group() != GeneralCategoryGroup::Other
}

/// The text for a screen: each character that is not plain is written as `\u{202e}`, so that nothing in it turns, hides
/// or breaks what stands beside it.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_plain(c) {
            shown.push(c);
        } else {
            shown.extend(c.escape_unicode());
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_breaks_or_hides_is_not_plain() {
        for c in ['a', '炮', ' ', '　', '？', '🔥', '\u{fe0f}', '\u{301}'] {
            assert!(is_plain(c), "{c:?}");
        }
        for c in [
            '\0',
            '\n',
            '\t',
            '\u{7f}',
            '\u{85}',
            '\u{ad}',
            '\u{61c}',
            '\u{200b}',
            '\u{200d}',
            '\u{200f}',
            '\u{2028}',
            '\u{2029}',
            '\u{202e}',
            '\u{2066}',
            '\u{feff}',
            '\u{e000}',
            '\u{e0041}',
            '\u{378}',
        ] {
            assert!(!is_plain(c), "{c:?}");
            assert!(visible(&c.to_string()).starts_with("\\u{"), "{c:?}");
        }
        assert_eq!(visible("棋\u{202e}手\n🔥"), "棋\\u{202e}手\\u{a}🔥");
    }
}

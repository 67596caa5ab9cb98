//! What may be a nickname (昵称), and when two nicknames are the same. Pure rules: whether a name is free
//! is known elsewhere, and nothing here changes what is already in use.

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

/// Most characters as people count them (grapheme clusters).
pub const MOST_CHARACTERS: usize = 16;

/// Most code points, so that one "character" cannot be piled up without end.
pub const MOST_CODE_POINTS: usize = 64;

/// Names of the house itself and of its parts, as their [skeletons](Nickname::skeleton).
const RESERVED: &str = "系统 系統 管理员 管理員 管理 官方 客服 裁判 已注销 已註銷 已注銷 注销 註銷 \
    匿名 异步 異步 异步棋 異步棋 admin administrator root system sysop house moderator official support \
    staff webmaster postmaster deleted anonymous null undefined everyone yibu";

/// Words that no nickname may begin with, as skeletons: they would speak for the house.
const RESERVED_BEGINNINGS: &str = "陪练 陪練 系统 系統 管理员 管理員 官方 已注销 已註銷 已注銷";

/// Why a text cannot be a nickname. The caller answers `NICKNAME_INVALID` to all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NicknameFault {
    /// Nothing is left after trimming.
    #[error("the nickname is empty")]
    Empty,
    /// More than [`MOST_CHARACTERS`] or [`MOST_CODE_POINTS`].
    #[error("the nickname is too long")]
    TooLong,
    /// Control, format, bidirectional, invisible, private or unassigned characters.
    #[error("the nickname contains a character that is not allowed")]
    Character,
    /// A name of the house, or one that looks like it.
    #[error("the nickname is reserved")]
    Reserved,
}

/// A checked nickname: trimmed, in NFC, within the limits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Nickname(String);

impl Nickname {
    /// Checks a nickname that a person wishes to have.
    ///
    /// # Errors
    /// The first rule that the text breaks.
    pub fn parse(text: &str) -> Result<Self, NicknameFault> {
        let name = Self::parse_unreserved(text)?;
        if name.is_reserved() {
            return Err(NicknameFault::Reserved);
        }
        Ok(name)
    }

    /// Checks the name of a house player: all rules but the reserved names.
    ///
    /// # Errors
    /// The first rule that the text breaks.
    pub fn parse_unreserved(text: &str) -> Result<Self, NicknameFault> {
        // Bounds the work below: NFC never makes a name of this length short enough.
        if text.len() > 4096 {
            return Err(NicknameFault::TooLong);
        }
        let name: String = text.trim().nfc().collect();
        if name.is_empty() {
            return Err(NicknameFault::Empty);
        }
        if name.chars().count() > MOST_CODE_POINTS || name.graphemes(true).count() > MOST_CHARACTERS
        {
            return Err(NicknameFault::TooLong);
        }
        let mut before = None;
        for c in name.chars() {
            if !may_follow(c, before) {
                return Err(NicknameFault::Character);
            }
            before = Some(c);
        }
        Ok(Self(name))
    }

    /// The name as it is shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Two nicknames are the same when these are equal: compatibility forms, case and repeated or wide
    /// spaces make no difference, nor does the sign that turns a symbol into a coloured picture.
    pub fn folded(&self) -> String {
        fold(&self.0)
    }

    /// What remains of the name for a hasty eye: letters and digits only, look-alikes made one; empty for a name
    /// of signs alone. No name may have that of a reserved one, and no two people may have the same at a time.
    pub fn skeleton(&self) -> String {
        let letters = self.folded();
        // Marks go after decomposition, so that `ádmin` reads `admin`.
        letters
            .nfd()
            .filter(|c| {
                matches!(
                    c.general_category_group(),
                    GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number
                ) || matches!(c, '@' | '$' | '|' | '!')
            })
            .map(look_alike)
            .collect()
    }

    fn is_reserved(&self) -> bool {
        let skeleton = self.skeleton();
        if RESERVED_BEGINNINGS.split_whitespace().any(|word| skeleton.starts_with(word)) {
            return true;
        }
        // `admin7` is as misleading as `admin`. Digits read as letters were joined above, so both
        // readings are compared.
        let plain: String = fold(&self.0).chars().filter(|c| c.is_alphanumeric()).collect();
        let stem = plain.trim_matches(|c: char| c.is_ascii_digit());
        RESERVED.split_whitespace().any(|word| {
            let word = word.chars().map(look_alike);
            word.clone().eq(skeleton.chars()) || word.eq(stem.chars().map(look_alike))
        })
    }
}

impl std::fmt::Display for Nickname {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The form by which any text, checked or not, is looked up among nicknames.
pub fn fold(text: &str) -> String {
    // Upper case first: it knows the one-to-many pairs (ß, ﬀ) that lower case alone leaves apart.
    let lowered = text
        .nfkc()
        .filter(|c| !is_picture_sign(*c))
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .map(|c| if c == 'ς' { 'σ' } else { c });
    let folded: String = lowered.nfkc().collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Variation selectors 15 and 16: a symbol as text or as a picture.
fn is_picture_sign(c: char) -> bool {
    matches!(c, '\u{FE0E}' | '\u{FE0F}')
}

/// Whether the character may stand in a nickname after the one before it.
fn may_follow(c: char, before: Option<char>) -> bool {
    if is_picture_sign(c) {
        return before.is_some_and(|b| b.general_category_group() == GeneralCategoryGroup::Symbol);
    }
    if is_invisible(c) {
        return false;
    }
    match c.general_category_group() {
        GeneralCategoryGroup::Other => false,
        // Of all spaces only the plain and the ideographic one; never two in a row.
        GeneralCategoryGroup::Separator => {
            matches!(c, ' ' | '\u{3000}') && before.is_some_and(|b| !matches!(b, ' ' | '\u{3000}'))
        }
        // A mark needs something to stand on, and enclosing marks hide what they enclose.
        GeneralCategoryGroup::Mark => {
            c.general_category() != GeneralCategory::EnclosingMark
                && before.is_some_and(|b| !matches!(b, ' ' | '\u{3000}'))
        }
        _ => true,
    }
}

/// Characters that count as letters, marks or symbols but show nothing.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{034F}'
            | '\u{115F}'
            | '\u{1160}'
            | '\u{17B4}'
            | '\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0D}'
            | '\u{FFA0}'
            | '\u{FFFC}'
            | '\u{FFFD}'
            | '\u{1D159}'
            | '\u{E0100}'..='\u{E01EF}'
    )
}

/// One letter for all that look like it: Cyrillic and Greek twins of Latin letters, digits that pass for
/// letters, and the letters i and l.
fn look_alike(c: char) -> char {
    match c {
        '0' | 'о' | 'ο' | 'օ' | '〇' => 'o',
        '1' | 'i' | 'ı' | 'і' | 'ι' | 'ӏ' | '|' | '!' => 'l',
        'а' | 'α' | '@' | '4' => 'a',
        'в' | 'β' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' | 'ɗ' => 'd',
        'е' | 'ε' | '3' | 'є' => 'e',
        'һ' | 'н' => 'h',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'м' | 'μ' => 'm',
        'п' | 'η' | 'ո' => 'n',
        'р' | 'ρ' => 'p',
        'ѕ' | '5' | '$' => 's',
        'т' | 'τ' | '7' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'х' | 'χ' => 'x',
        'у' | 'γ' | 'ү' => 'y',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fault(text: &str) -> Option<NicknameFault> {
        Nickname::parse(text).err()
    }

    #[test]
    fn ordinary_names_pass_trimmed_and_composed() {
        for name in [
            "山",
            "静水流深",
            "North Wind",
            "Ôde",
            "ねこ",
            "한국",
            "❤️",
            "🔥炮",
            "a",
            "7",
            "O'x-9",
            "Modest",
            "systematic",
            "hostile",
            "八一 小兵",
            "system of a dawn",
        ] {
            assert_eq!(Nickname::parse(&format!("  {name} ")).unwrap().as_str(), name, "{name}");
        }
        assert_eq!(Nickname::parse("e\u{301}").unwrap().as_str(), "é");
    }

    #[test]
    fn length_is_counted_as_people_count() {
        assert!(Nickname::parse(&"棋".repeat(16)).is_ok());
        assert_eq!(fault(&"棋".repeat(17)), Some(NicknameFault::TooLong));
        // 16 clusters of 4 code points are 64; one more mark is too much.
        let tall = "x\u{304}\u{323}\u{330}".repeat(16);
        assert!(Nickname::parse(&tall).is_ok());
        assert_eq!(fault(&format!("{tall}\u{331}")), Some(NicknameFault::TooLong));
        assert_eq!(fault(&"a".repeat(1_000_000)), Some(NicknameFault::TooLong));
        for empty in ["", "   ", "\u{3000}\t\n"] {
            assert_eq!(fault(empty), Some(NicknameFault::Empty));
        }
    }

    #[test]
    fn nothing_invisible_or_turning_gets_in() {
        for c in [
            '\0',
            '\u{7}',
            '\n',
            '\u{7f}',
            '\u{85}',
            '\u{ad}',
            '\u{34f}',
            '\u{61c}',
            '\u{115f}',
            '\u{180e}',
            '\u{200b}',
            '\u{200c}',
            '\u{200d}',
            '\u{200e}',
            '\u{200f}',
            '\u{2028}',
            '\u{202a}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{2800}',
            '\u{3164}',
            '\u{fe00}',
            '\u{feff}',
            '\u{ffa0}',
            '\u{fffd}',
            '\u{e000}',
            '\u{e0041}',
            '\u{e0100}',
            '\u{a0}',
            '\u{2003}',
            '\u{fe0f}',
            '\u{20dd}',
            '\u{378}',
        ] {
            assert_eq!(fault(&format!("a{c}b")), Some(NicknameFault::Character), "{c:?}");
        }
        assert_eq!(fault("a  b"), Some(NicknameFault::Character));
        assert_eq!(fault("\u{301}a"), Some(NicknameFault::Character));
    }

    #[test]
    fn the_house_keeps_its_names_and_their_doubles() {
        for name in [
            "系统",
            "管理员",
            "管理員",
            "已注销",
            "系统消息",
            "系 统",
            "【系统】",
            "已注销1",
            "admin",
            "ADMIN",
            "ＡＤＭＩＮ",
            "аdmin",
            "Adm1n",
            "@dmin",
            "a.d.m.i.n",
            "Admín",
            "admin7",
            "root",
            "System",
            "ѕуѕтем",
            "house",
            "HOUSE",
            "h0use",
            "Yibu",
            "y1bu",
            "yibu.",
            "客服",
            "Administrator",
        ] {
            assert_eq!(fault(name), Some(NicknameFault::Reserved), "{name}");
            assert!(Nickname::parse_unreserved(name).is_ok());
        }
    }

    #[test]
    fn case_and_form_do_not_make_another_name() {
        let folded = |text: &str| Nickname::parse(text).unwrap().folded();
        for (a, b) in [
            ("Straße", "STRASSE"),
            ("Ａｂｃ", "abc"),
            ("ΣΑΣ", "σας"),
            ("É", "e\u{301}"),
            ("a　b", "A B"),
            ("❤️", "❤"),
            ("ﬀ", "FF"),
        ] {
            assert_eq!(folded(a), folded(b), "{a} {b}");
        }
        assert_ne!(folded("山水"), folded("水山"));
        assert_ne!(folded("ab"), folded("a b"));
    }

    proptest! {
        #[test]
        fn any_text_is_judged_without_panic_and_stays_judged(text in "\\PC{0,24}|.{0,24}") {
            if let Ok(name) = Nickname::parse(&text) {
                let again = Nickname::parse(name.as_str()).unwrap();
                prop_assert_eq!(&again, &name);
                prop_assert_eq!(fold(&name.folded()), name.folded());
                prop_assert_eq!(fold(&text), name.folded());
            }
        }
    }
}

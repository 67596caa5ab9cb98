//! Which passwords are taken. Pure; must never keep or print one.

use super::Refusal;
use unicode_normalization::UnicodeNormalization;

/// Fewest characters (code points).
pub const LEAST_CHARACTERS: usize = 10;

/// Most characters (code points).
pub const MOST_CHARACTERS: usize = 128;

/// Passwords that are guessed first, lower case, one a line; only such as are long enough to be taken.
const COMMON: &str = include_str!("common_passwords.txt");

/// A password in the one form in which it is hashed, whatever keyboard composed it.
pub(super) fn normal(password: &str) -> String {
    password.nfc().collect()
}

/// Judges a new password and gives its [`normal`] form.
pub(super) fn judge(password: &str) -> Result<String, Refusal> {
    // No normal form is shorter than a quarter of the text: spares the work on absurd ones.
    if password.len() > MOST_CHARACTERS * 16 {
        return Err(Refusal::PasswordTooLong);
    }
    let normal = normal(password);
    let length = normal.chars().count();
    if length < LEAST_CHARACTERS {
        Err(Refusal::PasswordTooShort)
    } else if length > MOST_CHARACTERS {
        Err(Refusal::PasswordTooLong)
    } else if is_common(&normal) {
        Err(Refusal::PasswordTooCommon)
    } else {
        Ok(normal)
    }
}

fn is_common(password: &str) -> bool {
    let lower = password.to_lowercase();
    let lower = lower.trim();
    if COMMON.lines().any(|line| line == lower) {
        return true;
    }
    // One character over and over, or a straight run such as 23456789012 or abcdefghij.
    let chars: Vec<u32> = lower.chars().map(u32::from).collect();
    [0, 1, -1].into_iter().any(|step: i64| {
        chars.windows(2).all(|pair| {
            let difference = i64::from(pair[1]) - i64::from(pair[0]);
            difference == step || (step != 0 && difference == -9 * step && is_digit(pair[1]))
        })
    })
}

fn is_digit(code_point: u32) -> bool {
    char::from_u32(code_point).is_some_and(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_is_counted_in_characters() {
        assert_eq!(judge("river bed"), Err(Refusal::PasswordTooShort));
        assert!(judge("river beds").is_ok());
        assert_eq!(judge("一二三四五六七八九"), Err(Refusal::PasswordTooShort));
        assert!(judge("一二三四五六七八九十").is_ok());
        let long: String = "山水".repeat(64);
        assert!(judge(&long).is_ok());
        assert_eq!(judge(&format!("{long}!")), Err(Refusal::PasswordTooLong));
        assert_eq!(judge(&"ab".repeat(500_000)), Err(Refusal::PasswordTooLong));
        assert_eq!(judge("re\u{301}sume\u{301} 777").unwrap(), "résumé 777");
    }

    #[test]
    fn what_everybody_tries_first_is_refused() {
        for common in [
            "1234567890",
            "Password123",
            "QWERTYUIOP",
            "woaini5201314",
            "aaaaaaaaaaaa",
            "23456789012",
            "lkjihgfedcba",
            "  password123  ",
            "一一一一一一一一一一",
            "6543210987",
        ] {
            assert_eq!(judge(common), Err(Refusal::PasswordTooCommon), "{common}");
        }
        assert!(judge("seven old oaks").is_ok());
    }

    #[test]
    fn the_list_is_of_use() {
        let lines: Vec<&str> = COMMON.lines().collect();
        assert!(lines.len() >= 200);
        assert!(lines.is_sorted());
        for line in lines {
            assert!(line.chars().count() >= LEAST_CHARACTERS && line == line.to_lowercase());
        }
    }
}

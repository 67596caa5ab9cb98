//! Bytes to JSON with limits that are checked before anything is built, and fields taken out by name with their path.

use super::{FileFault, Wrong};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The deepest nesting.
pub(super) const MOST_LEVELS: usize = 32;
/// The most values of one file: bounds the memory that a file can take. A match of a thousand moves has about 60 000.
const MOST_VALUES: usize = 2_000_000;

/// The object that a file is.
pub(super) fn object(bytes: &[u8], most_bytes: usize) -> Result<Map<String, Value>, FileFault> {
    let whole = |wrong, told: String| FileFault::new(wrong, "", told);
    bounded(bytes, most_bytes)?;
    let text = std::str::from_utf8(bytes).map_err(|error| {
        whole(Wrong::NotUtf8, format!("byte {}: not UTF-8", error.valid_up_to()))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    measure(text)?;
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(whole(Wrong::OtherFormat, "not an object".to_owned())),
        Err(error) => Err(whole(
            Wrong::NotJson,
            match lone_surrogate(text, &error) {
                Some(at) => format!("not JSON: a lone surrogate escape at byte {at}"),
                None => format!("not JSON: {error}"),
            },
        )),
    }
}

/// No file is larger than its format allows.
pub(super) fn bounded(bytes: &[u8], most: usize) -> Result<(), FileFault> {
    if bytes.len() <= most {
        return Ok(());
    }
    let told = format!("{} bytes; {most} are read at most", bytes.len());
    Err(FileFault::new(Wrong::TooLarge, "", told))
}

/// Where half of a pair of escapes stands alone, if that is what the parser stopped at; its own words do not say so.
fn lone_surrogate(text: &str, error: &serde_json::Error) -> Option<usize> {
    let before: usize =
        text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let stopped = before + error.column();
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut at = 0;
    // Every escape before that is whole, or the parser had stopped there.
    while let Some(found) = text.get(at..stopped).and_then(|rest| rest.find('\\')) {
        at += found;
        at += match (unit(at), unit(at + 6)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 12,
            (Some(0xd800..0xe000), _) => return Some(at),
            (Some(_), _) => 6,
            (None, _) => 2,
        };
    }
    None
}

/// One pass over the text: depth and number of values. Where it is no JSON, the parser will say so.
fn measure(text: &str) -> Result<(), FileFault> {
    let (mut level, mut values, mut quoted, mut escaped) = (0_usize, 1_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if quoted {
            (quoted, escaped) = (escaped || byte != b'"', !escaped && byte == b'\\');
            continue;
        }
        match byte {
            b'"' => quoted = true,
            b'[' | b'{' => {
                (level, values) = (level + 1, values + 1);
                if level > MOST_LEVELS {
                    let told = format!("byte {at}: deeper than {MOST_LEVELS} levels");
                    return Err(FileFault::new(Wrong::TooDeep, "", told));
                }
            }
            b']' | b'}' => level = level.saturating_sub(1),
            b',' => values += 1,
            _ => {}
        }
        if values > MOST_VALUES {
            let told = format!("byte {at}: more than {MOST_VALUES} values");
            return Err(FileFault::new(Wrong::TooManyValues, "", told));
        }
    }
    Ok(())
}

/// The path of a field.
pub(super) fn path(of: &str, name: &str) -> String {
    if of.is_empty() { name.to_owned() } else { format!("{of}.{name}") }
}

/// Takes a field out.
pub(super) fn field(of: &mut Map<String, Value>, name: &str, at: &str) -> Result<Value, FileFault> {
    let missing = || FileFault::new(Wrong::Field, path(at, name), "is missing");
    of.remove(name).ok_or_else(missing)
}

/// Takes a field out as what it should be.
pub(super) fn take<T: DeserializeOwned>(
    of: &mut Map<String, Value>,
    name: &str,
    at: &str,
) -> Result<T, FileFault> {
    let value = field(of, name, at)?;
    as_is(value, &path(at, name))
}

/// A value as what it should be.
pub(super) fn as_is<T: DeserializeOwned>(value: Value, at: &str) -> Result<T, FileFault> {
    serde_json::from_value(value)
        .map_err(|error| FileFault::new(Wrong::Field, at, plainly(&error.to_string())))
}

/// What the reader of values says, without the names that types have in the program.
fn plainly(told: &str) -> String {
    let Some((found, expected)) = told.rsplit_once(", expected ") else { return told.to_owned() };
    let words = match expected.split(' ').next().unwrap_or_default() {
        "u8" => "a whole number from 0 to 255",
        "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "struct" | "internally" => "an object",
        "enum" | "variant" => "a word that is known there",
        _ => expected,
    };
    format!("{found}, expected {words}")
}

/// Takes an object out.
pub(super) fn map(
    of: &mut Map<String, Value>,
    name: &str,
    at: &str,
) -> Result<Map<String, Value>, FileFault> {
    match field(of, name, at)? {
        Value::Object(map) => Ok(map),
        _ => Err(FileFault::new(Wrong::Field, path(at, name), "is no object")),
    }
}

/// Takes a list out.
pub(super) fn list(
    of: &mut Map<String, Value>,
    name: &str,
    at: &str,
    most: usize,
) -> Result<Vec<Value>, FileFault> {
    match field(of, name, at)? {
        Value::Array(list) if list.len() <= most => Ok(list),
        Value::Array(list) => {
            let told = format!("{} entries; there can be {most}", list.len());
            Err(FileFault::new(Wrong::TooMany, path(at, name), told))
        }
        _ => Err(FileFault::new(Wrong::Field, path(at, name), "is no list")),
    }
}

/// Takes a list out, each entry as what it should be.
pub(super) fn all<T: DeserializeOwned>(
    of: &mut Map<String, Value>,
    name: &str,
    at: &str,
    most: usize,
) -> Result<Vec<T>, FileFault> {
    let place = path(at, name);
    let entries = list(of, name, at, most)?.into_iter().enumerate();
    entries.map(|(n, value)| as_is(value, &format!("{place}[{n}]"))).collect()
}

/// Nothing may be left.
pub(super) fn nothing_else(of: &Map<String, Value>, at: &str) -> Result<(), FileFault> {
    match of.keys().next() {
        Some(name) => Err(FileFault::new(Wrong::Field, path(at, name), "is not known")),
        None => Ok(()),
    }
}

/// The version of a file of this format.
pub(super) fn version(of: &mut Map<String, Value>, format: &str) -> Result<u64, FileFault> {
    if of.remove("format").as_ref().and_then(Value::as_str) != Some(format) {
        let told = format!("not a file of the format {format}");
        return Err(FileFault::new(Wrong::OtherFormat, "format", told));
    }
    let version = field(of, "version", "")?;
    version.as_u64().ok_or_else(|| unknown_version(&version))
}

/// Nobody here knows this version.
pub(super) fn unknown_version(version: &Value) -> FileFault {
    FileFault::new(Wrong::Version, "version", format!("{version} is no version that is known"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> Option<Wrong> {
        object(text.as_bytes(), 1 << 20).err().map(|fault| fault.wrong)
    }

    #[test]
    fn half_a_pair_of_escapes_is_named_with_its_place() {
        let told = |text: &str| object(text.as_bytes(), 99).unwrap_err().told;
        for (text, at) in [
            (r#"{"a":"\ud800"}"#, 6),
            (r#"{"a":"\ud800x"}"#, 6),
            (r#"{"a":"\ud800\u0041"}"#, 6),
            (r#"{"a":"\udc00"}"#, 6),
            ("{\n\"a\": \"\\\\ud800 \\ud83d\\ude00\\uD83D\"}", 28),
        ] {
            assert_eq!(told(text), format!("not JSON: a lone surrogate escape at byte {at}"));
        }
        for text in [r#"{"a":"\u12"}"#, r#"{"a":"\ud83d\ude00" "\ud800"}"#, r#"{"a":"\ud83"#] {
            assert!(told(text).contains("line 1 column"), "{}", told(text));
        }
    }

    #[test]
    fn values_are_missed_in_words() {
        let told = |value: Value| as_is::<u8>(value, "a").unwrap_err().told;
        assert!(told(Value::from(300)).ends_with("expected a whole number from 0 to 255"));
        assert!(
            told(Value::from("x, expected y")).ends_with("expected a whole number from 0 to 255")
        );
        assert_eq!(plainly("missing field `id`"), "missing field `id`");
        assert_eq!(plainly("it is 1, expected struct Kept"), "it is 1, expected an object");
    }

    #[test]
    fn limits_hold_before_anything_is_built() {
        assert_eq!(wrong("{}"), None);
        assert_eq!(wrong("\u{feff}{}"), None);
        let nested = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(wrong(&nested(MOST_LEVELS)), Some(Wrong::OtherFormat));
        assert_eq!(wrong(&nested(MOST_LEVELS + 1)), Some(Wrong::TooDeep));
        assert_eq!(wrong(&"[".repeat(MOST_LEVELS + 1)), Some(Wrong::TooDeep));
        let quoted = format!("{{\"a\":\"\\\"{}\"}}", "[".repeat(100));
        assert_eq!(wrong(&quoted), None);
        assert_eq!(wrong(""), Some(Wrong::NotJson));
        assert_eq!(object(b"\xff", 9).unwrap_err().wrong, Wrong::NotUtf8);
        assert_eq!(object(b"{}        ", 9).unwrap_err().wrong, Wrong::TooLarge);
        let many = format!("[{}0]", "0,".repeat(MOST_VALUES));
        assert_eq!(object(many.as_bytes(), 1 << 24).unwrap_err().wrong, Wrong::TooManyValues);
    }
}

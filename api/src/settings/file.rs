//! The TOML file as a flat list of names and texts with their lines. Must not know which names exist.

use super::key::name_of;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One value of a file.
pub(super) struct Entry {
    /// The whole name.
    pub(super) name: String,
    /// Its line, from 1.
    pub(super) line: usize,
    /// The text; lists are joined by commas. None for a table below a section.
    pub(super) value: Option<String>,
}

/// Reads a file.
///
/// # Errors
/// It is not TOML: what is wrong, and in which line.
pub(super) fn entries(text: &str) -> Result<Vec<Entry>, String> {
    let table = DeTable::parse(text).map_err(|error| {
        let line = line_of(text, &error.span().unwrap_or_default());
        format!("line {line}: {}", error.message())
    })?;
    let mut found = Vec::new();
    for (key, value) in table.get_ref() {
        let name = key.get_ref();
        match value.get_ref() {
            DeValue::Table(section) => {
                for (field, value) in section {
                    let line = line_of(text, &field.span());
                    let value = value_text(text, value);
                    found.push(Entry { name: name_of(name, field.get_ref()), line, value });
                }
            }
            _ => {
                let line = line_of(text, &key.span());
                let value = value_text(text, value);
                found.push(Entry { name: name.to_string(), line, value });
            }
        }
    }
    Ok(found)
}

fn value_text(text: &str, value: &Spanned<DeValue<'_>>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(string) => Some(string.to_string()),
        DeValue::Table(_) => None,
        DeValue::Array(array) => {
            let parts: Option<Vec<String>> =
                array.iter().map(|one| value_text(text, one)).collect();
            Some(parts?.join(","))
        }
        // Numbers and the like as they are written; which of them are allowed is not for here.
        _ => text.get(value.span()).map(|written| written.replace('_', "")),
    }
}

fn line_of(text: &str, span: &Range<usize>) -> usize {
    text.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1
}

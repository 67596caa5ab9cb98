//! The TOML file as a flat list of names and texts with their lines. Must not know which names exist.

use super::key::{Form, name_of};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One value of a file.
pub(super) struct Entry {
    /// The whole name.
    pub(super) name: String,
    /// Its line, from 1.
    pub(super) line: usize,
    /// The text, and how it stands there, where any key may stand so; lists are joined by commas. None for a table
    /// below a section.
    pub(super) value: Option<(String, Option<Form>)>,
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

fn value_text(text: &str, value: &Spanned<DeValue<'_>>) -> Option<(String, Option<Form>)> {
    match value.get_ref() {
        DeValue::String(string) => Some((string.to_string(), Some(Form::Text))),
        DeValue::Table(_) => None,
        DeValue::Array(array) => {
            let parts: Option<Vec<_>> = array.iter().map(|one| value_text(text, one)).collect();
            let parts = parts?;
            let texts = parts.iter().all(|(_, form)| *form == Some(Form::Text));
            let joined = parts.into_iter().map(|(one, _)| one).collect::<Vec<_>>().join(",");
            Some((joined, texts.then_some(Form::List)))
        }
        // Numbers and the like as they are written; which of them are allowed is not for here.
        _ => text.get(value.span()).map(|written| (written.replace('_', ""), Some(Form::Plain))),
    }
}

fn line_of(text: &str, span: &Range<usize>) -> usize {
    text.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1
}

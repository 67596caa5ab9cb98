//! The settings as they hold, for a person or a script. Must not show a secret.

use super::keys;
use super::values::Values;
use serde::Serialize;

/// A setting as it holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Shown {
    /// The whole name.
    pub name: String,
    /// The value; of a secret only that it is set.
    pub value: String,
    /// Who gave it.
    pub source: String,
}

/// Every setting as it holds, in the order of the table.
pub fn shown(values: &Values) -> Vec<Shown> {
    let one = |key: &'static super::Key| {
        let (text, source) = values.of(key);
        let masked = key.secret && !text.is_empty();
        let value = if masked { "(set)".to_owned() } else { text.to_owned() };
        Shown { name: key.name(), value, source: source.to_string() }
    };
    keys().map(one).collect()
}

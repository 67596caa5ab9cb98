//! The events of a batch as the columns that are sent, each in the server's own binary form of an array. Written row
//! by row as the commits are judged, so that nothing is left to do when the batch goes. Knows no SQL.

use super::{metadata, names};
use crate::log::port::Stored;
use sqlx::encode::{Encode, IsNull};
use sqlx::error::BoxDynError;
use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgArgumentBuffer, PgTypeInfo};
use sqlx::{Postgres, Type};
use std::marker::PhantomData;

/// A type of PostgreSQL's: its object id and that of its arrays, which are the same in every database.
pub(super) trait Element {
    const ONE: u32;
    const MANY: u32;
}

macro_rules! element {
    ($name:ident, $one:literal, $many:literal) => {
        pub(super) struct $name;
        impl Element for $name {
            const ONE: u32 = $one;
            const MANY: u32 = $many;
        }
    };
}
element!(Bytea, 17, 1001);
element!(Bigint, 20, 1016);
element!(Text, 25, 1009);
element!(Json, 114, 199);

/// Values of one column, none of them null.
pub(super) struct Column<E> {
    values: Vec<u8>,
    count: i32,
    element: PhantomData<E>,
}

impl<E> Default for Column<E> {
    fn default() -> Self {
        Self { values: Vec::new(), count: 0, element: PhantomData }
    }
}

impl<E> Column<E> {
    fn push(&mut self, value: &[u8]) {
        self.values.extend_from_slice(&length(value.len()));
        self.values.extend_from_slice(value);
        self.count += 1;
    }

    /// A value that `write` makes in place.
    fn push_with<F>(&mut self, write: impl FnOnce(&mut Vec<u8>) -> Result<(), F>) -> Result<(), F> {
        let at = self.values.len();
        self.values.extend_from_slice(&[0; 4]);
        let from = self.values.len();
        write(&mut self.values)?;
        let written = length(self.values.len() - from);
        self.values[at..from].copy_from_slice(&written);
        self.count += 1;
        Ok(())
    }
}

/// How the server is told a length. One that it cannot have ends in its refusal of the whole.
fn length(bytes: usize) -> [u8; 4] {
    i32::try_from(bytes).unwrap_or(i32::MAX).to_be_bytes()
}

impl<E: Element> Type<Postgres> for Column<E> {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(E::MANY))
    }
}

impl<E: Element> Encode<'_, Postgres> for Column<E> {
    /// One dimension, no nulls, the type, the length, the first index; then the values.
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        for word in [1, 0, E::ONE.cast_signed(), self.count, 1] {
            buffer.extend_from_slice(&word.to_be_bytes());
        }
        buffer.extend_from_slice(&self.values);
        Ok(IsNull::No)
    }

    fn size_hint(&self) -> usize {
        self.values.len() + 20
    }
}

/// A column that is the same in most rows of most batches: sent once then.
#[derive(Default)]
pub(super) struct Steady {
    pub(super) column: Column<Text>,
    first: String,
    differs: bool,
}

impl Steady {
    fn push(&mut self, value: &str) {
        if self.column.count == 0 {
            value.clone_into(&mut self.first);
        }
        self.differs |= self.first != value;
        self.column.push(value.as_bytes());
    }

    fn alike(&self) -> Option<&str> {
        (!self.differs).then_some(&self.first)
    }
}

/// The events, a column at a time.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) kinds: Steady,
    pub(super) versions: Steady,
    pub(super) ids: Column<Text>,
    pub(super) sequences: Column<Bigint>,
    pub(super) names: Column<Text>,
    pub(super) payloads: Column<Json>,
    pub(super) metadata: Column<Json>,
    pub(super) positions: Column<Bigint>,
    pub(super) salts: Column<Bytea>,
    pub(super) hashes: Column<Bytea>,
    pub(super) instants: Column<Bigint>,
    fault: Option<serde_json::Error>,
}

impl Rows {
    /// One more event, as it is sealed.
    pub(super) fn push(&mut self, event: &Stored) {
        let (kind, id) = names::split(&event.stream);
        self.kinds.push(kind);
        self.versions.push(names::version(&event.name));
        self.ids.push(id.as_bytes());
        self.sequences.push(&event.version.to_be_bytes());
        self.names.push(event.name.as_bytes());
        self.payloads.push(event.payload.as_bytes());
        let written = self.metadata.push_with(|to| metadata::write_to(to, event.id, &event.stamp));
        self.fault = self.fault.take().or(written.err());
        self.positions.push(&event.position.to_be_bytes());
        self.salts.push(&event.salt);
        self.hashes.push(&event.hash);
        self.instants.push(&event.recorded.0.to_be_bytes());
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.ids.count == 0
    }

    /// The kind of stream and the version of all of them, if these are the same in all.
    pub(super) fn alike(&self) -> Option<(&str, &str)> {
        self.kinds.alike().zip(self.versions.alike())
    }

    /// # Errors
    /// Something of an event could not be written as text.
    pub(super) fn check(&self) -> Result<(), sqlx::Error> {
        let fault = self.fault.as_ref();
        fault.map_or(Ok(()), |fault| Err(sqlx::Error::Encode(fault.to_string().into())))
    }
}

impl<'a> FromIterator<&'a Stored> for Rows {
    fn from_iter<T: IntoIterator<Item = &'a Stored>>(events: T) -> Self {
        let mut rows = Self::default();
        events.into_iter().for_each(|event| rows.push(event));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(value: impl Encode<'static, Postgres>) -> Vec<u8> {
        let mut buffer = PgArgumentBuffer::default();
        assert!(matches!(value.encode(&mut buffer), Ok(IsNull::No)));
        buffer.to_vec()
    }

    fn column<E: Element>(values: &[&[u8]]) -> Column<E> {
        let mut column = Column::default();
        values.iter().for_each(|value| column.push(value));
        column
    }

    #[test]
    fn a_column_is_what_the_driver_makes_of_an_array() {
        for texts in [vec![], vec!["", "match", "国"]] {
            let bytes: Vec<_> = texts.iter().map(|text| text.as_bytes()).collect();
            assert_eq!(sent(column::<Bytea>(&bytes)), sent(bytes));
            let column = column::<Text>(&texts.iter().map(|it| it.as_bytes()).collect::<Vec<_>>());
            assert_eq!(sent(column), sent(texts));
        }
        let numbers = vec![0_i64, 7, i64::MAX];
        let bytes: Vec<_> = numbers.iter().map(|number| number.to_be_bytes()).collect();
        let bytes: Vec<_> = bytes.iter().map(<[u8; 8]>::as_slice).collect();
        assert_eq!(sent(column::<Bigint>(&bytes)), sent(numbers));
    }

    #[test]
    fn a_value_written_in_place_is_as_one_that_is_pushed() {
        let mut written = Column::<Json>::default();
        written.push(b"{}");
        let done = written.push_with(|to| {
            to.extend_from_slice(b"[1]");
            Ok::<_, ()>(())
        });
        assert_eq!(done, Ok(()));
        assert_eq!(sent(written), sent(column::<Json>(&[b"{}", b"[1]"])));
    }

    #[test]
    fn what_is_the_same_in_all_rows_is_known() {
        let mut kinds = Steady::default();
        for value in ["match", "match"] {
            kinds.push(value);
            assert_eq!(kinds.alike(), Some("match"));
        }
        for value in ["site", "match"] {
            kinds.push(value);
            assert_eq!(kinds.alike(), None);
        }
    }
}

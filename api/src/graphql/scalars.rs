//! Scalars of the schema: how instants, ids, nonces and places look on the wire. Must not judge a value
//! beyond its form.

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use chrono::{DateTime as Utc, SecondsFormat};
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::kernel::{Bytes32, Span, Time};

/// An instant of the server's clock (RFC 3339, UTC, milliseconds), for instance `2026-01-31T08:00:00.000Z`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DateTime(pub Time);

/// An instant of the server's clock (RFC 3339, UTC, milliseconds), for instance `2026-01-31T08:00:00.000Z`.
#[Scalar(name = "DateTime")]
impl ScalarType for DateTime {
    fn parse(value: Value) -> InputValueResult<Self> {
        let Value::String(text) = &value else {
            return Err(InputValueError::expected_type(value));
        };
        let at = Utc::parse_from_rfc3339(text).map_err(|_| "an RFC 3339 instant is wanted")?;
        Ok(Self(Time(at.timestamp_millis())))
    }

    fn to_value(&self) -> Value {
        // Only instants some 260,000 years away have no calendar date.
        let at = Utc::from_timestamp_millis(self.0.0).unwrap_or_default();
        Value::String(at.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

/// The scalar of an instant, where there is one.
pub fn instant(at: Option<Time>) -> Option<DateTime> {
    at.map(DateTime)
}

/// A length of time in whole seconds, rounded down.
pub fn seconds(span: Span) -> i64 {
    span.0.div_euclid(1000)
}

/// A UUID that the client makes, in its usual form of 36 characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Uuid(pub uuid::Uuid);

/// A UUID that the client makes, in its usual form of 36 characters.
#[Scalar(name = "UUID")]
impl ScalarType for Uuid {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => {
                text.parse().map(Self).map_err(|_| InputValueError::custom("a UUID is wanted"))
            }
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.to_string())
    }
}

/// 256 bits as 64 hexadecimal digits: a client's own contribution to a fair draw, or the server's promise of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hex256(pub Bytes32);

/// 256 bits as 64 hexadecimal digits: a client's own contribution to a fair draw, or the server's promise of one.
#[Scalar(name = "Hex256")]
impl ScalarType for Hex256 {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => text.parse().map(Self).map_err(InputValueError::custom),
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.to_string())
    }
}

/// A position of the board: `s11` … `w65` (seat, row, column) or `c11` … `c33` (the nine palace).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position(pub String);

/// The longest text that is taken as the name of a position; which one it names is for the rules to say.
const MOST_POSITION: usize = 16;

/// A position of the board: `s11` … `w65` (seat, row, column) or `c11` … `c33` (the nine palace).
#[Scalar(name = "Position")]
impl ScalarType for Position {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::String(text) if text.len() <= MOST_POSITION => Ok(Self(text)),
            Value::String(_) => Err(InputValueError::custom("no position has so long a name")),
            value => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.clone())
    }
}

impl From<Pos> for Position {
    fn from(at: Pos) -> Self {
        Self(at.to_string())
    }
}

/// How far the server's log had come, as a sealed token: handed back as `after`, it makes an answer show
/// everything up to there. Says nothing by itself and cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogPosition(pub String);

/// The longest text that is taken as a token.
const MOST_TOKEN: usize = 128;

/// How far the server's log had come, as a sealed token: handed back as `after`, it makes an answer show
/// everything up to there. Says nothing by itself and cannot be compared. Good at every node and after a
/// restart; what the site has not given is the error `POSITION_INVALID`.
#[Scalar(name = "LogPosition")]
impl ScalarType for LogPosition {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::String(text) if text.len() <= MOST_TOKEN => Ok(Self(text)),
            Value::String(_) => Err(InputValueError::custom("no token is so long")),
            value => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_utc_with_milliseconds() {
        let at = DateTime(Time(1_770_000_000_123));
        assert_eq!(at.to_value(), Value::from("2026-02-02T02:40:00.123Z"));
        assert_eq!(DateTime::parse(at.to_value()).unwrap(), at);
        assert_eq!(DateTime(Time(i64::MAX)).to_value(), Value::from("1970-01-01T00:00:00.000Z"));
    }

    #[test]
    fn broken_forms_are_refused() {
        assert!(Uuid::parse(Value::from("x")).is_err());
        assert!(Hex256::parse(Value::from("00")).is_err());
        assert!(Position::parse(Value::from("s".repeat(17))).is_err());
        assert!(DateTime::parse(Value::from("yesterday")).is_err());
        assert!(LogPosition::parse(Value::from(3)).is_err());
    }
}

//! Instants as files write them: RFC 3339 in UTC with milliseconds. Reads no clock.

use crate::kernel::Time;
use chrono::{DateTime, SecondsFormat};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;

/// An instant, written `2026-02-02T02:40:00.123Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Utc(pub Time);

impl fmt::Display for Utc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = DateTime::from_timestamp_millis(self.0.0).unwrap_or_default();
        f.write_str(&at.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

impl Serialize for Utc {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Utc {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <Cow<'_, str>>::deserialize(deserializer)?;
        let wrong = || de::Error::custom("an instant is written like 2026-02-02T02:40:00.123Z");
        // Chrono reads more forms than the one that is written.
        let at = DateTime::parse_from_rfc3339(&text).map_err(|_| wrong())?;
        let at = Self(Time(at.timestamp_millis()));
        if at.to_string() == text { Ok(at) } else { Err(wrong()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_have_one_form() {
        let at = Utc(Time(1_770_000_000_123));
        let text = serde_json::to_string(&at).unwrap();
        assert_eq!(text, "\"2026-02-02T02:40:00.123Z\"");
        assert_eq!(serde_json::from_str::<Utc>(&text).unwrap(), at);
        for other in ["2026-02-02T02:40:00Z", "2026-02-02T04:40:00.123+02:00", "x", "1770000000123"]
        {
            assert!(serde_json::from_str::<Utc>(&format!("\"{other}\"")).is_err(), "{other}");
        }
    }
}

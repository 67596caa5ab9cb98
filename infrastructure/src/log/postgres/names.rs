//! Streams and events as the columns of postgres-es name them. Pure text; what it maps to is for ever.

/// A stream's type and id: `match-{uuid}` is (`match`, `{uuid}`), and `site`, of which there is one, is both.
pub(crate) fn split(stream: &str) -> (&str, &str) {
    stream.split_once('-').unwrap_or((stream, stream))
}

/// The stream of a type and an id.
pub(crate) fn join(kind: &str, id: &str) -> String {
    if kind == id { kind.to_owned() } else { format!("{kind}-{id}") }
}

/// The version part of an event's stored name: `1` of `siguo.moved.v1`.
pub(super) fn version(name: &str) -> &str {
    name.rsplit_once(".v").map_or("1", |(_, version)| version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let stream = "match-00000000-0000-0000-0000-000000000007";
        assert_eq!(split(stream), ("match", "00000000-0000-0000-0000-000000000007"));
        assert_eq!(split("site"), ("site", "site"));
        for stream in [stream, "site", "player-1"] {
            let (kind, id) = split(stream);
            assert_eq!(join(kind, id), stream);
        }
        assert_eq!(version("siguo.moved.v12"), "12");
    }
}

//! What wall clocks show, from written-out tables and not from the crate that the planner uses: so far the zone
//! database itself is put to the test.

use super::story::{Instant, MINUTE, instant};

/// From when on which minutes ahead of UTC. A table is good from its first entry until some weeks after its last,
/// which in zones without changes says just that.
type Table = (&'static str, &'static [(&'static str, i64)]);

const TABLES: &[Table] = &[
    ("Asia/Shanghai", &[("2009-01-01T00:00:00Z", 480), ("2026-12-01T00:00:00Z", 480)]),
    ("Asia/Kathmandu", &[("2009-01-01T00:00:00Z", 345), ("2026-12-01T00:00:00Z", 345)]),
    (
        "Europe/Berlin",
        &[
            ("2025-01-01T00:00:00Z", 60),
            ("2025-03-30T01:00:00Z", 120),
            ("2025-10-26T01:00:00Z", 60),
            ("2026-03-29T01:00:00Z", 120),
            ("2026-10-25T01:00:00Z", 60),
        ],
    ),
    (
        "America/New_York",
        &[
            ("2025-01-01T00:00:00Z", -300),
            ("2025-03-09T07:00:00Z", -240),
            ("2025-11-02T06:00:00Z", -300),
            ("2026-03-08T07:00:00Z", -240),
            ("2026-11-01T06:00:00Z", -300),
        ],
    ),
    (
        "America/Havana",
        &[
            ("2025-01-01T00:00:00Z", -300),
            ("2025-03-09T05:00:00Z", -240),
            ("2025-11-02T05:00:00Z", -300),
            ("2026-03-08T05:00:00Z", -240),
            ("2026-11-01T05:00:00Z", -300),
        ],
    ),
    (
        "Australia/Lord_Howe",
        &[
            ("2025-01-01T00:00:00Z", 660),
            ("2025-04-05T15:00:00Z", 630),
            ("2025-10-04T15:30:00Z", 660),
            ("2026-04-04T15:00:00Z", 630),
            ("2026-10-03T15:30:00Z", 660),
        ],
    ),
    (
        "Pacific/Auckland",
        &[
            ("2025-01-01T00:00:00Z", 780),
            ("2025-04-05T14:00:00Z", 720),
            ("2025-09-27T14:00:00Z", 780),
            ("2026-04-04T14:00:00Z", 720),
            ("2026-09-26T14:00:00Z", 780),
        ],
    ),
    (
        "Pacific/Chatham",
        &[
            ("2025-01-01T00:00:00Z", 825),
            ("2025-04-05T14:00:00Z", 765),
            ("2025-09-27T14:00:00Z", 825),
            ("2026-04-04T14:00:00Z", 765),
            ("2026-09-26T14:00:00Z", 825),
        ],
    ),
    (
        "America/Sao_Paulo",
        &[
            ("2018-01-01T00:00:00Z", -120),
            ("2018-02-18T02:00:00Z", -180),
            ("2018-11-04T03:00:00Z", -120),
            ("2019-02-17T02:00:00Z", -180),
        ],
    ),
    // One minute past midnight is when it changes, half an hour off everybody else.
    (
        "America/St_Johns",
        &[
            ("2010-01-01T00:00:00Z", -210),
            ("2010-03-14T03:31:00Z", -150),
            ("2010-11-07T02:31:00Z", -210),
        ],
    ),
    // No 30th of December in 2011.
    (
        "Pacific/Apia",
        &[
            ("2011-01-01T00:00:00Z", -600),
            ("2011-04-02T14:00:00Z", -660),
            ("2011-09-24T14:00:00Z", -600),
            ("2011-12-30T10:00:00Z", 840),
        ],
    ),
];

/// The zones' tables with their instants read.
pub struct Zones(Vec<(&'static str, Vec<(Instant, i64)>)>);

impl Zones {
    pub fn new() -> Self {
        let read = |changes: &[(&str, i64)]| {
            changes.iter().map(|&(at, minutes)| (instant(at), minutes)).collect()
        };
        Self(TABLES.iter().map(|&(name, changes)| (name, read(changes))).collect())
    }

    pub fn knows(&self, zone: &str) -> bool {
        self.0.iter().any(|(name, _)| *name == zone)
    }

    /// The zones whose table covers some days around an instant.
    pub fn around(&self, at: Instant) -> Vec<&'static str> {
        let week = 7 * 24 * 60 * MINUTE;
        let covers = |changes: &[(Instant, i64)]| {
            changes.first().is_some_and(|(from, _)| from.0 + week < at.0)
                && changes.last().is_some_and(|(last, _)| at.0 < last.0 + 8 * week)
        };
        self.0.iter().filter(|(_, changes)| covers(changes)).map(|(name, _)| *name).collect()
    }

    /// Every instant at which some wall clock is put forward or back.
    pub fn changes(&self) -> Vec<(&'static str, Instant)> {
        let changes = self.0.iter().flat_map(|(name, changes)| {
            let real = changes.windows(2).filter(|pair| pair[0].1 != pair[1].1);
            real.map(|pair| (*name, pair[1].0))
        });
        changes.collect()
    }

    /// What the wall clock shows, in milliseconds since it would have shown 1970-01-01 00:00.
    pub fn wall(&self, zone: &str, at: Instant) -> i64 {
        let (_, changes) = self.0.iter().find(|(name, _)| *name == zone).expect("a known zone");
        let (_, minutes) = changes.iter().rfind(|(from, _)| *from <= at).expect("a known time");
        at.0 + minutes * MINUTE
    }
}

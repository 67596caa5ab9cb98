//! The files that the browser's reader is tested with: made here, kept fresh by this test.
//! `YIBU_WRITE_SAMPLES=1` writes them anew.

use super::ended;
use std::path::Path;
use yibu_api::files::replay::write;
use yibu_domain::matches::record::{Complete, Deed};

fn has(record: &Complete, wanted: impl Fn(&Deed) -> bool) -> bool {
    record.events.iter().any(|told| wanted(&told.deed))
}

#[test]
fn the_samples_of_the_browser_are_what_the_server_writes() {
    let records: Vec<_> = (1..=4).flat_map(|seed| ended(seed, 9_000)).collect();
    // The shortest of each kind.
    let pick = |name: &str, wanted: &dyn Fn(&Complete) -> bool| {
        let found = records.iter().filter(|record| wanted(record));
        let found = found.min_by_key(|record| record.events.len());
        (name.to_owned(), found.unwrap_or_else(|| panic!("no {name} among {}", records.len())))
    };
    let samples = [
        pick("takeover", &|record| {
            has(record, |deed| matches!(deed, Deed::SeatTakenOver { .. }))
                && has(record, |deed| matches!(deed, Deed::TimedOut { .. }))
        }),
        pick("eliminations", &|record| {
            has(record, |deed| matches!(deed, Deed::SeatEliminated { .. }))
                && has(record, |deed| matches!(deed, Deed::Moved(part) if !part.removed.is_empty()))
                && has(record, |deed| matches!(deed, Deed::DrawOffered { .. }))
        }),
        pick("team-surrender", &|record| {
            has(record, |deed| matches!(deed, Deed::TeamSurrenderConfirmed { .. }))
        }),
        pick("draw", &|record| has(record, |deed| matches!(deed, Deed::DrawAgreed { .. }))),
        pick("outage", &|record| has(record, |deed| matches!(deed, Deed::DeadlineMoved { .. }))),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../api/web/tests/fixtures");
    for (name, record) in samples {
        let path = folder.join(format!("{name}.yibu-replay.json"));
        let text = write(record).unwrap();
        if std::env::var_os("YIBU_WRITE_SAMPLES").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(stored == text, "{} is stale: YIBU_WRITE_SAMPLES=1", path.display());
    }
}

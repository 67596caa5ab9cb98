//! Legal and illegal formations, with every broken rule.

use serde::Deserialize;
use std::collections::BTreeMap;
use yibu_domain::games::siguo::formation::{Formation, FormationRule};
use yibu_domain::games::siguo::seat::Seat;
use yibu_tests::vectors::{items, siguo};

#[derive(Deserialize)]
struct Item {
    index: u32,
    name: String,
    seat: Seat,
    formation: BTreeMap<String, String>,
    broken: Vec<(FormationRule, String)>,
}

#[test]
fn formation_vectors_are_judged_alike() {
    for item in items::<Item>(&siguo("formations.json")) {
        let judged = Formation::check(item.seat, &item.formation);
        let broken: Vec<_> = match &judged {
            Ok(_) => Vec::new(),
            Err(faults) => faults.iter().map(|fault| (fault.rule, fault.at.clone())).collect(),
        };
        assert_eq!(broken, item.broken, "formation {} {}", item.index, item.name);
        if let Ok(formation) = judged {
            let stored: BTreeMap<String, String> =
                formation.iter().map(|(pos, piece)| (pos.to_string(), piece.to_string())).collect();
            assert_eq!(stored, item.formation, "formation {} {}", item.index, item.name);
            let again = Formation::from_codes(item.seat, &formation.codes());
            assert!(again == Some(formation), "formation {} as codes", item.index);
        }
    }
}

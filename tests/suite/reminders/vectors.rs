//! The contract vectors, for the planner and for the checks that it is later held against.

use super::brute;
use super::drive::drive;
use super::story::{Story, Told};
use super::zones::Zones;
use serde::Deserialize;
use std::path::PathBuf;
use yibu_tests::vectors::{document, reminders};

#[derive(Deserialize)]
pub struct Vector {
    pub name: String,
    pub pins: String,
    #[serde(flatten)]
    pub story: Story,
    #[serde(flatten)]
    pub told: Told,
}

pub fn vectors() -> Vec<(PathBuf, Vector)> {
    reminders().into_iter().map(|path| (path.clone(), document(&path))).collect()
}

#[test]
fn reminder_vectors_hold() {
    for (path, vector) in vectors() {
        let place = format!("{} ({}): {}", path.display(), vector.name, vector.pins);
        let told = drive(&vector.story);
        assert_eq!(told.mails, vector.told.mails, "{place}");
        assert_eq!(told.notices, vector.told.notices, "{place}");
        let past = |mail: &super::story::Mail| mail.at > vector.story.until;
        assert!(!told.mails.iter().any(past), "{place}: after the end");
    }
}

#[test]
fn reminder_vectors_hold_for_the_rule_spelled_out() {
    let zones = Zones::new();
    let mut asked = 0;
    for (path, vector) in vectors() {
        let place = format!("{} ({}): {}", path.display(), vector.name, vector.pins);
        let settings = vector.story.events.iter().filter_map(|event| match &event.what {
            super::story::What::SettingsChanged { settings } => Some(settings),
            _ => None,
        });
        if !settings.chain([&vector.story.settings]).all(|settings| zones.knows(&settings.zone)) {
            continue;
        }
        asked += 1;
        assert_eq!(brute::tell(&vector.story, &zones).0, vector.told, "{place}");
    }
    assert!(asked > 50, "only {asked} vectors have zones that the tables know");
}

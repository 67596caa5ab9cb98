//! What may be set, how it is written, and why a value is refused.

use yibu_domain::reminders::{Mode, Settings, SettingsFault, Wait, WallTime, Zone};

fn parse(mode: &str, from: &str, to: &str, zone: &str) -> Result<Settings, SettingsFault> {
    Settings::parse(mode, from, to, zone)
}

#[test]
fn every_minute_of_the_day_may_be_set_and_nothing_else() {
    for minute in 0..24 * 60 {
        let text = format!("{:02}:{:02}", minute / 60, minute % 60);
        assert_eq!(text.parse::<WallTime>().unwrap().to_string(), text);
    }
    let wrong = [
        "",
        "8:00",
        "08:0",
        "24:00",
        "08:60",
        "08-00",
        "08:00 ",
        " 08:00",
        "+8:00",
        "08:00:00",
        "0８:00",
        "๐๘:๐๐",
        "99:99",
        "-1:00",
    ];
    for text in wrong {
        assert_eq!(text.parse::<WallTime>(), Err(SettingsFault::WallTime), "{text:?}");
        let broken = parse("SMART", "00:00", text, "Asia/Shanghai").unwrap_err();
        assert_eq!(broken.code(), "REMINDER_WINDOW_INVALID");
    }
}

#[test]
fn zones_have_the_names_of_the_iana_database() {
    for name in ["Asia/Shanghai", "America/Argentina/ComodRivadavia", "Etc/GMT+8", "UTC", "PRC"] {
        assert_eq!(name.parse::<Zone>().unwrap().to_string(), name);
    }
    for name in ["", "Beijing", "asia/shanghai", "Asia/Shanghai ", "+08:00", "UTC+8", "Local"] {
        assert_eq!(name.parse::<Zone>(), Err(SettingsFault::Zone), "{name:?}");
    }
    assert_eq!(parse("OFF", "00:00", "00:00", "?").unwrap_err().code(), "TIME_ZONE_INVALID");
}

#[test]
fn modes_and_waits_have_their_bounds() {
    for mode in [Mode::Smart, Mode::DeadlineOnly, Mode::Off] {
        assert_eq!(mode.name().parse(), Ok(mode));
        assert_eq!(serde_json::to_value(mode).unwrap(), mode.name());
    }
    assert_eq!(
        parse("smart", "00:00", "00:00", "UTC").unwrap_err().code(),
        "REMINDER_MODE_INVALID"
    );
    assert_eq!(Wait::minutes(0).unwrap_err().code(), "REMINDER_WAIT_INVALID");
    assert!(Wait::minutes(1).is_ok() && Wait::minutes(1440).is_ok());
    assert_eq!(Wait::minutes(1441), Err(SettingsFault::Wait));
    assert_eq!(Wait::default(), Wait::minutes(15).unwrap());
}

#[test]
fn settings_are_stored_as_they_are_entered() {
    let default = parse("SMART", "00:00", "00:00", "Asia/Shanghai").unwrap();
    assert_eq!(Settings::default(), default);
    let night = parse("DEADLINE_ONLY", "22:00", "08:00", "Europe/Berlin").unwrap();
    let stored = serde_json::to_string(&night).unwrap();
    let wanted =
        r#"{"mode":"DEADLINE_ONLY","window":{"from":"22:00","to":"08:00"},"zone":"Europe/Berlin"}"#;
    assert_eq!(stored, wanted);
    assert_eq!(serde_json::from_str::<Settings>(&stored).unwrap(), night);
    let broken = stored.replace("22:00", "25:00");
    assert!(serde_json::from_str::<Settings>(&broken).is_err());
}

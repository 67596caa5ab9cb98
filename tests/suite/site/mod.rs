//! What administrators set for everybody: who may, which values are refused, and what holds afterwards.

use yibu_domain::kernel::{
    Actor, Ctx, Dated, Decider, Dice, Event, OutageId, PlayerId, Span, Time,
};
use yibu_domain::site::{
    ANNOUNCEMENT_MOST, Announcement, Site, SiteCommand, SiteEvent, SiteRefusal, SiteState,
};

const NOW: Time = Time(1_900_000_000_000);

fn admin() -> Actor {
    Actor::Admin(PlayerId(uuid::Uuid::from_u128(1)))
}

/// Lets a command happen, or says why not.
fn tell(
    state: &mut SiteState,
    actor: Actor,
    command: &SiteCommand,
) -> Result<Vec<SiteEvent>, SiteRefusal> {
    let mut dice = Dice::seeded([0; 32]);
    let events = Site::decide(state, command, &mut Ctx { now: NOW, actor, dice: &mut dice })?;
    for event in events.clone() {
        Site::evolve(state, &Dated { at: NOW, event });
    }
    Ok(events)
}

fn wait(minutes: i64) -> SiteCommand {
    SiteCommand::SetNormalMailWait { minutes, reason: "test".parse().expect("a reason code") }
}

fn announce(text: Option<&str>) -> SiteCommand {
    let reason = "test".parse().expect("a reason code");
    SiteCommand::SetAnnouncement { text: text.map(str::to_owned), reason }
}

#[test]
fn the_wait_before_normal_mails_is_a_quarter_of_an_hour_until_it_is_set() {
    let mut state = SiteState::default();
    assert_eq!(state.normal_mail_wait(), Span::seconds(15 * 60));
    for minutes in [1, 1440, 15, 30] {
        let events = tell(&mut state, admin(), &wait(minutes)).expect("granted");
        assert!(events[0].reason().is_some_and(|reason| reason.to_string() == "test"));
        assert_eq!(i64::from(state.normal_mail_wait_minutes), minutes);
    }
    for minutes in [0, -1, 1441, i64::MAX, i64::MIN] {
        assert_eq!(tell(&mut state, admin(), &wait(minutes)), Err(SiteRefusal::InvalidWait));
    }
    assert_eq!(state.normal_mail_wait(), Span::seconds(1800), "nothing changed");
}

#[test]
fn the_announcement_is_a_line_that_can_be_shown() {
    let mut state = SiteState::default();
    assert_eq!(state.announcement, None);
    let said = |text: &str| Some(Announcement { text: text.to_owned(), since: NOW });
    tell(&mut state, admin(), &announce(Some("  今晚 20:00 维护 e\u{301} "))).expect("granted");
    assert_eq!(state.announcement, said("今晚 20:00 维护 é"));
    let longest = "告".repeat(ANNOUNCEMENT_MOST);
    for bad in [
        format!("{longest}告"),
        "a".repeat(1_000_000),
        "two\nlines".to_owned(),
        "a\0b".to_owned(),
        "turned \u{202e}round".to_owned(),
        "a\u{2066}b".to_owned(),
        "a\u{200b}b".to_owned(),
        "a\u{2028}b".to_owned(),
    ] {
        let refused = tell(&mut state, admin(), &announce(Some(&bad)));
        assert_eq!(refused, Err(SiteRefusal::InvalidAnnouncement), "{bad:?}");
    }
    assert_eq!(state.announcement, said("今晚 20:00 维护 é"), "nothing changed");
    tell(&mut state, admin(), &announce(Some(&longest))).expect("granted");
    assert_eq!(state.announcement, said(&longest));
    for blank in [None, Some(""), Some(" \u{3000}\n")] {
        tell(&mut state, admin(), &announce(Some("again"))).expect("granted");
        let events = tell(&mut state, admin(), &announce(blank)).expect("granted");
        assert_eq!(state.announcement, None);
        let SiteEvent::AnnouncementSet(part) = &events[0] else { panic!("{events:?}") };
        assert_eq!(part.text, None);
    }
}

#[test]
fn no_player_sets_anything() {
    let player = PlayerId(uuid::Uuid::from_u128(1));
    let mut state = SiteState::default();
    for command in [wait(30), announce(Some("free points")), wait(0), announce(Some("\0"))] {
        for actor in [Actor::Player(player), Actor::House(player)] {
            assert_eq!(tell(&mut state, actor, &command), Err(SiteRefusal::NotAllowed));
        }
    }
    assert_eq!(state, SiteState::default());
}

#[test]
fn an_announcement_that_was_taken_away_is_stored_as_null() {
    let mut state = SiteState::default();
    let event = tell(&mut state, admin(), &announce(None)).expect("granted").remove(0);
    let mut bytes = Vec::new();
    event.encode(&mut serde_json::Serializer::new(&mut bytes)).expect("it is written");
    assert_eq!(String::from_utf8_lossy(&bytes), r#"{"text":null,"reason":"test"}"#);
    let mut reader = serde_json::Deserializer::from_slice(&bytes);
    let read = SiteEvent::decode(event.name(), &mut reader).expect("known").expect("readable");
    assert_eq!(read, event);
}

#[test]
fn an_outage_that_overlaps_a_known_one_is_told_which_and_what_is_left() {
    let mut state = SiteState::default();
    let at = |minutes: i64| NOW - Span::seconds(60 * minutes);
    let declare = |from, to| SiteCommand::DeclareOutage {
        outage: OutageId(uuid::Uuid::from_u128(from as u128)),
        from: at(from),
        to: at(to),
        reason: "test".parse().expect("a reason code"),
    };
    tell(&mut state, admin(), &declare(20, 10)).expect("granted");
    tell(&mut state, admin(), &declare(40, 30)).expect("granted");
    let refused = tell(&mut state, admin(), &declare(35, 5)).unwrap_err();
    assert_eq!(refused, SiteRefusal::OutageOverlaps { from: at(40), to: at(30) });
    assert!(refused.to_string().contains(&format!("from {} to {}", at(40), at(30))));
    assert_eq!(refused.code(), "OUTAGE_OVERLAPS");
    let left = |from, to| state.uncovered(at(from), at(to));
    assert_eq!(left(35, 5), [(at(30), at(20)), (at(10), at(5))]);
    assert_eq!(left(50, 0), [(at(50), at(40)), (at(30), at(20)), (at(10), at(0))]);
    assert_eq!(left(38, 32), []);
    assert_eq!(left(29, 21), [(at(29), at(21))]);
}

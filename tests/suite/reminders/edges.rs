//! Wall clocks at their edges, worked out by hand: hours that come twice or not at all, half hours, quarters
//! of hours, days of 25 hours and a day that never was.

use super::brute;
use super::drive::drive;
use super::story::{Mail, Story, instant};
use super::zones::Zones;

/// Exactly these mails go, each about one waiting turn; and the rule spelled out agrees.
fn expect(story: &Story, mails: &[(&str, &str)]) {
    let mail = |&(at, table): &(&str, &str)| Mail {
        at: instant(at),
        kind: "normal".to_owned(),
        deadline: Vec::new(),
        waiting: vec![table.to_owned()],
        timed_out: Vec::new(),
    };
    let wanted: Vec<Mail> = mails.iter().map(mail).collect();
    assert_eq!(drive(story).mails, wanted);
    assert_eq!(brute::tell(story, &Zones::new()).0.mails, wanted);
}

/// Three normal mails, and a fourth turn that waits for the next day.
fn full_day(zone: &str, starts: [&str; 4], ends: [&str; 4], until: &str) -> Story {
    let story = Story::quiet("00:00", "00:00", zone, until);
    let turns = ["A", "B", "C", "E"].iter().zip(starts.iter().zip(ends));
    turns.fold(story, |story, (table, (start, end))| story.turn(table, start).moved(table, end))
}

#[test]
fn a_window_opens_twice_in_an_hour_that_comes_twice() {
    let berlin = || Story::quiet("02:10", "02:20", "Europe/Berlin", "2025-10-28T00:00:00Z");
    let first = berlin().turn("A", "2025-10-25T23:30:00Z").moved("A", "2025-10-26T02:00:00Z");
    expect(&first, &[("2025-10-26T00:10:00Z", "A")]);
    let second = berlin().turn("A", "2025-10-26T00:10:00Z").moved("A", "2025-10-26T02:00:00Z");
    expect(&second, &[("2025-10-26T01:10:00Z", "A")]);
}

#[test]
fn the_clock_put_back_shuts_a_window_that_was_open() {
    let story = Story::quiet("02:50", "03:10", "Europe/Berlin", "2025-10-28T00:00:00Z");
    let story = story.turn("A", "2025-10-26T00:46:00Z").moved("A", "2025-10-26T03:00:00Z");
    expect(&story, &[("2025-10-26T01:50:00Z", "A")]);
}

#[test]
fn half_an_hour_comes_twice() {
    let story = Story::quiet("01:40", "01:50", "Australia/Lord_Howe", "2025-04-07T00:00:00Z");
    let story = story.turn("A", "2025-04-05T14:40:00Z").moved("A", "2025-04-05T18:00:00Z");
    expect(&story, &[("2025-04-05T15:10:00Z", "A")]);
}

#[test]
fn a_zone_may_be_three_quarters_of_an_hour_off() {
    let story = Story::quiet("08:00", "20:00", "Pacific/Chatham", "2025-06-12T00:00:00Z");
    let story = story.turn("A", "2025-06-10T07:20:00Z").moved("A", "2025-06-10T20:00:00Z");
    expect(&story, &[("2025-06-10T19:15:00Z", "A")]);
}

#[test]
fn a_window_of_one_minute_before_a_gap_is_met() {
    let story = Story::quiet("00:00", "00:01", "America/St_Johns", "2010-03-16T00:00:00Z");
    let story = story.turn("A", "2010-03-14T03:00:00Z").moved("A", "2010-03-14T06:00:00Z");
    expect(&story, &[("2010-03-14T03:30:00Z", "A")]);
}

#[test]
fn an_hour_that_comes_twice_after_midnight_belongs_to_one_day() {
    let havana = Story::quiet("00:30", "00:40", "America/Havana", "2025-11-04T00:00:00Z");
    let story = havana.turn("A", "2025-11-02T04:30:00Z").moved("A", "2025-11-02T08:00:00Z");
    expect(&story, &[("2025-11-02T05:30:00Z", "A")]);
    let day = full_day(
        "America/Havana",
        [
            "2025-11-02T04:00:00Z",
            "2025-11-02T07:00:00Z",
            "2025-11-02T10:00:00Z",
            "2025-11-02T20:00:00Z",
        ],
        [
            "2025-11-02T04:30:00Z",
            "2025-11-02T07:30:00Z",
            "2025-11-02T10:30:00Z",
            "2025-11-03T06:00:00Z",
        ],
        "2025-11-05T00:00:00Z",
    );
    let (first, second) = (("2025-11-02T04:15:00Z", "A"), ("2025-11-02T07:15:00Z", "B"));
    let (third, tomorrow) = (("2025-11-02T10:15:00Z", "C"), ("2025-11-03T05:00:00Z", "E"));
    expect(&day, &[first, second, third, tomorrow]);
}

#[test]
fn a_day_without_midnight_begins_at_one() {
    let day = full_day(
        "America/Havana",
        [
            "2025-03-08T10:00:00Z",
            "2025-03-08T13:00:00Z",
            "2025-03-08T16:00:00Z",
            "2025-03-09T00:00:00Z",
        ],
        [
            "2025-03-08T10:30:00Z",
            "2025-03-08T13:30:00Z",
            "2025-03-08T16:30:00Z",
            "2025-03-09T06:00:00Z",
        ],
        "2025-03-11T00:00:00Z",
    );
    let (first, second) = (("2025-03-08T10:15:00Z", "A"), ("2025-03-08T13:15:00Z", "B"));
    let (third, tomorrow) = (("2025-03-08T16:15:00Z", "C"), ("2025-03-09T05:00:00Z", "E"));
    expect(&day, &[first, second, third, tomorrow]);
}

#[test]
fn the_day_after_the_29th_is_the_31st() {
    let day = full_day(
        "Pacific/Apia",
        [
            "2011-12-29T11:00:00Z",
            "2011-12-29T14:00:00Z",
            "2011-12-29T17:00:00Z",
            "2011-12-30T02:00:00Z",
        ],
        [
            "2011-12-29T11:30:00Z",
            "2011-12-29T14:30:00Z",
            "2011-12-29T17:30:00Z",
            "2011-12-30T12:00:00Z",
        ],
        "2012-01-02T00:00:00Z",
    );
    let (first, second) = (("2011-12-29T11:15:00Z", "A"), ("2011-12-29T14:15:00Z", "B"));
    let (third, tomorrow) = (("2011-12-29T17:15:00Z", "C"), ("2011-12-30T10:00:00Z", "E"));
    expect(&day, &[first, second, third, tomorrow]);
}

#[test]
fn a_window_that_spans_midnight_spans_the_day_that_never_was() {
    let story = Story::quiet("23:00", "01:00", "Pacific/Apia", "2012-01-01T00:00:00Z");
    let late = story.clone().turn("A", "2011-12-30T10:20:00Z").moved("A", "2011-12-30T12:00:00Z");
    expect(&late, &[("2011-12-30T10:35:00Z", "A")]);
    let early = story.turn("A", "2011-12-30T04:00:00Z").moved("A", "2011-12-30T12:00:00Z");
    expect(&early, &[("2011-12-30T09:00:00Z", "A")]);
}

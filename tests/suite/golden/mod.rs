//! Events are for ever: for every stored name there is a file of JSON that must read and be written back
//! byte for byte. A file, once released, is never edited; a changed shape is a new name with a new file.
//!
//! `YIBU_GOLDEN=write` writes files that are missing, and none that exist.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use uuid::Uuid;
use yibu_domain::games::siguo::formation::Formation;
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::seat::{BySeat, Seat};
use yibu_domain::kernel::{
    Actor, Bytes32, Ctx, Dated, Decider, Dice, Event, FairDraw, MatchId, OutageId, PlayerId, Span,
    Time,
};
use yibu_domain::matches::events::{Joined, Nonce, NonceBy, Occupant, Person, TurnKind};
use yibu_domain::matches::{
    Choice, Guest, Match, MatchCommand, MatchEvent, MatchState, Placement, Removal, RuleSet,
};
use yibu_domain::players::{Player, PlayerCommand, PlayerEvent, PlayerState};
use yibu_domain::site::{
    Outage, OutageCause, Site, SiteCommand, SiteEvent, SiteRefusal, SiteState,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/events")
}

fn player(n: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(n))
}

/// A life in which every event of a match happens, told by decisions.
struct Story {
    state: MatchState,
    now: Time,
    seen: BTreeMap<&'static str, MatchEvent>,
}

impl Story {
    fn new() -> Self {
        Self { state: MatchState::default(), now: Time(1_900_000_000_000), seen: BTreeMap::new() }
    }

    fn tell(&mut self, actor: Actor, command: &MatchCommand) {
        let mut dice = Dice::seeded([5; 32]).forcing("first", vec![0]);
        let mut ctx = Ctx { now: self.now, actor, dice: &mut dice };
        let events = Match::decide(&self.state, command, &mut ctx)
            .unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"));
        for event in events {
            let dated = Dated { at: self.now, event };
            self.state.evolve(&dated);
            self.seen.entry(dated.event.name()).or_insert(dated.event);
        }
    }

    fn by(&mut self, n: u128, command: &MatchCommand) {
        self.now = self.now + Span::seconds(1);
        self.tell(Actor::Player(player(n)), command);
    }

    fn expire(&mut self) {
        self.now =
            self.state.live().and_then(yibu_domain::matches::Live::due).expect("a clock runs");
        self.tell(Actor::Timer, &MatchCommand::Expire);
    }

    fn seat_of(&self, n: u128) -> Seat {
        self.state.live().and_then(|live| live.seat_of(player(n))).expect("seated")
    }
}

fn guest(n: u128) -> Guest {
    Guest { player: player(n), occupant: Occupant::Player, nickname: 2 }
}

fn nonce() -> Option<Nonce> {
    Some(Nonce { value: Bytes32([8; 32]), by: NonceBy::Client })
}

/// From the empty table to a start, with everything that can happen before it.
fn assembling(story: &mut Story) {
    let open = MatchCommand::Open {
        match_id: MatchId(Uuid::from_u128(77)),
        rules: RuleSet::formal(Span::hours(48)),
        seed: Some(Bytes32([6; 32])),
        guest: guest(1),
        nonce: nonce(),
    };
    story.by(1, &open);
    for n in 2..=4 {
        let tables = Choice::all(vec![MatchId(Uuid::from_u128(77))]);
        story.by(n, &MatchCommand::TakeSeat { guest: guest(n), nonce: nonce(), tables });
    }
    let seat = story.seat_of(1);
    let scope = MatchId(Uuid::nil());
    let mut draw = FairDraw::new("golden", scope, &Bytes32([1; 32]), &[]);
    let formation = Formation::random(seat, &mut draw);
    let formation =
        formation.iter().map(|(at, piece)| (at.to_string(), piece.code().to_owned())).collect();
    story.by(1, &MatchCommand::Arrange { formation, expected: None });
    let ready = MatchCommand::Ready { nonce: nonce(), expected: None };
    story.by(1, &ready);
    story.by(1, &MatchCommand::Unready { expected: None });
    let (from, to) = (story.now, story.now + Span::hours(1));
    story.now = to;
    let outage = OutageId(Uuid::from_u128(5));
    story.tell(Actor::System, &MatchCommand::MoveDeadline { outage, from, to });
    story.by(4, &MatchCommand::Leave);
    story
        .by(4, &MatchCommand::TakeSeat { guest: guest(4), nonce: None, tables: Choice::default() });
    for n in 1..=4 {
        story.by(n, &ready);
    }
}

/// A small position in play: each seat has its flag and men that can move.
fn placement() -> Placement {
    let men = |seat: Seat| {
        let at = |row, col| Pos::of(seat, row, col).expect("on the board");
        [
            (at(6, 2), seat, Piece::Flag),
            (at(2, 3), seat, Piece::Captain),
            (at(1, 1), seat, Piece::Commander),
            (at(1, 5), seat, Piece::Commander),
        ]
    };
    let seats = BySeat::from_fn(|seat| {
        Some(Person {
            player: player(1 + seat.index() as u128),
            occupant: Occupant::Player,
            joined: Joined::Full,
            nickname: 1,
        })
    });
    Placement {
        match_id: MatchId(Uuid::from_u128(78)),
        rules: RuleSet::formal(Span(0)),
        seed: Bytes32([6; 32]),
        seats,
        eliminated: Vec::new(),
        men: Seat::ALL.into_iter().flat_map(men).collect(),
        turn: Seat::S,
        turn_kind: TurnKind::Normal,
    }
}

fn playing(story: &mut Story) {
    story.state = MatchState::default();
    story.tell(Actor::System, &MatchCommand::Place(Box::new(placement())));
    let go = |from: &str, to: &str| MatchCommand::Move {
        from: from.to_owned(),
        to: to.to_owned(),
        expected: None,
    };
    let (from, to) = (story.now, story.now + Span::hours(1));
    story.now = to;
    let outage = OutageId(Uuid::from_u128(6));
    story.tell(Actor::System, &MatchCommand::MoveDeadline { outage, from, to });
    story.by(1, &MatchCommand::OfferDraw);
    story.by(2, &MatchCommand::VoteDraw { offer: Some(1), accept: false });
    story.by(1, &go("s15", "e11"));
    story.by(2, &MatchCommand::Skip { expected: None });
    story.by(3, &MatchCommand::ProposeTeamSurrender);
    story.by(3, &MatchCommand::WithdrawTeamSurrender { proposal: Some(1) });
    story.by(3, &MatchCommand::Leave);
    for n in [11, 12, 13] {
        let choices = Choice::all(vec![MatchId(Uuid::from_u128(78))]);
        story.by(n, &MatchCommand::MatchTakeover { guest: guest(n), choices });
    }
    story.by(13, &MatchCommand::WithdrawTakeover);
    story.by(11, &MatchCommand::ConfirmTakeover);
    story.by(11, &MatchCommand::Surrender);
    story.by(4, &MatchCommand::ProposeTeamSurrender);
    story.by(2, &MatchCommand::ConfirmTeamSurrender { proposal: Some(1) });
    story.expire();
}

fn draw_and_expiry(story: &mut Story) {
    story.state = MatchState::default();
    story.tell(Actor::System, &MatchCommand::Place(Box::new(placement())));
    story.by(1, &MatchCommand::OfferDraw);
    for n in 2..=4 {
        story.by(n, &MatchCommand::VoteDraw { offer: None, accept: true });
    }
    story.state = MatchState::default();
    story.tell(Actor::System, &MatchCommand::Place(Box::new(placement())));
    story.expire();
    story.expire();
    story.state = MatchState::default();
    story.tell(Actor::System, &MatchCommand::Place(Box::new(placement())));
    let removal = MatchCommand::Remove { player: player(2), cause: Removal::Suspended };
    story.tell(Actor::System, &removal);
    let reason = "broken".parse().expect("a reason code");
    story.tell(Actor::System, &MatchCommand::Void { reason });
}

fn text<E: Event>(event: &E) -> String {
    let mut bytes = Vec::new();
    event.encode(&mut serde_json::Serializer::new(&mut bytes)).expect("events serialise");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

fn compare<E: Event>(event: &E) {
    let path = folder().join(format!("{}.json", event.name()));
    if !path.exists() && std::env::var("YIBU_GOLDEN").as_deref() == Ok("write") {
        fs::create_dir_all(folder()).expect("a folder");
        fs::write(&path, text(event) + "\n").expect("a golden file");
    }
    let golden = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let golden = golden.trim_end();
    let mut reader = serde_json::Deserializer::from_str(golden);
    let read = E::decode(event.name(), &mut reader).expect("a known name").expect("a known shape");
    assert_eq!(text(&read), golden, "{} does not survive reading", event.name());
    assert_eq!(text(event), golden, "{} has another shape now", event.name());
}

#[test]
fn every_event_of_a_match_reads_and_writes_as_ever() {
    let mut story = Story::new();
    assembling(&mut story);
    playing(&mut story);
    draw_and_expiry(&mut story);
    for name in MatchEvent::NAMES {
        let event = story.seen.get(name).unwrap_or_else(|| panic!("the story misses {name}"));
        compare(event);
    }
}

#[test]
fn every_event_of_the_site_and_of_players_reads_and_writes_as_ever() {
    let mut dice = Dice::seeded([1; 32]);
    let now = Time(1_900_000_000_000);
    let reason = || "golden".parse().expect("a reason code");
    let outage = Outage {
        outage: OutageId(Uuid::from_u128(5)),
        from: Time(1_899_999_000_000),
        to: Time(1_899_999_900_000),
        cause: OutageCause::Gap,
    };
    let commands = [
        SiteCommand::Found,
        SiteCommand::SetLimits { full: 7, takeover: 0, reason: reason() },
        SiteCommand::SetRelease { hours: 24, reason: reason() },
        SiteCommand::NoteOutage(outage),
        SiteCommand::DeclareOutage {
            outage: OutageId(Uuid::from_u128(5)),
            from: Time(1_899_999_000_000),
            to: Time(1_899_999_900_000),
            reason: reason(),
        },
        SiteCommand::Unseal { match_id: MatchId(Uuid::from_u128(77)), reason: reason() },
        SiteCommand::GrantAdmin { player: player(8) },
        SiteCommand::RevokeAdmin { player: player(8) },
        SiteCommand::SetNormalMailWait { minutes: 30, reason: reason() },
        SiteCommand::SetAnnouncement {
            text: Some("今晚 20:00 维护".to_owned()), reason: reason()
        },
    ];
    let (mut names, mut state) = (Vec::new(), SiteState::default());
    for command in commands {
        let own =
            matches!(command, SiteCommand::GrantAdmin { .. } | SiteCommand::RevokeAdmin { .. });
        let mut ctx = Ctx { now, actor: Actor::Admin(player(1)), dice: &mut dice };
        if own {
            let refused = Site::decide(&state, &command, &mut ctx);
            assert_eq!(refused, Err(SiteRefusal::NotAllowed), "an administrator makes no other");
            ctx.actor = Actor::System;
        }
        // The same stretch twice would be one outage.
        let fresh = SiteState::default();
        let before =
            if matches!(command, SiteCommand::DeclareOutage { .. }) { &fresh } else { &state };
        for event in Site::decide(before, &command, &mut ctx).expect("granted") {
            compare(&event);
            names.push(event.name());
            Site::evolve(&mut state, &Dated { at: now, event });
        }
    }
    assert_eq!(names, SiteEvent::NAMES);
    let admin = Actor::Admin(player(1));
    let commands = [
        (PlayerCommand::Register, Actor::Player(player(2))),
        (PlayerCommand::Suspend { reason: reason() }, admin),
        (PlayerCommand::Reinstate { reason: reason() }, admin),
        (PlayerCommand::AdjustPoints { points: -12, reason: reason() }, admin),
        (PlayerCommand::Delete, Actor::System),
    ];
    let (mut state, mut names) = (PlayerState::default(), Vec::new());
    for (command, actor) in commands {
        let mut ctx = Ctx { now, actor, dice: &mut dice };
        for event in Player::decide(&state, &command, &mut ctx).expect("granted") {
            compare(&event);
            names.push(event.name());
            Player::evolve(&mut state, &Dated { at: now, event });
        }
    }
    assert_eq!(names, PlayerEvent::NAMES);
}

#[test]
fn an_unknown_field_is_refused() {
    for entry in fs::read_dir(folder()).expect("golden files").flatten() {
        let golden = fs::read_to_string(entry.path()).expect("a golden file");
        let grown = golden.trim_end().replacen('{', r#"{"unheard_of":1,"#, 1).replace(",}", "}");
        let name = entry.file_name().to_string_lossy().replace(".json", "");
        let mut reader = serde_json::Deserializer::from_str(&grown);
        let known = match name.split('.').next() {
            Some("siguo") => MatchEvent::decode(&name, &mut reader).map(|read| read.is_ok()),
            Some("site") => SiteEvent::decode(&name, &mut reader).map(|read| read.is_ok()),
            _ => PlayerEvent::decode(&name, &mut reader).map(|read| read.is_ok()),
        };
        assert_eq!(known, Some(false), "{name} takes in what it does not know");
    }
}

//! What the log takes in about a player: who may say so, what is refused, and what a repeat does.

use yibu_domain::kernel::{Actor, Ctx, Dated, Decider, Dice, PlayerId, Time};
use yibu_domain::players::{Player, PlayerCommand, PlayerEvent, PlayerRefusal, PlayerState};

const NOW: Time = Time(1_900_000_000_000);

fn id(n: u128) -> PlayerId {
    PlayerId(uuid::Uuid::from_u128(n))
}

/// Lets a command happen, or says why not.
fn tell(
    state: &mut PlayerState,
    actor: Actor,
    command: &PlayerCommand,
) -> Result<usize, PlayerRefusal> {
    let mut dice = Dice::seeded([0; 32]);
    let events = Player::decide(state, command, &mut Ctx { now: NOW, actor, dice: &mut dice })?;
    let count = events.len();
    for event in events {
        Player::evolve(state, &Dated { at: NOW, event });
    }
    Ok(count)
}

fn commands() -> [PlayerCommand; 4] {
    let reason = || "test".parse().expect("a reason code");
    [
        PlayerCommand::Suspend { reason: reason() },
        PlayerCommand::Reinstate { reason: reason() },
        PlayerCommand::AdjustPoints { points: 5, reason: reason() },
        PlayerCommand::Delete,
    ]
}

#[test]
fn only_administrators_and_the_server_say_something_about_a_player() {
    let mut state = PlayerState::default();
    assert_eq!(tell(&mut state, Actor::Player(id(1)), &PlayerCommand::Register), Ok(1));
    for command in commands() {
        for actor in [Actor::Player(id(1)), Actor::House(id(2)), Actor::Timer] {
            assert_eq!(tell(&mut state, actor, &command), Err(PlayerRefusal::NotAllowed));
        }
    }
    for actor in [Actor::Admin(id(1)), Actor::Timer, Actor::System] {
        let refused = tell(&mut PlayerState::default(), actor, &PlayerCommand::Register);
        assert_eq!(refused, Err(PlayerRefusal::NotAllowed));
    }
}

#[test]
fn a_repeat_changes_nothing_and_the_end_is_the_end() {
    let (mut state, admin) = (PlayerState::default(), Actor::Admin(id(9)));
    let [suspend, reinstate, adjust, delete] = commands();
    for command in commands() {
        assert_eq!(tell(&mut state, admin, &command), Err(PlayerRefusal::PlayerNotFound));
    }
    let register =
        |state: &mut PlayerState| tell(state, Actor::Player(id(1)), &PlayerCommand::Register);
    assert_eq!((register(&mut state), register(&mut state)), (Ok(1), Ok(0)));
    for (command, count) in
        [(&reinstate, 0), (&suspend, 1), (&suspend, 0), (&reinstate, 1), (&adjust, 1), (&adjust, 1)]
    {
        assert_eq!(tell(&mut state, admin, command), Ok(count), "{command:?}");
    }
    assert_eq!(tell(&mut state, Actor::System, &delete), Ok(1));
    assert_eq!(tell(&mut state, Actor::System, &delete), Ok(0));
    for command in [&suspend, &reinstate, &adjust] {
        assert_eq!(tell(&mut state, admin, command), Err(PlayerRefusal::PlayerNotFound));
    }
    assert_eq!(register(&mut state), Ok(0), "a deleted player does not come back");
}

#[test]
fn points_have_bounds_and_house_players_have_none() {
    let (mut state, admin) = (PlayerState::default(), Actor::Admin(id(9)));
    tell(&mut state, Actor::Player(id(1)), &PlayerCommand::Register).expect("registered");
    let adjust = |points| {
        let reason = "test".parse().expect("a reason code");
        PlayerCommand::AdjustPoints { points, reason }
    };
    for points in [0, 1_001, -1_001, i64::MAX, i64::MIN] {
        let refused = tell(&mut state, admin, &adjust(points));
        assert_eq!(refused, Err(PlayerRefusal::InvalidPoints), "{points}");
    }
    for points in [1, -1, 1_000, -1_000] {
        let mut dice = Dice::seeded([0; 32]);
        let mut ctx = Ctx { now: NOW, actor: admin, dice: &mut dice };
        let events = Player::decide(&state, &adjust(points), &mut ctx).expect("granted");
        let [PlayerEvent::PointsAdjusted(part)] = &events[..] else { panic!("{events:?}") };
        assert_eq!(i64::from(part.points), points);
    }
    let mut house = PlayerState::default();
    tell(&mut house, Actor::House(id(2)), &PlayerCommand::Register).expect("registered");
    let [suspend, reinstate, ..] = commands();
    for command in [&adjust(1), &suspend] {
        assert_eq!(tell(&mut house, admin, command), Err(PlayerRefusal::HousePlayer));
    }
    assert_eq!(tell(&mut house, admin, &reinstate), Ok(0));
}

#[test]
fn administrators_do_not_judge_themselves() {
    let [suspend, reinstate, adjust, delete] = commands();
    let admit = |command: &PlayerCommand, actor| Player::admit(id(9).0, command, actor);
    for command in [&suspend, &adjust] {
        assert_eq!(admit(command, Actor::Admin(id(9))), Err(PlayerRefusal::NotAllowed));
        assert_eq!(admit(command, Actor::Admin(id(8))), Ok(()));
        assert_eq!(admit(command, Actor::System), Ok(()));
    }
    for command in [&reinstate, &delete] {
        assert_eq!(admit(command, Actor::Admin(id(9))), Ok(()));
    }
}

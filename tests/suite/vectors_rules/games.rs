//! Whole games, ply by ply: legal moves, routes, battles, flags, eliminations, turns, boards, ends.

use super::{Act, Final, OptionsText, Table, sorted};
use serde::Deserialize;
use std::collections::BTreeMap;
use yibu_domain::games::siguo::battle::Outcome;
use yibu_domain::games::siguo::formation::Formation;
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::rules::Cause;
use yibu_domain::games::siguo::seat::Seat;
use yibu_tests::vectors::{h16, lines, siguo};

#[derive(Deserialize)]
struct Game {
    index: u32,
    options: OptionsText,
    first: Seat,
    formations: BTreeMap<Seat, Formation>,
    plies: Vec<Ply>,
    r#final: Final,
}

#[derive(Deserialize)]
struct Ply {
    seat: Seat,
    n: usize,
    h: String,
    legal: Option<Vec<String>>,
    act: String,
    from: Option<Pos>,
    to: Option<Pos>,
    piece: Option<Piece>,
    target: Option<Piece>,
    route: Option<Vec<Pos>>,
    out: Option<Outcome>,
    #[serde(default)]
    reveal: Vec<(Seat, Pos)>,
    #[serde(default)]
    elim: Vec<(Seat, Cause)>,
    next: Option<Seat>,
    board: String,
}

#[test]
fn game_vectors_play_through() {
    let games: Vec<Game> = lines(&siguo("games.jsonl.gz"));
    let halves = games.split_at(games.len() / 2);
    std::thread::scope(|scope| {
        scope.spawn(|| halves.0.iter().for_each(play));
        halves.1.iter().for_each(play);
    });
}

fn play(game: &Game) {
    let mut table = Table::new(game.options.options());
    for (&seat, formation) in &game.formations {
        assert_eq!(formation.seat(), seat, "game {}", game.index);
        table.position.set_formation(formation);
    }
    let mut turn = Some(game.first);
    let mut end = None;
    for (number, ply) in game.plies.iter().enumerate() {
        let place = format!("game {} ply {number}", game.index);
        assert_eq!(turn, Some(ply.seat), "{place}: on turn");
        assert_eq!(end, None, "{place}: still open");
        let legal = table.legal(ply.seat);
        assert_eq!(legal.len(), ply.n, "{place}: number of legal moves");
        if let Some(wanted) = &ply.legal {
            assert_eq!(&sorted(legal.clone()), wanted, "{place}: legal moves");
        }
        assert_eq!(h16(legal), ply.h, "{place}: legal moves");
        let (result, after) =
            table.act(ply.seat, act(ply, &place)).unwrap_or_else(|| panic!("{place}: illegal"));
        if let Some(result) = &result {
            assert_eq!(
                (Some(result.attacker), result.defender),
                (ply.piece, ply.target),
                "{place}"
            );
            assert_eq!(Some(&result.route), ply.route.as_ref(), "{place}: route");
            assert_eq!(Some(result.outcome), ply.out, "{place}: outcome");
        }
        let revealed = result.map(|result| result.revealed).unwrap_or_default();
        assert_eq!(revealed, ply.reveal, "{place}: revealed flags");
        assert_eq!(after.eliminated, ply.elim, "{place}: eliminations");
        assert_eq!(after.next, ply.next, "{place}: next");
        assert_eq!(table.hash(), ply.board, "{place}: board");
        (turn, end) = (after.next, after.end);
    }
    assert_eq!(end.map(Final::from), Some(game.r#final), "game {}: final", game.index);
}

fn act(ply: &Ply, place: &str) -> Act {
    match (ply.act.as_str(), ply.from, ply.to) {
        ("move", Some(from), Some(to)) => Act::Move(from, to),
        ("skip", ..) => Act::Skip,
        ("surrender", ..) => Act::Surrender,
        (other, ..) => panic!("{place}: no such action as {other}"),
    }
}

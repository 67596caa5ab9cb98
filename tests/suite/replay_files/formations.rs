//! Formation files: our own there and back, QQ's layouts in, and everything else named.

use serde_json::{Value, json};
use uuid::Uuid;
use yibu_api::files::Wrong;
use yibu_api::files::formation::{MOST_BYTES, NamedFormation, read, write};
use yibu_domain::games::siguo::formation::Formation;
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Bytes32, FairDraw, MatchId};

fn formation(number: u8) -> Formation {
    let id = MatchId(Uuid::nil());
    Formation::random(Seat::S, &mut FairDraw::new("files", id, &Bytes32([number; 32]), &[]))
}

/// The byte of a piece in a `.jql`.
fn byte(piece: Option<Piece>) -> u8 {
    use Piece::*;
    let codes = [Flag, Mine, Bomb, Commander, General, MajorGeneral, Brigadier, Colonel, Major];
    let codes = codes.into_iter().chain([Captain, Lieutenant, Engineer]);
    piece.map_or(0, |piece| 2 + codes.into_iter().position(|one| one == piece).unwrap() as u8)
}

fn jql(formation: &Formation) -> Vec<u8> {
    let mut bytes = b"QQGame JQL File\0\x57\x04\0\0".to_vec();
    for row in 1..=6 {
        for col in 1..=5 {
            bytes.push(byte(formation.piece(Pos::of(Seat::S, row, col).unwrap())));
        }
    }
    bytes
}

#[test]
fn files_go_there_and_back() {
    for number in 0..20 {
        let named = NamedFormation { name: format!("阵 {number}"), formation: formation(number) };
        let text = write(&named).unwrap();
        assert_eq!(read(text.as_bytes()), Ok(named.clone()));
        let foreign = read(&jql(&named.formation)).unwrap();
        assert_eq!((foreign.name.as_str(), foreign.formation), ("", named.formation));
    }
}

#[test]
fn what_is_no_formation_is_named() {
    let named = NamedFormation { name: "x".to_owned(), formation: formation(1) };
    let whole: Value = serde_json::from_str(&write(&named).unwrap()).unwrap();
    let fault = |change: fn(&mut Value)| {
        let mut file = whole.clone();
        change(&mut file);
        let fault = read(file.to_string().as_bytes()).unwrap_err();
        (fault.wrong, fault.at)
    };
    let at = |at: &str| at.to_owned();
    assert_eq!(fault(|f| f["version"] = json!(2)), (Wrong::Version, at("version")));
    assert_eq!(fault(|f| f["more"] = json!(2)), (Wrong::Field, at("more")));
    assert_eq!(fault(|f| f["pieces"][3]["row"] = json!(7)), (Wrong::Position, at("pieces[3]")));
    assert_eq!(
        fault(|f| f["pieces"][3]["piece"] = json!("x")),
        (Wrong::Piece, at("pieces[3].piece"))
    );
    let twice = fault(|f| f["pieces"][1] = f["pieces"][0].clone());
    assert_eq!(twice, (Wrong::Formation, at("pieces[1]")));
    let bomb = fault(|f| f["pieces"][0]["piece"] = json!("bomb"));
    assert_eq!(bomb, (Wrong::Formation, at("pieces[0]")));
    let camp = fault(|f| f["pieces"][2] = json!({ "row": 2, "col": 2, "piece": "captain" }));
    assert_eq!(camp, (Wrong::Formation, at("pieces[2]")));
    let short = fault(|f| drop(f["pieces"].as_array_mut().unwrap().pop()));
    assert_eq!(short, (Wrong::Formation, at("pieces")));
    let name = fault(|f| f["name"] = json!("名".repeat(101)));
    assert_eq!(name, (Wrong::Field, at("name")));
    assert_eq!(read(&vec![b' '; MOST_BYTES + 1]).unwrap_err().wrong, Wrong::TooLarge);

    let layout = jql(&named.formation);
    let padded = [&layout[..], &vec![0; MOST_BYTES]].concat();
    assert_eq!(read(&padded).unwrap_err().wrong, Wrong::TooLarge);
    for length in 16..layout.len() {
        assert_eq!(read(&layout[..length]).unwrap_err().wrong, Wrong::OtherFormat, "{length}");
    }
    for (index, value, wrong) in
        [(20, 1, Wrong::Piece), (20, 14, Wrong::Piece), (26, 5, Wrong::Formation)]
    {
        let mut layout = layout.clone();
        layout[index] = value;
        assert_eq!(read(&layout).unwrap_err().wrong, wrong, "{index} {value}");
    }
}

#[test]
fn broken_rules_are_told_in_words() {
    let whole = jql(&formation(1));
    let flag = (20..50).find(|at| whole[*at] == 2).expect("a flag");
    let front = (20..25).find(|at| whole[*at] != 4).expect("no bomb");
    let mut layout = whole.clone();
    layout.swap(flag, front);
    let told = read(&layout).unwrap_err().to_string();
    let wanted = format!(
        "byte {front}: flag at row 1, column {}: the flag must start in a headquarters [FORMATION]",
        front - 19
    );
    assert_eq!(told, wanted);
    let mut layout = whole.clone();
    let engineer = (20..50).find(|at| layout[*at] == 13).expect("an engineer");
    layout[engineer] = 12;
    let told = read(&layout).unwrap_err().to_string();
    assert_eq!(told, "engineer: there are too many or too few of it [FORMATION]");
}

//! Looks through what a player was sent for a piece that it must not know. Knows the rule, not the truth:
//! another seat's piece shows nothing, but for a flag that the rules made public.

use super::api::View;

/// What the view shows and must not show.
pub(super) fn leaks(view: &View) -> Vec<String> {
    let mine = |seat: &String| Some(seat) == view.my_seat.as_ref();
    let mut found = Vec::new();
    for man in &view.board {
        let Some(identity) = &man.identity else { continue };
        let public = !man.face_down && identity == "FLAG";
        if !mine(&man.seat) && !public {
            found.push(format!("{} shows {identity} of seat {} at {}", view.id, man.seat, man.at));
        }
    }
    if let Some(last) = &view.last_move {
        let met = last.met.as_ref().map(|met| (&met.seat, &met.identity));
        for (seat, identity) in met.into_iter().chain([(&last.seat, &last.identity)]) {
            if let Some(identity) = identity.as_ref().filter(|_| !mine(seat)) {
                found.push(format!("{}: the last move shows {identity} of seat {seat}", view.id));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn view(board: &serde_json::Value) -> View {
        let view = json!({
            "id": "m", "version": 9, "privateVersion": 1, "phase": "PLAYING", "mySeat": "S",
            "myTurn": false, "myReady": null, "mySkipsLeft": 5, "turn": null, "board": board,
            "legalMoves": [], "drawOffer": null, "teamSurrender": null, "lastMove": null, "outcome": null
        });
        serde_json::from_value(view).unwrap()
    }

    #[test]
    fn only_own_pieces_and_public_flags_pass() {
        let own = json!([{ "at": "s11", "seat": "S", "identity": "MAJOR", "faceDown": true }]);
        let flag = json!([{ "at": "e62", "seat": "E", "identity": "FLAG", "faceDown": false }]);
        let back = json!([{ "at": "e11", "seat": "E", "identity": null, "faceDown": true }]);
        for board in [own, flag, back] {
            assert_eq!(leaks(&view(&board)), Vec::<String>::new());
        }
        let mate = json!([{ "at": "n11", "seat": "N", "identity": "MAJOR", "faceDown": true }]);
        let hidden = json!([{ "at": "e62", "seat": "E", "identity": "FLAG", "faceDown": true }]);
        for board in [mate, hidden] {
            assert_eq!(leaks(&view(&board)).len(), 1);
        }
    }
}

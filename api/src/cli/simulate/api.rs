//! The documents that a simulated player sends, and the part of the answers that it reads.

use serde::Deserialize;
use std::collections::BTreeMap;

/// The match as a player asks for it.
const VIEW: &str = "fragment View on MatchView { id version privateVersion phase mySeat myTurn myReady \
     mySkipsLeft turn { number seat kind drawOffered } board { at seat handle identity faceDown } \
     legalMoves { from to } drawOffer { offer seat pending } teamSurrender { proposal seat } \
     lastMove { seat identity met { seat identity } } outcome { kind winner winBy drawBy noResultBy } }";

/// The query of a match.
pub(super) fn query() -> String {
    format!(
        "query Look($id: ID!, $after: LogPosition) {{ match(id: $id, after: $after) {{ ...View }} }} {VIEW}"
    )
}

/// A mutation that answers with a match.
pub(super) fn mutation(name: &str, input: &str) -> String {
    format!(
        "mutation Do($input: {input}!) {{ {name}(input: $input) {{ match {{ ...View }} version position \
         userErrors {{ code }} }} }} {VIEW}"
    )
}

/// Asks for a code.
pub(super) const REQUEST_CODE: &str = "mutation Code($input: RequestCodeInput!) { requestCode(input: $input) { userErrors { code } } }";

/// Makes an account.
pub(super) const REGISTER: &str = "mutation New($input: RegisterInput!) { register(input: $input) { token userErrors { code } } }";

/// What every mutation of a match answers.
#[derive(Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct Payload {
    #[serde(rename = "match")]
    pub(super) shown: Option<View>,
    pub(super) version: Option<u64>,
    pub(super) position: Option<String>,
    pub(super) user_errors: Vec<UserError>,
}

/// What registering answers.
#[derive(Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
pub(super) struct Account {
    #[serde(default)]
    pub(super) token: Option<String>,
    pub(super) user_errors: Vec<UserError>,
}

#[derive(Deserialize, Clone, Debug)]
pub(super) struct UserError {
    pub(super) code: String,
}

/// A match in a player's eyes.
#[derive(Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub(super) id: String,
    pub(super) version: u64,
    pub(super) private_version: Option<u64>,
    pub(super) phase: String,
    pub(super) my_seat: Option<String>,
    pub(super) my_turn: bool,
    pub(super) my_ready: Option<bool>,
    pub(super) my_skips_left: Option<u32>,
    pub(super) turn: Option<Turn>,
    pub(super) board: Vec<Man>,
    pub(super) legal_moves: Vec<Targets>,
    pub(super) draw_offer: Option<Offer>,
    pub(super) team_surrender: Option<Proposal>,
    pub(super) last_move: Option<LastMove>,
    pub(super) outcome: Option<BTreeMap<String, Option<String>>>,
}

#[derive(Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct Turn {
    pub(super) seat: String,
    pub(super) draw_offered: bool,
}

#[derive(Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct Man {
    pub(super) at: String,
    pub(super) seat: String,
    pub(super) identity: Option<String>,
    pub(super) face_down: bool,
}

#[derive(Deserialize, Clone, Debug)]
pub(super) struct Targets {
    pub(super) from: String,
    pub(super) to: Vec<String>,
}

#[derive(Deserialize, Clone, Debug)]
pub(super) struct Offer {
    pub(super) offer: u32,
    pub(super) pending: Vec<String>,
}

#[derive(Deserialize, Clone, Debug)]
pub(super) struct Proposal {
    pub(super) proposal: u32,
    pub(super) seat: String,
}

#[derive(Deserialize, Clone, Debug)]
pub(super) struct LastMove {
    pub(super) seat: String,
    pub(super) identity: Option<String>,
    pub(super) met: Option<Met>,
}

#[derive(Deserialize, Clone, Debug)]
pub(super) struct Met {
    pub(super) seat: String,
    pub(super) identity: Option<String>,
}

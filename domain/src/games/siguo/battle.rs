//! The battle (战斗): who stays when one piece attacks another. Knows no board.

use super::piece::Piece;
use serde::{Deserialize, Serialize};

/// What a move makes public of a battle: who stays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// There was no battle.
    None,
    /// The attacker stays, the defender goes.
    Attacker,
    /// The defender stays, the attacker goes.
    Defender,
    /// Both go.
    Both,
}

impl Outcome {
    /// Whether the attacking (or just moving) piece leaves the board.
    pub const fn takes_attacker(self) -> bool {
        matches!(self, Self::Defender | Self::Both)
    }

    /// Whether the attacked piece leaves the board.
    pub const fn takes_defender(self) -> bool {
        matches!(self, Self::Attacker | Self::Both)
    }
}

/// Decides a battle. Flags and mines never attack; were they to, they would lose to everything.
pub fn clash(attacker: Piece, defender: Piece) -> Outcome {
    match (attacker, defender) {
        (Piece::Bomb, _) | (_, Piece::Bomb) => Outcome::Both,
        (_, Piece::Flag) | (Piece::Engineer, Piece::Mine) => Outcome::Attacker,
        (_, Piece::Mine) => Outcome::Defender,
        // Both ranked: the kinds are ordered from strong to weak.
        _ => match attacker.cmp(&defender) {
            std::cmp::Ordering::Less => Outcome::Attacker,
            std::cmp::Ordering::Equal => Outcome::Both,
            std::cmp::Ordering::Greater => Outcome::Defender,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_rules() {
        use Outcome::{Attacker, Both, Defender};
        use Piece::{Bomb, Captain, Commander, Engineer, Flag, Lieutenant, Mine};
        for (attacker, defender, outcome) in [
            (Commander, Captain, Attacker),
            (Captain, Commander, Defender),
            (Captain, Captain, Both),
            (Lieutenant, Engineer, Attacker),
            (Engineer, Lieutenant, Defender),
            (Commander, Bomb, Both),
            (Engineer, Bomb, Both),
            (Commander, Mine, Defender),
            (Engineer, Mine, Attacker),
            (Lieutenant, Flag, Attacker),
            (Engineer, Flag, Attacker),
            (Bomb, Commander, Both),
            (Bomb, Bomb, Both),
            (Bomb, Mine, Both),
            (Bomb, Flag, Both),
        ] {
            assert_eq!(clash(attacker, defender), outcome, "{attacker} on {defender}");
        }
    }
}

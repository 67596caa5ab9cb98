//! Four-nation Junqi (四国军棋): the board, the pieces, the rules, what a seat may see. Knows no clock and no people.

pub mod battle;
pub mod board;
pub mod formation;
pub mod moves;
pub mod nodes;
pub mod notation;
pub mod piece;
pub mod pos;
pub mod position;
pub mod rules;
pub mod seat;
pub mod view;

#[cfg(test)]
mod properties;

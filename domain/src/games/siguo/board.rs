//! The board: roads, rails and lines, computed once from their short description. Knows no pieces.

use super::nodes::Nodes;
use super::pos::{Pos, PosKind};
use super::seat::Seat;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Two positions joined by one step, the smaller index first.
pub type Edge = (Pos, Pos);

/// A rail line (铁路线): a piece may go along it without a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// For instance `front_s`, `row5_e`, `x6`, `arc_ws`.
    pub name: String,
    /// From one end to the other.
    pub positions: Vec<Pos>,
}

/// Everything that never changes during a game. There is one: [`board`].
pub struct Board {
    road_edges: Vec<Edge>,
    rail_edges: Vec<Edge>,
    arcs: Vec<Edge>,
    lines: Vec<Line>,
    neighbours: [Nodes; Pos::COUNT],
    rail_neighbours: [Nodes; Pos::COUNT],
    /// For each position the ways that rails lead away from it, nearest position first.
    rays: [Vec<Vec<Pos>>; Pos::COUNT],
    rail: Nodes,
    camps: Nodes,
    headquarters: Nodes,
}

static BOARD: LazyLock<Board> = LazyLock::new(Board::compute);

/// The board of four-nation Junqi.
pub fn board() -> &'static Board {
    &BOARD
}

impl Board {
    /// Road edges, sorted.
    pub fn road_edges(&self) -> &[Edge] {
        &self.road_edges
    }

    /// Rail edges, sorted; some of them are road as well.
    pub fn rail_edges(&self) -> &[Edge] {
        &self.rail_edges
    }

    /// The four arcs between neighbouring areas, in order of play.
    pub fn arcs(&self) -> &[Edge] {
        &self.arcs
    }

    /// The eighteen rail lines: front rows, rows 5, columns and rows through the centre, side–arc–side.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Positions one step away by road or rail.
    pub fn neighbours(&self, pos: Pos) -> Nodes {
        self.neighbours[pos.index()]
    }

    /// Positions one step away by rail.
    pub fn rail_neighbours(&self, pos: Pos) -> Nodes {
        self.rail_neighbours[pos.index()]
    }

    /// The straight ways by rail from a position, each to its end, nearest position first.
    pub fn rays(&self, pos: Pos) -> &[Vec<Pos>] {
        &self.rays[pos.index()]
    }

    /// All positions on rails.
    pub fn rail(&self) -> Nodes {
        self.rail
    }

    /// All camps.
    pub fn camps(&self) -> Nodes {
        self.camps
    }

    /// All headquarters.
    pub fn headquarters(&self) -> Nodes {
        self.headquarters
    }

    fn compute() -> Self {
        let lines = lines();
        let steps = lines.iter().flat_map(|line| line.positions.windows(2));
        let rail: BTreeSet<Edge> = steps.map(|step| edge(step[0], step[1])).collect();
        let road = roads();
        let rail_neighbours = joined(rail.iter());
        let of_kind = |kind| Pos::all().filter(|pos| pos.kind() == kind).collect();
        Self {
            arcs: Seat::ALL
                .iter()
                .flat_map(|&seat| arc(seat).windows(2).nth(4).map(|e| edge(e[0], e[1])))
                .collect(),
            neighbours: joined(road.union(&rail)),
            rail: Pos::all().filter(|pos| !rail_neighbours[pos.index()].is_empty()).collect(),
            rail_neighbours,
            rays: rays(&lines),
            lines,
            road_edges: road.into_iter().collect(),
            rail_edges: rail.into_iter().collect(),
            camps: of_kind(PosKind::Camp),
            headquarters: of_kind(PosKind::Headquarters),
        }
    }
}

fn edge(a: Pos, b: Pos) -> Edge {
    (a.min(b), a.max(b))
}

/// Inside each area: every step along a row or column, and the diagonals of the camps.
fn roads() -> BTreeSet<Edge> {
    let mut edges = BTreeSet::new();
    for a in Pos::all() {
        for b in Pos::all().filter(|b| a.seat().is_some() && a.seat() == b.seat()) {
            let distance = (a.row().abs_diff(b.row()), a.col().abs_diff(b.col()));
            let camp = a.kind() == PosKind::Camp || b.kind() == PosKind::Camp;
            if matches!(distance, (0, 1) | (1, 0)) || (distance == (1, 1) && camp) {
                edges.insert(edge(a, b));
            }
        }
    }
    edges
}

fn lines() -> Vec<Line> {
    let row = |seat, row| (1..=5).filter_map(|col| Pos::of(seat, row, col)).collect();
    let mut lines = Vec::new();
    let mut line = |name: String, positions: Vec<Pos>| lines.push(Line { name, positions });
    for seat in Seat::ALL {
        line(format!("front_{seat}"), row(seat, 1));
        line(format!("row5_{seat}"), row(seat, 5));
    }
    // Through the centre: the outer lines run on to row 5 at both ends, the middle one ends on the front rows.
    for across in ["x", "y"] {
        for (at, last_row) in [(6, 5), (8, 1), (10, 5)] {
            let place = |pos: &Pos| if across == "x" { pos.xy() } else { (pos.xy().1, pos.xy().0) };
            let mut through: Vec<Pos> = Pos::all()
                .filter(|pos| place(pos).0 == at && (pos.seat().is_none() || pos.row() <= last_row))
                .collect();
            through.sort_by_key(|pos| place(pos).1);
            line(format!("{across}{at}"), through);
        }
    }
    for seat in Seat::ALL {
        line(format!("arc_{seat}{}", right_of(seat)), arc(seat));
    }
    lines
}

/// The neighbour at the right hand: the next in the order s, e, n, w.
fn right_of(seat: Seat) -> Seat {
    Seat::ALL[(seat.index() + 1) % 4]
}

/// Up the seat's right side, over the arc, down the left side of the neighbour at the right hand.
fn arc(seat: Seat) -> Vec<Pos> {
    let up = (1..=5).rev().filter_map(|row| Pos::of(seat, row, 5));
    let down = (1..=5).filter_map(|row| Pos::of(right_of(seat), row, 1));
    up.chain(down).collect()
}

fn joined<'a>(edges: impl Iterator<Item = &'a Edge>) -> [Nodes; Pos::COUNT] {
    let mut sets = [Nodes::NONE; Pos::COUNT];
    for &(a, b) in edges {
        sets[a.index()].insert(b);
        sets[b.index()].insert(a);
    }
    sets
}

/// Both ways along every line; a way that another one only continues is left out.
fn rays(lines: &[Line]) -> [Vec<Vec<Pos>>; Pos::COUNT] {
    let mut rays = [const { Vec::new() }; Pos::COUNT];
    for line in lines {
        for (at, pos) in line.positions.iter().enumerate() {
            let back: Vec<Pos> = line.positions[..at].iter().rev().copied().collect();
            let on = line.positions[at + 1..].to_vec();
            let known: &mut Vec<Vec<Pos>> = &mut rays[pos.index()];
            for ray in [back, on] {
                if !known.iter().any(|other| other.starts_with(&ray)) {
                    known.retain(|other| !ray.starts_with(other));
                    known.push(ray);
                }
            }
        }
    }
    rays
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pos(name: &str) -> Pos {
        name.parse().unwrap()
    }

    #[test]
    fn check_figures_hold() {
        let board = board();
        let road: BTreeSet<_> = board.road_edges().iter().collect();
        let rail: BTreeSet<_> = board.rail_edges().iter().collect();
        assert_eq!((road.len(), rail.len()), (260, 92));
        assert_eq!(road.intersection(&rail).count(), 64);
        assert_eq!(road.union(&rail).count(), 288);
        assert_eq!(board.lines().len(), 18);
        assert_eq!(board.rail().len(), 73);
        assert_eq!((board.camps().len(), board.headquarters().len()), (20, 8));
        assert!(board.camps().iter().all(|camp| board.neighbours(camp).len() == 8));
    }

    #[test]
    fn the_rails_are_one_component() {
        let mut seen = Nodes::NONE;
        let mut open = vec![pos("s11")];
        while let Some(at) = open.pop() {
            if !seen.contains(at) {
                seen.insert(at);
                open.extend(board().rail_neighbours(at));
            }
        }
        assert_eq!(seen, board().rail());
    }

    #[test]
    fn arcs_continue_the_sides_and_corners_have_two_ways_on() {
        let arcs: Vec<_> = board().arcs().iter().map(|(a, b)| format!("{a}-{b}")).collect();
        assert_eq!(arcs, ["s15-e11", "e15-n11", "n15-w11", "s11-w15"]);
        let ways: Vec<_> = board().rays(pos("s25")).iter().map(|ray| ray[ray.len() - 1]).collect();
        assert_eq!(ways, [pos("n51"), pos("s55"), pos("e51")]);
        assert!(board().rays(pos("s22")).is_empty());
    }
}

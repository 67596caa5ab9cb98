//! The board computed from its description against the board that the vectors list.

use serde::Deserialize;
use std::collections::BTreeMap;
use yibu_domain::games::siguo::board::board;
use yibu_domain::games::siguo::pos::{Pos, PosKind};
use yibu_domain::games::siguo::seat::Seat;
use yibu_tests::vectors::{document, siguo};

#[derive(Deserialize)]
struct Listed {
    nodes: Vec<Node>,
    road_edges: Vec<(Pos, Pos)>,
    rail_edges: Vec<(Pos, Pos)>,
    arcs: Vec<(Pos, Pos)>,
    rail_lines: Vec<Line>,
    neighbours: BTreeMap<Pos, Vec<Pos>>,
    rail_neighbours: BTreeMap<Pos, Vec<Pos>>,
}

#[derive(Deserialize)]
struct Node {
    id: Pos,
    index: usize,
    x: u8,
    y: u8,
    kind: PosKind,
    seat: Option<Seat>,
    row: u8,
    col: u8,
}

#[derive(Deserialize)]
struct Line {
    name: String,
    positions: Vec<Pos>,
}

#[test]
fn board_vector_equals_the_computed_board() {
    let listed: Listed = document(&siguo("board.json"));
    assert_eq!(listed.nodes.len(), Pos::COUNT);
    for node in &listed.nodes {
        let pos = node.id;
        assert_eq!(pos.index(), node.index, "{pos}");
        assert_eq!((pos.xy(), pos.kind()), ((node.x, node.y), node.kind), "{pos}");
        assert_eq!((pos.seat(), pos.row(), pos.col()), (node.seat, node.row, node.col), "{pos}");
    }
    assert_eq!(board().road_edges(), listed.road_edges);
    assert_eq!(board().rail_edges(), listed.rail_edges);
    let as_set = |edges: &[(Pos, Pos)]| {
        let mut edges: Vec<_> = edges.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
        edges.sort_unstable();
        edges
    };
    assert_eq!(as_set(board().arcs()), as_set(&listed.arcs));
    let lines: BTreeMap<_, _> =
        board().lines().iter().map(|line| (&line.name, &line.positions)).collect();
    let wanted: BTreeMap<_, _> =
        listed.rail_lines.iter().map(|line| (&line.name, &line.positions)).collect();
    assert_eq!(lines, wanted);
    let none = Vec::new();
    for pos in Pos::all() {
        let neighbours: Vec<Pos> = board().neighbours(pos).iter().collect();
        assert_eq!(&neighbours, listed.neighbours.get(&pos).unwrap_or(&none), "{pos}");
        let by_rail: Vec<Pos> = board().rail_neighbours(pos).iter().collect();
        assert_eq!(&by_rail, listed.rail_neighbours.get(&pos).unwrap_or(&none), "{pos} by rail");
    }
}

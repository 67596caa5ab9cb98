//! Wild positions: the legal moves of all four seats, the routes of all of them, some flights written out.

use super::{Table, placed, sorted};
use serde::Deserialize;
use std::collections::BTreeMap;
use yibu_domain::games::siguo::moves::{legal_moves, route};
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::rules::Options;
use yibu_domain::games::siguo::seat::Seat;
use yibu_tests::vectors::{h16, lines, siguo};

#[derive(Deserialize)]
struct Item {
    index: u32,
    pieces: BTreeMap<Pos, String>,
    legal: BTreeMap<Seat, Legal>,
    flights: Vec<Vec<Pos>>,
}

#[derive(Deserialize)]
struct Legal {
    count: usize,
    hash: String,
    routes_hash: String,
    moves: Option<Vec<String>>,
}

#[test]
fn random_position_vectors_have_the_same_moves_and_routes() {
    for item in lines::<Item>(&siguo("random_positions.jsonl.gz")) {
        let mut table = Table::new(Options::FORMAL);
        table.position = placed(&item.pieces);
        for (&seat, wanted) in &item.legal {
            let place = format!("random position {} seat {seat}", item.index);
            let legal = table.legal(seat);
            if let Some(wanted) = &wanted.moves {
                assert_eq!(&sorted(legal.clone()), wanted, "{place}: moves");
            }
            assert_eq!((legal.len(), &h16(legal)), (wanted.count, &wanted.hash), "{place}: moves");
            let sight = table.position.sight(seat);
            let moves = legal_moves(&sight);
            let routes = moves.iter().map(|(from, to)| {
                let way = route(&sight, from, to).unwrap_or_else(|| panic!("{place}: {from}-{to}"));
                way.iter().map(ToString::to_string).collect::<Vec<_>>().join(">")
            });
            assert_eq!(h16(routes.collect()), wanted.routes_hash, "{place}: routes");
        }
        for flight in &item.flights {
            let (from, to) = (flight[0], flight[flight.len() - 1]);
            let owner = table.position.owner(from);
            let sight = table.position.sight(owner.unwrap_or_else(|| panic!("nothing on {from}")));
            assert_eq!(
                route(&sight, from, to).as_ref(),
                Some(flight),
                "random position {}",
                item.index
            );
        }
    }
}

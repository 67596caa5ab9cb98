//! Legal moves and their routes, from what the mover sees and nothing else.

use super::board::{Board, board};
use super::nodes::Nodes;
use super::piece::Piece;
use super::pos::Pos;
use super::seat::Seat;
use super::view::Sight;

/// The legal moves of one seat. Whether it is its turn is not asked here.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Moves {
    /// Every position with a piece that can move, in index order, with where it can go.
    from: Vec<(Pos, Nodes)>,
}

impl Moves {
    /// All moves as (from, to), in index order of both.
    pub fn iter(&self) -> impl Iterator<Item = (Pos, Pos)> {
        self.from.iter().flat_map(|&(from, to)| to.iter().map(move |to| (from, to)))
    }

    /// The positions with a piece that can move, each with its targets, in index order.
    pub fn by_piece(&self) -> impl Iterator<Item = (Pos, Nodes)> {
        self.from.iter().copied()
    }

    /// Where the piece on `from` can go.
    pub fn from(&self, from: Pos) -> Nodes {
        self.from
            .binary_search_by_key(&from, |&(from, _)| from)
            .map_or(Nodes::NONE, |found| self.from[found].1)
    }

    /// Whether this move is among them.
    pub fn is_legal(&self, from: Pos, to: Pos) -> bool {
        self.from(from).contains(to)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.from.iter().map(|(_, to)| to.len()).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.from.is_empty()
    }
}

/// The ground as a mover finds it.
struct Terrain<'a> {
    board: &'static Board,
    sight: &'a Sight,
    /// Nothing stands there.
    free: Nodes,
    /// An enemy stands there and can be attacked: not in a camp.
    prey: Nodes,
}

impl<'a> Terrain<'a> {
    fn of(sight: &'a Sight) -> Self {
        let board = board();
        let [one, two] = sight.seat().side().other().seats();
        let enemies = sight.held(one) | sight.held(two);
        let all = Seat::ALL.into_iter().fold(Nodes::NONE, |all, seat| all | sight.held(seat));
        Self { board, sight, free: !all, prey: enemies & !board.camps() }
    }

    /// The own pieces that could move if they were not hemmed in.
    fn movable(&self) -> impl Iterator<Item = (Pos, Piece)> {
        let outside = self.sight.held(self.sight.seat()) & !self.board.headquarters();
        outside.iter().filter_map(|at| {
            self.sight.identity(at).filter(|piece| piece.moves()).map(|piece| (at, piece))
        })
    }

    fn steps(&self, from: Pos) -> Nodes {
        self.board.neighbours(from) & (self.free | self.prey)
    }

    fn targets(&self, from: Pos, piece: Piece) -> Nodes {
        let mut targets = self.steps(from);
        if piece == Piece::Engineer {
            targets |= self.flight(from);
        } else {
            for ray in self.board.rays(from) {
                for &to in ray {
                    if self.free.contains(to) {
                        targets.insert(to);
                        continue;
                    }
                    if self.prey.contains(to) {
                        targets.insert(to);
                    }
                    break;
                }
            }
        }
        targets
    }

    /// Every rail position that an engineer reaches, turning as it likes.
    fn flight(&self, from: Pos) -> Nodes {
        let mut seen = self.board.rail_neighbours(from);
        let mut edge = seen;
        while !edge.is_empty() {
            let mut next = Nodes::NONE;
            for at in edge & self.free {
                next |= self.board.rail_neighbours(at);
            }
            edge = next & !seen;
            seen |= next;
        }
        seen & (self.free | self.prey)
    }

    /// A shortest way by rail, found breadth first with neighbours in index order.
    fn flight_route(&self, from: Pos, to: Pos) -> Option<Vec<Pos>> {
        let mut parent = [from; Pos::COUNT];
        let mut seen = Nodes::from_iter([from]);
        let mut queue = Vec::with_capacity(Pos::COUNT);
        queue.push(from);
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            for found in self.board.rail_neighbours(at) & !seen {
                parent[found.index()] = at;
                if found == to {
                    return Some(walk_back(&parent, from, to));
                }
                seen.insert(found);
                if self.free.contains(found) {
                    queue.push(found);
                }
            }
        }
        None
    }
}

fn walk_back(parent: &[Pos; Pos::COUNT], from: Pos, to: Pos) -> Vec<Pos> {
    let mut route = vec![to];
    let mut at = to;
    while at != from {
        at = parent[at.index()];
        route.push(at);
    }
    route.reverse();
    route
}

/// All legal moves of the seat whose sight it is.
pub fn legal_moves(sight: &Sight) -> Moves {
    let terrain = Terrain::of(sight);
    let mut from = Vec::with_capacity(24);
    for (at, piece) in terrain.movable() {
        let to = terrain.targets(at, piece);
        if !to.is_empty() {
            from.push((at, to));
        }
    }
    Moves { from }
}

/// Whether the seat has any legal move. Every longer move begins with a legal step, so steps suffice.
pub fn any_move(sight: &Sight) -> bool {
    let terrain = Terrain::of(sight);
    terrain.movable().any(|(at, _)| !terrain.steps(at).is_empty())
}

/// Where the own piece on `from` can go.
pub fn targets(sight: &Sight, from: Pos) -> Nodes {
    let terrain = Terrain::of(sight);
    let piece = terrain.movable().find(|(at, _)| *at == from);
    piece.map_or(Nodes::NONE, |(at, piece)| terrain.targets(at, piece))
}

/// The way that a legal move takes, both ends included: one step, the line walked, or an engineer's
/// flight. `None` when the move is not legal.
pub fn route(sight: &Sight, from: Pos, to: Pos) -> Option<Vec<Pos>> {
    if !targets(sight, from).contains(to) {
        return None;
    }
    let terrain = Terrain::of(sight);
    if terrain.board.neighbours(from).contains(to) {
        return Some(vec![from, to]);
    }
    if sight.identity(from) == Some(Piece::Engineer) {
        return terrain.flight_route(from, to);
    }
    // Two lines share positions only where they run together, so the first ray that leads there is the way.
    terrain.board.rays(from).iter().find_map(|ray| {
        let end = ray.iter().position(|&at| at == to)?;
        Some(std::iter::once(from).chain(ray[..=end].iter().copied()).collect())
    })
}

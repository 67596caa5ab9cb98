//! Random formations. The algorithm is published and checked by players: it can never change.

use super::{Formation, SIZE, slots};
use crate::games::siguo::piece::Piece;
use crate::games::siguo::pos::Pos;
use crate::games::siguo::seat::Seat;
use crate::kernel::FairDraw;

impl Formation {
    /// A random legal formation, each as likely as any other. Part of `yibu-draw/1`: it can never change.
    ///
    /// 1. One number below 2 puts the flag on (6,2) or (6,4).
    /// 2. The nine free positions of rows 5 and 6, in index order, are shuffled; the first three hold mines.
    /// 3. The sixteen free positions of rows 2 to 6, in index order, are shuffled; the first two hold bombs.
    /// 4. The nineteen ranked pieces, from strong to weak, are shuffled and fill the rest in index order.
    pub fn random(seat: Seat, draw: &mut FairDraw) -> Self {
        let rows: [u8; SIZE] =
            std::array::from_fn(|slot| slots(seat).nth(slot).map_or(0, Pos::row));
        let mut filled: [Option<Piece>; SIZE] = [None; SIZE];
        // Slots 21 and 23 are the headquarters (6,2) and (6,4).
        filled[if draw.below(2) == 0 { 21 } else { 23 }] = Some(Piece::Flag);
        for (piece, first_row) in [(Piece::Mine, 5), (Piece::Bomb, 2)] {
            let mut free: Vec<usize> = (0..SIZE)
                .filter(|&slot| filled[slot].is_none() && rows[slot] >= first_row)
                .collect();
            draw.shuffle(&mut free);
            for &slot in free.iter().take(piece.count_per_seat()) {
                filled[slot] = Some(piece);
            }
        }
        let mut ranked: Vec<Piece> = Piece::ALL[..=Piece::Engineer.index()]
            .iter()
            .flat_map(|&piece| std::iter::repeat_n(piece, piece.count_per_seat()))
            .collect();
        draw.shuffle(&mut ranked);
        let mut rest = ranked.into_iter();
        // 19 ranked pieces meet 19 free slots, so the last resort is never taken.
        let pieces = filled.map(|piece| piece.or_else(|| rest.next()).unwrap_or(Piece::Lieutenant));
        Self { seat, pieces }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Bytes32, MatchId};

    #[test]
    fn the_algorithm_never_changes() {
        let mut draw = FairDraw::new(
            "formation",
            MatchId(uuid::Uuid::nil()),
            &Bytes32([0x5a; 32]),
            &[Bytes32([1; 32])],
        );
        let letters =
            |codes: [u8; 25]| codes.map(|code| char::from(b'a' + code)).iter().collect::<String>();
        assert_eq!(
            letters(Formation::random(Seat::S, &mut draw).codes()),
            "fhceigcdgjahijekikkhfdblg"
        );
        assert_eq!(
            letters(Formation::random(Seat::W, &mut draw).codes()),
            "icedefhggbihhidajjkcflkkg"
        );
    }
}

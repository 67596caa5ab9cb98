//! The fair draws of a complete record, computed again from seed and nonces by the published algorithm.

use super::complete::{Complete, Roll};
use crate::games::siguo::formation::Formation;
use crate::kernel::{Bytes32, FairDraw, dice};

/// Why the draws of a record do not hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DrawFault {
    /// The seed is not the one that the opening promised.
    #[error("the seed is not the one that was promised")]
    Seed,
    /// Seed and nonces give another result.
    #[error("draw {0}: seed and nonces give another result")]
    Result(String),
    /// The draw was ordered, or follows an algorithm that is not known here.
    #[error("draw {0}: not a draw of {algorithm}", algorithm = dice::ALGORITHM)]
    Algorithm(String),
}

impl Complete {
    /// Checks every draw; returns how many there are.
    ///
    /// # Errors
    /// The first draw that does not hold.
    pub fn check_draws(&self) -> Result<usize, DrawFault> {
        let chances = &self.draws;
        if dice::commitment(self.kept.id, &chances.seed) != chances.commitment {
            return Err(DrawFault::Seed);
        }
        for draw in &chances.draws {
            if draw.algorithm != dice::ALGORITHM || chances.algorithm != dice::ALGORITHM {
                return Err(DrawFault::Algorithm(draw.purpose.clone()));
            }
            if !self.yields(draw) {
                return Err(DrawFault::Result(draw.purpose.clone()));
            }
        }
        Ok(chances.draws.len())
    }

    fn yields(&self, draw: &Roll) -> bool {
        let nonces: Vec<Bytes32> = draw.nonces.iter().map(|nonce| nonce.value).collect();
        let mut numbers = FairDraw::new(&draw.purpose, self.kept.id, &self.draws.seed, &nonces);
        if draw.choices.is_empty() {
            let wanted = Formation::random(draw.seat, &mut numbers);
            return wanted.iter().map(|(_, piece)| piece).eq(draw.formation.iter().copied());
        }
        let bound = u32::try_from(draw.choices.len()).unwrap_or(0);
        let index = numbers.below(bound) as usize;
        draw.formation.is_empty() && draw.choices.get(index) == Some(&draw.seat.to_string())
    }
}

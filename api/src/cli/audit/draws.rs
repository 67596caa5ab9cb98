//! Fair draws: the seed against its commitment, and every result computed again from seed and nonces, by the
//! published algorithm and not by the decider.

use super::Report;
use yibu_domain::games::siguo::formation::Formation;
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Bytes32, Dated, Dice, FairDraw, MatchId, dice};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::events::{Draw, OpenedSecret};
use yibu_infrastructure::log::port::Stored;

type Events = [(Stored, Dated<MatchEvent>)];

/// What the draws of one match are checked against: seen at its opening.
#[derive(Default)]
pub(super) struct Promise(Option<(MatchId, Bytes32)>);

/// A man's place and identity.
type Placed = (Pos, Piece);

impl Promise {
    /// Checks the draws of one decision.
    pub(super) fn check(&mut self, events: &Events, report: &mut Report) {
        for (stored, dated) in events {
            if let MatchEvent::Opened(parts) = &dated.event
                && let (Some(public), Some(OpenedSecret { seed })) =
                    (&parts.public, &parts.secret.facts)
            {
                if dice::commitment(public.match_id, seed) != public.commitment {
                    let text = "the seed is not the one that was promised";
                    report.event(stored, text);
                }
                self.0 = Some((public.match_id, *seed));
            }
            for (draw, result) in drawn(&dated.event) {
                if draw.algorithm == dice::FORCED {
                    report.ordered_draws += 1;
                    continue;
                }
                report.draws += 1;
                if draw.algorithm != dice::ALGORITHM {
                    let text = format!("draw {}: unknown algorithm", draw.purpose);
                    report.event(stored, text);
                } else if !self.yields(draw, &result) {
                    let text =
                        format!("draw {}: seed and nonces give another result", draw.purpose);
                    report.event(stored, text);
                }
            }
        }
    }

    fn yields(&self, draw: &Draw, result: &Drawn) -> bool {
        let Some((match_id, seed)) = &self.0 else { return false };
        let nonces: Vec<Bytes32> = draw.nonces.iter().map(|nonce| nonce.value).collect();
        let mut numbers = FairDraw::new(&draw.purpose, *match_id, seed, &nonces);
        match result {
            Drawn::Seat(seat) => {
                let bound = u32::try_from(draw.choices.len()).unwrap_or(0);
                let index = numbers.below(bound) as usize;
                draw.choices.get(index) == Some(&seat.to_string())
            }
            Drawn::Formation(seat, men) => {
                let wanted: Vec<_> = Formation::random(*seat, &mut numbers).iter().collect();
                wanted == *men
            }
        }
    }
}

/// What a draw decided.
enum Drawn {
    Seat(Seat),
    Formation(Seat, Vec<Placed>),
}

fn drawn(event: &MatchEvent) -> Vec<(&Draw, Drawn)> {
    match event {
        MatchEvent::SeatTaken(parts) => {
            let Some(facts) = &parts.secret.facts else { return Vec::new() };
            let men = parts
                .seat
                .get(facts.seat)
                .map(|part| part.men.iter().map(|man| (man.piece, man.identity)).collect());
            let formation = Drawn::Formation(facts.seat, men.unwrap_or_default());
            vec![(&facts.seat_draw, Drawn::Seat(facts.seat)), (&facts.formation_draw, formation)]
        }
        MatchEvent::Started(parts) => match (&parts.public, &parts.secret.facts) {
            (Some(public), Some(facts)) => vec![(&facts.draw, Drawn::Seat(public.first))],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Dice that yield what a test had ordered, where it had.
pub(super) fn ordered(events: &Events) -> Dice {
    // Commands are recorded complete: nothing else is left to chance.
    let mut ordered = Dice::seeded([0; 32]);
    for (_, dated) in events {
        for (draw, result) in drawn(&dated.event) {
            if draw.algorithm != dice::FORCED {
                continue;
            }
            let purpose = draw.purpose.split('/').next().unwrap_or_default();
            let values = match result {
                Drawn::Seat(seat) => vec![u8::try_from(seat.index()).unwrap_or_default()],
                Drawn::Formation(seat, men) => match Formation::from_pieces(seat, &men) {
                    Ok(formation) => formation.codes().to_vec(),
                    Err(_) => Vec::new(),
                },
            };
            ordered = ordered.forcing(purpose, values);
        }
    }
    ordered
}

//! Fair draws: the seed against its commitment, and every result computed again from seed and nonces, by the
//! published algorithm and not by the decider.

use super::Report;
use yibu_domain::games::siguo::formation::Formation;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Bytes32, Dated, Dice, FairDraw, MatchId, dice};
use yibu_domain::matches::events::{Draw, OpenedSecret};
use yibu_domain::matches::{MatchEvent, MatchState};
use yibu_infrastructure::log::port::Stored;

type Events = [(Stored, Dated<MatchEvent>)];

/// What a draw is checked against.
struct Promise {
    match_id: MatchId,
    seed: Bytes32,
}

/// Checks the draws of one decision.
pub(super) fn check(before: &MatchState, events: &Events, stream: &str, report: &mut Report) {
    let mut promise = before.seed().zip(before.live()).map(|(seed, live)| Promise {
        match_id: live.sheet.public.match_id,
        seed,
    });
    for (stored, dated) in events {
        let mut odd = |problem: String| report.problem(stream, Some(stored.version), problem);
        if let MatchEvent::Opened(parts) = &dated.event
            && let (Some(public), Some(OpenedSecret { seed })) = (&parts.public, &parts.secret.facts)
        {
            if dice::commitment(public.match_id, seed) != public.commitment {
                odd("the seed is not the one that was promised".to_owned());
            }
            promise = Some(Promise { match_id: public.match_id, seed: *seed });
            continue;
        }
        let Some(promise) = &promise else { continue };
        for (draw, result) in drawn(&dated.event) {
            if draw.algorithm == dice::FORCED {
                continue;
            }
            if draw.algorithm != dice::ALGORITHM {
                odd(format!("draw {}: unknown algorithm", draw.purpose));
            } else if !promise.yields(draw, &result) {
                odd(format!("draw {}: seed and nonces give another result", draw.purpose));
            }
        }
        let checked = drawn(&dated.event).len() as u64;
        report.draws += checked;
    }
}

/// What a draw decided.
enum Drawn {
    Seat(Seat),
    Formation(Seat, Vec<(yibu_domain::games::siguo::pos::Pos, yibu_domain::games::siguo::piece::Piece)>),
}

fn drawn(event: &MatchEvent) -> Vec<(&Draw, Drawn)> {
    match event {
        MatchEvent::SeatTaken(parts) => {
            let Some(facts) = &parts.secret.facts else { return Vec::new() };
            let men = parts.seat.get(facts.seat).map(|part| {
                part.men.iter().map(|man| (man.piece, man.identity)).collect()
            });
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

impl Promise {
    fn yields(&self, draw: &Draw, result: &Drawn) -> bool {
        let nonces: Vec<Bytes32> = draw.nonces.iter().map(|nonce| nonce.value).collect();
        let mut numbers = FairDraw::new(&draw.purpose, self.match_id, &self.seed, &nonces);
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

/// Dice that yield what a test had ordered, where it had.
pub(super) fn ordered(events: &Events, dice: Dice, report: &mut Report) -> Dice {
    let mut dice = dice;
    for (_, dated) in events {
        for (draw, result) in drawn(&dated.event) {
            if draw.algorithm != dice::FORCED {
                continue;
            }
            report.ordered_draws += 1;
            report.draws -= 1;
            let purpose = draw.purpose.split('/').next().unwrap_or_default();
            let values = match result {
                Drawn::Seat(seat) => vec![u8::try_from(seat.index()).unwrap_or_default()],
                Drawn::Formation(seat, men) => match Formation::from_pieces(seat, &men) {
                    Ok(formation) => formation.codes().to_vec(),
                    Err(_) => Vec::new(),
                },
            };
            dice = dice.forcing(purpose, values);
        }
    }
    dice
}

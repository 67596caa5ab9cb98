//! The history is over: desks learn what runs now, and nothing of what was. Where the log is followed anew, what they
//! said of clocks that still run stays said, and what was told and calls for nothing any more is done.

use super::PlanFault;
use super::calls::{Calls, calls};
use super::clocks::{Ticking, concerned};
use crate::accounts::reminders::{Kept, Plan};
use std::collections::{BTreeMap, HashMap};
use yibu_domain::kernel::{MatchId, PlayerId, Time};
use yibu_domain::matches::view::Sheet;
use yibu_domain::reminders::{Happening, TurnRef};

/// How a match stands: what runs, and what calls.
type Standing = (BTreeMap<PlayerId, Ticking>, Calls);

fn standing(sheet: &Sheet) -> Standing {
    (concerned(sheet), calls(sheet))
}

/// Brings all desks and notices to what is so at `now`.
pub(super) async fn come_alive(plan: &mut Plan, now: Time) -> Result<(), PlanFault> {
    let mut matches: HashMap<MatchId, Standing> = HashMap::new();
    for (id, followed) in plan.everything().await? {
        matches.insert(id, standing(&followed.sheet));
    }
    for (id, followed) in &plan.matches {
        matches.insert(*id, standing(&followed.sheet));
    }
    for id in &plan.gone {
        matches.remove(id);
    }
    let mut running: HashMap<PlayerId, BTreeMap<MatchId, Ticking>> = HashMap::new();
    for (id, (clocks, _)) in &matches {
        for (player, ticking) in clocks {
            running.entry(*player).or_default().insert(*id, *ticking);
        }
    }
    let mut desks: HashMap<PlayerId, Kept> = HashMap::new();
    for kept in plan.every_desk().await? {
        desks.insert(kept.player, kept);
    }
    let new = running.keys().filter(|player| !desks.contains_key(player));
    let new: Vec<PlayerId> = new.copied().collect();
    desks.extend(plan.desks_of(&new).await?);
    for kept in desks.values_mut() {
        learn(kept, &running.remove(&kept.player).unwrap_or_default(), now);
    }
    for calling in plan.calling().await? {
        let standing = matches.get(&calling.match_id);
        let open = standing.and_then(|(_, calls)| calls.get(&calling.player));
        if !open.is_some_and(|open| open.iter().any(|call| calling.is_for(*call)))
            && let Some(kept) = desks.get_mut(&calling.player)
        {
            kept.close_one(&calling);
        }
    }
    plan.desks.extend(desks.into_values());
    Ok(())
}

/// A desk learns which clocks run.
fn learn(kept: &mut Kept, running: &BTreeMap<MatchId, Ticking>, now: Time) {
    let stale: Vec<TurnRef> = kept.desk().running().collect();
    for TurnRef { match_id, turn } in stale {
        if running.get(&match_id).is_none_or(|ticking| ticking.turn != turn) {
            kept.note(now, Happening::Ended { match_id });
        }
    }
    for (&match_id, ticking) in running {
        if kept.desk().runs(ticking.name(match_id)) {
            let deadline = ticking.deadline;
            kept.note(now, Happening::DeadlineMoved { match_id, deadline });
        } else {
            kept.note(ticking.since, ticking.started(match_id));
        }
    }
    kept.wake = Some(now);
}

//! What house players do in the seats that they hold, and at vacant ones. Chooses by the domain's policy from
//! a member's own view; must not look at anybody else's.

use super::{House, HouseFault, MOST_TABLES, Member, RETRY, What, fault};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{FairDraw, MatchId, PlayerId};
use yibu_domain::matches::house::{choose, persons_sit};
use yibu_domain::matches::{Choice, MatchCommand};
use yibu_projections::models::PlaceRole;

impl House {
    /// Does what waits for any member, after the time to think.
    pub(super) async fn play(&mut self) -> Result<(), HouseFault> {
        for member in self.members.clone() {
            let places = self.app.lobby().tables_of(member.player, MOST_TABLES).await;
            for place in places.map_err(fault)? {
                let what = What::Seat(place.match_id, member.player);
                if !place.waits() || !self.waits.due(what, self.now(), self.settings.think) {
                    continue;
                }
                let done = match place.role {
                    PlaceRole::Candidate => {
                        let confirm = MatchCommand::ConfirmTakeover;
                        self.send(place.match_id, member.player, confirm).await
                    }
                    PlaceRole::Seated | PlaceRole::Eliminated => {
                        self.act(place.match_id, member.player).await?
                    }
                };
                if done {
                    self.waits.done(what);
                } else {
                    self.waits.again(what, self.now() + RETRY);
                }
            }
        }
        Ok(())
    }

    async fn act(&self, id: MatchId, player: PlayerId) -> Result<bool, HouseFault> {
        // The lobby may have moved on since the look began: a view behind it would not know of the own turn.
        self.level().await?;
        let seen = self.app.view_for(id, player).await.map_err(|error| fault(error.message))?;
        let Some(seen) = seen else { return Ok(false) };
        let seed = self.app.entropy().bytes32();
        let mut dice = FairDraw::new("house", id, &seed, &[]);
        match choose(&seen.view, &mut dice) {
            Some(command) => Ok(self.send(id, player, command).await),
            None => Ok(false),
        }
    }

    /// Takes over vacant seats on turn that no person took; where no person is left, the house goes.
    pub(super) async fn fill_vacancies(&mut self) -> Result<(), HouseFault> {
        for vacancy in self.app.lobby().vacancies().await.map_err(fault)? {
            let id = vacancy.match_id;
            let what = What::Vacancy(id);
            if !self.waits.due(what, self.now(), self.settings.takeover_patience) {
                continue;
            }
            let Some(state) = self.app.matches().state(id).await.map_err(fault)? else { continue };
            let Some(live) = state.live() else { continue };
            if !persons_sit(&live.sheet.public) {
                let seated = Seat::ALL.into_iter().filter_map(|seat| live.person(seat));
                let seated: Vec<_> = seated.map(|person| person.player).collect();
                for player in seated {
                    self.send(id, player, MatchCommand::Leave).await;
                }
                continue;
            }
            let free = self.members.iter().find(|member| live.takeover_open_to(member.player));
            let taken = match free.copied() {
                Some(member) => self.take_over(id, member).await,
                None => false,
            };
            if !taken {
                self.waits.again(what, self.now() + RETRY);
            }
        }
        Ok(())
    }

    async fn take_over(&self, id: MatchId, member: Member) -> bool {
        let choices = Choice::all(vec![id]);
        let candidate = MatchCommand::MatchTakeover { guest: member.guest(), choices };
        self.send(id, member.player, candidate).await
            && self.send(id, member.player, MatchCommand::ConfirmTakeover).await
    }
}

//! The planner of reminders as it runs: over accounts, a log and a clock that the tests turn. What is to be said when
//! is the business of the suite `reminders`; here it has to arrive, once, whatever happens in between.

mod crash;
mod done;
mod events;
mod life;
mod mails;
mod nodes;
mod notices;
mod rig;
mod truth;
mod vectors;

//! Running the server: settings, figures, traces, health, draining and stopping, outages by hand, nodes of two
//! versions beside each other.

mod away;
mod drain;
mod figures;
mod folder;
mod health;
mod outage;
mod settings;
mod sweeping;
mod traces;
mod upgrade;

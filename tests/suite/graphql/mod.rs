//! The GraphQL API from outside: real HTTP and web sockets against a whole server.

mod accounts;
mod accounts_admin;
mod accounts_changes;
mod accounts_leaving;
pub(crate) mod admin;
mod admin_finds;
mod live;
mod marks;
mod positions;
mod refusals;
mod reminders;
mod schema;
mod standings;
mod votes;

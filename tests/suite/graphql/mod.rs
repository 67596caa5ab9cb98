//! The GraphQL API from outside: real HTTP and web sockets against a whole server.

mod accounts;
mod live;
mod positions;
mod refusals;
mod schema;
mod standings;
mod votes;

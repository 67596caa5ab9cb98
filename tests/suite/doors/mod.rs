//! The doors over real connections on port 0, before a toy schema.

mod assets;
mod house;
mod http;
mod order;
mod parts;
mod socket;
mod socket_time;
mod stream;
pub(crate) mod toy;

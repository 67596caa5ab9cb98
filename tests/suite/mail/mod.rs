//! Mail on its way: the outbox with its sender, a real mail server, what becomes of crashes, and how turn mails are
//! ended. What accounts mail at once (codes) is also in `accounts`.

mod composing;
mod crashes;
mod production;
mod sending;
mod smtp;
mod stage;
mod unsubscribe;

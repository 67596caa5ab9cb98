//! Rows in an outbox, as somebody before this process left them: tests choose their ids, addresses and times. Asserts
//! nothing about the product.

use sqlx::any::install_default_drivers;
use sqlx::{AnyConnection, Connection as _};
use std::path::Path;
use uuid::Uuid;
use yibu_domain::kernel::{PlayerId, Time};
use yibu_infrastructure::accounts::Place;
use yibu_infrastructure::accounts::outbox::Posting;

/// A mail that lies there.
pub struct Lying<'a> {
    /// Its id.
    pub id: Uuid,
    /// Whose.
    pub player: PlayerId,
    /// The address that it goes to.
    pub to: &'a str,
    /// What it is.
    pub posting: &'a Posting,
    /// When it is to go.
    pub due: Time,
    /// When it is given up.
    pub expires: Time,
}

/// Lays a mail into the outbox at a place, whose tables are there.
///
/// # Errors
/// The database refuses it.
///
/// # Panics
/// The database cannot be opened.
pub async fn lay(place: &Place, mail: &Lying<'_>) -> Result<(), sqlx::Error> {
    install_default_drivers();
    let mut on = AnyConnection::connect(&url(place)).await.expect("a database");
    let body = serde_json::to_string(mail.posting).expect("it is written as JSON");
    let laid = sqlx::query(
        "INSERT INTO outbox (id, player, recipient, kind, body, since, due, expires) \
         VALUES ($1, $2, $3, $4, $5, $6, $6, $7)",
    )
    .bind(mail.id.into_bytes().to_vec())
    .bind(mail.player.0.into_bytes().to_vec())
    .bind(mail.to)
    .bind(mail.posting.name())
    .bind(body)
    .bind(mail.due.0)
    .bind(mail.expires.0)
    .execute(&mut on)
    .await;
    on.close().await.expect("it closes");
    laid.map(drop)
}

fn url(place: &Place) -> String {
    let file = |folder: &Path| format!("sqlite://{}", folder.join("accounts.db").display());
    match place {
        Place::Folder(folder) => file(folder),
        Place::Postgres(url) => url.clone(),
    }
}

//! Fair play: which accounts share a device or a network, who may not meet at a table, and the turn of those who
//! look for one. Sharing a network alone keeps nobody apart. Must not know tables.

use super::db::Row;
use super::turns::{Turn, Tx};
use super::{Accounts, Failure, rows};
use std::collections::BTreeSet;
use yibu_domain::kernel::{PlayerId, Time};

/// What two accounts share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LinkKind {
    /// A device mark: both have logged in with one browser.
    Device,
    /// An IPv4 address or an IPv6 /64 in the last 30 days.
    Network,
}

/// Another account that shares something with a player's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The other account.
    pub player: PlayerId,
    /// What is shared.
    pub by: LinkKind,
    /// When the one that came later to it was there last.
    pub last: Time,
}

/// Whether a player may sit down, and with whom not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// Suspended, or on the way out.
    pub barred: bool,
    /// Accounts that share a device with the player's.
    pub apart: BTreeSet<PlayerId>,
}

/// The turn of somebody who looks for a table. Another node's is over when it is dropped.
pub struct MatchingTurn {
    _tx: Option<Tx>,
}

impl Accounts {
    /// Waits until no other node looks for a table, for ten seconds at most. Where one process has the accounts
    /// alone, it keeps its own order. A node that stops in the middle loses its turn after half a minute.
    ///
    /// # Errors
    /// The database failed, or another node did not finish in time.
    pub async fn matching_turn(&self) -> Result<MatchingTurn, Failure> {
        let db = &self.inner.db;
        let tx = match db.shared() {
            None => None,
            Some(_) => Some(db.write_in_time(Turn::Matching).await?),
        };
        Ok(MatchingTurn { _tx: tx })
    }

    /// Whether a player may sit down, and with whom not.
    ///
    /// # Errors
    /// The database failed.
    pub async fn standing(&self, player: PlayerId) -> Result<Standing, Failure> {
        let id = rows::bytes(player.0);
        let barred = sqlx::query(
            "SELECT 1 FROM suspensions WHERE player = $1 UNION ALL SELECT 1 FROM deletions WHERE player = $1",
        )
        .bind(&id)
        .fetch_optional(self.inner.db.reading())
        .await?
        .is_some();
        let found = sqlx::query(
            "SELECT DISTINCT other.player FROM devices own JOIN devices other ON other.mark = own.mark \
             WHERE own.player = $1 AND other.player <> $1",
        )
        .bind(&id)
        .fetch_all(self.inner.db.reading())
        .await?;
        let apart = found.iter().map(|row| rows::player(row, "player"));
        Ok(Standing { barred, apart: apart.collect::<Result<_, _>>()? })
    }

    /// The accounts that share a device or a network with a player's, the latest first. For administrators.
    ///
    /// # Errors
    /// The database failed.
    pub async fn links(&self, player: PlayerId) -> Result<Vec<Link>, Failure> {
        let mut links = Vec::new();
        for (by, table, shared) in
            [(LinkKind::Device, "devices", "mark"), (LinkKind::Network, "networks", "network")]
        {
            let sql = format!(
                "SELECT other.player, MAX(CASE WHEN own.last_seen < other.last_seen THEN own.last_seen \
                 ELSE other.last_seen END) AS last FROM {table} own \
                 JOIN {table} other ON other.{shared} = own.{shared} \
                 WHERE own.player = $1 AND other.player <> $1 GROUP BY other.player"
            );
            let found = sqlx::query(&sql)
                .bind(rows::bytes(player.0))
                .fetch_all(self.inner.db.reading())
                .await?;
            let link = |row: &Row| {
                let (player, last) = (rows::player(row, "player")?, rows::time(row, "last")?);
                Ok(Link { player, by, last })
            };
            links.extend(found.iter().map(link).collect::<Result<Vec<_>, sqlx::Error>>()?);
        }
        links.sort_by_key(|link| (std::cmp::Reverse(link.last), link.player));
        Ok(links)
    }
}

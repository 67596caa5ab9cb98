//! The tokens in turn mails by which their receiver stops them without logging in: a player with a mark that only
//! this site can make. They hold for as long as the account, and for nothing else.

use super::composing::Desks;
use crate::http::unsubscribe::Stop;
use async_trait::async_trait;
use std::sync::Arc;
use uuid::Uuid;
use yibu_domain::kernel::PlayerId;
use yibu_infrastructure::accounts::Accounts;
use yibu_infrastructure::mail::Locale;

/// The name of the key among the accounts' keys.
pub(super) const KEY: &str = "unsubscribe";

const PLAYER: usize = 16;
const MARK: usize = 32;

/// Makes tokens and knows its own.
#[derive(Clone)]
pub struct OptOut {
    key: [u8; 32],
}

impl OptOut {
    /// With the site's key.
    pub const fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    /// The player's token, always the same.
    pub fn token(&self, player: PlayerId) -> String {
        let player = player.0.into_bytes();
        let mark = blake3::keyed_hash(&self.key, &player);
        hex::encode(player) + &mark.to_hex()
    }

    /// Whose token this is; `None` for what is no token of this site.
    pub fn player(&self, token: &str) -> Option<PlayerId> {
        let mut bytes = [0; PLAYER + MARK];
        hex::decode_to_slice(token, &mut bytes).ok()?;
        let (player, mark) = bytes.split_first_chunk::<PLAYER>()?;
        // Compared in constant time by the library.
        let own = blake3::keyed_hash(&self.key, player);
        let shown = blake3::Hash::from_bytes(mark.try_into().ok()?);
        (own == shown).then(|| PlayerId(Uuid::from_bytes(*player)))
    }

    /// What stands behind the links with these tokens.
    pub fn stopping(&self, accounts: Accounts, desks: Arc<dyn Desks>) -> Arc<dyn Stop> {
        Arc::new(Stopping { opt_out: self.clone(), accounts, desks })
    }
}

/// What stands behind the links of turn mails.
struct Stopping {
    opt_out: OptOut,
    accounts: Accounts,
    desks: Arc<dyn Desks>,
}

#[async_trait]
impl Stop for Stopping {
    async fn language(&self, token: &str) -> Result<Option<Locale>, String> {
        let Some(player) = self.opt_out.player(token) else { return Ok(None) };
        let person = self.accounts.person(player).await.map_err(|failure| failure.to_string())?;
        Ok(person.map(|person| person.locale))
    }

    async fn stop(&self, token: &str) -> Result<Option<Locale>, String> {
        let language = self.language(token).await?;
        if let (Some(_), Some(player)) = (language, self.opt_out.player(token)) {
            self.desks.turn_off(player).await.map_err(|fault| fault.to_string())?;
        }
        Ok(language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_one_players_at_one_site() {
        let (here, there) = (OptOut::new([1; 32]), OptOut::new([2; 32]));
        let player = PlayerId(Uuid::from_u128(7));
        let token = here.token(player);
        assert_eq!(here.player(&token), Some(player));
        assert_eq!(there.player(&token), None);
        for at in 0..token.len() {
            let digit = if &token[at..=at] == "0" { "1" } else { "0" };
            let mut broken = token.clone();
            broken.replace_range(at..=at, digit);
            assert_eq!(here.player(&broken), None);
        }
        for other in ["", "00", &token[2..], &format!("{token}00")] {
            assert_eq!(here.player(other), None, "{other}");
        }
    }
}

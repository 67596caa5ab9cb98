//! What a command's sender asked, as a hash: a key sent again with the same input is a repeat, with another
//! input a conflict. The hash outlives the process by days; canonical forms never change; a changed one has a new name.

use super::matchmaking::{MATCH_NEW, MATCH_TAKEOVER};
use yibu_domain::matches::MatchCommand;
use yibu_domain::matches::events::NonceBy;
use yibu_domain::players::PlayerCommand;
use yibu_domain::site::SiteCommand;

/// A command with a stored name and a canonical form.
pub trait Input {
    /// The command's kind, as stored with its events.
    fn kind(&self) -> &'static str;

    /// Everything else that its sender chose, as bytes: equal inputs give equal bytes.
    ///
    /// # Errors
    /// What the serializer reports.
    fn canonical(&self) -> Result<Vec<u8>, serde_json::Error>;
}

impl Input for MatchCommand {
    fn kind(&self) -> &'static str {
        Self::kind(self)
    }

    fn canonical(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }
}

impl Input for SiteCommand {
    fn kind(&self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::SetLimits { .. } => "set_limits",
            Self::SetRelease { .. } => "set_release",
            Self::SetNormalMailWait { .. } => "set_normal_mail_wait",
            Self::SetAnnouncement { .. } => "set_announcement",
            Self::NoteOutage(_) => "note_outage",
            Self::DeclareOutage { .. } => "declare_outage",
            Self::Unseal { .. } => "unseal",
            Self::GrantAdmin { .. } => "grant_admin",
            Self::RevokeAdmin { .. } => "revoke_admin",
        }
    }

    fn canonical(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }
}

impl Input for PlayerCommand {
    fn kind(&self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Suspend { .. } => "suspend",
            Self::Reinstate { .. } => "reinstate",
            Self::AdjustPoints { .. } => "adjust_points",
            Self::Delete => "delete",
        }
    }

    fn canonical(&self) -> Result<Vec<u8>, serde_json::Error> {
        match self {
            Self::Register => Ok(Vec::new()),
            other => serde_json::to_vec(other),
        }
    }
}

/// What the input's hash of a command may be that a match's stream recorded: one of these, for the server may have
/// chosen the match. What it drew besides is told by the record, and taken out again.
///
/// # Errors
/// What the serializer reports.
pub fn recorded_inputs(
    stream: &str,
    recorded: &MatchCommand,
) -> Result<Vec<[u8; 32]>, serde_json::Error> {
    let mut sent = recorded.clone();
    if let MatchCommand::Open { nonce, .. }
    | MatchCommand::TakeSeat { nonce, .. }
    | MatchCommand::Ready { nonce, .. } = &mut sent
    {
        nonce.take_if(|nonce| nonce.by == NonceBy::Server);
    }
    let mut inputs = vec![input_hash(stream, sent.kind(), &sent.canonical()?)];
    match &sent {
        MatchCommand::Open { nonce, .. } | MatchCommand::TakeSeat { nonce, .. } => {
            inputs.push(input_hash("", MATCH_NEW, &serde_json::to_vec(nonce)?));
        }
        MatchCommand::MatchTakeover { .. } => inputs.push(input_hash("", MATCH_TAKEOVER, &[])),
        _ => {}
    }
    Ok(inputs)
}

/// Hash over the target (a stream, or nothing where the server chooses it), the kind and the canonical form.
pub fn input_hash(target: &str, kind: &str, canonical: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key("yibu-input/1");
    for part in [target.as_bytes(), kind.as_bytes(), canonical] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

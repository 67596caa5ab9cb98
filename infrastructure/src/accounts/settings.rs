//! The numbers of accounts that a server may set. Those that the rules fix stand beside their rule.

/// The cost of one Argon2id hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hashing {
    /// Memory in KiB.
    pub memory: u32,
    /// Passes over that memory.
    pub passes: u32,
}

impl Hashing {
    /// 19 MiB, 2 passes, one lane: the least that is widely held to be enough against offline guessing,
    /// and about 20–50 ms of one core.
    pub const STANDARD: Self = Self { memory: 19 * 1024, passes: 2 };

    /// As little as the algorithm allows. For tests only.
    pub const CHEAP: Self = Self { memory: 8, passes: 1 };
}

/// Caps on code mails beyond those of one address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeCaps {
    /// Mails asked for by one network (an IPv4 address or an IPv6 /64) in an hour.
    pub network_hour: u32,
    /// The same in a day.
    pub network_day: u32,
    /// Mails in all in an hour.
    pub all_hour: u32,
}

impl Default for CodeCaps {
    fn default() -> Self {
        Self { network_hour: 20, network_day: 60, all_hour: 1000 }
    }
}

/// What [`super::Accounts`] are opened with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The cost of a password hash; a change holds for new passwords.
    pub hashing: Hashing,
    /// How many hashes run at once; the others wait.
    pub hashing_at_once: usize,
    /// Caps on code mails.
    pub code_caps: CodeCaps,
}

impl Default for Settings {
    fn default() -> Self {
        Self { hashing: Hashing::STANDARD, hashing_at_once: 2, code_caps: CodeCaps::default() }
    }
}

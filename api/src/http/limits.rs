//! Rate limits by class, account and address, in bounded memory. Each payer has one number a class: the
//! instant at which the quota will be whole again. Must not ask the system for the time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use uuid::Uuid;

/// Time since some fixed instant; never goes backwards.
pub type Now = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The runtime's own clock, which tests can hold.
pub fn runtime_clock() -> Now {
    let start = tokio::time::Instant::now();
    Arc::new(move || start.elapsed())
}

/// What is limited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Attempts to log in.
    Login,
    /// New accounts.
    Register,
    /// Codes that are sent or tried.
    Code,
    /// Wishes for a new match.
    Matching,
    /// Mutations of any kind.
    Mutation,
    /// Queries and subscriptions.
    Query,
    /// New web sockets and event streams.
    Connection,
}

/// Who pays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Payer {
    /// An account.
    Account(Uuid),
    /// An IPv4 address or the /64 of an IPv6 address.
    Network(IpAddr),
}

impl Payer {
    /// The payer for an address: a customer's IPv6 network is one payer.
    pub fn network(address: IpAddr) -> Self {
        Self::Network(match address.to_canonical() {
            IpAddr::V6(v6) => {
                let network = v6.to_bits() & !u128::from(u64::MAX);
                IpAddr::V6(network.into())
            }
            v4 @ IpAddr::V4(_) => v4,
        })
    }
}

/// How much, how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quota {
    /// At once, after a rest.
    pub burst: u32,
    /// In the long run; at least 1.
    pub per_hour: u32,
}

impl Quota {
    /// `burst` at once and `per_minute` in the long run.
    pub const fn new(burst: u32, per_minute: u32) -> Self {
        Self { burst, per_hour: per_minute.saturating_mul(60) }
    }

    /// `burst` at once and `per_hour` in the long run.
    pub const fn hourly(burst: u32, per_hour: u32) -> Self {
        Self { burst, per_hour }
    }

    /// Time in which one unit comes back.
    fn interval(self) -> Duration {
        Duration::from_secs(3600) / self.per_hour.max(1)
    }
}

/// The quotas of one class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassQuotas {
    /// Per account.
    pub account: Quota,
    /// Per network; several people may stand behind one.
    pub network: Quota,
}

impl ClassQuotas {
    const fn new(account: Quota, network: Quota) -> Self {
        Self { account, network }
    }
}

/// All quotas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quotas {
    /// For [`Class::Login`].
    pub login: ClassQuotas,
    /// For [`Class::Register`].
    pub register: ClassQuotas,
    /// For [`Class::Code`].
    pub code: ClassQuotas,
    /// For [`Class::Matching`].
    pub matching: ClassQuotas,
    /// For [`Class::Mutation`].
    pub mutation: ClassQuotas,
    /// For [`Class::Query`].
    pub query: ClassQuotas,
    /// For [`Class::Connection`].
    pub connection: ClassQuotas,
}

impl Quotas {
    /// Far above what a person at a board does, far below what hurts.
    pub const DEFAULT: Self = Self {
        login: ClassQuotas::new(Quota::new(10, 5), Quota::new(30, 15)),
        register: ClassQuotas::new(Quota::new(5, 1), Quota::new(10, 2)),
        code: ClassQuotas::new(Quota::new(6, 2), Quota::new(20, 6)),
        // 20 an hour a person: leaving and matching again shall not fish for a seat or a team-mate.
        matching: ClassQuotas::new(Quota::hourly(20, 20), Quota::hourly(200, 200)),
        mutation: ClassQuotas::new(Quota::new(60, 240), Quota::new(300, 1_200)),
        query: ClassQuotas::new(Quota::new(120, 600), Quota::new(600, 3_000)),
        connection: ClassQuotas::new(Quota::new(30, 30), Quota::new(120, 120)),
    };

    fn of(&self, class: Class, payer: Payer) -> Quota {
        let quotas = match class {
            Class::Login => self.login,
            Class::Register => self.register,
            Class::Code => self.code,
            Class::Matching => self.matching,
            Class::Mutation => self.mutation,
            Class::Query => self.query,
            Class::Connection => self.connection,
        };
        match payer {
            Payer::Account(_) => quotas.account,
            Payer::Network(_) => quotas.network,
        }
    }
}

/// The answer to a charge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The burst of the quota.
    pub limit: u32,
    /// What is left of it.
    pub remaining: u32,
    /// Time until the quota is whole again.
    pub reset: Duration,
    /// Set when the charge was refused: time until it would pass.
    pub retry_after: Option<Duration>,
}

impl Verdict {
    /// The one that leaves less room.
    pub fn tighter(self, other: Self) -> Self {
        let key = |verdict: &Self| (verdict.retry_after.is_none(), verdict.remaining);
        if key(&other) < key(&self) { other } else { self }
    }
}

/// The limiter. One for the process.
pub struct Limits {
    quotas: Quotas,
    now: Now,
    most: usize,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    whole_at: HashMap<(Class, Option<Payer>), Duration>,
    next_sweep: Duration,
}

impl Limits {
    /// Remembered at most: pairs of class and payer.
    pub const MOST: usize = 100_000;

    /// A limiter with empty memory.
    pub fn new(quotas: Quotas, now: Now) -> Self {
        Self::with_capacity(quotas, now, Self::MOST)
    }

    /// As [`Self::new`], with another bound of the memory.
    pub fn with_capacity(quotas: Quotas, now: Now, most: usize) -> Self {
        Self { quotas, now, most, table: Mutex::default() }
    }

    /// Charges `units`; a refused charge costs nothing.
    pub fn charge(&self, class: Class, payer: Payer, units: u32) -> Verdict {
        let quota = self.quotas.of(class, payer);
        let now = (self.now)();
        let interval = quota.interval();
        let burst = quota.burst.max(1);
        let whole = interval * burst;
        let mut table = self.lock();
        let key = table.key(class, payer, now, self.most);
        let before = table.whole_at.get(&key).copied().unwrap_or(now).max(now);
        // More than the burst would never pass: it costs all of it.
        let after = before + interval * units.clamp(1, burst);
        let debt = after - now;
        let refused = debt > whole;
        let (debt, retry_after) =
            if refused { (before - now, Some(debt - whole)) } else { (debt, None) };
        if !refused {
            table.whole_at.insert(key, after);
        }
        drop(table);
        let left = whole.saturating_sub(debt).as_nanos() / interval.as_nanos().max(1);
        Verdict {
            limit: burst,
            remaining: u32::try_from(left).unwrap_or(u32::MAX),
            reset: debt,
            retry_after,
        }
    }

    /// How many pairs are remembered.
    pub fn remembered(&self) -> usize {
        self.lock().whole_at.len()
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        // The table stays usable whatever happened to who held it: each step leaves it whole.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// The entry that a payer uses: his own, or, when the memory is full of payers with debts, the one that
    /// all newcomers of the class share.
    fn key(
        &mut self,
        class: Class,
        payer: Payer,
        now: Duration,
        most: usize,
    ) -> (Class, Option<Payer>) {
        let own = (class, Some(payer));
        if self.whole_at.len() < most || self.whole_at.contains_key(&own) {
            return own;
        }
        if now >= self.next_sweep {
            self.whole_at.retain(|_, whole_at| *whole_at > now);
            self.next_sweep = now + Duration::from_secs(1);
        }
        if self.whole_at.len() < most { own } else { (class, None) }
    }
}

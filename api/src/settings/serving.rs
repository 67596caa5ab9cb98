//! What a server is started with, by the settings. Must not start anything.

use super::Settings;
use super::kinds::{Store, Switch};
use crate::app::{HealthLimits, LogStore, Operations, ServeConfig};
use crate::http;
use crate::http::census::Caps;
use crate::http::limits::{ClassQuotas, Quota, Quotas};
use crate::http::origin::OriginPolicy;
use std::sync::Arc;
use yibu_domain::kernel::Span;
use yibu_infrastructure::system::{Clock, Entropy};
use yibu_infrastructure::{accounts, executor};

/// One developer's machine is one network: what protects a site from one address is in the way there.
const PLENTY: Quota = Quota::new(1_000_000, 1_000_000);

impl Settings {
    /// What a server is started with. Looks host names up.
    ///
    /// # Errors
    /// A host name is not known, a file cannot be read.
    pub fn serve_config(
        &self,
        clock: Arc<dyn Clock>,
        entropy: Entropy,
    ) -> Result<ServeConfig, String> {
        let resolve = |key: &str, address: &super::kinds::Address| {
            address.resolve().map_err(|error| format!("{key} = {:?}: {error}", address.0))
        };
        let ops = self.ops.listen.as_ref().map(|address| resolve("ops.listen", address));
        let dev = self.base.dev;
        Ok(ServeConfig {
            data: self.base.data.clone(),
            log: self.log_store(),
            listen: resolve("http.listen", &self.http.listen)?,
            development: dev,
            tls: self.is_tls(),
            mail: self.mail()?,
            doors: self.doors(),
            accounts: accounts::Settings {
                code_caps: self.code_caps(),
                ..accounts::Settings::default()
            },
            executor: executor::Settings {
                grace: Span(self.execution.grace.0.into()),
                cache_states: usize::try_from(self.execution.cached_matches).unwrap_or(usize::MAX),
            },
            clock,
            entropy,
            node: self.base.node.0.clone(),
            operations: Operations {
                ops: ops.transpose()?,
                drain: self.stop.drain.duration(),
                farewell: self.stop.farewell.duration(),
                health: HealthLimits {
                    most_lag: self.health.most_lag.into(),
                    most_skew: Span(self.health.most_skew.0.into()),
                    least_free: u64::from(self.health.least_free_mib) << 20,
                },
            },
        })
    }

    /// Where everything is kept. What contradicts itself was refused when the settings were read.
    pub(crate) fn log_store(&self) -> LogStore {
        let database = self.base.database_url.as_ref().map(|url| url.0.reveal().to_owned());
        let eventstore = self.log.eventstore_url.as_ref().map(|url| url.0.reveal().to_owned());
        match (self.log.store, database, eventstore) {
            (Store::EventStore, Some(database), Some(url)) => {
                LogStore::EventStore { url, database }
            }
            (Store::Auto | Store::Postgres | Store::EventStore, Some(url), _) => {
                LogStore::Postgres { url, archive: self.log.archive.clone() }
            }
            (Store::Sqlite, ..) | (_, None, _) => LogStore::Sqlite,
        }
    }

    fn is_tls(&self) -> bool {
        self.http.public_url.as_ref().is_some_and(super::kinds::Origin::is_tls)
    }

    fn limits_hold(&self) -> bool {
        match self.limits.hold {
            Switch::Auto => !self.base.dev,
            Switch::On => true,
            Switch::Off => false,
        }
    }

    fn doors(&self) -> http::Settings {
        let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        http::Settings {
            origins: OriginPolicy {
                allowed: self.http.origins.iter().map(|origin| origin.0.clone()).collect(),
                public: self.http.public_url.as_ref().map(|origin| origin.0.clone()),
                tls: self.is_tls(),
            },
            trusted: self.http.trusted_proxies.clone(),
            explorer: self.base.dev,
            introspection: self.http.introspection,
            quotas: self.quotas(),
            caps: Caps {
                total: count(self.http.sockets),
                account: count(self.http.sockets_per_account),
                network: count(self.http.sockets_per_network),
            },
            ..http::Settings::default()
        }
    }

    fn quotas(&self) -> Quotas {
        let limits = &self.limits;
        let hold = self.limits_hold();
        let class = |account, network| {
            let quota = |quota| if hold { quota } else { PLENTY };
            ClassQuotas { account: quota(account), network: quota(network) }
        };
        Quotas {
            login: class(limits.login_account, limits.login_network),
            register: class(limits.register_account, limits.register_network),
            code: class(limits.code_account, limits.code_network),
            matching: class(limits.matching_account, limits.matching_network),
            mutation: class(limits.mutation_account, limits.mutation_network),
            query: class(limits.query_account, limits.query_network),
            connection: class(limits.connection_account, limits.connection_network),
        }
    }

    fn code_caps(&self) -> accounts::CodeCaps {
        let cap = |number: u32| if self.limits_hold() { number } else { u32::MAX };
        accounts::CodeCaps {
            network_hour: cap(self.limits.code_mails_network_hour),
            network_day: cap(self.limits.code_mails_network_day),
            all_hour: cap(self.limits.code_mails_hour),
        }
    }
}

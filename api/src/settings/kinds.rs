//! The types of values that settings have, and what is allowed for each. Must not ask the network or the
//! file system: reading a value only looks at its text.

use super::key::{Form, Kind};
use crate::http::limits::Quota;
use crate::http::peer::Network;
use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;
use tracing_subscriber::EnvFilter;
use yibu_infrastructure::log::{EventStoreLog, PostgresLog};

impl Kind for bool {
    const ALLOWED: &'static str = "true or false";
    const FORM: Form = Form::Plain;

    fn read(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Some(true),
            "false" | "0" | "no" | "off" => Some(false),
            _ => None,
        }
    }
}

impl Kind for u32 {
    const ALLOWED: &'static str = "a whole number from 0 to 4294967295";
    const FORM: Form = Form::Plain;

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// A length of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Millis(pub u32);

impl Millis {
    /// As the runtime wants it.
    pub fn duration(self) -> Duration {
        Duration::from_millis(self.0.into())
    }
}

impl Kind for Millis {
    const ALLOWED: &'static str = "milliseconds, a whole number from 0 to 3600000 (an hour)";
    const FORM: Form = Form::Plain;

    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|millis| *millis <= 3_600_000).map(Self)
    }
}

impl Kind for PathBuf {
    const ALLOWED: &'static str = "a path";

    fn read(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| text.into())
    }
}

/// A name in logs and figures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word(pub String);

impl Kind for Word {
    const ALLOWED: &'static str = "1 to 64 letters, digits, '-', '_' and '.'";

    fn read(text: &str) -> Option<Self> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        ((1..=64).contains(&text.len()) && text.bytes().all(plain)).then(|| Self(text.to_owned()))
    }
}

/// Where to listen: a host name or an address, and a port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address(pub String);

impl Address {
    /// The first address that the name stands for. Blocks.
    ///
    /// # Errors
    /// The name is not known.
    pub fn resolve(&self) -> std::io::Result<SocketAddr> {
        let none = || std::io::Error::other(format!("{} stands for no address", self.0));
        self.0.to_socket_addrs()?.next().ok_or_else(none)
    }
}

impl Kind for Address {
    const ALLOWED: &'static str = "HOST:PORT, for instance 127.0.0.1:8080, [::1]:8080 or localhost:8080; port 0 takes a free one";

    fn read(text: &str) -> Option<Self> {
        let (host, port) = text.rsplit_once(':')?;
        let bare = host.starts_with('[') == host.ends_with(']');
        let wild = host.contains(':') && !host.starts_with('[');
        let good = !host.is_empty() && bare && !wild && !host.contains([' ', '/', '@']);
        (good && port.parse::<u16>().is_ok()).then(|| Self(text.to_owned()))
    }
}

/// What browsers see as the server's address: scheme, host and perhaps a port, nothing more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin(pub String);

impl Origin {
    /// Whether it is reached by TLS.
    pub fn is_tls(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl Kind for Origin {
    const ALLOWED: &'static str =
        "https://HOST or http://HOST, perhaps with a port, without a path: https://play.example";

    fn read(text: &str) -> Option<Self> {
        let text = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
        let good = !rest.is_empty() && !rest.contains(['/', '?', '#', '@', ' ', ',']);
        good.then_some(Self(text))
    }
}

/// A collector of spans. Plain HTTP: it runs beside the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collector(pub String);

impl Kind for Collector {
    const ALLOWED: &'static str = "http://HOST:PORT of a collector that speaks OTLP over HTTP";

    fn read(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("http://")?;
        (!rest.is_empty() && !rest.contains(['@', ' '])).then(|| Self(text.to_owned()))
    }
}

/// A text that is shown nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The text itself, for whoever connects with it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Declares a URL that may hold a password.
macro_rules! secret_url {
    ($(#[doc = $doc:literal])+ $name:ident, $allowed:literal, $fits:expr, $($scheme:literal),+) => {
        $(#[doc = $doc])+
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $name(pub Secret);

        impl Kind for $name {
            const ALLOWED: &'static str = $allowed;
            const SECRET: bool = true;

            fn read(text: &str) -> Option<Self> {
                let known = [$($scheme),+].iter().any(|scheme| text.starts_with(scheme));
                (known && $fits(text)).then(|| Self(Secret(text.to_owned())))
            }
        }
    };
}

secret_url!(
    /// Where a Postgres is.
    PostgresUrl, "postgres://USER:PASSWORD@HOST:PORT/DATABASE", PostgresLog::takes, "postgres://", "postgresql://"
);
secret_url!(
    /// Where an EventStoreDB is.
    EventStoreUrl, "esdb://HOST:PORT?tls=true", EventStoreLog::takes, "esdb://", "esdb+discover://", "kurrentdb://"
);
secret_url!(
    /// Where a mail server is.
    // What is wrong with it in particular is said where all settings are looked at together.
    SmtpUrl, "smtps://USER:PASSWORD@HOST or smtp://HOST:PORT", |_| true, "smtps://", "smtp://"
);

/// Who sends the mails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sender(pub String);

impl Kind for Sender {
    const ALLOWED: &'static str = "a mail address, or NAME <ADDRESS>";

    fn read(text: &str) -> Option<Self> {
        let address = text.rsplit_once('<').map_or(text, |(_, rest)| rest.trim_end_matches('>'));
        let (name, host) = address.trim().split_once('@')?;
        let good = !name.is_empty() && !host.is_empty() && !text.contains(['\r', '\n']);
        good.then(|| Self(text.to_owned()))
    }
}

/// Declares words of which one is chosen.
macro_rules! choice {
    ($(#[doc = $doc:literal])+ $name:ident, $allowed:literal {
        $($(#[doc = $one:literal])+ $variant:ident = $word:literal),+
    }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $($(#[doc = $one])+ $variant,)+
        }

        impl Kind for $name {
            const ALLOWED: &'static str = $allowed;

            fn read(text: &str) -> Option<Self> {
                match text {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

choice!(
    /// Which store keeps the log.
    Store, "auto, sqlite, postgres or eventstoredb" {
        /// Postgres where `database_url` is given, else SQLite.
        Auto = "auto",
        /// `log.db` in the data folder.
        Sqlite = "sqlite",
        /// The database of `database_url`.
        Postgres = "postgres",
        /// The cluster of `log.eventstore_url`; claims in the database of `database_url`.
        EventStore = "eventstoredb"
    }
);
choice!(
    /// Whether something holds.
    Switch, "auto, on or off" {
        /// As the mode wants it.
        Auto = "auto",
        /// Always.
        On = "on",
        /// Never.
        Off = "off"
    }
);
choice!(
    /// How the program's own log is written.
    LogFormat, "pretty or json" {
        /// For a person.
        Pretty = "pretty",
        /// One JSON object a line.
        Json = "json"
    }
);

/// What of the program's own log is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filter(pub String);

impl Kind for Filter {
    const ALLOWED: &'static str =
        "error, warn, info, debug or trace, also by module: info,yibu_api=debug";

    fn read(text: &str) -> Option<Self> {
        EnvFilter::try_new(text).is_ok().then(|| Self(text.to_owned()))
    }
}

impl Kind for Network {
    const ALLOWED: &'static str = "addresses or networks, for instance 10.0.0.0/8";

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl Kind for Quota {
    const ALLOWED: &'static str = "BURST RATE/min or BURST RATE/hour: so many at once and in the long run, for instance 60 240/min";

    fn read(text: &str) -> Option<Self> {
        let (burst, rate) = text.split_once(' ')?;
        let (rate, unit) = rate.trim().split_once('/')?;
        let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0);
        let (burst, rate) = (number(burst)?, number(rate)?);
        match unit {
            "min" => Some(Self::new(burst, rate)),
            "hour" => Some(Self::hourly(burst, rate)),
            _ => None,
        }
    }
}

/// Nothing is allowed as well.
impl<T: Kind> Kind for Option<T> {
    const ALLOWED: &'static str = T::ALLOWED;
    const SECRET: bool = T::SECRET;
    const FORM: Form = T::FORM;

    fn read(text: &str) -> Option<Self> {
        if text.is_empty() { Some(None) } else { T::read(text).map(Some) }
    }
}

/// Any number of them, separated by commas.
impl<T: Kind> Kind for Vec<T> {
    const ALLOWED: &'static str = T::ALLOWED;
    const SECRET: bool = T::SECRET;
    const FORM: Form = Form::List;

    fn read(text: &str) -> Option<Self> {
        text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(T::read).collect()
    }
}

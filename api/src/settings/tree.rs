//! Every setting, once: name, meaning, default, what is allowed. Must not say what is done with them.

use super::key::section;
use super::kinds::{
    Address, Collector, EventStoreUrl, Filter, LogFormat, Millis, Origin, PostgresUrl, Sender,
    SmtpUrl, Store, Switch, Word,
};
use crate::http::limits::Quota;
use crate::http::peer::Network;
use std::path::PathBuf;

section! {
    /// The server as a whole.
    Base in "" {
        /// The folder for everything that is kept on this machine; made for the server's own user alone.
        data: PathBuf = "./data" as "YIBU_DATA";
        /// Development mode: this machine only, mails under /dev/mail, an explorer of the API, house players.
        dev: bool = "false" as "YIBU_DEV";
        /// This node's name in the log; every node of a site has one of its own.
        node: Word = "node-1" as "YIBU_NODE";
        /// A Postgres for everything that is kept: log, accounts and read models. Empty: SQLite in the data
        /// folder.
        database_url: Option<PostgresUrl> = "" as "DATABASE_URL";
    }
}

section! {
    /// The door for players.
    Http in "http" {
        /// Where to listen.
        listen: Address = "127.0.0.1:8080" as "YIBU_LISTEN";
        /// What browsers see as the server's address. With https, cookies never go over plain HTTP; pages of
        /// any other address may not ask. Empty: whatever name the request was sent to, by plain HTTP.
        public_url: Option<Origin> = "" as "YIBU_PUBLIC_URL";
        /// Pages of these addresses may ask as well.
        origins: Vec<Origin> = "";
        /// Proxies whose X-Forwarded-For is believed.
        trusted_proxies: Vec<Network> = "";
        /// Whether clients may ask for the schema.
        introspection: bool = "true";
        /// The most web sockets and event streams in all.
        sockets: u32 = "20000";
        /// The most web sockets and event streams per account.
        sockets_per_account: u32 = "20";
        /// The most web sockets and event streams per network (an IPv4 address or an IPv6 /64).
        sockets_per_network: u32 = "500";
    }
}

section! {
    /// The door for operators: /metrics and /health, never to be reached by players.
    Ops in "ops" {
        /// Where to listen; a loopback address or one of an inner network. Empty: nowhere.
        listen: Option<Address> = "" as "YIBU_OPS_LISTEN";
    }
}

section! {
    /// The event log.
    Log in "log" {
        /// Which store keeps it.
        store: Store = "auto" as "YIBU_LOG_STORE";
        /// The EventStoreDB, where that is the store.
        eventstore_url: Option<EventStoreUrl> = "";
        /// With a Postgres: the folder of archived matches, one that all nodes see. Empty: nothing is archived.
        /// (With SQLite it is archive/ in the data folder.)
        archive: Option<PathBuf> = "" as "YIBU_ARCHIVE";
    }
}

section! {
    /// Executing commands.
    Execution in "execution" {
        /// A deadline is acted upon so long after it at the earliest: what arrived before it is judged first.
        grace: Millis = "250";
        /// How many matches are kept folded in memory; a match that is not there is read from the log.
        cached_matches: u32 = "2048";
    }
}

section! {
    /// Rate limits, per account and per network (an IPv4 address or an IPv6 /64).
    Limits in "limits" {
        /// Whether they hold. auto: yes, except in development mode.
        hold: Switch = "auto";
        /// Attempts to log in.
        login_account: Quota = "10 5/min";
        /// Attempts to log in.
        login_network: Quota = "30 15/min";
        /// New accounts.
        register_account: Quota = "5 1/min";
        /// New accounts.
        register_network: Quota = "10 2/min";
        /// Codes that are asked for or tried.
        code_account: Quota = "6 2/min";
        /// Codes that are asked for or tried.
        code_network: Quota = "20 6/min";
        /// Wishes for a new match: leaving and matching again shall not fish for a seat.
        matching_account: Quota = "20 20/hour";
        /// Wishes for a new match.
        matching_network: Quota = "200 200/hour";
        /// Mutations of any kind.
        mutation_account: Quota = "60 240/min";
        /// Mutations of any kind.
        mutation_network: Quota = "300 1200/min";
        /// Queries and subscriptions.
        query_account: Quota = "120 600/min";
        /// Queries and subscriptions.
        query_network: Quota = "600 3000/min";
        /// New web sockets and event streams.
        connection_account: Quota = "30 30/min";
        /// New web sockets and event streams.
        connection_network: Quota = "120 120/min";
        /// Code mails that one network may ask for in an hour.
        code_mails_network_hour: u32 = "20";
        /// Code mails that one network may ask for in a day.
        code_mails_network_day: u32 = "60";
        /// Code mails in all in an hour.
        code_mails_hour: u32 = "1000";
    }
}

section! {
    /// Sending mail.
    Mail in "mail" {
        /// The mail server: smtps by TLS from the first byte, smtp by STARTTLS, which is demanded; a server of this
        /// machine does without with ?tls=none. Empty: the server starts in development mode alone, where mails
        /// land under /dev/mail.
        smtp_url: Option<SmtpUrl> = "";
        /// Who sends.
        from: Option<Sender> = "";
        /// A file of certificates (PEM) that are trusted beside the system's, for a mail server with one of its own.
        authorities: Option<PathBuf> = "";
        /// So long the mail server may take for one answer; handing over a mail may take a minute in all.
        patience: Millis = "20000";
    }
}

section! {
    /// The program's own log, on the standard error.
    Tracing in "tracing" {
        /// How it is written.
        format: LogFormat = "pretty" as "YIBU_LOG_FORMAT";
        /// What of it is written.
        filter: Filter = "info" as "YIBU_LOG";
    }
}

section! {
    /// Spans of requests and commands for a collector (OpenTelemetry).
    Otlp in "otlp" {
        /// The collector; /v1/traces is added. Empty: no spans are sent.
        endpoint: Option<Collector> = "";
        /// The name under which this server's spans are sent.
        service: Word = "yibu";
    }
}

section! {
    /// Stopping.
    Stop in "stop" {
        /// So long the server goes on after the signal to stop, with /health/ready at 503 and sockets sent
        /// elsewhere, before it takes no more requests. Longer than the balancer's interval of checks.
        drain: Millis = "0";
        /// So long requests under way may take to finish after that.
        farewell: Millis = "10000";
    }
}

section! {
    /// When /health/ready says no.
    Health in "health" {
        /// A read model is more events behind the log than this.
        most_lag: u32 = "10000";
        /// This node's clock is more behind what it or the log has seen than this, or so far from the database's
        /// own: no command of a match is taken then.
        most_skew: Millis = "100";
        /// Less than so many MiB are free where the data folder is. 0: not looked at.
        least_free_mib: u32 = "200";
    }
}

//! Hands letters to a mail server: by TLS from the first byte (`smtps://`) or by STARTTLS, which is demanded
//! (`smtp://`). Must not log or tell an address, a password or what a server answers beyond its codes: servers
//! like to repeat addresses.

use super::{Letter, MailFault, Mailbox};
use async_trait::async_trait;
use lettre::address::Address;
use lettre::message::Mailbox as Party;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::ClientId;
use percent_encoding::percent_decode_str;
use std::error::Error as _;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use thiserror::Error as ThisError;
use tokio::time::timeout;
use url::Url;

/// The longest that handing over one letter may take in all.
const WHOLE: Duration = Duration::from_secs(60);
/// The most connections that are kept for the next letter.
const KEPT: usize = 4;

/// How a mail server is reached.
#[derive(Clone, PartialEq, Eq)]
pub struct SmtpSettings {
    /// `smtps://USER:PASSWORD@HOST:PORT`, or `smtp://` the same; ports 465 and 587 where none is named. At this
    /// machine's own server `?tls=none` does without TLS.
    pub url: String,
    /// Who sends, for instance `Yibu <yibu@example.org>`.
    pub from: String,
    /// Certificates (PEM) that are trusted beside those that the system trusts.
    pub authorities: Option<Vec<u8>>,
    /// The longest that the server may take for one answer.
    pub patience: Duration,
}

/// Shows no password.
impl fmt::Debug for SmtpSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SmtpSettings(…)")
    }
}

/// The settings of mail cannot be used. Repeats no secret.
#[derive(Debug, ThisError)]
pub enum SmtpFault {
    /// The URL is none, or names no host.
    #[error("the mail server's URL must be smtps://USER:PASSWORD@HOST or smtp://HOST:PORT")]
    Url,
    /// Something that this program does not know stands behind the `?`.
    #[error("behind the mail server's URL only ?tls=none is known, for this machine's own server")]
    Query,
    /// The sender is no address.
    #[error("the sender of mails is no mail address")]
    Sender,
    /// The certificates cannot be used.
    #[error("the mail server's certificates cannot be used: {0}")]
    Certificates(String),
}

/// A mail server. Clones share the connections.
///
/// The library's own pool is not used: its time limits end with connecting, and it hands a connection on whose
/// letter was given up midway, so that the next one takes the answer to the last for its own.
#[derive(Clone)]
pub struct Smtp {
    inner: Arc<Inner>,
}

struct Inner {
    from: String,
    sender: Address,
    host: String,
    port: u16,
    door: Door,
    login: Option<Credentials>,
    patience: Duration,
    /// Connections whose last letter was taken.
    idle: Mutex<Vec<AsyncSmtpConnection>>,
}

/// Where TLS begins.
enum Door {
    FirstByte(TlsParameters),
    StartTls(TlsParameters),
    Open,
}

impl Smtp {
    /// The mail server of these settings. Connects when the first letter is handed over.
    ///
    /// # Errors
    /// See [`SmtpFault`].
    pub fn new(settings: &SmtpSettings) -> Result<Self, SmtpFault> {
        let from: Party = settings.from.parse().map_err(|_| SmtpFault::Sender)?;
        let (url, host) = parsed(&settings.url)?;
        let door = match (url.scheme(), url.query()) {
            ("smtps", None) => Door::FirstByte(parameters(&host, settings)?),
            ("smtp", None) => Door::StartTls(parameters(&host, settings)?),
            _ => Door::Open,
        };
        let port = url.port().unwrap_or(if url.scheme() == "smtps" { 465 } else { 587 });
        let login = match url.password() {
            Some(password) => Some(Credentials::new(plain(url.username())?, plain(password)?)),
            None => None,
        };
        let inner = Inner {
            from: settings.from.clone(),
            sender: from.email,
            host,
            port,
            door,
            login,
            patience: settings.patience,
            idle: Mutex::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Whether the URL is one of a mail server, as far as the text alone tells.
    ///
    /// # Errors
    /// See [`SmtpFault`].
    pub fn check_url(url: &str) -> Result<(), SmtpFault> {
        parsed(url).map(drop)
    }

    /// Whether the server can be reached, by TLS and login, without a letter.
    ///
    /// # Errors
    /// What is in the way.
    pub async fn look(&self) -> Result<(), MailFault> {
        let looking = async {
            let line = self.inner.line().await?;
            self.inner.keep(line);
            Ok(())
        };
        timeout(WHOLE, looking).await.unwrap_or_else(|_| Err(late()))
    }
}

#[async_trait]
impl Mailbox for Smtp {
    fn is_set_up(&self) -> bool {
        true
    }

    fn from(&self) -> &str {
        &self.inner.from
    }

    async fn deliver(&self, letter: &Letter) -> Result<(), MailFault> {
        timeout(WHOLE, self.inner.hand_over(letter)).await.unwrap_or_else(|_| Err(late()))
    }
}

impl Inner {
    /// Given up anywhere, the connection is closed.
    async fn hand_over(&self, letter: &Letter) -> Result<(), MailFault> {
        let to = letter.to.parse::<Address>().ok().filter(|_| letter.to.is_ascii());
        let to =
            to.ok_or_else(|| MailFault::Server("the receiver is no plain address".to_owned()))?;
        let mut line = self.line().await?;
        let sender = Mail::new(Some(self.sender.clone()), Vec::new());
        self.in_time(line.command(sender)).await.map_err(|cut| cut.server())?;
        self.in_time(line.command(Rcpt::new(to, Vec::new()))).await.map_err(|cut| cut.fault())?;
        self.in_time(line.command(Data)).await.map_err(|cut| cut.fault())?;
        self.in_time(line.message(&letter.bytes)).await.map_err(|cut| cut.fault())?;
        self.keep(line);
        Ok(())
    }

    /// A connection that is ready for a letter.
    async fn line(&self) -> Result<AsyncSmtpConnection, MailFault> {
        while let Some(mut line) = self.take() {
            // Servers close what nobody used for a while.
            if timeout(self.patience, line.test_connected()).await == Ok(true) {
                return Ok(line);
            }
        }
        self.connect().await.map_err(|cut| cut.server())
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Cut> {
        let hello = ClientId::Domain(self.sender.domain().to_owned());
        let first = match &self.door {
            Door::FirstByte(tls) => Some(tls.clone()),
            Door::StartTls(_) | Door::Open => None,
        };
        let place = (self.host.as_str(), self.port);
        let connecting =
            AsyncSmtpConnection::connect_tokio1(place, Some(self.patience), &hello, first, None);
        let mut line = self.in_time(connecting).await?;
        if let Door::StartTls(tls) = &self.door {
            self.in_time(line.starttls(tls.clone(), &hello)).await?;
        }
        if let Some(login) = &self.login {
            self.in_time(line.auth(DEFAULT_MECHANISMS, login)).await?;
        }
        Ok(line)
    }

    async fn in_time<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Cut> {
        match timeout(self.patience, work).await {
            Ok(done) => done.map_err(Cut::Error),
            Err(_) => Err(Cut::Late),
        }
    }

    fn take(&self) -> Option<AsyncSmtpConnection> {
        self.idle().pop()
    }

    fn keep(&self, line: AsyncSmtpConnection) {
        let mut idle = self.idle();
        if idle.len() < KEPT {
            idle.push(line);
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<AsyncSmtpConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a step was not done.
enum Cut {
    Late,
    Error(Error),
}

impl Cut {
    /// At a step that is about the receiver.
    fn fault(&self) -> MailFault {
        match self {
            Self::Late => late(),
            Self::Error(error) => fault(error, true),
        }
    }

    /// At a step that is about this site.
    fn server(&self) -> MailFault {
        match self {
            Self::Late => late(),
            Self::Error(error) => fault(error, false),
        }
    }
}

fn parameters(host: &str, settings: &SmtpSettings) -> Result<TlsParameters, SmtpFault> {
    let broken = |error: Error| SmtpFault::Certificates(error.to_string());
    let mut parameters = TlsParameters::builder(host.to_owned());
    if let Some(pem) = &settings.authorities {
        let authorities = Certificate::from_pem(pem).map_err(broken)?;
        parameters = parameters.add_root_certificate(authorities);
    }
    parameters.build_rustls().map_err(broken)
}

/// A URL and its host. Only a server of this machine does without TLS.
fn parsed(url: &str) -> Result<(Url, String), SmtpFault> {
    let url = Url::parse(url).map_err(|_| SmtpFault::Url)?;
    let host = url.host_str().filter(|host| !host.is_empty()).ok_or(SmtpFault::Url)?;
    let host = host.trim_matches(['[', ']']).to_owned();
    match (url.scheme(), url.query()) {
        ("smtp" | "smtps", None) => {}
        ("smtp", Some("tls=none")) if is_own(&host) => {}
        ("smtp" | "smtps", _) => return Err(SmtpFault::Query),
        _ => return Err(SmtpFault::Url),
    }
    plain(url.username())?;
    plain(url.password().unwrap_or_default())?;
    Ok((url, host))
}

fn plain(text: &str) -> Result<String, SmtpFault> {
    percent_decode_str(text).decode_utf8().map(Into::into).map_err(|_| SmtpFault::Url)
}

fn is_own(host: &str) -> bool {
    host == "localhost"
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn late() -> MailFault {
    MailFault::Server("it took too long".to_owned())
}

/// What went wrong, without what the server said.
fn fault(error: &Error, about_receiver: bool) -> MailFault {
    let Some(status) = error.status() else { return MailFault::Server(error.to_string()) };
    let said = error.source().map(ToString::to_string).unwrap_or_default();
    let (code, reason) = (u16::from(status), reason(&said));
    if about_receiver && is_receivers(code, reason) {
        return MailFault::Refused(code);
    }
    MailFault::Server(format!("code {code} {}", reason.unwrap_or_default()).trim_end().to_owned())
}

/// The enhanced status code (RFC 3463) that an answer begins with, where it does.
fn reason(said: &str) -> Option<&str> {
    let first = said.split_whitespace().next()?;
    let is_code = first.split('.').count() == 3
        && first.split('.').all(|part| {
            (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        });
    is_code.then_some(first)
}

/// Whether it is the receiver that is refused, and for good: not this site, its login or what it says. Those are
/// for an operator to mend, while the mail waits.
fn is_receivers(code: u16, reason: Option<&str>) -> bool {
    let about = |reason: &str| {
        let senders = ["5.1.7", "5.1.8"].contains(&reason);
        (reason.starts_with("5.1.") && !senders) || reason.starts_with("5.2.")
    };
    matches!(code, 550..=553 | 556) && reason.is_none_or(about)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(url: &str) -> SmtpSettings {
        let from = "Yibu <yibu@example.org>".into();
        let patience = Duration::from_secs(20);
        SmtpSettings { url: url.into(), from, authorities: None, patience }
    }

    #[test]
    fn only_a_server_of_this_machine_does_without_tls() {
        for good in [
            "smtps://me:secret@mail.example",
            "smtp://me%40here:s%2Fcret@mail.example:2525",
            "smtp://localhost:25?tls=none",
            "smtp://[::1]:25?tls=none",
        ] {
            let smtp = Smtp::new(&settings(good));
            assert!(smtp.is_ok(), "{good}");
        }
        for (bad, query) in [
            ("smtp://mail.example?tls=none", true),
            ("smtps://localhost?tls=none", true),
            ("smtp://mail.example?tls=opportunistic", true),
            ("smtp://", false),
            ("http://mail.example", false),
            ("mail.example", false),
        ] {
            let fault = Smtp::new(&settings(bad)).err().unwrap();
            assert_eq!(matches!(fault, SmtpFault::Query), query, "{bad}: {fault}");
        }
        assert!(!format!("{:?}", settings("smtps://me:secret@mail.example")).contains("secret"));
    }

    #[test]
    fn what_is_broken_is_named_without_its_secret() {
        let mut broken = settings("smtps://me:secret@mail.example");
        broken.authorities =
            Some(b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".to_vec());
        let fault = Smtp::new(&broken).err().unwrap();
        assert!(matches!(fault, SmtpFault::Certificates(_)), "{fault}");
        let sender = SmtpSettings { from: "nobody".into(), ..settings("smtps://mail.example") };
        assert!(matches!(Smtp::new(&sender), Err(SmtpFault::Sender)));
    }

    #[test]
    fn only_the_receivers_own_refusal_is_final() {
        for (code, said, last) in [
            (550, "5.1.1 <a@b.example> unknown", true),
            (550, "no such user", true),
            (552, "5.2.2 mailbox full", true),
            (550, "5.7.1 relaying denied", false),
            (553, "5.1.8 bad sender", false),
            (554, "5.7.1 rejected", false),
            (535, "5.7.8 bad credentials", false),
            (451, "4.7.1 greylisted", false),
        ] {
            assert_eq!(is_receivers(code, reason(said)), last, "{code} {said}");
        }
        assert_eq!(reason("no such user"), None);
        assert_eq!(reason("5.1.1 <a@b.example>"), Some("5.1.1"));
    }
}

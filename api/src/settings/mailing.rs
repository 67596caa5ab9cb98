//! Where mails go, by the settings, and whether a server may be started so. Must not send anything.

use super::Settings;
use crate::app::Mail;
use crate::bounded::{self, MOST_SMALL};
use yibu_infrastructure::mail::{Smtp, SmtpSettings};

impl Settings {
    /// Where mails go. Reads the file of certificates.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn mail(&self) -> Result<Mail, String> {
        let (Some(url), Some(from)) = (&self.mail.smtp_url, &self.mail.from) else {
            return Ok(if self.base.dev { Mail::Development } else { Mail::None });
        };
        let authorities = match &self.mail.authorities {
            None => None,
            Some(path) => {
                let read = bounded::bytes(path, MOST_SMALL);
                Some(read.map_err(|error| format!("mail.authorities: {error}"))?)
            }
        };
        Ok(Mail::Smtp(SmtpSettings {
            url: url.0.reveal().to_owned(),
            from: from.0.clone(),
            authorities,
            patience: self.mail.patience.duration(),
        }))
    }

    /// Whether people can be mailed, so that a server may be started.
    ///
    /// # Errors
    /// What is missing or cannot be used. Repeats no secret.
    pub fn check_mail(&self) -> Result<(), String> {
        match self.mail()? {
            Mail::Smtp(_) if !self.base.dev && self.http.public_url.is_none() => {
                Err("mail.smtp_url needs http.public_url as well: mails lead there".to_owned())
            }
            Mail::Smtp(smtp) => match Smtp::new(&smtp) {
                Ok(_) => Ok(()),
                Err(fault) => Err(format!("mail: {fault}")),
            },
            Mail::None => Err("nobody could register: mail.smtp_url and mail.from are not set. Set them, or start \
                 with --dev, which shows the mails under /dev/mail and listens on this machine only"
                .to_owned()),
            Mail::Development => Ok(()),
        }
    }
}

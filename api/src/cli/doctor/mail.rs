//! Whether people can be mailed, by the settings. Must not send anything.

use super::Findings;
use crate::app::Mail;
use crate::settings::Settings;
use yibu_infrastructure::mail::Smtp;

/// Looks at the settings, and with `deep` whether the mail server can be reached.
pub(super) async fn mail(found: &mut Findings, settings: &Settings, deep: bool) {
    let smtp = match settings.mail() {
        Ok(Mail::Smtp(smtp)) => smtp,
        Ok(Mail::Development) => return found.good("mail", "lands under /dev/mail"),
        Ok(Mail::None) => {
            return found.note("mail", "no mail server is set: a server starts with --dev alone");
        }
        Err(problem) => return found.wrong("mail", problem),
    };
    if !deep {
        return found.good("mail", "goes to a mail server (--deep tries it)");
    }
    match Smtp::new(&smtp) {
        Ok(smtp) => match smtp.look().await {
            Ok(()) => found.good("mail", "the mail server answers"),
            Err(fault) => found.wrong("mail", fault),
        },
        Err(fault) => found.wrong("mail", fault),
    }
}

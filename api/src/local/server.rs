//! The serving process's end of the local socket. Whoever can open the socket is trusted like the server's
//! own user, so it is made for that user alone and only then put in its place.

use super::rebuilds::{Rebuilds, Tell};
use super::{Answer, Ask, Line, NO_ARCHIVE, Status, socket, work};
use crate::app::replay_file::replay_file;
use crate::app::{App, BUILD};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::OwnedWriteHalf;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use yibu_infrastructure::workers::Declaration;

/// The longest question.
const MOST_QUESTION: u64 = 64 * 1024;

/// The socket of a server that runs.
pub struct Listening {
    path: PathBuf,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Listening {
    /// Takes the socket away and finishes what is under way.
    pub async fn stop(self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
        // It may be gone already.
        let _ = std::fs::remove_file(self.path);
    }
}

/// Listens on the socket of a data folder, whose lock the caller holds: what stands there is left over.
///
/// # Errors
/// The socket cannot be made.
pub fn listen(data: &Path, app: Arc<App>, address: SocketAddr) -> std::io::Result<Listening> {
    let path = socket(data);
    let making = data.join(format!(".{}.{}", super::SOCKET, std::process::id()));
    let _ = std::fs::remove_file(&making);
    let listener = UnixListener::bind(&making)?;
    std::fs::set_permissions(&making, std::fs::Permissions::from_mode(0o600))?;
    std::fs::rename(&making, &path)?;
    let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
    let listening = Listening { path, stop: stop.clone(), tasks: tasks.clone() };
    let (accepting, rebuilds) = (tasks.clone(), Arc::new(Rebuilds::default()));
    tasks.spawn(async move {
        loop {
            let accepted = tokio::select! {
                () = stop.cancelled() => return,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) => {
                    let (app, stop) = (Arc::clone(&app), stop.clone());
                    let rebuilds = Arc::clone(&rebuilds);
                    accepting.spawn(async move {
                        let conversation = converse(stream, &app, address, &rebuilds);
                        // Whoever asked may have gone away.
                        let _ = stop.run_until_cancelled(conversation).await;
                    });
                }
                Err(fault) => {
                    tracing::warn!(%fault, "the local socket");
                    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                }
            }
        }
    });
    Ok(listening)
}

async fn converse(
    stream: UnixStream,
    app: &App,
    address: SocketAddr,
    rebuilds: &Rebuilds,
) -> std::io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut question = String::new();
    BufReader::new(read.take(MOST_QUESTION)).read_line(&mut question).await?;
    let (send, mut lines) = mpsc::unbounded_channel();
    let work = async {
        let last = match serde_json::from_str(&question) {
            Ok(question) => answer(question, app, address, &send, rebuilds).await,
            Err(error) => Err(format!("the question cannot be read: {error}")),
        };
        let last = match last {
            Ok(answer) => Line::Done(answer),
            Err(problem) => Line::Failed { problem },
        };
        // The receiver lives as long as this conversation.
        let _ = send.send(last);
        drop(send);
    };
    let tell = async {
        while let Some(line) = lines.recv().await {
            write_line(&mut write, &line).await?;
        }
        Ok(())
    };
    let ((), told) = tokio::join!(work, tell);
    told
}

async fn write_line(write: &mut OwnedWriteHalf, line: &Line) -> std::io::Result<()> {
    let mut text = serde_json::to_string(line).map_err(std::io::Error::other)?;
    text.push('\n');
    write.write_all(text.as_bytes()).await
}

async fn answer(
    question: Ask,
    app: &App,
    address: SocketAddr,
    lines: &mpsc::UnboundedSender<Line>,
    rebuilds: &Rebuilds,
) -> Result<Answer, String> {
    match question {
        Ask::Status => {
            let head = app.log().head().await.map_err(|error| error.to_string())?;
            Ok(Answer::Status(Status {
                build: BUILD.to_owned(),
                process: std::process::id(),
                address: address.to_string(),
                ready: app.is_ready(),
                head: head.position,
                watched: app.pulse().watched(),
            }))
        }
        Ask::Rebuild { names } => {
            let lines = lines.clone();
            let tell = move |at| {
                // Whoever asked may have gone away; the work goes on.
                let _ = lines.send(Line::Progress(at));
            };
            let names = work::wanted(app.views(), &names)?;
            let begin = |names, tell: Tell| {
                let (views, log) = (app.views().clone(), app.log_handle());
                async move { work::rebuild(&views, log, names, move |at| tell(at)).await }
            };
            let models = rebuilds.rebuild(names, begin, tell).await?;
            Ok(Answer::Rebuilt { models })
        }
        Ask::Site { command } => {
            work::site(app.site(), app.entropy(), command).await.map(|()| Answer::Noted)
        }
        Ask::Drain => {
            tracing::info!("draining");
            app.readiness().drain();
            Ok(Answer::Draining)
        }
        Ask::Outage { from, to, reason } => {
            let Declaration { from, to, known, short, moved } =
                app.outages().declare(from, to, reason).await?;
            Ok(Answer::Outage { from, to, known, short, moved })
        }
        Ask::Archive { days } => {
            let tell = |at| {
                // Whoever asked may have gone away; a step that is begun is finished all the same.
                let _ = lines.send(Line::Progress(at));
            };
            let folder = app.archive().ok_or(NO_ARCHIVE)?;
            let now = app.clock().now();
            let moved = work::archive(app.log(), folder, now, days, tell).await?;
            Ok(Answer::Archived { moved })
        }
        Ask::Administrators { change } => {
            let (accounts, site) = (app.accounts(), app.site());
            let all = work::administrators(accounts, site, app.entropy(), &change).await?;
            Ok(Answer::Administrators { all })
        }
        Ask::Standing { email, suspended, reason } => {
            let (accounts, players) = (app.accounts(), app.players());
            let done =
                work::standing(accounts, players, app.entropy(), &email, suspended, reason).await;
            let player = done?;
            app.follow_standing(player).await?;
            Ok(Answer::Standing { player })
        }
        Ask::ReplayFile { match_id } => {
            let made = replay_file(app.log(), app.accounts(), match_id).await;
            let made = made.map_err(|fault| fault.to_string())?;
            Ok(Answer::ReplayFile { text: made.map(|file| file.text) })
        }
    }
}

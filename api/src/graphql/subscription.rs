//! Live views: versioned snapshots, woken by the pulse of the read models. The audience is resolved anew for
//! every frame; whoever may see nothing any more gets a last frame that says so.

use super::errors::coded;
use super::ids::match_of;
use super::types::MatchView;
use super::types::lobby::Lobby;
use super::types::notices::NoticesUpdate;
use super::viewer::{app, viewer};
use crate::app::App;
use crate::pulse::Watch;
use async_graphql::{Context, Error, ID};
use futures_util::stream::{self, Stream, StreamExt};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use yibu_domain::kernel::{MatchId, PlayerId};
use yibu_domain::matches::view::{self, Audience};
use yibu_domain::site::Announcement;
use yibu_infrastructure::accounts::reminders::Bell;

/// A lobby does not change more often than this, however busy the tables are.
const LOBBY_PAUSE: Duration = Duration::from_millis(200);

/// Where an event stream stands, so that it can be resumed: the version of the last frame.
#[derive(Clone, Default)]
pub struct Bookmark {
    resumed: Option<String>,
    shown: Arc<Mutex<Option<String>>>,
}

impl Bookmark {
    /// A stream that goes on after what `last` says.
    pub fn at(last: Option<String>) -> Self {
        Self { resumed: last, shown: Arc::default() }
    }

    /// The version of the frame that was made last.
    pub fn read(&self) -> Option<String> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn write(&self, version: String) {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = Some(version);
    }

    /// Public and private version of the last frame that the client has.
    fn versions(&self) -> Option<(u64, Option<u64>)> {
        let (public, private) = self.resumed.as_deref()?.split_once('.')?;
        let private = if private.is_empty() { None } else { Some(private.parse().ok()?) };
        Some((public.parse().ok()?, private))
    }
}

/// What makes a frame another one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    audience: Option<Audience>,
    public: u64,
    tenure: Option<u32>,
    private: Option<u64>,
}

impl Key {
    fn of(view: &view::MatchView) -> Self {
        Self {
            audience: Some(view.audience),
            public: view.public.version,
            tenure: view.own.as_ref().map(|own| own.tenure),
            private: view.own.as_ref().map(|own| own.version),
        }
    }
}

/// What a watcher has seen.
enum Seen {
    /// Nothing that would spare it a frame.
    Nothing,
    /// The versions that it named when it came.
    Told(u64, Option<u64>),
    /// A frame of ours.
    Frame(Key),
}

struct Watching {
    app: Arc<App>,
    player: PlayerId,
    id: MatchId,
    wake: Watch,
    bookmark: Bookmark,
    seen: Seen,
    begun: bool,
}

/// The next step of a watcher.
enum Step {
    Frame(Box<MatchView>),
    Gone,
}

impl Watching {
    /// The next frame that is another one than the last.
    async fn next(&mut self) -> Result<Step, Error> {
        loop {
            let begun = std::mem::replace(&mut self.begun, true);
            if begun && !self.wake.changed().await {
                return Ok(Step::Gone);
            }
            self.wake.seen();
            let found = if begun {
                self.app.view_for(self.id, self.player).await?
            } else {
                // The client may have sat down a moment ago: the first frame has what it was told.
                self.app.view_now(self.id, self.player).await?
            };
            let Some(found) = found else { return Ok(Step::Gone) };
            let key = Key::of(&found.view);
            let known = match self.seen {
                Seen::Nothing => false,
                Seen::Told(public, private) => (public, private) == (key.public, key.private),
                Seen::Frame(last) => last == key,
            };
            self.seen = Seen::Frame(key);
            if known {
                continue;
            }
            let private = key.private.map(|version| version.to_string()).unwrap_or_default();
            self.bookmark.write(format!("{}.{private}", key.public));
            let now = self.app.clock().now();
            return Ok(Step::Frame(Box::new(MatchView::new(
                found.view,
                now,
                Some(found.position),
            ))));
        }
    }
}

type Frame = Result<Option<Box<MatchView>>, Error>;

fn frames(watching: Watching) -> impl Stream<Item = Frame> {
    stream::unfold(Some(watching), |watching| async {
        let mut watching = watching?;
        match watching.next().await {
            Ok(Step::Frame(view)) => Some((Ok(Some(view)), Some(watching))),
            Ok(Step::Gone) => Some((Ok(None), None)),
            Err(error) => Some((Err(error), None)),
        }
    })
}

fn lobbies(app: Arc<App>, player: PlayerId) -> impl Stream<Item = Result<Lobby, Error>> {
    struct Looking {
        app: Arc<App>,
        player: PlayerId,
        wake: watch::Receiver<u64>,
        last: Option<Lobby>,
    }
    let wake = app.lobby_changes();
    let looking = Looking { app, player, wake, last: None };
    stream::unfold(Some(looking), |looking| async {
        let mut looking = looking?;
        loop {
            if looking.last.is_some() {
                looking.wake.changed().await.ok()?;
                tokio::time::sleep(LOBBY_PAUSE).await;
            }
            looking.wake.borrow_and_update();
            let lobby = match Lobby::of(&looking.app, looking.player).await {
                Ok(lobby) => lobby,
                Err(error) => return Some((Err(error), None)),
            };
            if looking.last.as_ref().is_some_and(|last| last.same(&lobby)) {
                continue;
            }
            looking.last = Some(lobby.clone());
            return Some((Ok(lobby), Some(looking)));
        }
    })
}

fn notices(app: Arc<App>, player: PlayerId) -> impl Stream<Item = Result<NoticesUpdate, Error>> {
    struct Hearing {
        app: Arc<App>,
        player: PlayerId,
        bell: Bell,
        said: watch::Receiver<Option<Announcement>>,
        last: Option<NoticesUpdate>,
    }
    let (bell, said) = (app.accounts().bell(player), app.announced());
    let hearing = Hearing { app, player, bell, said, last: None };
    stream::unfold(Some(hearing), |hearing| async {
        let mut hearing = hearing?;
        loop {
            if hearing.last.is_some() {
                let there = tokio::select! {
                    rings = hearing.bell.rings() => rings,
                    said = hearing.said.changed() => said.is_ok(),
                };
                if !there {
                    return None;
                }
            }
            hearing.bell.heard();
            hearing.said.mark_unchanged();
            let update = match NoticesUpdate::of(&hearing.app, hearing.player).await {
                Ok(update) => update,
                Err(error) => return Some((Err(error), None)),
            };
            if hearing.last.as_ref() == Some(&update) {
                continue;
            }
            hearing.last = Some(update.clone());
            return Some((Ok(update), Some(hearing)));
        }
    })
}

/// Everything that can be watched.
pub struct Subscription;

fn unauthenticated() -> Error {
    coded("UNAUTHENTICATED", "log in first")
}

/// Everything that can be watched.
#[async_graphql::Subscription]
impl Subscription {
    /// A match as the viewer sees it: a snapshot at once, then one for each change, or the latest of several.
    /// Never an older one, never the same twice. Null, and then the end, when there is nothing for the viewer
    /// to see (any more).
    #[graphql(name = "match")]
    async fn one_match(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The match.")] id: ID,
        #[graphql(
            desc = "The public version that the client has: the first snapshot is left out when it is the one of now."
        )]
        after: Option<u64>,
        #[graphql(desc = "The private version that the client has, where it has one.")]
        after_private: Option<u64>,
    ) -> Result<impl Stream<Item = Frame> + use<>, Error> {
        let app = Arc::clone(app(ctx)?);
        let player = viewer(ctx)?.player().ok_or_else(unauthenticated)?;
        let bookmark = ctx.data_opt::<Bookmark>().cloned().unwrap_or_default();
        let told = after.map(|after| (after, after_private)).or_else(|| bookmark.versions());
        let Some(id) = match_of(&id) else {
            return Ok(stream::once(async { Ok(None) }).left_stream());
        };
        let wake = app.pulse().watch(id);
        let seen = told.map_or(Seen::Nothing, |(public, private)| Seen::Told(public, private));
        let watching = Watching { app, player, id, wake, bookmark, seen, begun: false };
        Ok(frames(watching).right_stream())
    }

    /// The viewer's lobby: at once, and whenever it changes.
    async fn lobby(
        &self,
        ctx: &Context<'_>,
    ) -> Result<impl Stream<Item = Result<Lobby, Error>> + use<>, Error> {
        let player = viewer(ctx)?.player().ok_or_else(unauthenticated)?;
        Ok(lobbies(Arc::clone(app(ctx)?), player))
    }

    /// The viewer's notices and what everybody is told: at once, and whenever there is another or some were read.
    async fn notices(
        &self,
        ctx: &Context<'_>,
    ) -> Result<impl Stream<Item = Result<NoticesUpdate, Error>> + use<>, Error> {
        let player = viewer(ctx)?.player().ok_or_else(unauthenticated)?;
        Ok(notices(Arc::clone(app(ctx)?), player))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bookmarks_are_read_back() {
        let versions = |text: &str| Bookmark::at(Some(text.to_owned())).versions();
        assert_eq!(versions("12.3"), Some((12, Some(3))));
        assert_eq!(versions("12."), Some((12, None)));
        for text in ["", "12", "x.1", "1.x", "-1.2"] {
            assert_eq!(versions(text), None);
        }
    }
}

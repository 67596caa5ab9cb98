//! Durable commits per second of the embedded store, beside what the disk and a bare log file do in the same
//! run. Rounds are interleaved, so that a slow minute of the machine is everybody's.

use super::figure::{Figure, median};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use yibu_domain::kernel::{Actor, Claim, CommandId, Counter, PlayerId, Time};
use yibu_infrastructure::log::port::{Commit, EventLog, Expected, Memo, NewEvent, Stamp};
use yibu_infrastructure::log::{StoreConfig, open};
use yibu_infrastructure::system::{Entropy, SystemClock};

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(1500);
pub(crate) const UNIT: &str = "commits/s";
const RAW: &str = "the same commits in a bare log file, group commit, 64 writers";
const RING: &str = "the same, overwriting a ring in a file";
const SYNC: &str = "disk: 4 KiB write + fdatasync";

const RING_LENGTH: u64 = 64 << 20;

/// About as long as a move's.
const PAYLOAD: usize = 340;

/// Measures; takes about a minute. The files are in the directory for temporary files, which should be on
/// the disk that matters (`TMPDIR`).
///
/// # Errors
/// The files could not be made, or a runtime could not be started.
pub(crate) fn run() -> Result<Vec<Figure>, Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure())
}

async fn measure() -> Result<Vec<Figure>, Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let entropy = Entropy::system()?;
    let store = StoreConfig::Sqlite { folder: folder.path().join("log") };
    let log = open(store, Arc::new(SystemClock::new()), entropy.clone()).await?;
    let raw = raw_log(File::create(folder.path().join("raw.log"))?, None)?;
    let ring = allocated(&folder.path().join("ring"), RING_LENGTH)?;
    let ring = raw_log(ring, Some(RING_LENGTH))?;
    let plain = allocated(&folder.path().join("plain"), 4 << 20)?;

    let mut rates: [Vec<f64>; 7] = Default::default();
    for _ in 0..ROUNDS {
        rates[0].push(syncs(&plain)?);
        rates[1].push(raw_appends(&raw, &entropy, 64).await);
        rates[2].push(raw_appends(&ring, &entropy, 64).await);
        for (at, writers, whole) in [(3, 1, false), (4, 8, false), (5, 64, false), (6, 64, true)] {
            rates[at].push(commits(&log, &entropy, writers, whole).await?);
        }
    }
    log.close().await;
    let [sync, raw, ring, one, eight, many, whole] = rates.map(|mut rounds| median(&mut rounds));
    Ok(vec![
        Figure::alone(SYNC, sync, "syncs/s"),
        Figure::alone(RAW, raw, UNIT),
        // Keeps nothing but its last 64 MB, so it is no log: how fast the disk would be for one.
        Figure::alone(RING, ring, UNIT),
        Figure::alone("sqlite: durable commits, 1 writer", one, UNIT).beside(SYNC, sync),
        Figure::alone("sqlite: durable commits, 8 writers", eight, UNIT).beside(SYNC, sync),
        Figure::alone("sqlite: durable commits, 64 writers", many, UNIT)
            .beside(RAW, raw)
            .at_least(0.5),
        Figure::alone("sqlite: the same with command id and claims, 64 writers", whole, UNIT)
            .beside(RAW, raw),
    ])
}

/// How often a page can be made durable, one after the other.
fn syncs(file: &File) -> std::io::Result<f64> {
    let (start, mut done) = (Instant::now(), 0_u32);
    while start.elapsed() < ROUND {
        file.write_all_at(&[7; 4096], u64::from(done % 1024) * 4096)?;
        file.sync_data()?;
        done += 1;
    }
    Ok(f64::from(done) / start.elapsed().as_secs_f64())
}

/// A file whose blocks are all there: to lengthen a file costs the file system more than to fill it. Writers
/// go round in it.
fn allocated(path: &Path, length: u64) -> std::io::Result<File> {
    let file = File::create(path)?;
    for at in (0..length).step_by(1 << 20) {
        file.write_all_at(&vec![1; 1 << 20], at)?;
    }
    file.sync_all()?;
    Ok(file)
}

type Append = (Commit, oneshot::Sender<()>);

/// The least that a durable log can do: one thread appends what waits, syncs once, answers all. With a
/// `length`, it begins again there.
fn raw_log(file: File, length: Option<u64>) -> std::io::Result<mpsc::Sender<Append>> {
    let (queue, mut requests) = mpsc::channel::<Append>(1024);
    std::thread::Builder::new().name("raw-log".to_owned()).spawn(move || {
        let mut bytes = Vec::new();
        let mut answers = Vec::new();
        let mut at = 0;
        while let Some(first) = requests.blocking_recv() {
            let mut next = Some(first);
            while let Some((commit, answer)) = next {
                write(&mut bytes, &commit);
                answers.push(answer);
                next = requests.try_recv().ok();
            }
            if length.is_some_and(|length| at + bytes.len() as u64 > length) {
                at = 0;
            }
            // A failed write leaves its senders without an answer, which ends their round.
            if file.write_all_at(&bytes, at).and_then(|()| file.sync_data()).is_err() {
                return;
            }
            at += bytes.len() as u64;
            bytes.clear();
            for answer in answers.drain(..) {
                let _ = answer.send(());
            }
        }
    })?;
    Ok(queue)
}

/// What a log has to keep of a commit, each part behind its length; no hash, no index, no claim.
fn write(bytes: &mut Vec<u8>, commit: &Commit) {
    let mut part = |part: &[u8]| {
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part);
    };
    let Commit { stream, events, stamp, .. } = commit;
    for event in events {
        part(stream.as_bytes());
        part(event.id.0.as_bytes());
        part(event.name.as_bytes());
        part(event.payload.as_bytes());
        part(&stamp.at.0.to_le_bytes());
        part(stamp.command.as_bytes());
        part(stamp.correlation.as_bytes());
        part(stamp.node.as_bytes());
        part(stamp.build.as_bytes());
    }
}

async fn raw_appends(queue: &mpsc::Sender<Append>, entropy: &Entropy, writers: usize) -> f64 {
    let start = Instant::now();
    let tasks = (0..writers).map(|_| {
        let (queue, entropy) = (queue.clone(), entropy.clone());
        tokio::spawn(async move {
            let stream = format!("match-{}", entropy.match_id());
            let account = entropy.player_id();
            let (mut done, mut version) = (0.0, 0);
            while start.elapsed() < ROUND {
                let (answer, answered) = oneshot::channel();
                let commit = commit(&stream, version, account, &entropy);
                if queue.send((commit, answer)).await.is_err() {
                    break;
                }
                if answered.await.is_err() {
                    break;
                }
                version += 1;
                done += 1.0;
            }
            done
        })
    });
    sum(tasks.collect()).await / start.elapsed().as_secs_f64()
}

/// Every writer commits to a stream of its own, each commit on the version that the last one left.
pub(crate) async fn commits(
    log: &Arc<dyn EventLog>,
    entropy: &Entropy,
    writers: usize,
    whole: bool,
) -> Result<f64, Box<dyn std::error::Error>> {
    let start = Instant::now();
    let tasks = (0..writers).map(|_| {
        let (log, entropy) = (Arc::clone(log), entropy.clone());
        tokio::spawn(async move {
            let stream = format!("match-{}", entropy.match_id());
            let account = entropy.player_id();
            let (mut done, mut version) = (0.0, 0);
            while start.elapsed() < ROUND {
                let mut commit = commit(&stream, version, account, &entropy);
                if whole {
                    commit.claims = claims(account, version);
                    commit.memo = Some(Memo {
                        account,
                        id: CommandId(entropy.uuid()),
                        input: [9; 32],
                        result: "OK".to_owned(),
                    });
                }
                let Ok(receipt) = log.append(commit).await else {
                    break;
                };
                version = receipt.version;
                done += 1.0;
            }
            done
        })
    });
    Ok(sum(tasks.collect()).await / start.elapsed().as_secs_f64())
}

fn commit(stream: &str, version: u64, account: PlayerId, entropy: &Entropy) -> Commit {
    Commit {
        stream: stream.to_owned(),
        expected: Expected::Exact(version),
        events: vec![NewEvent {
            id: entropy.event_id(),
            name: "siguo.moved.v1",
            payload: payload(version),
        }],
        stamp: Stamp {
            at: Time(1_800_000_000_000),
            actor: Actor::Player(account),
            command: "move".to_owned(),
            command_id: None,
            correlation: entropy.uuid(),
            causation: None,
            node: "node-a".to_owned(),
            build: "0.1.0".to_owned(),
        },
        claims: Vec::new(),
        memo: None,
    }
}

/// Takes and releases a seat in turn.
fn claims(player: PlayerId, version: u64) -> Vec<Claim> {
    let counter = Counter::Full;
    match version % 2 {
        0 => vec![Claim::Take { counter, player }],
        _ => vec![Claim::Release { counter, player }],
    }
}

pub(crate) fn payload(n: u64) -> String {
    let mut text = format!(r#"{{"ply":{n},"text":""#);
    text.extend(std::iter::repeat_n('x', PAYLOAD - 2 - text.len()));
    text.push_str("\"}");
    text
}

pub(crate) async fn sum(tasks: Vec<tokio::task::JoinHandle<f64>>) -> f64 {
    let mut sum = 0.0;
    for task in tasks {
        sum += task.await.unwrap_or(0.0);
    }
    sum
}

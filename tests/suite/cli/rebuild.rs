//! `yibu rebuild` beside a server that is at it: what is said of it, and what an interruption stops.

use super::binary::binary;
use std::path::Path;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixListener;
use tokio::process::{Child, Command};
use yibu_api::local::{Line, Progress, socket};

fn rebuild(data: &Path) -> Child {
    let mut command = Command::new(binary());
    command.arg("rebuild").env("YIBU_DATA", data).env_remove("DATABASE_URL");
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command.spawn().unwrap()
}

async fn said(child: &mut Child) -> String {
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).await.unwrap();
    text
}

#[tokio::test]
async fn an_interrupted_client_says_that_the_server_goes_on() {
    // Given a server that is at a rebuild, for somebody else first
    let folder = tempfile::tempdir().unwrap();
    let listener = UnixListener::bind(socket(folder.path())).unwrap();
    let mut client = rebuild(folder.path());
    let (stream, _) = listener.accept().await.unwrap();
    let (read, mut write) = stream.into_split();
    let mut question = String::new();
    BufReader::new(read).read_line(&mut question).await.unwrap();
    assert!(question.contains("rebuild"), "{question}");
    let at = Progress { name: "lobby".to_owned(), position: 3, head: 9, joined: true };
    let line = serde_json::to_string(&Line::Progress(at)).unwrap();
    write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    let mut told = BufReader::new(client.stderr.as_mut().unwrap());
    let mut joined = String::new();
    told.read_line(&mut joined).await.unwrap();
    assert!(joined.contains("under way already"), "{joined}");
    // When the client is interrupted
    let id = client.id().unwrap().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    // Then it says what goes on, and how to look at it
    let status = client.wait().await.unwrap();
    assert_eq!(status.code(), Some(130));
    let told = said(&mut client).await;
    assert!(told.contains("the server goes on") && told.contains("same command again"), "{told}");
}

//! Ending turn mails from a mail: nothing on a look, everything on one click, nothing for whoever made a token up.

use async_trait::async_trait;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use std::sync::{Arc, Mutex};
use tower::ServiceExt as _;
use uuid::Uuid;
use yibu_api::app::{Desks, OptOut};
use yibu_api::http::unsubscribe;
use yibu_domain::kernel::{PlayerId, Time};
use yibu_domain::reminders::{self, Retry};
use yibu_infrastructure::workers::ComposeFault;
use yibu_tests::app::TestApp;

/// Notes whose turn mails were stopped.
#[derive(Default)]
struct Stopped(Mutex<Vec<PlayerId>>);

#[async_trait]
impl Desks for Stopped {
    async fn retry(
        &self,
        _: Uuid,
        _: PlayerId,
        _: &reminders::Mail,
        _: Time,
    ) -> Result<Retry, ComposeFault> {
        Ok(Retry::Drop)
    }

    async fn settings(&self, _: PlayerId) -> Result<reminders::Settings, ComposeFault> {
        Ok(reminders::Settings::default())
    }

    async fn turn_off(&self, player: PlayerId) -> Result<(), ComposeFault> {
        self.0.lock().unwrap().push(player);
        Ok(())
    }
}

#[tokio::test]
async fn one_click_stops_turn_mails_without_logging_in() {
    let server = TestApp::start().await;
    server.player("north").await;
    let accounts = server.app().accounts();
    let player = accounts.player_by_email("north@example.org").await.unwrap().unwrap();
    let stopped = Arc::new(Stopped::default());
    let opt_out = server.app().opt_out().clone();
    let door = unsubscribe::routes(opt_out.stopping(accounts.clone(), stopped.clone()));
    let send = async |method: &str, token: &str, body: &'static str| {
        let request = Request::builder().method(method).uri(format!("/unsubscribe/{token}"));
        let request = request
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from(body))
            .unwrap();
        let response = door.clone().oneshot(request).await.unwrap();
        let headers = response.headers().clone();
        let status = response.status();
        let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, headers, String::from_utf8(body.to_vec()).unwrap())
    };
    let token = opt_out.token(player);

    let (status, headers, page) = send("GET", &token, "").await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("<html lang=\"zh-Hans\">") && page.contains("method=\"post\""), "{page}");
    assert!(!page.contains("<script") && !page.contains("north"), "{page}");
    let policy = headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("form-action 'self'"));
    assert_eq!(headers["referrer-policy"], "no-referrer");
    assert_eq!(headers["cache-control"], "no-store");
    assert!(stopped.0.lock().unwrap().is_empty(), "a look changes nothing");

    let (status, _, page) = send("POST", &token, "List-Unsubscribe=One-Click").await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("已停止"), "{page}");
    assert_eq!(*stopped.0.lock().unwrap(), [player]);

    let nobody = opt_out.token(PlayerId(Uuid::from_u128(1)));
    let other_site = OptOut::new([7; 32]).token(player);
    let mut torn = token.clone();
    torn.pop();
    for wrong in [nobody.as_str(), &other_site, &torn, "x", "%00"] {
        for method in ["GET", "POST"] {
            let (status, _, body) = send(method, wrong, "").await;
            assert_eq!((status, body.as_str()), (StatusCode::NOT_FOUND, "not found"), "{wrong}");
        }
    }
    assert_eq!(stopped.0.lock().unwrap().len(), 1);
}

//! A crash at any point between the decision and the mark: no mail is lost, and only where it falls between the
//! mail server's acceptance and the mark is one sent again, under the same Message-ID.

use super::stage::{How, Said, Stage, Store};
use std::task::Poll;
use yibu_domain::kernel::Span;
use yibu_infrastructure::system::Clock as _;
use yibu_infrastructure::workers::mailing::LEASE;

/// Where the first sender is when it crashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum At {
    Composing,
    BeforeAcceptance,
    AfterAcceptance,
}

#[tokio::test]
async fn a_crash_at_each_step_loses_nothing() {
    for store in [Store::Sqlite, Store::Postgres] {
        for at in [At::Composing, At::BeforeAcceptance, At::AfterAcceptance] {
            let stage = Stage::new(store).await;
            stage.post(1, None).await;
            match at {
                At::Composing => stage.says.say(Said::Hang),
                At::BeforeAcceptance => stage.post.order(How::HangBefore),
                At::AfterAcceptance => stage.post.order(How::HangAfter),
            }
            let sender = stage.sender();
            let task = tokio::spawn(async move { sender.send_due().await });
            match at {
                At::Composing => stage.says.asked.notified().await,
                _ => stage.post.reached.notified().await,
            }
            task.abort();
            assert!(task.await.unwrap_err().is_cancelled());

            stage.says.say(Said::Mail);
            stage.post.order(How::Take);
            stage.clock.advance(Span(LEASE.0 - 1));
            assert_eq!(stage.send().await, 0, "the lease holds: {store:?} {at:?}");
            stage.clock.advance(Span(1));
            assert_eq!(stage.send().await, 1, "{store:?} {at:?}");
            stage.clock.advance(Span::hours(1));
            assert_eq!(stage.send().await, 0, "{store:?} {at:?}");
            let ids = stage.post.ids();
            assert_eq!(
                ids.len(),
                if at == At::AfterAcceptance { 2 } else { 1 },
                "{store:?} {at:?}"
            );
            assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        }
    }
}

/// The sender is let go of after so many of its steps, whatever it does then: also in the midst of a transaction.
#[tokio::test]
async fn a_crash_after_any_number_of_steps_loses_nothing() {
    for steps in 1..=80 {
        let stage = Stage::new(Store::Sqlite).await;
        for id in 1..=3 {
            stage.post(id, None).await;
        }
        let sender = stage.sender();
        {
            let mut sending = std::pin::pin!(sender.send_due());
            let mut left = steps;
            std::future::poll_fn(|context| {
                if left == 0 {
                    return Poll::Ready(());
                }
                left -= 1;
                sending.as_mut().poll(context).map(|done| assert_eq!(done.unwrap(), 3))
            })
            .await;
        }
        let before = stage.post.ids();
        stage.clock.advance(LEASE);
        stage.send().await;
        let mut ids = stage.post.ids();
        assert!(ids.len() <= 3 + before.len(), "{steps}: {ids:?}");
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 3, "after {steps} steps");
        assert_eq!(stage.outbox.figures(stage.clock.now()).await.unwrap().sent, 3, "{steps}");
    }
}

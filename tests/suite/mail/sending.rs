//! What becomes of a mail in the outbox, by the clock: sent, tried again, held, dropped, refused, given up.

use super::stage::{How, START, Said, Stage, Store, open};
use std::collections::HashSet;
use yibu_domain::kernel::{Span, Time};
use yibu_infrastructure::accounts::outbox::{End, OutboxFigures, Posting};
use yibu_infrastructure::system::Clock as _;

const STORES: [Store; 2] = [Store::Sqlite, Store::Postgres];
const MINUTE: Span = Span::seconds(60);

#[tokio::test]
async fn a_mail_is_sent_once_under_the_id_of_its_job() {
    for store in STORES {
        let stage = Stage::new(store).await;
        stage.post(1, None).await;
        let later = stage.clock.now() + MINUTE;
        // An id names one mail.
        stage.lay(1, &Posting::AccountDeleted, later, None).await.unwrap_err();
        stage.lay(2, &Posting::AccountDeleted, later, None).await.unwrap();
        assert_eq!((stage.send().await, stage.send().await), (1, 0), "{store:?}");
        stage.clock.set(later);
        assert_eq!((stage.send().await, stage.send().await), (1, 0), "{store:?}");
        let wanted = [1, 2].map(|id| format!("<{id:032x}@example.org>"));
        assert_eq!(stage.post.ids(), wanted, "{store:?}");
    }
}

#[tokio::test]
async fn a_mail_server_that_is_away_is_tried_again_ever_more_rarely_until_the_mail_expires() {
    for store in STORES {
        let stage = Stage::new(store).await;
        stage.post.order(How::Fail);
        stage.post(1, Some(START + Span::hours(4))).await;
        let mut tried = Vec::new();
        while stage.clock.now() < START + Span::hours(5) {
            if stage.send().await > 0 {
                tried.push((stage.clock.now() - START).0 / 1000);
            }
            stage.clock.advance(Span::seconds(30));
        }
        assert_eq!(tried, [0, 30, 90, 210, 450, 930, 1890, 3810, 7410, 11010], "{store:?}");
        let figures = stage.outbox.figures(stage.clock.now()).await.unwrap();
        assert_eq!(figures, OutboxFigures { failed: 1, ..OutboxFigures::default() }, "{store:?}");
        assert_eq!(stage.post.ids(), [""; 0], "{store:?}");
    }
}

#[tokio::test]
async fn a_mail_that_waited_out_its_time_is_not_sent_any_more() {
    let stage = Stage::new(Store::Sqlite).await;
    stage.post(1, Some(START + MINUTE)).await;
    stage.clock.set(START + MINUTE);
    assert_eq!(stage.send().await, 1);
    assert_eq!(stage.post.ids(), [""; 0]);
}

#[tokio::test]
async fn a_refused_receiver_ends_the_mail_at_once() {
    for store in STORES {
        let stage = Stage::new(store).await;
        stage.post.order(How::Refuse);
        stage.post(1, None).await;
        assert_eq!(stage.send().await, 1);
        stage.post.order(How::Take);
        stage.clock.advance(Span::hours(2));
        assert_eq!(stage.send().await, 0);
        let figures = stage.outbox.figures(stage.clock.now()).await.unwrap();
        assert_eq!(figures, OutboxFigures { failed: 1, ..OutboxFigures::default() }, "{store:?}");
    }
}

#[tokio::test]
async fn a_held_mail_goes_at_its_time_and_a_dropped_one_never() {
    for store in STORES {
        let stage = Stage::new(store).await;
        let until = START + Span::hours(9);
        stage.says.say(Said::Hold(until));
        stage.post(1, None).await;
        assert_eq!(stage.send().await, 1);
        let figures = stage.outbox.figures(START + Span::hours(1)).await.unwrap();
        // What is held is not late.
        assert_eq!(figures, OutboxFigures { waiting: 1, ..OutboxFigures::default() }, "{store:?}");
        stage.says.say(Said::Mail);
        stage.clock.set(until - Span(1));
        assert_eq!(stage.send().await, 0);
        stage.clock.set(until);
        assert_eq!(stage.send().await, 1);
        assert_eq!(stage.post.ids().len(), 1);

        stage.says.say(Said::Drop);
        stage.post(2, None).await;
        assert_eq!((stage.send().await, stage.send().await), (1, 0));
        let figures = stage.outbox.figures(until).await.unwrap();
        assert_eq!(figures, OutboxFigures { sent: 1, ..OutboxFigures::default() }, "{store:?}");
    }
}

#[tokio::test]
async fn what_cannot_be_composed_now_is_asked_for_again() {
    let stage = Stage::new(Store::Sqlite).await;
    stage.says.say(Said::Fault);
    stage.post(1, None).await;
    assert_eq!((stage.send().await, stage.send().await), (1, 0));
    let figures = stage.outbox.figures(stage.clock.now()).await.unwrap();
    assert_eq!((figures.retrying, figures.oldest), (1, Some(START)));
    stage.says.say(Said::Mail);
    stage.clock.advance(Span::seconds(30));
    assert_eq!(stage.send().await, 1);
    assert_eq!(stage.post.ids().len(), 1);
}

#[tokio::test]
async fn figures_are_of_a_day_and_ended_mails_go_after_a_week() {
    for store in STORES {
        let stage = Stage::new(store).await;
        for id in 1..=3 {
            stage.post(id, None).await;
        }
        assert_eq!(stage.send().await, 3);
        stage.clock.advance(Span::hours(23));
        stage.post.order(How::Fail);
        stage.post(4, None).await;
        let figures = |at: Time| stage.outbox.figures(at);
        let now = stage.clock.now();
        let waiting =
            OutboxFigures { waiting: 1, oldest: Some(now), sent: 3, ..Default::default() };
        assert_eq!(figures(now).await.unwrap(), waiting, "{store:?}");
        assert_eq!(figures(now + Span::hours(2)).await.unwrap().sent, 0, "{store:?}");

        stage.accounts.sweep().await.unwrap();
        assert_eq!(figures(now).await.unwrap().sent, 3, "{store:?}");
        stage.clock.advance(Span::hours(6 * 24 + 2));
        stage.accounts.sweep().await.unwrap();
        let left = figures(now).await.unwrap();
        assert_eq!((left.sent, left.waiting), (0, 1), "an open mail is never swept: {store:?}");
    }
}

#[tokio::test]
async fn whoever_lost_the_lease_decides_nothing_but_that_it_was_sent() {
    for store in STORES {
        let stage = Stage::new(store).await;
        stage.post(1, None).await;
        let (now, until) = (START, START + MINUTE);
        let first = stage.outbox.lease(now, until).await.unwrap().expect("a mail");
        assert!(stage.outbox.lease(now, until).await.unwrap().is_none(), "{store:?}");
        assert!(stage.outbox.keep(&first, until + MINUTE).await.unwrap());
        let later = until + MINUTE;
        assert!(stage.outbox.lease(until, later).await.unwrap().is_none(), "it was kept");
        let second = stage.outbox.lease(later, later + MINUTE).await.unwrap().expect("a mail");

        assert!(!stage.outbox.keep(&first, later + Span::hours(9)).await.unwrap());
        stage.outbox.try_again(&first, later + Span::hours(9)).await.unwrap();
        stage.outbox.hold(&first, later + Span::hours(9)).await.unwrap();
        stage.outbox.end(&first, End::Refused, later).await.unwrap();
        assert!(stage.outbox.keep(&second, later + MINUTE).await.unwrap(), "{store:?}");

        stage.outbox.end(&first, End::Sent, later).await.unwrap();
        assert!(!stage.outbox.keep(&second, later + MINUTE).await.unwrap(), "{store:?}");
        assert_eq!(stage.outbox.figures(later).await.unwrap().sent, 1, "{store:?}");
    }
}

#[tokio::test]
async fn two_nodes_send_each_mail_once() {
    let stage = Stage::new(Store::Postgres).await;
    let other = open(&stage.place, &stage.clock).await;
    for id in 1..=40 {
        stage.post(id, None).await;
    }
    let (here, there) = (stage.sender(), stage.sender_over(other.outbox()));
    let (here, there) = tokio::join!(here.send_due(), there.send_due());
    assert_eq!(here.unwrap() + there.unwrap(), 40);
    let ids = stage.post.ids();
    assert_eq!(ids.len(), 40);
    assert_eq!(ids.into_iter().collect::<HashSet<_>>().len(), 40);
}

//! What the site holds of a person, as JSON for that person alone. Must hold no credential, and nothing of others.

use crate::app::App;
use crate::graphql::errors::{account_fault, fault, newer};
use crate::graphql::ids::Global;
use crate::graphql::scalars::DateTime;
use async_graphql::{Error, ScalarType, Value as Scalar};
use serde_json::{Value, json};
use yibu_domain::kernel::{Dated, PlayerId, Time};
use yibu_domain::matches::MarkColour;
use yibu_domain::players::{Player, PlayerEvent};
use yibu_domain::reminders::Settings;
use yibu_infrastructure::accounts::reminders::Notice;
use yibu_infrastructure::accounts::{HeldDevice, HeldMark, HeldNickname, Session};
use yibu_infrastructure::executor::stream_name;
use yibu_infrastructure::log::codec;
use yibu_projections::models::leaderboard::{Booked, Period};

/// Names the form of the text; a changed one is another name.
const FORM: &str = "yibu-export/1";

/// Lines of the ledger read at once.
const PAGE: u32 = 500;

/// Everything that the site holds of the player, as JSON text.
///
/// # Errors
/// Faults of the accounts or the read models.
pub async fn export(app: &App, player: PlayerId) -> Result<String, Error> {
    let held = app.accounts().holdings(player).await.map_err(account_fault)?;
    let admin = app.accounts().is_admin(player).await.map_err(account_fault)?;
    let statistics = app.leaderboard().await.statistics(player, Period::AllTime).await;
    let record = statistics.map_err(fault)?.record;
    let document = json!({
        "form": FORM,
        "made_at": at(app.clock().now()),
        "player_id": Global::Player(player).id().0,
        "email": held.person.as_ref().map(|person| &person.email),
        "locale": held.person.as_ref().map(|person| person.locale.tag()),
        "created_at": held.person.as_ref().map(|person| at(person.created)),
        "is_admin": admin,
        "nicknames": held.nicknames.iter().map(nickname).collect::<Vec<_>>(),
        "sessions": held.sessions.iter().map(session).collect::<Vec<_>>(),
        "devices": held.devices.iter().map(device).collect::<Vec<_>>(),
        "networks": held.networks.iter().map(|(network, last)| {
            json!({ "network": network, "last_seen_at": at(*last) })
        }).collect::<Vec<_>>(),
        "changes": held.changes.iter().map(|when| at(*when)).collect::<Vec<_>>(),
        "reminders": reminders(held.reminders),
        "notices": held.notices.iter().map(notice).collect::<Vec<_>>(),
        "marks": held.marks.iter().map(mark).collect::<Vec<_>>(),
        "seats": seats(app, player).await?,
        "suspensions": suspensions(app, player).await?,
        "statistics": serde_json::to_value(record).map_err(fault)?,
        "points": lines(app, player, List::Points).await?,
        "results": lines(app, player, List::Results).await?,
    });
    serde_json::to_string_pretty(&document).map_err(fault)
}

fn at(time: Time) -> Value {
    match DateTime(time).to_value() {
        Scalar::String(text) => Value::String(text),
        _ => Value::Null,
    }
}

fn nickname(held: &HeldNickname) -> Value {
    json!({ "nickname": held.nickname, "since": at(held.since), "until": held.until.map(at) })
}

fn session(session: &Session) -> Value {
    json!({
        "id": Global::Session(session.id).id().0,
        "created_at": at(session.created),
        "last_seen_at": at(session.last_seen),
        "device": session.device,
        "network": session.network,
    })
}

fn device(device: &HeldDevice) -> Value {
    json!({ "first_seen_at": at(device.first), "last_seen_at": at(device.last) })
}

fn reminders(settings: Settings) -> Value {
    json!({
        "mode": settings.mode.name(),
        "from": settings.window.from.to_string(),
        "to": settings.window.to.to_string(),
        "zone": settings.zone.to_string(),
    })
}

fn notice(notice: &Notice) -> Value {
    json!({
        "kind": notice.kind.name(),
        "at": at(notice.at),
        "match_id": Global::Match(notice.match_id).id().0,
        "seat": notice.seat,
        "turn": notice.turn,
        "deadline": notice.deadline.map(at),
        "read": notice.read,
        "done": notice.done,
    })
}

fn mark(held: &HeldMark) -> Value {
    json!({
        "match_id": Global::Match(held.match_id).id().0,
        "handle": held.piece.to_string(),
        "mark": held.mark.text(),
        "colour": held.mark.colour().map(MarkColour::name),
        "at": at(held.at),
    })
}

/// The places at tables that have not ended.
async fn seats(app: &App, player: PlayerId) -> Result<Vec<Value>, Error> {
    let places = app.lobby().tables_of(player, u32::MAX).await.map_err(fault)?;
    let seats = places.iter().map(|place| {
        json!({
            "match_id": Global::Match(place.match_id).id().0,
            "role": place.role,
            "seat": place.seat,
            "deadline": place.deadline.map(at),
        })
    });
    Ok(seats.collect())
}

/// When administrators barred the player or let the player in again, and why; not who.
async fn suspensions(app: &App, player: PlayerId) -> Result<Vec<Value>, Error> {
    let stream = stream_name::<Player>(player.0);
    let (mut told, mut read) = (Vec::new(), 0);
    loop {
        let page = app.log().read_stream(&stream, read, PAGE as usize).await.map_err(fault)?;
        let Some(last) = page.last() else { return Ok(told) };
        read = last.version;
        for stored in &page {
            let Dated { at: when, event } = codec::decode::<PlayerEvent>(stored).map_err(newer)?;
            let (what, part) = match &event {
                PlayerEvent::Suspended(part) => ("suspended", part),
                PlayerEvent::Reinstated(part) => ("reinstated", part),
                _ => continue,
            };
            told.push(json!({ "what": what, "at": at(when), "reason": part.reason }));
        }
    }
}

/// The lists that are written line by line.
#[derive(Clone, Copy)]
enum List {
    Points,
    Results,
}

/// A whole list, the newest line first.
async fn lines(app: &App, player: PlayerId, list: List) -> Result<Vec<Value>, Error> {
    let board = app.leaderboard().await;
    let (mut lines, mut before) = (Vec::new(), None);
    loop {
        let page = match list {
            List::Points => board.ledger(player, before, PAGE).await,
            List::Results => board.results(player, before, PAGE).await,
        };
        let page = page.map_err(fault)?;
        let Some(oldest) = page.last().map(|booked| booked.number) else { return Ok(lines) };
        for booked in &page {
            lines.push(line(booked)?);
        }
        before = Some(oldest);
    }
}

fn line(booked: &Booked) -> Result<Value, Error> {
    let Booked { balance, entry, .. } = booked;
    let cause = serde_json::to_value(&entry.cause).map_err(fault)?;
    Ok(json!({ "at": at(entry.at), "points": entry.points, "balance": balance, "cause": cause }))
}

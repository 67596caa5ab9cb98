//! Names that look alike: what is stored of a name against them, also of names from before it was. Must not judge
//! what looks alike.

use super::db::{AccountsDb, Row};
use super::rows;
use super::turns::Turn;
use sqlx::Row as _;
use yibu_domain::players::nickname::Nickname;

/// Names filled in by one transaction.
const AT_ONCE: usize = 500;

/// What is compared of a name; `None` of one without a letter, which looks like no other.
pub(super) fn of(name: &Nickname) -> Option<String> {
    Some(name.skeleton()).filter(|skeleton| !skeleton.is_empty())
}

/// Fills in what current names lack. Of two from before that look alike, one guards the form for both; the other
/// lacks it until a later start finds it free.
pub(super) async fn fill(db: &AccountsDb) -> Result<(), sqlx::Error> {
    if !db.writes() {
        return Ok(());
    }
    let lacking = "SELECT player, display FROM nicknames \
                   WHERE until IS NULL AND skeleton IS NULL ORDER BY since, player";
    let lacking = sqlx::query(lacking).fetch_all(db.reading()).await?;
    for some in lacking.chunks(AT_ONCE) {
        match fill_some(db, some).await {
            // Another node took one of the forms at this instant: the next start goes on.
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {}
            filled => filled?,
        }
    }
    Ok(())
}

async fn fill_some(db: &AccountsDb, lacking: &[Row]) -> Result<(), sqlx::Error> {
    let mut tx = db.write(&[Turn::Nicknames]).await?;
    for row in lacking {
        let display: String = row.try_get("display")?;
        let name = Nickname::parse_unreserved(&display).ok();
        let Some(skeleton) = name.as_ref().and_then(of) else { continue };
        sqlx::query(
            "UPDATE nicknames SET skeleton = $2 \
             WHERE player = $1 AND until IS NULL AND display = $3 AND NOT EXISTS (\
             SELECT 1 FROM nicknames AS other WHERE other.skeleton = $2 AND other.until IS NULL)",
        )
        .bind(rows::bytes(rows::player(row, "player")?.0))
        .bind(skeleton)
        .bind(display)
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await
}

#[cfg(test)]
mod tests {
    use super::super::Place;
    use super::*;

    #[tokio::test]
    async fn names_from_before_are_filled_in_and_those_that_clash_stay() {
        let room = tempfile::tempdir().unwrap();
        let db = AccountsDb::open(Place::Folder(room.path().to_owned())).await.unwrap();
        let names = ["Ce", "Се", "🔥", "❤️", "山"];
        for (number, name) in (1_u8..).zip(names) {
            let id = [number; 16];
            let sql = "INSERT INTO players (player, house, created) VALUES ($1, 0, 0)";
            sqlx::query(sql).bind(id.as_slice()).execute(db.writing()).await.unwrap();
            let sql = "INSERT INTO nicknames (player, revision, display, folded, since) \
                       VALUES ($1, 1, $2, $2, $3)";
            let row = sqlx::query(sql).bind(id.as_slice()).bind(name).bind(i64::from(number));
            row.execute(db.writing()).await.unwrap();
        }
        let stored = async || {
            let sql = "SELECT skeleton FROM nicknames ORDER BY since";
            sqlx::query_scalar::<_, Option<String>>(sql).fetch_all(db.reading()).await.unwrap()
        };
        let some = |text: &str| Some(text.to_owned());
        for _ in 0..2 {
            fill(&db).await.unwrap();
            assert_eq!(stored().await, [some("ce"), None, None, None, some("山")]);
        }
        // Once the first is called otherwise, the second guards the form.
        sqlx::query("UPDATE nicknames SET until = 9 WHERE display = 'Ce'")
            .execute(db.writing())
            .await
            .unwrap();
        fill(&db).await.unwrap();
        assert_eq!(stored().await, [some("ce"), some("ce"), None, None, some("山")]);
        db.close().await;
    }
}

//! The data of pages, by name. A server answers with them; an exported site has the same as files.

use super::bot_page::bot_page;
use super::site::Site;
use axum::body::Bytes;
use serde::Serialize;

/// What pages load under this name, such as `standings` or `bot/3`, as JSON; `None` if there is no such thing.
///
/// # Errors
/// When a record can no longer be read, or its moves are not a game.
pub(super) fn data(site: &mut Site, name: &str) -> anyhow::Result<Option<Bytes>> {
    let (kind, number) = name.split_once('/').unwrap_or((name, ""));
    match (kind, number.parse::<u64>()) {
        ("site", _) => json(Some(site.about())),
        ("standings", _) => Ok(Some(site.standings()?)),
        ("history", _) => Ok(Some(site.history()?)),
        ("contents", _) => json(Some(site.index.contents())),
        ("list", Ok(number)) => json(site.index.list(number as usize)),
        ("bot", Ok(number)) => json(bot_page(site, u32::try_from(number).unwrap_or(u32::MAX))?),
        ("game", Ok(id)) => {
            let game = site.game(id)?;
            json(game.map(|game| site.view(id, game)).transpose()?)
        }
        _ => Ok(None),
    }
}

fn json(value: Option<impl Serialize>) -> anyhow::Result<Option<Bytes>> {
    let json = value.map(|value| serde_json::to_vec(&value)).transpose()?;
    Ok(json.map(Bytes::from))
}

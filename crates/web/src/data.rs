//! The data of pages, by name. A server answers with them; an exported site has the same as files.

use super::bot_page::bot_page;
use super::error::SiteError;
use super::live::json;
use super::site::Site;
use axum::body::Bytes;

/// What pages load under this name, such as `standings` or `bot/3`, as JSON; `None` if there is no such thing.
///
/// # Errors
/// When a record can no longer be read, or its moves are not a game.
pub(super) fn data(site: &mut Site, name: &str) -> Result<Option<Bytes>, SiteError> {
    let (kind, number) = name.split_once('/').unwrap_or((name, ""));
    Ok(match (kind, number.parse::<u64>()) {
        ("site", _) => Some(json(site.about())),
        ("standings", _) => Some(site.standings()),
        ("history", _) => Some(site.history()),
        ("contents", _) => Some(json(site.index.contents())),
        ("list", Ok(number)) => site.index.list(number as usize).map(json),
        ("bot", Ok(number)) => bot_page(site, u32::try_from(number).unwrap_or(u32::MAX)).map(json),
        ("game", Ok(id)) => {
            let game = site.game(id)?;
            game.map(|game| site.view(id, game)).transpose()?.map(json)
        }
        _ => None,
    })
}

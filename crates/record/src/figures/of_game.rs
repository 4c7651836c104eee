//! The figures of one game, without the rest of its record, for conditions.

use super::Figures;
use crate::GameRecord;
use serde::{Deserialize, Serialize};

/// The figures of a game and of each of its players. Reading it from a game's record skips everything else.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct GameFigures {
    /// Those of the game.
    #[serde(
        default,
        rename = "figures",
        deserialize_with = "super::deserialize",
        skip_serializing_if = "Figures::is_empty"
    )]
    pub game: Figures,
    /// Those of its players, in the order of seats.
    #[serde(deserialize_with = "of_players", serialize_with = "to_players")]
    pub players: Vec<Figures>,
}

/// A player of a record, as far as it is read.
#[derive(Serialize, Deserialize)]
struct Player {
    #[serde(
        default,
        deserialize_with = "super::deserialize",
        skip_serializing_if = "Figures::is_empty"
    )]
    figures: Figures,
}

impl GameFigures {
    /// The figures of this game.
    pub fn of(record: &GameRecord) -> GameFigures {
        let players = record.players.iter();
        GameFigures {
            game: record.figures.clone(),
            players: players.map(|player| player.figures.clone()).collect(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names().next().is_none()
    }

    /// All names; some may occur twice.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let all = std::iter::once(&self.game).chain(&self.players);
        all.flat_map(|figures| figures.keys().map(String::as_str))
    }
}

fn of_players<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<Figures>, D::Error> {
    let players = Vec::<Player>::deserialize(from)?.into_iter();
    Ok(players.map(|player| player.figures).collect())
}

fn to_players<S: serde::Serializer>(players: &[Figures], to: S) -> Result<S::Ok, S::Error> {
    let players = players.iter().cloned();
    to.collect_seq(players.map(|figures| Player { figures }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::Figure;
    use crate::test_games::played;

    #[test]
    fn a_game_has_the_figures_of_its_own_and_of_its_players() {
        let mut record = played(&[]);
        assert!(GameFigures::of(&record).is_empty());
        let figure = || Figure::Number(3.into());
        record.players[1].figures.insert("money".into(), figure());
        assert!(!GameFigures::of(&record).is_empty());
        record.figures.insert("map".into(), figure());
        let figures = GameFigures::of(&record);
        assert_eq!(figures.names().collect::<Vec<_>>(), ["map", "money"]);
        // From the record's own text they are the same.
        let text = serde_json::to_string(&record).unwrap();
        let read: GameFigures = serde_json::from_str(&text).unwrap();
        assert_eq!(read, figures);
        assert_eq!(
            serde_json::to_value(&read).unwrap()["players"][1]["figures"]["money"],
            3
        );
    }
}

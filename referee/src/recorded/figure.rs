//! Draws a stat of the bots over the turns of a game.

use crate::failure::{Failure, usage};
use crownhead_plot::{PlayerLine, figure_by_turn};
use crownhead_record::{GameRecord, LARGEST_FIGURE};
use std::collections::BTreeSet;

/// The stat of this name over the turns of a game, as an SVG plot.
pub(crate) fn plot_figure(game: &GameRecord, name: &str) -> Result<String, Failure> {
    let opening = game.opening.len();
    let lines = game.players.iter().enumerate().map(|(place, player)| {
        let own = (opening + 1..).zip(&game.turns);
        let own = own.filter(|(_, turn)| turn.player == place);
        let points =
            own.filter_map(|(number, turn)| Some((number, turn.said.get(name)?.as_f64()?)));
        // A record may hold numbers that no bot can print; no axis could show them.
        let points = points.filter(|(_, value)| value.abs() <= LARGEST_FIGURE);
        PlayerLine {
            player: format!("{} ({})", player.name, player.side),
            points: points.collect(),
        }
    });
    let lines: Vec<PlayerLine> = lines.collect();
    let number = game.number;
    if lines.iter().all(|line| line.points.is_empty()) {
        let said = game.turns.iter().flat_map(|turn| &turn.said);
        let numbers = said.filter(|(_, figure)| figure.as_f64().is_some());
        let known: BTreeSet<&str> = numbers.map(|(name, _)| name.as_str()).collect();
        let known = Vec::from_iter(known).join(", ");
        let known = match known.as_str() {
            "" => {
                "they printed none in any turn (such as `depth 7` or `score=12` on standard error)"
                    .into()
            }
            known => format!("they printed {known}"),
        };
        return Err(usage(format_args!(
            "--stat {name}: no bot printed that number in a turn of game {number}; {known}"
        )));
    }
    let title = format!("{name} by turn, game {number}");
    let turns = opening + game.turns.len();
    Ok(figure_by_turn(&title, name, turns, &lines).map_err(anyhow::Error::from)?)
}

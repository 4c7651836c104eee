//! The picture of a figure that bots said turn by turn, as SVG.

use super::{COLOURS, DrawError, draw, sign};
use plotters::prelude::*;

const SIZE: (u32, u32) = (900, 480);
const TEXT: (&str, i32) = ("sans-serif", 15);

/// One player's figure.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerLine {
    /// Who said it.
    pub player: String,
    /// The number of the turn, from 1, and what was said in it.
    pub points: Vec<(usize, f64)>,
}

/// What players said of one name, over the turns of a game.
///
/// # Errors
/// When the picture cannot be drawn.
pub fn figure_by_turn(
    title: &str,
    name: &str,
    turns: usize,
    lines: &[PlayerLine],
) -> Result<String, DrawError> {
    let all = || lines.iter().flat_map(|line| &line.points);
    let low = all().map(|point| point.1).fold(f64::INFINITY, f64::min);
    let high = all().map(|point| point.1).fold(f64::NEG_INFINITY, f64::max);
    // Of a figure that never changes the line is in the middle.
    let room = match high - low {
        0.0 => (0.05 * high.abs()).max(1.0),
        range => 0.05 * range,
    };
    draw(SIZE, |area| {
        let mut chart = ChartBuilder::on(area)
            .caption(title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(80)
            .build_cartesian_2d(1..turns.max(2), low - room..high + room)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("turn")
            .y_desc(name)
            .label_style(TEXT)
            .draw()?;
        for (line, colour) in lines.iter().zip(COLOURS.into_iter().cycle()) {
            let style = colour.stroke_width(2);
            let points = line.points.iter().copied();
            let series = chart.draw_series(LineSeries::new(points.clone(), style))?;
            series.label(&line.player).legend(sign(style));
            chart.draw_series(points.map(|point| Circle::new(point, 2, colour.filled())))?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .label_font(TEXT)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(player: &str, points: &[(usize, f64)]) -> PlayerLine {
        PlayerLine {
            player: player.into(),
            points: points.to_vec(),
        }
    }

    #[test]
    fn each_player_has_a_line_of_a_colour_of_its_own() {
        let lines = [
            line("one", &[(1, 0.5), (3, 2.0)]),
            line("two", &[(2, -4.0)]),
            line("three", &[]),
        ];
        let svg = figure_by_turn("game 3", "score", 4, &lines).unwrap();
        for part in ["game 3", "score", "turn", "one", "two", "three"] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
        let circles = |colour: &str| {
            let circles = svg.lines().filter(|line| line.starts_with("<circle"));
            circles.filter(|line| line.contains(colour)).count()
        };
        assert_eq!([circles("#0072B2"), circles("#D55E00")], [2, 1], "{svg}");
    }

    #[test]
    fn a_figure_that_never_changes_has_a_picture() {
        let svg = figure_by_turn("t", "n", 1, &[line("one", &[(1, 7.0)])]).unwrap();
        assert!(svg.starts_with("<svg ") && svg.contains("<circle"), "{svg}");
    }
}

//! Pictures of a ladder: ratings with their intervals, and ratings over pairs.

use super::{COLOURS, draw};
use crate::ladder::{Config, LadderTally, Standings};
use crate::store::StoredPair;
use plotters::prelude::*;
use serde::Serialize;

/// The rating of each bot after so many pairs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RatingHistory {
    /// The bots' names.
    pub bots: Vec<String>,
    /// Pairs finished, and the ratings of all bots then.
    pub points: Vec<(u64, Vec<f64>)>,
}

/// How many points a history has: a picture shows no more.
const POINTS: usize = 100;

/// The ratings after each of up to a hundred equal steps of these pairs, in the order in which they were stored.
pub fn ratings_over_pairs(config: &Config, pairs: &[StoredPair]) -> RatingHistory {
    let step = pairs.len().div_ceil(POINTS).max(1);
    let mut tally = LadderTally::default();
    let mut points = Vec::new();
    for chunk in pairs.chunks(step) {
        for pair in chunk {
            tally.add(config, pair);
        }
        points.push((tally.pairs(), tally.ratings(config).ratings));
    }
    RatingHistory {
        bots: config.bots.iter().map(|bot| bot.name.clone()).collect(),
        points,
    }
}

const SIZE: (u32, u32) = (900, 480);
const TEXT: (&str, i32) = ("sans-serif", 15);
const MARGIN: u32 = 12;
/// The width of the column that names the lines of a history.
const LEGEND: u32 = 160;

/// Ratings with their intervals, the strongest on top.
///
/// # Errors
/// When the picture cannot be drawn.
pub fn ratings(standings: &Standings) -> anyhow::Result<String> {
    let rows = &standings.rows;
    let ends = rows
        .iter()
        .flat_map(|row| [row.rating - row.margin, row.rating + row.margin]);
    let (low, high) = range(ends);
    draw((SIZE.0, 90 + 34 * rows.len() as u32), |area| {
        let count = rows.len() as i32;
        let mut chart = ChartBuilder::on(area)
            .margin(MARGIN)
            .margin_right(4 * MARGIN)
            .x_label_area_size(40)
            .y_label_area_size(200)
            .build_cartesian_2d(low..high, (0..(count - 1).max(0)).into_segmented())?;
        let name = |place: &SegmentValue<i32>| match place {
            SegmentValue::CenterOf(place) => {
                let row = rows.get((count - 1 - place) as usize);
                row.map_or_else(String::new, |row| row.bot.clone())
            }
            _ => String::new(),
        };
        chart
            .configure_mesh()
            .disable_y_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("rating with 95 % interval")
            .x_label_formatter(&whole)
            .y_labels(rows.len())
            .y_label_formatter(&name)
            .label_style(TEXT)
            .draw()?;
        for (place, row) in rows.iter().enumerate() {
            let at = SegmentValue::CenterOf(count - 1 - place as i32);
            let colour = COLOURS[0];
            let ends = [
                (row.rating - row.margin, at.clone()),
                (row.rating + row.margin, at.clone()),
            ];
            chart.draw_series([PathElement::new(ends, colour.stroke_width(3))])?;
            chart.draw_series([Circle::new((row.rating, at), 5, colour.filled())])?;
        }
        Ok(())
    })
}

/// Ratings over the pairs that were played.
///
/// # Errors
/// When the picture cannot be drawn.
pub fn history(history: &RatingHistory) -> anyhow::Result<String> {
    let (low, high) = range(
        history
            .points
            .iter()
            .flat_map(|(_, ratings)| ratings.iter().copied()),
    );
    let last = history.points.last().map_or(1, |(pairs, _)| *pairs);
    // The strongest first, as the lines end.
    let mut order: Vec<usize> = (0..history.bots.len()).collect();
    if let Some((_, ratings)) = history.points.last() {
        order.sort_by(|&one, &other| ratings[other].total_cmp(&ratings[one]));
    }
    draw(SIZE, |area| {
        let (lines, legend) = area.split_horizontally(SIZE.0 - LEGEND);
        let mut chart = ChartBuilder::on(&lines)
            .margin(MARGIN)
            .x_label_area_size(40)
            .y_label_area_size(70)
            .build_cartesian_2d(0..last, low..high)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("pairs of games")
            .y_desc("rating")
            .y_label_formatter(&whole)
            .label_style(TEXT)
            .draw()?;
        for (place, &bot) in order.iter().enumerate() {
            let style = COLOURS[place % COLOURS.len()].stroke_width(2);
            let points = history
                .points
                .iter()
                .map(|(pairs, ratings)| (*pairs, ratings[bot]));
            chart.draw_series(LineSeries::new(points, style))?;
            let height = 24 + 22 * place as i32;
            legend.draw(&PathElement::new([(0, height), (16, height)], style))?;
            let name = history.bots[bot].clone();
            legend.draw(&Text::new(name, (22, height - 8), TEXT))?;
        }
        Ok(())
    })
}

/// A rating on an axis.
fn whole(rating: &f64) -> String {
    format!("{rating:.0}")
}

/// The range of these values with a little room; a default range without values.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low > high {
        return (-100.0, 100.0);
    }
    let room = (0.05 * (high - low)).max(10.0);
    (low - room, high + room)
}

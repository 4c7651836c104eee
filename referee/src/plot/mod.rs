//! Pictures of a ladder, as SVG.

use crate::ladder::{Config, Standings, Tally};
use crate::store::StoredPair;
use plotters::coord::Shift;
use plotters::prelude::*;

/// The rating of each bot after so many pairs.
#[derive(Clone, PartialEq, Debug)]
pub struct History {
    /// The bots' names.
    pub bots: Vec<String>,
    /// Pairs finished, and the ratings of all bots then.
    pub points: Vec<(u64, Vec<f64>)>,
}

/// How many points a history has: a picture shows no more.
const POINTS: usize = 100;

/// The ratings after each of up to a hundred equal steps of these pairs, in the order in which they were stored.
pub fn ratings_over_pairs(config: &Config, pairs: &[StoredPair]) -> History {
    let step = pairs.len().div_ceil(POINTS).max(1);
    let mut tally = Tally::default();
    let mut points = Vec::new();
    for chunk in pairs.chunks(step) {
        for pair in chunk {
            tally.add(config, pair);
        }
        points.push((tally.pairs(), tally.ratings(config).ratings));
    }
    History {
        bots: config.bots.iter().map(|bot| bot.name.clone()).collect(),
        points,
    }
}

const SIZE: (u32, u32) = (900, 480);
const TEXT: (&str, i32) = ("sans-serif", 15);

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
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(220)
            .build_cartesian_2d(low..high, (0..count.max(1)).into_segmented())?;
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
            .x_desc("rating with 95 % interval")
            .y_labels(rows.len() + 1)
            .y_label_formatter(&name)
            .label_style(TEXT)
            .draw()?;
        for (place, row) in rows.iter().enumerate() {
            let at = SegmentValue::CenterOf(count - 1 - place as i32);
            let colour = Palette99::pick(place);
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
pub fn history(history: &History) -> anyhow::Result<String> {
    let (low, high) = range(
        history
            .points
            .iter()
            .flat_map(|(_, ratings)| ratings.iter().copied()),
    );
    let last = history.points.last().map_or(1, |(pairs, _)| *pairs);
    draw(SIZE, |area| {
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(0..last, low..high)?;
        chart
            .configure_mesh()
            .x_desc("pairs of games")
            .y_desc("rating")
            .label_style(TEXT)
            .draw()?;
        for (bot, name) in history.bots.iter().enumerate() {
            let colour = Palette99::pick(bot).to_rgba();
            let points = history
                .points
                .iter()
                .map(|(pairs, ratings)| (*pairs, ratings[bot]));
            chart
                .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
                .label(name)
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2))
                });
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .label_font(TEXT)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        Ok(())
    })
}

/// The range of these values with a little room; some range where there are none.
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

fn draw(
    size: (u32, u32),
    picture: impl FnOnce(DrawingArea<SVGBackend<'_>, Shift>) -> anyhow::Result<()>,
) -> anyhow::Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        picture(area.clone())?;
        area.present()?;
    }
    Ok(svg)
}

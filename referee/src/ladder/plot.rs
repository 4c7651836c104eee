//! Pictures of a ladder, as SVG: ratings with their intervals, and ratings over pairs.

use crownhead_ladder::{RatingHistory, Standings};
use plotters::coord::Shift;
use plotters::prelude::*;

/// Colours that colour-blind people can tell apart, except the yellow, which is too pale for a line (M. Okabe and K. Ito,
/// "Color Universal Design", 2002, revised 2008).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// A picture cannot be drawn.
type DrawError = DrawingAreaErrorKind<std::io::Error>;

const SIZE: (u32, u32) = (900, 480);
const TEXT: (&str, i32) = ("sans-serif", 15);
const MARGIN: u32 = 12;
/// The width of the column that names the lines of a history, and the height of a name.
const NAMES: (u32, i32) = (180, 18);

/// Ratings with their intervals, the strongest on top.
///
/// # Errors
/// When the picture cannot be drawn.
pub(super) fn ratings(standings: &Standings) -> Result<String, DrawError> {
    // Of a bot that has not played, nothing is known.
    let rated = standings.rows.iter();
    let rated = rated.filter_map(|row| Some((row.label.as_str(), row.rating?, row.margin?)));
    let rows: Vec<(&str, f64, f64)> = rated.collect();
    let ends = rows
        .iter()
        .flat_map(|(_, rating, margin)| [rating - margin, rating + margin]);
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
                row.map_or_else(String::new, |(label, ..)| label.to_string())
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
        for (place, &(_, rating, margin)) in rows.iter().enumerate() {
            let at = SegmentValue::CenterOf(count - 1 - place as i32);
            let colour = COLOURS[0];
            let ends = [(rating - margin, at.clone()), (rating + margin, at.clone())];
            chart.draw_series([PathElement::new(ends, colour.stroke_width(3))])?;
            chart.draw_series([Circle::new((rating, at), 5, colour.filled())])?;
        }
        Ok(())
    })
}

/// Ratings over the pairs that were played.
///
/// # Errors
/// When the picture cannot be drawn.
pub(super) fn history(history: &RatingHistory) -> Result<String, DrawError> {
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
    let height = SIZE.1.max(6 * MARGIN + order.len() as u32 * NAMES.1 as u32);
    draw((SIZE.0, height), |area| {
        let (lines, _) = area.split_horizontally(SIZE.0 - NAMES.0);
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
        let mut ends = Vec::new();
        for (place, &bot) in order.iter().enumerate() {
            let style = COLOURS[place % COLOURS.len()].stroke_width(2);
            let points = history
                .points
                .iter()
                .map(|(pairs, ratings)| (*pairs, ratings[bot]));
            let (dash, gap) = DASHES[place / COLOURS.len() % DASHES.len()];
            match gap {
                0 => drop(chart.draw_series(LineSeries::new(points, style))?),
                _ => drop(chart.draw_series(DashedLineSeries::new(points, dash, gap, style))?),
            }
            let end = history.points.last();
            ends.extend(end.map(|(pairs, ratings)| chart.backend_coord(&(*pairs, ratings[bot]))));
        }
        let heights = apart(
            ends.iter().map(|end| end.1).collect(),
            height as i32 - MARGIN as i32,
        );
        for (place, ((x, y), height)) in ends.into_iter().zip(heights).enumerate() {
            let name = history.bots[order[place]].clone();
            let leader = [(x, y), (x + 8, y), (x + 20, height), (x + 26, height)];
            area.draw(&PathElement::new(
                leader,
                COLOURS[place % COLOURS.len()].mix(0.5),
            ))?;
            area.draw(&Text::new(name, (x + 30, height - 8), TEXT))?;
        }
        Ok(())
    })
}

/// A picture of this width and height, in pixels, as a file's text.
fn draw(
    size: (u32, u32),
    picture: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), DrawError>,
) -> Result<String, DrawError> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    area.fill(&WHITE)?;
    picture(&area)?;
    area.present()?;
    drop(area);
    Ok(svg)
}

/// The dashes of lines, where there are more lines than colours, and the gaps between them, in pixels.
const DASHES: [(i32, i32); 4] = [(1, 0), (10, 5), (2, 4), (18, 4)];

/// The heights of names near these heights, which rise, so that none covers another and none is below `bottom`.
fn apart(mut heights: Vec<i32>, bottom: i32) -> Vec<i32> {
    for place in 1..heights.len() {
        heights[place] = heights[place].max(heights[place - 1] + NAMES.1);
    }
    let mut lowest = bottom;
    for height in heights.iter_mut().rev() {
        *height = (*height).min(lowest);
        lowest = *height - NAMES.1;
    }
    heights
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_apart_and_above_the_bottom() {
        assert_eq!(apart(vec![10, 12, 100], 400), [10, 28, 100]);
        assert_eq!(apart(vec![380, 390, 395], 400), [364, 382, 400]);
        assert!(apart(vec![], 400).is_empty());
    }

    #[test]
    fn thirteen_lines_are_told_apart_by_colour_or_dashes_and_named_at_their_ends() {
        let bots: Vec<String> = (0..13).map(|bot| format!("bot-{bot}")).collect();
        let ratings = |factor: f64| (0..13).map(|bot| factor * f64::from(bot)).collect();
        let points = vec![(10, ratings(10.0)), (20, ratings(30.0))];
        let svg = history(&RatingHistory { bots, points }).unwrap();
        for bot in 0..13 {
            assert!(svg.contains(&format!("bot-{bot}\n")), "{svg}");
        }
        // A line of dashes is many lines.
        let lines = |colour: &str| {
            svg.matches(&format!("stroke=\"{colour}\" stroke-width=\"2\""))
                .count()
        };
        assert!(lines("#0072B2") > 10, "{svg}");
        assert_eq!(lines("#000000"), 1, "{svg}");
    }
}

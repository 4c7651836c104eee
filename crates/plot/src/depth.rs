//! A picture of depth over time: one faint line a position, and a bold one for their median.

use super::{COLOURS, DrawError, draw, sign};
use crownhead_train::bench::positions::PositionKind;
use crownhead_train::bench::report::{BenchReport, Trial};
use plotters::prelude::*;
use std::time::Duration;

/// Width and height, in pixels.
const SIZE: (u32, u32) = (960, 600);

/// Times below this are drawn as this: the first depths take next to none, and the axis is logarithmic.
const SHORTEST_MS: f64 = 0.01;

/// The colours of the kinds, in the order of [`PositionKind::ALL`].
const KIND_COLOURS: [RGBColor; 4] = [COLOURS[0], COLOURS[4], COLOURS[2], COLOURS[3]];

/// How visible the line of a single position is.
const FAINT: f64 = 0.35;

/// Depth over time.
///
/// # Errors
/// When the picture cannot be drawn.
pub fn depth_over_time(report: &BenchReport) -> Result<String, DrawError> {
    let trials = &report.positions;
    let measured = || trials.iter().map(|trial| &trial.measured);
    let longest = measured().map(|one| one.time).max();
    let end = milliseconds(longest.unwrap_or_default()).max(10.0 * SHORTEST_MS);
    let deepest = measured().map(|one| one.depth).max().unwrap_or(0);
    draw(SIZE, |area| {
        let mut chart = ChartBuilder::on(area)
            .caption(
                format!("Depth over time, crownhead bench {}", report.limit),
                ("sans-serif", 22),
            )
            .margin(16)
            .x_label_area_size(48)
            .y_label_area_size(56)
            .build_cartesian_2d((SHORTEST_MS..end).log_scale(), 0..deepest + 2)?;
        chart
            .configure_mesh()
            .x_desc("time, ms (logarithmic)")
            .y_desc("depth completed, plies")
            .x_label_formatter(&|ms| format!("{ms}"))
            .axis_desc_style(("sans-serif", 16))
            .label_style(("sans-serif", 14))
            .light_line_style(BLACK.mix(0.04))
            .bold_line_style(BLACK.mix(0.12))
            .draw()?;
        for (kind, colour) in PositionKind::ALL.into_iter().zip(KIND_COLOURS) {
            let line = colour.mix(FAINT).stroke_width(1);
            let mut series = None;
            for trial in trials.iter().filter(|trial| trial.position.kind == kind) {
                series = Some(chart.draw_series(LineSeries::new(steps(trial, end), line))?);
            }
            // One entry of the legend for all lines of a kind.
            if let Some(series) = series {
                series
                    .label(kind.name())
                    .legend(sign(colour.stroke_width(2)));
            }
        }
        let bold = BLACK.stroke_width(3);
        chart
            .draw_series(LineSeries::new(median(trials, end), bold))?
            .label("median of all")
            .legend(sign(bold));
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .label_font(("sans-serif", 14))
            .background_style(WHITE)
            .border_style(BLACK.mix(0.3))
            .draw()
    })
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e3).max(SHORTEST_MS)
}

/// The line of one position: it rises when a depth is completed, and stays until the end.
fn steps(trial: &Trial, end: f64) -> Vec<(f64, u32)> {
    let rises = trial.measured.completed.iter();
    staircase(rises.map(|one| (milliseconds(one.time), one.depth)), end)
}

/// The depth that half of the positions have completed at least, at each moment.
fn median(trials: &[Trial], end: f64) -> Vec<(f64, u32)> {
    let mut moments: Vec<f64> = trials
        .iter()
        .flat_map(|trial| &trial.measured.completed)
        .map(|one| milliseconds(one.time))
        .collect();
    moments.sort_unstable_by(f64::total_cmp);
    moments.dedup();
    let rises = moments.into_iter().map(|now| {
        let mut depths: Vec<u32> = trials
            .iter()
            .map(|trial| {
                let done = trial.measured.completed.iter();
                let done = done.take_while(|one| milliseconds(one.time) <= now);
                done.last().map_or(0, |one| one.depth)
            })
            .collect();
        depths.sort_unstable_by(|a, b| b.cmp(a));
        (now, depths[(depths.len() - 1) / 2])
    });
    staircase(rises, end)
}

/// The corners of a line that rises at once and then stays.
fn staircase(rises: impl Iterator<Item = (f64, u32)>, end: f64) -> Vec<(f64, u32)> {
    let mut corners = Vec::new();
    let mut depth = 0;
    for (time, next) in rises.filter(|&(_, next)| next > 0) {
        if next != depth {
            corners.extend([(time, depth), (time, next)]);
            depth = next;
        }
    }
    corners.push((end, depth));
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_train::bench::positions::BenchPosition;
    use crownhead_train::bench::report::{CompletedDepth, Limit, Measured};

    fn completed(times: &[u64]) -> Trial {
        let completed = (1..).zip(times).map(|(depth, &ms)| CompletedDepth {
            depth,
            nodes: 1,
            time: Duration::from_millis(ms),
        });
        Trial {
            position: BenchPosition {
                name: "one".into(),
                kind: PositionKind::Tactic,
                fen: "a board".into(),
                moves: Vec::new(),
                expected: None,
            },
            measured: Measured {
                depth: times.len() as u32,
                selective_depth: 0,
                nodes: 1,
                time: Duration::from_micros(1),
                score: 0,
                best: "A3B4".into(),
                completed: completed.collect(),
            },
        }
    }

    #[test]
    fn a_line_rises_when_a_depth_is_completed_and_stays_until_the_end() {
        assert_eq!(
            steps(&completed(&[1, 4]), 10.0),
            [(1.0, 0), (1.0, 1), (4.0, 1), (4.0, 2), (10.0, 2)]
        );
    }

    #[test]
    fn the_median_is_what_half_of_the_positions_have_completed() {
        let trials = [completed(&[1, 2, 3]), completed(&[2, 5]), completed(&[7])];
        assert_eq!(
            median(&trials, 10.0),
            [(2.0, 0), (2.0, 1), (5.0, 1), (5.0, 2), (10.0, 2)]
        );
    }

    #[test]
    fn the_picture_is_svg_with_a_line_for_each_position_and_one_for_the_median() {
        let trials = vec![completed(&[1, 4]), completed(&[2, 3, 9])];
        let report = BenchReport::new(Limit::Depth(3), trials);
        let svg = depth_over_time(&report).unwrap();
        assert!(
            svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"),
            "{svg}"
        );
        let faint = format!("opacity=\"{FAINT}\" stroke=\"#CC79A7\"");
        assert_eq!(svg.matches(&faint).count(), 2, "{svg}");
        assert!(svg.contains("median of all") && svg.contains("tactic"));
    }

    #[test]
    fn a_run_without_positions_still_makes_a_picture() {
        let report = BenchReport::new(Limit::Depth(3), vec![]);
        assert!(depth_over_time(&report).unwrap().starts_with("<svg "));
    }
}

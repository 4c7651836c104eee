//! The picture of a fit: the losses over the epochs, as SVG.

use super::{COLOURS, DrawError, draw, sign};
use plotters::prelude::*;

const SIZE: (u32, u32) = (900, 480);
const TEXT: (&str, i32) = ("sans-serif", 15);

/// The losses of the positions learnt from and of those held out, after each epoch.
///
/// # Errors
/// When the picture cannot be drawn.
pub fn loss_curve(losses: &[(f32, f32)]) -> Result<String, DrawError> {
    let all = || losses.iter().flat_map(|&(train, held)| [train, held]);
    let low = all().fold(f32::INFINITY, f32::min);
    let high = all().fold(f32::NEG_INFINITY, f32::max);
    let room = (0.05 * (high - low)).max(1e-4);
    draw(SIZE, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(70)
            .build_cartesian_2d(1..losses.len().max(2), low - room..high + room)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("epochs")
            .y_desc("cross entropy")
            .y_label_formatter(&|loss| format!("{loss:.4}"))
            .label_style(TEXT)
            .draw()?;
        let learnt: Vec<f32> = losses.iter().map(|pair| pair.0).collect();
        let held = losses.iter().map(|pair| pair.1).collect();
        for ((name, line), colour) in [("learnt from", learnt), ("held out", held)]
            .into_iter()
            .zip(COLOURS)
        {
            let style = colour.stroke_width(2);
            let series = chart.draw_series(LineSeries::new((1..).zip(line), style))?;
            series.label(name).legend(sign(style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .label_font(TEXT)
            .background_style(WHITE)
            .border_style(BLACK.mix(0.3))
            .draw()
    })
}

//! Pictures, as SVG: of a ladder's ratings, of the depth that a search reaches over time, of a fit's losses, and of what
//! bots said turn by turn.
//!
//! All colours and the making of a file are here. Leaves out where numbers come from.

mod curve;
mod depth;
mod figure;
mod ladder;

use plotters::coord::Shift;
use plotters::prelude::*;

pub use curve::loss_curve;
pub use depth::depth_over_time;
pub use figure::{PlayerLine, figure_by_turn};
pub use ladder::{history, ratings};

/// Colours that colour-blind people tell apart too, but for their yellow, too pale for a line (M. Okabe and
/// K. Ito, "Color Universal Design", 2002, revised 2008).
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
pub type DrawError = DrawingAreaErrorKind<std::io::Error>;

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

/// The sign of a line in a legend.
fn sign(style: ShapeStyle) -> impl Fn((i32, i32)) -> PathElement<(i32, i32)> {
    move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style)
}

//! What a bench prints for people.

use super::options::{show_number, show_time};
use crate::bench::compare::{Change, Difference};
use crate::bench::report::Trial;
use crate::bench::{BenchReport, Comparison};
use crownhead::search::{PROVEN, WIN};
use std::fmt::Write;

/// What the last row is called.
const ALL: &str = "all (mean depth)";

/// The run as a table, with its differences from an earlier one if there is one.
pub(super) fn table(report: &BenchReport, comparison: Option<&Comparison>) -> String {
    let mut text = String::new();
    write_table(report, comparison, &mut text).expect("writing to a string");
    text
}

fn write_table(
    report: &BenchReport,
    comparison: Option<&Comparison>,
    out: &mut String,
) -> std::fmt::Result {
    let bold = anstyle::Style::new().bold();
    let count = report.positions.len();
    writeln!(out, "{count} positions of checkers, {}\n", report.limit)?;
    let names = report
        .positions
        .iter()
        .map(|trial| trial.name.chars().count());
    let width = names.max().unwrap_or(0).max(ALL.len());
    let [depth, nodes, speed] = match comparison {
        Some(_) => ["  than before", "   times", "   times"],
        None => [""; 3],
    };
    writeln!(
        out,
        "{bold}{:<width$}  {:<10}    depth{depth}        nodes{nodes}   Mn/s{speed}       score   best{bold:#}",
        "position", "kind"
    )?;
    for trial in &report.positions {
        let mut differences = comparison
            .iter()
            .flat_map(|comparison| &comparison.positions);
        let difference = differences.find(|difference| difference.name == trial.name);
        let [depth, nodes, speed] = match (comparison, difference) {
            (None, _) => [const { String::new() }; 3],
            (_, Some(one)) => columns(one.depth as f64, 0, one.nodes, one.speed),
            (_, None) => [format!("{:>13}", "new"), " ".repeat(8), " ".repeat(8)],
        };
        writeln!(
            out,
            "{:<width$}  {:<10}  {:>7}{depth} {:>12}{nodes} {:>6.2}{speed}  {:>10}   {}",
            trial.name,
            trial.kind.name(),
            format!("{}/{}", trial.depth, trial.selective_depth),
            show_number(trial.nodes),
            trial.speed() / 1e6,
            show_score(trial.score),
            verdict(trial, difference),
        )?;
    }
    write_totals(report, comparison, width, out)
}

fn write_totals(
    report: &BenchReport,
    comparison: Option<&Comparison>,
    width: usize,
    out: &mut String,
) -> std::fmt::Result {
    let bold = anstyle::Style::new().bold();
    let totals = report.totals();
    let [depth, nodes, speed] = comparison.map_or([const { String::new() }; 3], |mean| {
        columns(mean.depth, 1, mean.nodes, mean.speed)
    });
    writeln!(
        out,
        "{bold}{:<width$}  {:<10}  {:>7.1}{depth} {:>12}{nodes} {:>6.2}{speed}{bold:#}\n",
        ALL,
        "",
        totals.mean_depth,
        show_number(totals.nodes),
        totals.nodes_per_second / 1e6,
    )?;
    writeln!(
        out,
        "median depth  {}\nbest moves    {} of {} found\ntime          {}",
        totals.median_depth,
        totals.solved,
        totals.solvable,
        show_time(totals.time)
    )?;
    if let Some(signature) = report.signature() {
        writeln!(out, "signature     {signature}")?;
    }
    if let Some(comparison) = comparison {
        write_comparison(comparison, out)?;
    }
    Ok(())
}

/// What the columns of a comparison leave out.
fn write_comparison(comparison: &Comparison, out: &mut String) -> std::fmt::Result {
    if let Some(signature) = comparison.earlier_signature {
        writeln!(out, "  before      {signature}")?;
    }
    writeln!(
        out,
        "compared      best moves: {} gained, {} lost; ratios on the whole are geometric means",
        comparison.count(Change::Gained),
        comparison.count(Change::Lost)
    )?;
    if comparison.unmatched > 0 {
        writeln!(
            out,
            "              {} positions are in one of the two runs only",
            comparison.unmatched
        )?;
    }
    Ok(())
}

/// The columns of differences, as wide as their headings.
fn columns(depth: f64, digits: usize, nodes: f64, speed: f64) -> [String; 3] {
    // A zero has no sign: rounding must not leave one.
    let rounded = if digits == 0 {
        depth
    } else {
        (depth * 10.0).round() / 10.0
    };
    let depth = if rounded == 0.0 {
        "=".to_string()
    } else {
        format!("{rounded:+.digits$}")
    };
    let ratio = |ratio: f64| format!("   ×{ratio:<4.2}");
    [format!("{depth:>13}"), ratio(nodes), ratio(speed)]
}

/// `D4E5 found`, `D4E5, not C3B4`, and what changed.
fn verdict(trial: &Trial, difference: Option<&Difference>) -> String {
    let mut text = trial.best.clone();
    if let (Some(solved), Some(expected)) = (trial.solved(), &trial.expected) {
        if solved {
            text += " found";
        } else {
            text += &format!(", not {expected}");
        }
    }
    text += match difference.map(|difference| difference.solved) {
        Some(Change::Gained) => " (gained)",
        Some(Change::Lost) => " (lost)",
        Some(Change::None) | None => "",
    };
    text
}

/// `+12`, `win in 9`.
fn show_score(score: i32) -> String {
    match score {
        PROVEN.. => format!("win in {}", WIN - score),
        score if score <= -PROVEN => format!("loss in {}", WIN + score),
        score => format!("{score:+}"),
    }
}

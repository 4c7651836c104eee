//! What a bench prints for people.

use super::table::{left, right};
use super::table_form::TableForm;
use crownhead::search::{PROVEN, WIN};
use crownhead_record::numbers::{counted, show_count, show_rate, show_time};
use crownhead_train::bench::BenchReport;
use crownhead_train::bench::report::Trial;
use std::io::{self, Write};

/// The name of the last row.
const ALL: &str = "all (mean depth)";

/// The run as a table.
pub(super) fn write_table(
    game: &str,
    report: &BenchReport,
    form: TableForm,
    out: &mut impl Write,
) -> io::Result<()> {
    let count = counted(report.positions.len(), "position");
    writeln!(out, "{count} of {game}, {}\n", report.limit)?;
    let columns = [
        left("position"),
        left("kind"),
        right("depth"),
        right("deepest"),
        right("nodes"),
        right("nodes/s"),
        right("score"),
        left("best"),
    ];
    let rows = report.positions.iter().map(|trial| {
        let Trial { position, measured } = trial;
        vec![
            position.name.clone(),
            position.kind.name().into(),
            measured.depth.to_string(),
            measured.selective_depth.to_string(),
            show_count(measured.nodes),
            show_rate(measured.speed()),
            show_score(measured.score),
            verdict(trial),
        ]
    });
    let totals = report.totals();
    let all = vec![
        ALL.into(),
        String::new(),
        format!("{:.1}", totals.mean_depth),
        String::new(),
        show_count(totals.nodes),
        show_rate(totals.nodes_per_second),
        String::new(),
        String::new(),
    ];
    write!(out, "{}", form.table(&columns, rows.chain([all])))?;
    writeln!(
        out,
        "\nmedian depth  {}\nbest moves    {} of {} found\ntime          {}",
        totals.median_depth,
        totals.solved,
        totals.solvable,
        show_time(totals.time)
    )?;
    match report.signature() {
        Some(signature) => writeln!(out, "signature     {signature}"),
        None => Ok(()),
    }
}

/// `D4E5 found`, or `D4E5, not C3B4`.
fn verdict(trial: &Trial) -> String {
    let best = &trial.measured.best;
    match (trial.solved(), &trial.position.expected) {
        (Some(true), _) => format!("{best} found"),
        (Some(false), Some(expected)) => format!("{best}, not {expected}"),
        _ => best.clone(),
    }
}

/// `+12`, `win in 9`.
fn show_score(score: i32) -> String {
    match score {
        PROVEN.. => format!("win in {}", WIN - score),
        score if score <= -PROVEN => format!("loss in {}", WIN + score),
        score => format!("{score:+}"),
    }
}

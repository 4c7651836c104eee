//! What a bench prints for people.

use super::table::{Column, left, right};
use super::table_form::TableForm;
use crownhead::search::{PROVEN, WIN};
use crownhead_record::numbers::{counted, show_count, show_rate, show_time};
use crownhead_train::bench::compare::{Change, Difference};
use crownhead_train::bench::report::Trial;
use crownhead_train::bench::{BenchReport, Comparison};
use std::io::{self, Write};

/// The name of the last row.
const ALL: &str = "all (mean depth)";

/// The run as a table, with the differences from an earlier run if there is one.
pub(super) fn write_table(
    game: &str,
    report: &BenchReport,
    comparison: Option<&Comparison>,
    form: TableForm,
    out: &mut impl Write,
) -> io::Result<()> {
    let count = counted(report.positions.len(), "position");
    writeln!(out, "{count} of {game}, {}\n", report.limit)?;
    let compares = comparison.is_some();
    let rows = report.positions.iter().map(|trial| {
        let Trial { position, measured } = trial;
        let mut differences = comparison
            .iter()
            .flat_map(|comparison| &comparison.positions);
        let difference = differences.find(|difference| difference.name == position.name);
        let [depth, nodes, speed] = match difference {
            Some(one) => changes(one.depth as f64, 0, one.nodes, one.speed),
            None => ["new".into(), String::new(), String::new()],
        };
        let cells = [
            position.name.clone(),
            position.kind.name().into(),
            measured.depth.to_string(),
            measured.selective_depth.to_string(),
            depth,
            show_count(measured.nodes),
            nodes,
            show_rate(measured.speed()),
            speed,
            show_score(measured.score),
            verdict(trial, difference),
        ];
        wanted(cells, compares)
    });
    let all = std::iter::once(wanted(totals_row(report, comparison), compares));
    let table = form.table(&columns(compares), rows.chain(all));
    write!(out, "{table}")?;
    write_totals(report, comparison, out)
}

/// The columns that a comparison adds.
const OF_COMPARISON: [usize; 3] = [4, 6, 8];

/// The cells, without those of a comparison if there is none.
fn wanted<T>(cells: [T; 11], compares: bool) -> Vec<T> {
    let cells = cells.into_iter().enumerate();
    cells
        .filter(|(place, _)| compares || !OF_COMPARISON.contains(place))
        .map(|(_, cell)| cell)
        .collect()
}

fn columns(compares: bool) -> Vec<Column> {
    let columns = [
        left("position"),
        left("kind"),
        right("depth"),
        right("deepest"),
        right("change"),
        right("nodes"),
        right("ratio"),
        right("nodes/s"),
        right("ratio"),
        right("score"),
        left("best"),
    ];
    wanted(columns, compares)
}

/// The row of all positions together.
fn totals_row(report: &BenchReport, comparison: Option<&Comparison>) -> [String; 11] {
    let totals = report.totals();
    let [depth, nodes, speed] = comparison.map_or([const { String::new() }; 3], |mean| {
        changes(mean.depth, 1, mean.nodes, mean.speed)
    });
    [
        ALL.into(),
        String::new(),
        format!("{:.1}", totals.mean_depth),
        String::new(),
        depth,
        show_count(totals.nodes),
        nodes,
        show_rate(totals.nodes_per_second),
        speed,
        String::new(),
        String::new(),
    ]
}

fn write_totals(
    report: &BenchReport,
    comparison: Option<&Comparison>,
    out: &mut impl Write,
) -> io::Result<()> {
    let totals = report.totals();
    writeln!(out)?;
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
    match comparison {
        Some(comparison) => write_comparison(comparison, out),
        None => Ok(()),
    }
}

/// The totals of a comparison.
fn write_comparison(comparison: &Comparison, out: &mut impl Write) -> io::Result<()> {
    if let Some(signature) = comparison.earlier_signature {
        writeln!(out, "  before      {signature}")?;
    }
    writeln!(
        out,
        "compared      best moves: {} gained, {} lost; the ratios of all positions are geometric means",
        comparison.count(Change::Gained),
        comparison.count(Change::Lost)
    )?;
    if comparison.unmatched > 0 {
        writeln!(
            out,
            "              only one of the two runs has {}",
            counted(comparison.unmatched, "position")
        )?;
    }
    Ok(())
}

/// The cells of a comparison.
fn changes(depth: f64, digits: usize, nodes: f64, speed: f64) -> [String; 3] {
    // Rounding must not leave a zero with a sign.
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
    let ratio = |ratio: f64| format!("×{ratio:<4.2}");
    [depth, ratio(nodes), ratio(speed)]
}

/// `D4E5 found`, `D4E5, not C3B4`, and what changed.
fn verdict(trial: &Trial, difference: Option<&Difference>) -> String {
    let mut text = trial.measured.best.clone();
    if let (Some(solved), Some(expected)) = (trial.solved(), &trial.position.expected) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_train::bench::compare;

    #[test]
    fn a_bench_and_its_differences_from_another_stand_in_columns() {
        let text = include_str!("../tests/fixtures/bench.json");
        let report = BenchReport::from_json(text).expect("a stored bench");
        let mut earlier = report.clone();
        for trial in &mut earlier.positions[..3] {
            let one = &mut trial.measured;
            (one.depth, one.nodes, one.best) = (1, one.nodes * 2, "none".into());
        }
        let comparison = compare(&earlier, &report).expect("runs to one depth");
        let told = |comparison| {
            let mut text = Vec::new();
            let form = TableForm::Text { screen: None };
            write_table("checkers", &report, comparison, form, &mut text)
                .expect("memory is written to");
            let text = String::from_utf8(text).expect("what is told is text");
            anstream::adapter::strip_str(&text).to_string()
        };
        insta::assert_snapshot!("bench", told(None));
        insta::assert_snapshot!("bench-compared", told(Some(&comparison)));
    }
}

//! Numbers for people, written in one way by every command: counts, rates, shares and times.
//!
//! JSON and CSV have bare numbers; nothing here is for programs.

use std::fmt::Display;
use std::time::Duration;

/// A whole number, its thousands separated by commas: `187,555`.
pub fn show_count(count: impl Display) -> String {
    let digits = count.to_string();
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits.as_str()),
    };
    let mut shown = sign.to_string();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A count with its noun in the right number: `1 game`, `2,000 games`, `3 inaccuracies`.
pub fn counted(count: impl Display, noun: &str) -> String {
    let shown = show_count(count);
    if shown == "1" {
        return format!("{shown} {noun}");
    }
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{shown} {stem}ies"),
        _ => format!("{shown} {noun}s"),
    }
}

/// How much happens in a second, to three digits: `5.52 M`, `350 k`, `12.3`.
pub fn show_rate(per_second: f64) -> String {
    let (scaled, prefix) = match per_second {
        999_500.0.. => (per_second / 1e6, " M"),
        999.5.. => (per_second / 1e3, " k"),
        _ => (per_second, ""),
    };
    let digits = match scaled {
        99.95.. => 0,
        9.995.. => 1,
        _ => 2,
    };
    format!("{scaled:.digits$}{prefix}")
}

/// A share in percent: `97.5 %`.
pub fn show_percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The chance of something that is never certain: `97.5 %`, `> 99.9 %`, `< 0.1 %`.
pub fn show_likelihood(chance: f64) -> String {
    match chance {
        0.9995.. => "> 99.9 %".into(),
        ..0.0005 => "< 0.1 %".into(),
        _ => show_percent(chance),
    }
}

/// A mean, with a decimal where that says something: `14.6`, `350,596`.
pub fn show_mean(mean: f64) -> String {
    match mean.abs() {
        999.5..1e15 => show_count(mean.round() as i64),
        1e15.. => format!("{mean:.2e}"),
        // Adding zero takes the sign off -0.
        _ => format!("{:.1}", (mean * 10.0).round() / 10.0 + 0.0),
    }
}

/// A rating in Elo: `-15`. Adding zero takes the sign off -0.
pub fn show_rating(rating: f64) -> String {
    format!("{:.0}", rating.round() + 0.0)
}

/// A time that was measured: `85.3 ms`, `1.20 s`, `4 min 43 s`, `3 h 10 min`.
pub fn show_time(time: Duration) -> String {
    // The bounds are where rounding reaches the next unit.
    let seconds = time.as_secs_f64();
    if seconds < 999.5e-6 {
        format!("{:.0} µs", seconds * 1e6)
    } else if seconds < 0.99995 {
        format!("{:.1} ms", seconds * 1e3)
    } else if seconds < 119.995 {
        format!("{seconds:.2} s")
    } else if seconds < 3599.5 {
        let whole = seconds.round() as u64;
        format!("{} min {} s", whole / 60, whole % 60)
    } else {
        let minutes = (seconds / 60.0).round() as u64;
        format!("{} h {} min", show_count(minutes / 60), minutes % 60)
    }
}

/// A time that is only estimated: `12 s`, `4 min 43 s`, `3 h 10 min`.
pub fn show_estimate(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..120 => format!("{} s", seconds.max(1)),
        seconds => show_time(Duration::from_secs(seconds)),
    }
}

/// A time that somebody has set, such as a limit, exactly: `100 ms`, `1 s 500 ms`.
pub fn show_limit(limit: Duration) -> String {
    let parts = humantime::format_duration(limit).to_string();
    let words = parts.split(' ').map(|part| {
        let unit = part.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let number = &part[..part.len() - unit.len()];
        let unit = match unit {
            "m" => "min",
            "us" => "µs",
            other => other,
        };
        format!("{number} {unit}")
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated_by_commas() {
        let shown = [0, 999, 1_000, 187_555, 12_345_678, -4_096].map(show_count);
        let expected = ["0", "999", "1,000", "187,555", "12,345,678", "-4,096"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_rating_is_whole_and_zero_has_no_sign() {
        let shown = [-15.4, -0.2, 0.0, 99.6].map(show_rating);
        assert_eq!(shown, ["-15", "0", "0", "100"]);
    }

    #[test]
    fn only_one_is_singular() {
        let shown = [
            counted(0, "game"),
            counted(1, "game"),
            counted(2_000, "pair"),
            counted(3, "inaccuracy"),
            counted(2, "reply"),
            counted(2, "day"),
        ];
        let expected = [
            "0 games",
            "1 game",
            "2,000 pairs",
            "3 inaccuracies",
            "2 replies",
            "2 days",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_rate_has_three_digits_and_a_prefix() {
        let rates = [
            0.0, 7.13, 12.34, 999.4, 999.6, 85_432.0, 999_499.0, 999_600.0, 5.52e6, 2.728e8,
        ];
        let expected = [
            "0.00", "7.13", "12.3", "999", "1.00 k", "85.4 k", "999 k", "1.00 M", "5.52 M", "273 M",
        ];
        assert_eq!(rates.map(show_rate), expected);
    }

    #[test]
    fn shares_and_means_have_one_decimal_where_it_says_something() {
        assert_eq!(
            [0.0, 0.9748, 1.0].map(show_percent),
            ["0.0 %", "97.5 %", "100.0 %"]
        );
        let chances = [0.0, 0.0006, 0.9748, 0.9994, 1.0];
        let expected = ["< 0.1 %", "0.1 %", "97.5 %", "99.9 %", "> 99.9 %"];
        assert_eq!(chances.map(show_likelihood), expected);
        let means = [-0.01, 14.56, -3.16, 999.4, 350_596.4, 1e300];
        assert_eq!(
            means.map(show_mean),
            ["0.0", "14.6", "-3.2", "999.4", "350,596", "1.00e300"]
        );
    }

    #[test]
    fn a_measured_time_has_the_unit_that_suits_it() {
        let shown = |micros| show_time(Duration::from_micros(micros));
        let times = [
            (0, "0 µs"),
            (999, "999 µs"),
            (1_000, "1.0 ms"),
            (85_340, "85.3 ms"),
            (999_900, "999.9 ms"),
            (999_960, "1.00 s"),
            (119_990_000, "119.99 s"),
            (283_500_000, "4 min 44 s"),
            (3_599_400_000, "59 min 59 s"),
            (3_599_600_000, "1 h 0 min"),
            (11_400_000_000, "3 h 10 min"),
        ];
        for (micros, expected) in times {
            assert_eq!(shown(micros), expected);
        }
    }

    #[test]
    fn an_estimate_has_whole_seconds() {
        let shown = [400, 119_400, 119_600, 283_900].map(Duration::from_millis);
        let expected = ["1 s", "119 s", "119 s", "4 min 43 s"];
        assert_eq!(shown.map(show_estimate), expected);
    }

    #[test]
    fn a_limit_is_written_exactly() {
        let limits = [100, 1_000, 1_500, 90_000]
            .map(Duration::from_millis)
            .map(show_limit);
        assert_eq!(limits, ["100 ms", "1 s", "1 s 500 ms", "1 min 30 s"]);
        assert_eq!(show_limit(Duration::from_micros(250)), "250 µs");
    }
}

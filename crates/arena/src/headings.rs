//! The headings under which help lists the options of commands that play games.

/// Where games start.
pub const OPENINGS: &str = "Openings";
/// What is played, within which time, and how it is judged.
pub const RULES: &str = "Time and rules";
/// How bots are called and run.
pub const BOTS: &str = "Bots";
/// What bots may reach.
pub const SANDBOX: &str = "Sandbox";
/// Games that another program judges.
pub const CONTESTS: &str = "Other contests";
/// What is printed and kept.
pub const OUTPUT: &str = "Output";

pub enum Mode {
    Fast,
    Slow { depth: u8 },
}
pub fn play(mode: Mode) -> String {
    match mode {
        Mode::Fast => String::from("fast"),
        Mode::Slow { depth } if depth > 1 => format!("slow {depth}"),
        Mode::Slow { .. } => unreachable!("{}", depth_name()),
    }
}
fn depth_name() -> &'static str {
    "depth"
}

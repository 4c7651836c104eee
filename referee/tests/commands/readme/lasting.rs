//! What stays the same when a command is run again or on another machine: the sentences about faults, except the times
//! that were measured.

const UNITS: [&str; 3] = ["µs", "ms", "s"];

/// The sentences about faults in a text, without what is said only of a busy machine.
pub(super) fn lasting(text: &str) -> Vec<String> {
    let faults = paragraphs(text).into_iter().filter(|it| names_a_turn(it));
    let sentences = faults.map(|fault| sentence(&fault));
    sentences
        .filter(|it| !it.ends_with("it was played again"))
        .collect()
}

/// Cuts off what the referee says of a late bot after how its time went.
pub(super) fn without_causes(items: &mut [String]) {
    for item in items {
        let times = "and was idle for TIME.";
        if let Some(place) = item.find(times) {
            item.truncate(place + times.len() - 1);
        }
    }
}

/// Whether the machine kept a bot from a tenth of a limit of a second, or more. The referee then says no cause.
pub(super) fn was_kept_from_its_time(printed: &str) -> bool {
    let given_back = printed
        .lines()
        .filter(|line| line.starts_with("given back"));
    let mut times = given_back.map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let unit = words.iter().position(|word| UNITS.contains(word))?;
        let seconds = [1e-6, 1e-3, 1.0][UNITS.iter().position(|name| *name == words[unit])?];
        Some(words[unit - 1].parse::<f64>().ok()? * seconds)
    });
    times.any(|seconds| seconds.expect("a time") >= 0.1)
}

/// The lines that are not empty; a line that names a turn with those that stand further in below it.
fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut outer = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let indent = line.len() - line.trim_start().len();
        if outer.is_some_and(|outer| indent > outer) {
            let told = paragraphs.last_mut().expect("the line that names the turn");
            *told += line;
        } else {
            outer = names_a_turn(line).then_some(indent);
            paragraphs.push(line.into());
        }
    }
    paragraphs
}

/// Whether it is as `game 1, turn 5 (a): black answered …`.
fn names_a_turn(text: &str) -> bool {
    let text = text.trim_start().to_lowercase();
    text.starts_with("game ") && text.contains(", turn ")
}

/// A sentence about a turn without its times, and what is said only of a busy machine.
fn sentence(text: &str) -> String {
    // Newer versions of Python mark a place below a line.
    let is_mark = |word: &&str| word.trim_matches(['~', '^', '|']).is_empty();
    let mut words = text
        .split_whitespace()
        .filter(|word| !is_mark(word))
        .peekable();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        let is_number = word.parse::<f64>().is_ok();
        let unit = |next: &&str| UNITS.contains(&next.trim_end_matches(['.', ',', ';']));
        match words.next_if(|next| is_number && unit(next)) {
            Some(unit) => kept.push(format!(
                "TIME{}",
                unit.trim_start_matches(char::is_alphabetic)
            )),
            None => kept.push(word.into()),
        }
    }
    let sentence = kept.join(" ");
    let sentence = sentence.replace("; for TIME of that the referee was not watching", "");
    sentence.replace(
        ", which the machine's hypervisor took away for another TIME,",
        "",
    )
}

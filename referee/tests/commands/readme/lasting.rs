//! What stays the same when a command is run again, on another machine or after a better search: its sentences and the
//! heads of its tables; of a fault also the numbers, but for the times that were measured.

const UNITS: [&str; 3] = ["µs", "ms", "s"];

/// Of rates: a machine may be slower by a factor of more than a thousand.
const PREFIXES: [&str; 2] = ["k", "M"];

/// The text, an item for each line, or for the lines of a fault. Items that follow each other and are the same are one.
pub(super) fn lasting(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for paragraph in paragraphs(text) {
        let item = match names_a_turn(&paragraph) {
            true => sentence(&paragraph),
            false => shape(&paragraph),
        };
        if !tells_of_the_machine(&item) && items.last() != Some(&item) {
            items.push(item);
        }
    }
    items
}

/// Whether a line is there only where the machine is busy, or slow.
fn tells_of_the_machine(item: &str) -> bool {
    let is_game_anew = item.ends_with("it was played again");
    item.starts_with("given back ") || item.starts_with("Of its time ") || is_game_anew
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

/// A sentence about a turn without the times that were measured, and what is said only of a busy machine. Limits are
/// written without a space, as in `100ms`.
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

/// A line without its numbers and spaces.
fn shape(line: &str) -> String {
    let mut words: Vec<&str> = line.split_whitespace().map(kind).collect();
    words.dedup();
    words.join(" ")
}

/// A word, or what all words of its kind stand for.
fn kind(word: &str) -> &str {
    let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    if word.contains(|letter: char| letter.is_ascii_digit()) {
        "NUMBER"
    } else if UNITS.contains(&bare) || PREFIXES.contains(&bare) {
        "UNIT"
    } else {
        word
    }
}

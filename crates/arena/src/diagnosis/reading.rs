//! Which line of its input a bot was reading.

use crownhead_record::text::excerpt;

/// The lines of one turn as a bot was sent them: perhaps the colour line, eight rows, the number of moves, the moves; or
/// lines of a game that an external referee alone knows.
pub(super) struct SentLines<'a> {
    text: &'a str,
    lines: Vec<&'a str>,
    /// How many lines come before the board; `None` where there is none.
    head: Option<usize>,
}

const ROWS: usize = 8;

impl<'a> SentLines<'a> {
    /// Of this text; `head` lines come before the board, if the game has one.
    pub(super) fn new(text: &'a str, head: Option<usize>) -> SentLines<'a> {
        SentLines {
            text,
            lines: text.lines().collect(),
            head,
        }
    }

    /// The place of the number of moves.
    fn count(&self) -> Option<usize> {
        Some(self.head? + ROWS)
    }

    /// What the line at this place is.
    fn name(&self, place: usize) -> Option<String> {
        let count = self.count()?;
        Some(if place < count - ROWS {
            "the colour line".into()
        } else if place < count {
            format!("row {} of the board", count - place)
        } else if place == count {
            "the number of moves".into()
        } else {
            let moves = self.lines.len() - count - 1;
            format!("move {} of {moves}", place - count)
        })
    }

    /// The line at this place, with what it is.
    fn quoted(&self, place: usize) -> String {
        let line = format!("`{}`", excerpt(self.lines[place]));
        match self.name(place) {
            Some(name) => format!("{line}, {name}"),
            None => line,
        }
    }

    /// What the line with this text is, if there is one that is no move.
    pub(super) fn name_of(&self, text: &str) -> Option<String> {
        let lines = &self.lines[..self.lines.len().min(self.count()? + 1)];
        let place = lines.iter().position(|&line| line == text)?;
        self.name(place)
    }

    /// The list.
    pub(super) fn moves(&self) -> &[&'a str] {
        let moves = self.count().and_then(|count| self.lines.get(count + 1..));
        moves.unwrap_or_default()
    }

    /// What stands on the square that this move comes from.
    pub(super) fn piece_at_start(&self, name: &str) -> Option<u8> {
        let mut name = name.bytes();
        let column = name.next()?.to_ascii_uppercase().checked_sub(b'A')?;
        let row = name.next()?.checked_sub(b'1')?;
        let place = self.count()?.checked_sub(usize::from(row) + 1)?;
        let line = self.lines.get(place)?;
        line.as_bytes().get(usize::from(column)).copied()
    }

    /// The place of the first line that is not wholly read, if this many bytes are unread.
    fn place_of_unread(&self, unread: usize) -> Option<usize> {
        let read = self.text.len().checked_sub(unread).filter(|_| unread > 0)?;
        Some(self.text[..read].matches('\n').count())
    }

    /// Where the bot stopped reading, if it has not read all.
    pub(super) fn stopped_at(&self, unread: usize) -> Option<String> {
        let place = self.place_of_unread(unread)?;
        let all = self.lines.len();
        Some(match place {
            0 => format!("it had read none of the {all} lines of its turn"),
            _ => format!(
                "it had read {place} of the {all} lines of its turn; the next was {}",
                self.quoted(place)
            ),
        })
    }

    /// Which lines of this turn, the one before, the bot had not read when it answered it.
    pub(super) fn left_unread(&self, unread: usize) -> Option<String> {
        let place = self.place_of_unread(unread)?;
        let left = self.lines.len() - place;
        Some(format!(
            "it answered the turn before with {left} {} of it unread, from {}: read {}",
            line_or_lines(left),
            self.quoted(place),
            if self.head.is_some() {
                "the whole list"
            } else {
                "all of it"
            },
        ))
    }

    /// What went wrong, if an exception's message complains of a number and quotes another line of this turn.
    pub(super) fn misread(&self, message: &str, own_turn: usize) -> Option<String> {
        let lower = message.to_ascii_lowercase();
        let of_number = ["int()", "number", "integer", "parse", "digit", "float"];
        if !of_number.iter().any(|word| lower.contains(word)) {
            return None;
        }
        let count = self.count()?;
        let quoted: Vec<&str> = message
            .split(['\'', '"', '`'])
            .map(|part| part.trim_end_matches("\\n").trim())
            .collect();
        // Rows may be equal: the one nearest to the number is meant.
        let place = (0..self.lines.len())
            .filter(|&place| place != count && quoted.contains(&self.lines[place]))
            .min_by_key(|place| place.abs_diff(count))?;
        let shift = place.abs_diff(count);
        let lines = line_or_lines(shift);
        let why = match (place > count, own_turn) {
            (true, 2) if shift == 1 => {
                "it is one line ahead, as a bot that reads the colour line at every turn: that \
                 comes once, before the first turn"
                    .into()
            }
            (true, _) => format!("it had read {shift} {lines} too many before it"),
            (false, 1) => format!(
                "it had read {shift} {lines} too few before it; the first line is the colour"
            ),
            (false, _) => format!(
                "it is {shift} {lines} behind: it had not read all of the list of the turn before"
            ),
        };
        Some(format!(
            "it took {}, for the number of moves: {why}",
            self.quoted(place)
        ))
    }
}

fn line_or_lines(count: usize) -> &'static str {
    if count == 1 { "line" } else { "lines" }
}

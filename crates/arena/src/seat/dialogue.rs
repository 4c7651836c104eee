//! A person at the other end: lines out, lines in.

use crownhead_record::input::{LONGEST_TYPED_LINE, LineReader};
use std::cell::RefCell;
use std::io::{self, BufRead, Write};

/// What is shared by all who talk with the people at a terminal: the seats, the table's question before a
/// turn, and the screen that shows the board.
pub type SharedDialogue<'a> = RefCell<Dialogue<'a>>;

/// Questions and answers, a line each.
///
/// Nothing typed is echoed. Once the input has ended, or a stream has failed, nothing more is written.
pub struct Dialogue<'a> {
    input: LineReader<&'a mut dyn BufRead>,
    output: &'a mut dyn Write,
    over: bool,
    failure: Option<io::Error>,
}

impl<'a> Dialogue<'a> {
    /// A dialogue over these streams.
    pub fn new(input: &'a mut dyn BufRead, output: &'a mut dyn Write) -> SharedDialogue<'a> {
        RefCell::new(Dialogue {
            input: LineReader::new(input, LONGEST_TYPED_LINE),
            output,
            over: false,
            failure: None,
        })
    }

    /// Writes text as it is.
    pub fn say(&mut self, text: &str) {
        self.write(|output| output.write_all(text.as_bytes()));
    }

    fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if !self.over {
            self.failure = write(self.output).err();
            self.over = self.failure.is_some();
        }
    }

    /// Flushes the output and ends the dialogue.
    ///
    /// # Errors
    /// The first failure of either stream; [`InvalidData`](io::ErrorKind::InvalidData) when the input is not text.
    pub fn finish(&mut self) -> io::Result<()> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.output.flush(),
        }
    }

    /// Flushes the output; `false` once the dialogue is over.
    pub fn flush(&mut self) -> bool {
        self.write(|output| output.flush());
        !self.over
    }

    /// Whether the input has ended, or a stream has failed.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Writes a line.
    pub fn say_line(&mut self, line: &str) {
        self.say(line);
        self.say("\n");
    }

    /// The next line without its end and the white space around it; `None` when there is no more.
    pub fn listen(&mut self) -> Option<String> {
        if !self.flush() {
            return None;
        }
        let line = self.input.next_line().unwrap_or_else(|error| {
            self.failure = Some(error);
            None
        });
        self.over = line.is_none();
        Some(String::from_utf8_lossy(&line?).trim().into())
    }

    /// Writes a question as a line and gives the answer.
    pub fn ask(&mut self, question: &str) -> Option<String> {
        self.say_line(question);
        self.listen()
    }
}

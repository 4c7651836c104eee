//! What another program wrote, as text for people.

/// What a program wrote, or a name of a file, for people: text as it is, but nothing in it steers a terminal. Control
/// characters, bytes that are no text, and characters that change the direction of writing or are not seen become
/// escapes such as `\x1b`.
pub fn printable(bytes: impl AsRef<[u8]>) -> String {
    let mut shown = String::new();
    for chunk in bytes.as_ref().utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\t' => shown.push_str("    "),
                '\0'..='\x1f' | '\x7f' => shown += &format!("\\x{:02x}", character as u32),
                _ if is_hidden(character) => shown.extend(character.escape_unicode()),
                _ => shown.push(character),
            }
        }
        let invalid = chunk.invalid().iter();
        shown.extend(invalid.map(|byte| format!("\\x{byte:02x}")));
    }
    shown
}

/// Whether a character is a control character, a mark of writing direction (UAX #9, 2), or one without width.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// The beginning of a reply, which may be of any length.
pub fn excerpt(text: &str) -> String {
    beginning(text, 60)
}

/// At most this many letters from the beginning of a text.
pub fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", printable(&text[..end])),
        None => printable(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_invisible_characters_are_shown_as_escapes() {
        let shown = printable("a\u{1b}[31mb\u{202e}c\u{2066}d\u{7f}\u{9b}\u{200b}e\n\u{e0041}");
        assert_eq!(
            shown,
            r"a\x1b[31mb\u{202e}c\u{2066}d\x7f\u{9b}\u{200b}e\x0a\u{e0041}"
        );
        let plain = "alphabeta --depth 4 (A) Jürgen 狐 ½ \\";
        assert_eq!(printable(plain), plain);
    }

    #[test]
    fn output_of_a_program_cannot_control_the_terminal_and_stays_readable() {
        assert_eq!(printable("é \\ \t|".as_bytes()), "é \\     |");
        assert_eq!(printable(b"\x1b[31m\r\xff\0"), r"\x1b[31m\x0d\xff\x00");
        assert_eq!(printable("\u{202e}\u{9b}".as_bytes()), r"\u{202e}\u{9b}");
    }

    #[test]
    fn a_long_reply_is_shown_by_its_beginning() {
        assert_eq!(excerpt("A3B4\u{1b}"), r"A3B4\x1b");
        let sixty = "é".repeat(60);
        assert_eq!(excerpt(&sixty), sixty);
        assert_eq!(excerpt(&format!("{sixty}x")), format!("{sixty}…"));
    }
}

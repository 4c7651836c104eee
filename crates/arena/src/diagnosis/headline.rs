//! The line of a bot's last words that says what went wrong, with its place in the source.

use crownhead_record::text::{excerpt, printable};

/// The longest headline, in characters.
const LONGEST: usize = 200;

/// What a bot that crashed says of it: the message of its exception with the file and line, as Python, Node, Java,
/// C++, Rust, Go, C's library and sanitizers write them. Any other line may have nothing to do with it.
pub(crate) fn headline(stderr: &[u8]) -> Option<String> {
    let lines = lines_of(stderr);
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let found = rust(&lines)
        .or_else(|| cpp(&lines))
        .or_else(|| python(&lines))
        .or_else(|| one_line(&lines))
        .or_else(|| stack_of_at(&lines))?;
    Some(shortened(found))
}

/// The last line that says something, before hints such as that of `env` on its options.
pub(crate) fn last_line(stderr: &[u8]) -> Option<String> {
    let lines = lines_of(stderr);
    let is_hint = |line: &&String| {
        let line = line.trim();
        line.contains("--help") || line.contains(": use ") || line.starts_with("note: ")
    };
    let line = lines.iter().rfind(|line| !is_hint(line)).or(lines.last())?;
    Some(shortened(line.trim().into()))
}

fn lines_of(stderr: &[u8]) -> Vec<String> {
    let lines = stderr.split(|&byte| byte == b'\n');
    let lines = lines.map(|line| printable(line.trim_ascii_end()));
    lines.filter(|line| !line.trim().is_empty()).collect()
}

fn shortened(line: String) -> String {
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// A message that is one line: C's `assert`, glibc's complaints about its heap and stack, what Rust, Go and Node write
/// when they end, the sanitizers.
fn one_line(lines: &[&str]) -> Option<String> {
    const BEGINNINGS: [&str; 11] = [
        "memory allocation of ",
        "free(): ",
        "double free or corruption",
        "malloc(): ",
        "malloc_consolidate(): ",
        "munmap_chunk(): ",
        "corrupted ",
        "*** stack smashing detected ***",
        "panic: ",
        "fatal error: ",
        "FATAL ERROR: ",
    ];
    let is_message = |line: &&&str| {
        line.contains(": Assertion `") && line.ends_with("' failed.")
            || BEGINNINGS.iter().any(|begins| line.starts_with(begins))
            || line.contains("ERROR: AddressSanitizer: ")
            || line.contains(": runtime error: ")
    };
    let found = lines.iter().find(is_message)?;
    Some(found.trim().into())
}

/// `thread 'main' panicked at src/main.rs:5:9:` and the message in the next line.
fn rust(lines: &[&str]) -> Option<String> {
    let at = lines
        .iter()
        .rposition(|line| line.contains(" panicked at "))?;
    let (_, place) = lines[at].split_once(" panicked at ")?;
    let message = lines.get(at + 1).filter(|line| !line.starts_with("note: "));
    Some(match message {
        Some(message) => format!("panicked at {place} {message}"),
        None => format!("panicked at {place}"),
    })
}

/// `terminate called after throwing an instance of 'std::out_of_range'`, and `  what():  …` in the next line.
fn cpp(lines: &[&str]) -> Option<String> {
    let thrown = "terminate called after throwing an instance of ";
    let at = lines.iter().rposition(|line| line.starts_with(thrown))?;
    let kind = lines[at][thrown.len()..].trim_matches('\'');
    let what = lines
        .get(at + 1)
        .and_then(|line| line.trim().strip_prefix("what():"));
    Some(match what {
        Some(what) => format!("{kind}: {}", what.trim()),
        None => kind.into(),
    })
}

/// `  File "bot.py", line 9, in main` with the source in the next line, and the message in the last.
fn python(lines: &[&str]) -> Option<String> {
    let traceback = lines
        .iter()
        .rposition(|line| line.starts_with("Traceback (most recent call last)"));
    let from =
        traceback.or_else(|| lines.iter().rposition(|line| line.starts_with("  File \"")))?;
    let lines = &lines[from..];
    let message = lines.iter().rev().find(|line| !line.starts_with(' '))?;
    // The bot's own place rather than that of a library it has called.
    let is_place = |line: &&str| line.starts_with("  File \"");
    let is_own =
        |line: &&str| is_place(line) && !line.contains("/lib/python") && !line.contains("<frozen ");
    let own = lines.iter().rposition(is_own);
    let at = own.or_else(|| lines.iter().rposition(is_place))?;
    let (file, rest) = lines[at]
        .strip_prefix("  File \"")?
        .split_once("\", line ")?;
    let number = rest.split(',').next().unwrap_or(rest);
    let source = lines.get(at + 1).filter(|line| line.starts_with("    "));
    let source = source.map_or_else(String::new, |line| format!(": `{}`", excerpt(line.trim())));
    Some(format!(
        "{message} ({}, line {number}{source})",
        file_name(file)
    ))
}

/// A message, and under it the calls, each line beginning with `at`: Node and Java.
fn stack_of_at(lines: &[&str]) -> Option<String> {
    let at = lines
        .iter()
        .position(|line| line.trim_start().starts_with("at "))?;
    let message = lines[..at].iter().rev().find(|line| {
        let word = line.split([':', ' ', '(']).next().unwrap_or_default();
        line.contains("Exception") || word.ends_with("Error")
    });
    let message = message.or(lines[..at].last())?;
    let message = message
        .split_once("Exception in thread \"main\" ")
        .map_or(*message, |(_, rest)| rest);
    let call = lines[at].trim().trim_end_matches(" {");
    let place = call
        .rsplit_once('(')
        .map_or(&call[3..], |(_, place)| place.trim_end_matches(')'));
    Some(format!("{} ({})", message.trim(), file_name(place)))
}

fn file_name(path: &str) -> &str {
    path.rsplit(std::path::is_separator).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{headline, last_line};

    #[test]
    fn each_language_s_exception_is_reported_with_its_place() {
        let cases = [
            (
                "Traceback (most recent call last):\n  File \"/x/bot.py\", line 9, in <module>\n    main()\n  \
                 File \"/x/bot.py\", line 4, in main\n    count = int(input())\n            ^^^^^\nValueError: \
                 invalid literal for int() with base 10: 'C3B4'\n",
                "ValueError: invalid literal for int() with base 10: 'C3B4' (bot.py, line 4: `count = int(input())`)",
            ),
            (
                "Traceback (most recent call last):\n  File \"/x/bot.py\", line 9, in <module>\n    \
                 random.choice([])\n  File \"/usr/lib/python3.11/random.py\", line 373, in choice\n    raise \
                 IndexError('Cannot choose')\nIndexError: Cannot choose\n",
                "IndexError: Cannot choose (bot.py, line 9: `random.choice([])`)",
            ),
            (
                "  File \"bot.py\", line 3\n    while True\n              ^\nSyntaxError: expected ':'\n",
                "SyntaxError: expected ':' (bot.py, line 3: `while True`)",
            ),
            (
                "/x/bot.js:3\n  throw new Error('no')\n  ^\n\nError: no\n    at Object.<anonymous> \
                 (/x/bot.js:3:9)\n    at Module._compile (node:1)\n\nNode.js v18.19.0\n",
                "Error: no (bot.js:3:9)",
            ),
            (
                "node:assert:171\n\nAssertionError [ERR_ASSERTION]: n > 0\n    at /x/bot.js:7:1 {\n  code: 1\n}\n",
                "AssertionError [ERR_ASSERTION]: n > 0 (bot.js:7:1)",
            ),
            (
                "Exception in thread \"main\" java.lang.NumberFormatException: For input string: \"C3B4\"\n\tat \
                 Bot.main(Bot.java:12)\n",
                "java.lang.NumberFormatException: For input string: \"C3B4\" (Bot.java:12)",
            ),
            (
                "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::_M_range_check\n",
                "std::out_of_range: vector::_M_range_check",
            ),
            (
                "thread 'main' panicked at src/main.rs:5:9:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`\n",
                "panicked at src/main.rs:5:9: index out of bounds",
            ),
            (
                "depth 3\nmemory allocation of 1048576 bytes failed\nstack backtrace:\n   0: bot::search\n",
                "memory allocation of 1048576 bytes failed",
            ),
            (
                "memory allocation of 1048576 bytes failed\nstack backtrace:\nmemory allocation of 6144 bytes \
                 failed\nskipping backtrace printing to avoid potential recursion\n",
                "memory allocation of 1048576 bytes failed",
            ),
            (
                "depth 3\nbot: bot.cpp:12: int main(): Assertion `n > 0' failed.\n",
                "bot: bot.cpp:12: int main(): Assertion `n > 0' failed.",
            ),
            (
                "depth 3\nfree(): invalid pointer\n",
                "free(): invalid pointer",
            ),
            (
                "panic: runtime error: index out of range [7] with length 7\n\ngoroutine 1 [running]:\nmain.main()\n\t\
                 /x/bot.go:9 +0x1d\nexit status 2\n",
                "panic: runtime error: index out of range [7] with length 7",
            ),
        ];
        for (stderr, expected) in cases {
            assert_eq!(headline(stderr.as_bytes()).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_last_line_that_is_no_exception_s_is_no_headline() {
        for stderr in ["depth 3\n", "\nlast words\n\n", "thinking at last\n", " \n"] {
            assert_eq!(headline(stderr.as_bytes()), None, "{stderr}");
        }
        let line = |stderr: &[u8]| last_line(stderr).unwrap();
        assert_eq!(line(b"depth 2\n depth 3 \n\n"), "depth 3");
        let hint = b"env: 'python3\\r': No such file\nenv: use -[v]S to pass options\n";
        assert_eq!(line(hint), "env: 'python3\\r': No such file");
        assert_eq!(line(b"see --help\n"), "see --help");
        assert_eq!(last_line(b" \n"), None);
        assert_eq!(last_line(&[b'x'; 999]).unwrap().chars().count(), 201);
    }
}

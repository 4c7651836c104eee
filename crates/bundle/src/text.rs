//! The text of a bundle, readable or compact, and the size of each module in it.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::ops::Range;
use syn::Item;
use syn::spanned::Spanned;

/// The largest number of characters of a submission, counted as UTF-16 units (the contest's editor).
pub const LIMIT: usize = 100_000;

/// Compact text breaks a line after this many bytes, at the next comma, semicolon or brace: never inside a path, which
/// `stringify!` might show.
const COMPACT_LINE: usize = 110;

/// The characters of a text, as [`LIMIT`] counts them.
pub(super) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Formatted text.
pub(super) fn readable(file: &syn::File) -> String {
    prettyplease::unparse(file)
}

/// The shortest text of the same tokens, except for the constants it begins with: those people may edit.
pub(super) fn compact(file: &syn::File) -> String {
    let constants = file.items.iter();
    let constants = constants.take_while(|item| matches!(item, Item::Const(_)));
    let (constants, rest) = file.items.split_at(constants.count());
    let text = readable(&syn::File {
        shebang: None,
        attrs: file.attrs.clone(),
        items: constants.to_vec(),
    });
    let mut writer = Compact::new(text);
    if !file.attrs.is_empty() && constants.is_empty() {
        writer.text.push('\n');
    }
    for item in rest {
        writer.stream(item.to_token_stream());
    }
    writer.text.push('\n');
    writer.text
}

/// The text of a file for the compiler alone, and the offset and span of each of its tokens.
pub(super) fn tokens(file: &syn::File) -> (String, Vec<(usize, Span)>) {
    let mut writer = Compact::new(String::new());
    writer.stream(file.to_token_stream());
    (writer.text, writer.tokens)
}

struct Compact {
    text: String,
    /// The byte offset at which the line begins.
    line: usize,
    /// Whether the last token is punctuation that the next one joins (`Spacing::Joint`).
    joint: bool,
    /// The offset and span of each token but brackets.
    tokens: Vec<(usize, Span)>,
}

impl Compact {
    fn new(text: String) -> Compact {
        Compact {
            line: text.len(),
            text,
            joint: false,
            tokens: Vec::new(),
        }
    }

    fn stream(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.text.push_str(open);
                    self.joint = false;
                    self.stream(group.stream());
                    self.text.push_str(close);
                    self.joint = false;
                }
                TokenTree::Punct(punct) => {
                    self.token(&punct.to_string(), punct.span());
                    self.joint = punct.spacing() == Spacing::Joint;
                }
                other => {
                    self.token(&other.to_string(), other.span());
                    self.joint = false;
                }
            }
        }
    }

    fn token(&mut self, token: &str, span: Span) {
        if !self.joint {
            let may_break = self.text.ends_with([',', ';', '{', '}']);
            if may_break && self.text.len() - self.line > COMPACT_LINE {
                self.text.push('\n');
                self.line = self.text.len();
            } else if runs_together(&self.text, token) {
                self.text.push(' ');
            }
        }
        self.tokens.push((self.text.len(), span));
        self.text.push_str(token);
    }
}

/// Whether `token` would be lexed as a part of the token before it.
fn runs_together(text: &str, token: &str) -> bool {
    let (Some(last), Some(next)) = (text.chars().next_back(), token.chars().next()) else {
        return false;
    };
    let word = |character: char| character.is_alphanumeric() || character == '_';
    let quote = |character| character == '"' || character == '\'';
    if word(last) || quote(last) {
        return word(next) || quote(next) || next == '#' || next == '.' && last.is_ascii_digit();
    }
    let apart = |character| {
        matches!(
            character,
            ',' | ';' | '(' | ')' | '{' | '}' | '[' | ']' | '\n'
        )
    };
    if apart(last) || apart(next) || word(next) || quote(next) {
        // `r` and `'` stay with what follows them.
        return false;
    }
    !(matches!(last, '=' | ':') && matches!(next, '&' | '*' | '-' | '!' | '|' | '#'))
}

/// The size of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The module's path: `search::window`; empty for the root.
    pub module: String,
    /// Its characters, without those of modules inside it.
    pub units: usize,
}

/// The parts of a text, in its order; their sizes add up to that of the text.
pub(super) fn parts(text: &str) -> syn::Result<Vec<Part>> {
    let file = syn::parse_file(text)?;
    let mut parts = Vec::new();
    measure(text, "", 0..text.len(), &file.items, &mut parts);
    Ok(parts)
}

fn measure(text: &str, name: &str, range: Range<usize>, items: &[Item], parts: &mut Vec<Part>) {
    let place = parts.len();
    parts.push(Part {
        module: name.to_string(),
        units: units(&text[range]),
    });
    for item in items {
        let Item::Mod(module) = item else { continue };
        let Some((_, items)) = &module.content else {
            continue;
        };
        let range = module.span().byte_range();
        parts[place].units -= units(&text[range.clone()]);
        let inner = if name.is_empty() {
            module.ident.to_string()
        } else {
            format!("{name}::{}", module.ident)
        };
        measure(text, &inner, range, items, parts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compact_text_means_the_same() {
        let source = r##"
            #![recursion_limit = "256"]
            const LIMIT: u64 = 7;
            mod inner { pub fn f<'a>(x: &'a &'static str) -> Vec<Vec<i32>> { vec![vec![1, 2]] } }
            macro_rules! m { ($($x:expr),* $(,)?) => { $($x;)* } }
            fn main() {
                let a = 1 .max(2) < -1; let b = 1..=2; let c = b"x"; let d = r#"y"#; let e = 'z';
                if a && !(0 < - 1) || *& true { m!(b, c, d, e); }
                let t = ((1, 2), 3); let _ = t.0.1 as u8 as char; 'out: loop { break 'out }
                let f = |x: &i32| -> i32 { - -*x }; let _ = f(&&& 1); for _ in 0.. { return }
                let g: fn(u8) -> u8 = |x| x >> 1 << 2; let _ = g(1) <= 2; let h = 1. ; let _ = h - -1e3;
            }"##;
        let file = syn::parse_file(source).unwrap();
        let text = compact(&file);
        let again = syn::parse_file(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(readable(&again), readable(&file));
        assert!(text.len() < source.len() * 3 / 4, "{text}");
        assert!(
            text.contains("\nconst LIMIT: u64 = 7;\nmod inner{"),
            "{text}"
        );
    }

    #[test]
    fn the_sizes_of_the_parts_add_up_to_the_text() {
        let text = "fn ü() {}\nmod a {\n    mod b {\n        fn f() {}\n    }\n}\n";
        let parts = parts(text).unwrap();
        let names: Vec<_> = parts.iter().map(|part| part.module.as_str()).collect();
        assert_eq!(names, ["", "a", "a::b"]);
        assert_eq!(
            parts.iter().map(|part| part.units).sum::<usize>(),
            units(text)
        );
        assert_eq!(units("ü😀"), 3);
    }
}

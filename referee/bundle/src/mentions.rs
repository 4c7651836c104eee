//! The paths that a piece of source mentions.
//!
//! Read from tokens, so that the arguments of macros count too. It over-approximates: a variable named like a
//! function counts as the function.

use proc_macro2::{TokenStream, TokenTree};
use syn::UseTree;
use syn::parse::Parser;

/// The first segment of a path in a macro that means the crate of the macro.
pub(super) const DOLLAR_CRATE: &str = "$crate";

/// A path as it is written.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct ItemPath {
    /// Whether it begins with `::`.
    pub(super) absolute: bool,
    /// The names between `::`.
    pub(super) segments: Vec<String>,
}

/// What a piece of source mentions.
#[derive(Clone, Default, Debug)]
pub(super) struct Mentions {
    /// Paths, of one segment or more.
    pub(super) paths: Vec<ItemPath>,
    /// Names before a `!`.
    pub(super) macros: Vec<String>,
    /// Imports inside it, in the body of a function.
    pub(super) imports: Vec<Import>,
}

/// One import: what a `use` brings in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Import {
    pub(super) path: ItemPath,
    /// The name it brings into scope; `None` for `*`.
    pub(super) name: Option<String>,
}

impl ItemPath {
    /// A path without its generic arguments.
    pub(super) fn of(path: &syn::Path) -> ItemPath {
        let names = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string());
        ItemPath {
            absolute: path.leading_colon.is_some(),
            segments: names.collect(),
        }
    }
}

impl Mentions {
    /// The paths, macro calls and imports in these tokens.
    pub(super) fn of(tokens: TokenStream) -> Mentions {
        let mut mentions = Mentions::default();
        mentions.read(tokens);
        mentions
    }

    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Group(group) => self.read(group.stream()),
                TokenTree::Literal(literal) => self.read_placeholders(&literal.to_string()),
                TokenTree::Ident(ident) if ident == "use" => {
                    let end = (at..tokens.len()).find(|&end| is_punct(tokens.get(end), ';'));
                    if let Some(end) = end
                        && self.read_use(&tokens[at + 1..end])
                    {
                        at = end;
                    }
                }
                TokenTree::Ident(ident)
                    if ident == "crate" && is_punct(before(&tokens, at), '$') =>
                {
                    let first = self.paths.len();
                    at = self.read_path(&tokens, at);
                    self.paths[first].segments[0] = DOLLAR_CRATE.to_string();
                }
                TokenTree::Ident(_) if is_name_of_field_or_lifetime(&tokens[..at]) => {}
                TokenTree::Ident(_) => at = self.read_path(&tokens, at),
                TokenTree::Punct(_) => {}
            }
            at += 1;
        }
    }

    /// Reads the path that begins at `at`; returns the index of its last token.
    fn read_path(&mut self, tokens: &[TokenTree], mut at: usize) -> usize {
        let mut path = ItemPath {
            absolute: at >= 2
                && is_colons(tokens, at - 2)
                && !matches!(
                    at.checked_sub(3).and_then(|before| tokens.get(before)),
                    Some(TokenTree::Ident(_))
                )
                && !is_punct(at.checked_sub(3).and_then(|before| tokens.get(before)), '>'),
            segments: vec![tokens[at].to_string()],
        };
        while is_colons(tokens, at + 1)
            && let Some(TokenTree::Ident(next)) = tokens.get(at + 3)
        {
            path.segments.push(next.to_string());
            at += 3;
        }
        let before_equals = is_punct(tokens.get(at + 2), '=');
        if is_punct(tokens.get(at + 1), '!') && !before_equals {
            self.macros.extend(path.segments.last().cloned());
        }
        self.paths.push(path);
        at
    }

    /// Reads `use …` without its `;`; `false` when the tokens are none.
    fn read_use(&mut self, tokens: &[TokenTree]) -> bool {
        let parser = |input: syn::parse::ParseStream<'_>| {
            let absolute = input.parse::<Option<syn::Token![::]>>()?.is_some();
            Ok((absolute, input.parse::<UseTree>()?))
        };
        let Ok((absolute, tree)) = parser.parse2(tokens.iter().cloned().collect()) else {
            return false;
        };
        self.imports.extend(imports(absolute, &tree));
        true
    }

    /// The arguments that a format string captures: `"{name} and {other:width$}"`.
    fn read_placeholders(&mut self, literal: &str) {
        if !literal.starts_with(['"', 'r']) {
            return;
        }
        for inside in literal.split('{').skip(1) {
            let inside = inside.split('}').next().unwrap_or_default();
            let names = inside.split(|c: char| !c.is_alphanumeric() && c != '_');
            for name in names.filter(|name| !name.is_empty()) {
                self.paths.push(ItemPath {
                    absolute: false,
                    segments: vec![name.to_string()],
                });
            }
        }
    }
}

/// The single imports of a `use`.
pub(super) fn imports(absolute: bool, tree: &UseTree) -> Vec<Import> {
    let mut found = Vec::new();
    collect(tree, &mut Vec::new(), &mut |segments, name| {
        found.push(Import {
            path: ItemPath { absolute, segments },
            name,
        });
    });
    found
}

fn collect(
    tree: &UseTree,
    prefix: &mut Vec<String>,
    found: &mut impl FnMut(Vec<String>, Option<String>),
) {
    let whole = |prefix: &Vec<String>, last: String| {
        let mut segments = prefix.clone();
        if last != "self" || segments.is_empty() {
            segments.push(last);
        }
        segments
    };
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            collect(&path.tree, prefix, found);
            prefix.pop();
        }
        UseTree::Name(name) => {
            let segments = whole(prefix, name.ident.to_string());
            let name = segments.last().cloned();
            found(segments, name);
        }
        UseTree::Rename(rename) => {
            let segments = whole(prefix, rename.ident.to_string());
            found(segments, Some(rename.rename.to_string()));
        }
        UseTree::Glob(_) => found(prefix.clone(), None),
        UseTree::Group(group) => {
            for tree in &group.items {
                collect(tree, prefix, found);
            }
        }
    }
}

fn before(tokens: &[TokenTree], at: usize) -> Option<&TokenTree> {
    at.checked_sub(1).and_then(|before| tokens.get(before))
}

fn is_punct(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character)
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':')
}

/// Whether the identifier after `before` is not a path: `.field`, `'lifetime`, `$variable` (but not `..name`).
fn is_name_of_field_or_lifetime(before: &[TokenTree]) -> bool {
    let last = before.last();
    let dot =
        is_punct(last, '.') && !(before.len() > 1 && is_punct(before.get(before.len() - 2), '.'));
    dot || is_punct(last, '\'') || is_punct(last, '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(source: &str) -> Vec<String> {
        let mentions = Mentions::of(source.parse().unwrap());
        let shown = |path: &ItemPath| path.segments.join("::");
        mentions.paths.iter().map(shown).collect()
    }

    #[test]
    fn paths_are_found_in_expressions_types_macros_and_format_strings() {
        assert_eq!(
            paths("a::b::<c::D>(e, |f| matches!(f, g::H { .. }))"),
            ["a::b", "c::D", "e", "f", "matches", "f", "g::H"]
        );
        assert_eq!(
            paths(r#"write!(f, "{LIMIT} of {0:width$}")"#),
            ["write", "f", "LIMIT", "0", "width"]
        );
        assert_eq!(paths("x.field.method(..end)"), ["x", "end"]);
        assert_eq!(paths("fn f<'a>(x: &'a str)"), ["fn", "f", "x", "str"]);
    }

    #[test]
    fn imports_in_a_body_are_split() {
        let mentions = Mentions::of("{ use a::{self, b as c, d::*}; c() }".parse().unwrap());
        let names: Vec<_> = mentions
            .imports
            .iter()
            .map(|import| import.name.as_deref())
            .collect();
        assert_eq!(names, [Some("a"), Some("c"), None]);
        assert_eq!(mentions.imports[1].path.segments, ["a", "b"]);
    }

    #[test]
    fn a_call_of_a_macro_is_told_from_a_comparison() {
        let mentions = Mentions::of("shout!(a); b != c; crate::whisper! {}".parse().unwrap());
        assert_eq!(mentions.macros, ["shout", "whisper"]);
    }
}

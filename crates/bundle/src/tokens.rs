//! Reads a file as tokens and expands the macros that depend on where the file lies: `include!`, `include_str!`,
//! `include_bytes!`, `env!` of the variables that cargo sets, and `cfg!`.
//!
//! It works on tokens, for these calls also stand in the arguments of other macros.

use super::cfg;
use super::crates::Crate;
use super::errors::BundleError;
use super::places::Files;
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

/// Reads the files of one crate.
pub(super) struct TokenReader<'a> {
    pub(super) krate: &'a Crate,
    pub(super) files: &'a mut Files,
    /// The files being read, each from within the one before it.
    pub(super) within: Vec<PathBuf>,
}

impl TokenReader<'_> {
    /// The expanded tokens of a file, which the current one includes at `from`. It is the current one then, until it
    /// is taken from `within`.
    ///
    /// # Errors
    /// When it cannot be read or lexed.
    pub(super) fn read(&mut self, path: &Path, from: Span) -> Result<TokenStream, BundleError> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let problem = format!("cannot read {}: {error}", path.display());
            self.error(from, problem)
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        // A first line `#!/usr/bin/…` is for the shell; `#![…]` is an attribute.
        let shebang = text.starts_with("#!") && !text[2..].trim_start().starts_with('[');
        let text = if shebang {
            format!("//{text}")
        } else {
            text.to_string()
        };
        let tokens = TokenStream::from_str(&text).map_err(|error| BundleError::Source {
            file: path.to_path_buf(),
            line: error.span().start().line,
            problem: error.to_string(),
        })?;
        self.files.add(&tokens, path);
        self.within.push(path.to_path_buf());
        self.expand(tokens)
    }

    /// An error at a place of the current file.
    pub(super) fn error(&self, span: Span, problem: String) -> BundleError {
        BundleError::Source {
            file: self
                .within
                .last()
                .map_or(self.krate.root(), PathBuf::as_path)
                .into(),
            line: span.start().line,
            problem,
        }
    }

    fn expand(&mut self, tokens: TokenStream) -> Result<TokenStream, BundleError> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut expanded: Vec<TokenTree> = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match (token, &tokens[at..]) {
                (
                    TokenTree::Ident(name),
                    [TokenTree::Punct(bang), TokenTree::Group(arguments), ..],
                ) if bang.as_char() == '!' => {
                    if name == "include" {
                        let path = self.argument(arguments, name)?;
                        let inside = self.read(&self.beside(&path), name.span())?;
                        self.within.pop();
                        let ends = |token: &TokenTree| {
                            matches!(token.to_string().chars().last(), Some(';' | '}' | ']'))
                        };
                        at += 2;
                        if expanded.last().is_none_or(ends) {
                            // Items; the call ends with `;`, unless it has braces.
                            expanded.extend(inside);
                            let semicolon = |token: &&TokenTree| token.to_string() == ";";
                            at += usize::from(tokens.get(at).filter(semicolon).is_some());
                        } else {
                            expanded.push(group(Delimiter::Brace, inside, name.span()));
                        }
                        continue;
                    }
                    if let Some(mut known) = self.value(name, arguments)? {
                        known.set_span(name.span());
                        expanded.push(known);
                        at += 2;
                    } else {
                        expanded.push(token.clone());
                    }
                }
                (TokenTree::Group(brackets), _) => {
                    let inside = self.expand(brackets.stream())?;
                    expanded.push(group(brackets.delimiter(), inside, brackets.span()));
                }
                _ => expanded.push(token.clone()),
            }
        }
        Ok(expanded.into_iter().collect())
    }

    /// The value of `name!(arguments)`, if it depends on the file or the package.
    fn value(&self, name: &Ident, arguments: &Group) -> Result<Option<TokenTree>, BundleError> {
        match name.to_string().as_str() {
            "include_str" | "include_bytes" => {
                let path = self.beside(&self.argument(arguments, name)?);
                let unreadable = |problem: &dyn Display| {
                    let problem = format!("{name}! of {}: {problem}", path.display());
                    self.error(name.span(), problem)
                };
                let bytes = std::fs::read(&path).map_err(|error| unreadable(&error))?;
                if name == "include_bytes" {
                    return Ok(Some(Literal::byte_string(&bytes).into()));
                }
                let text = String::from_utf8(bytes).map_err(|_| unreadable(&"not UTF-8"))?;
                Ok(Some(Literal::string(&text).into()))
            }
            "env" => {
                let variable = syn::parse2::<syn::LitStr>(arguments.stream());
                Ok(variable.ok().and_then(|variable| {
                    let value = self.krate.variable(&variable.value())?;
                    Some(Literal::string(&value).into())
                }))
            }
            "cfg" => {
                let Ok(condition) = syn::parse2(arguments.stream()) else {
                    return Ok(None);
                };
                let value = cfg::decide(&condition, &self.krate.features).ok();
                Ok(value.map(|value| Ident::new(&value.to_string(), name.span()).into()))
            }
            _ => Ok(None),
        }
    }

    /// The one string that a call has as its argument.
    fn argument(&self, arguments: &Group, name: &Ident) -> Result<String, BundleError> {
        let argument = |input: syn::parse::ParseStream<'_>| {
            let path: syn::LitStr = input.parse()?;
            input.parse::<Option<syn::Token![,]>>()?;
            Ok(path.value())
        };
        syn::parse::Parser::parse2(argument, arguments.stream()).map_err(|_| {
            let problem = format!(
                "{name}! takes one string here; what a build script writes cannot be bundled"
            );
            self.error(name.span(), problem)
        })
    }

    /// A path relative to the current file.
    fn beside(&self, path: &str) -> PathBuf {
        let folder = self.within.last().and_then(|file| file.parent());
        folder.unwrap_or(Path::new("")).join(path)
    }
}

/// Tokens in brackets.
pub(super) fn group(delimiter: Delimiter, inside: TokenStream, span: Span) -> TokenTree {
    let mut group = Group::new(delimiter, inside);
    group.set_span(span);
    group.into()
}

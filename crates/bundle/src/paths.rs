//! Rewrites paths for a crate's place in the bundle: `crate::x` in the library `lib` becomes `crate::lib::x`, and
//! so does `lib::x` in the crates that depend on it. Tokens of macros are rewritten alike.

use super::imports;
use super::items::name_of;
use super::tokens::group;
use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::{Item, ItemMod, UseTree, Visibility};

/// The beginnings of the paths of one crate.
pub(super) struct CratePaths {
    /// The module of the bundle that is the crate's root; `None` for the binary, whose root is the bundle's.
    pub(super) module: Option<String>,
    /// The modules of the crates it depends on, by their names in its code.
    pub(super) others: HashMap<String, Option<String>>,
}

impl CratePaths {
    /// Rewrites the paths in these items of one module.
    ///
    /// # Errors
    /// When the tokens of an item are not an item afterwards.
    pub(super) fn rewrite(&self, items: &mut Vec<Item>) -> syn::Result<()> {
        // A module with the name of a crate hides the crate, except in `use`, where Rust calls it ambiguous.
        let hidden: HashSet<String> = items.iter().filter_map(declared).collect();
        for item in items {
            match item {
                Item::Mod(ItemMod {
                    vis,
                    content: Some((_, items)),
                    ..
                }) => {
                    if let Visibility::Restricted(_) = vis {
                        *vis = syn::parse2(self.tokens(vis.to_token_stream(), &hidden))?;
                    }
                    self.rewrite(items)?;
                }
                _ => *item = syn::parse2(self.tokens(item.to_token_stream(), &hidden))?,
            }
        }
        Ok(())
    }

    fn tokens(&self, tokens: TokenStream, hidden: &HashSet<String>) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut written: Vec<TokenTree> = Vec::with_capacity(tokens.len());
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(brackets) => {
                    let inside = self.tokens(brackets.stream(), hidden);
                    written.push(group(brackets.delimiter(), inside, brackets.span()));
                }
                TokenTree::Ident(name) => self.word(name, &tokens, at, hidden, &mut written),
                _ => written.push(token.clone()),
            }
        }
        written.into_iter().collect()
    }

    /// Writes the name at this place among the tokens, with the crate's module if the name begins a path.
    fn word(
        &self,
        name: &Ident,
        tokens: &[TokenTree],
        at: usize,
        hidden: &HashSet<String>,
        written: &mut Vec<TokenTree>,
    ) {
        let next = tokens.get(at + 1);
        let before = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
        let in_path = is_mark(next, ':') && is_mark(tokens.get(at + 2), ':');
        let renamed = matches!(next, Some(TokenTree::Ident(next)) if next == "as");
        if name == "crate" && (in_path || renamed) {
            written.push(name.clone().into());
            push(written, self.module.as_ref(), name.span());
            return;
        }
        let colons = is_mark(before(1), ':') && is_mark(before(2), ':');
        let inner = matches!(before(3), Some(TokenTree::Ident(word)) if !is_keyword(word))
            || is_mark(before(3), '>');
        let imported = matches!(before(1), Some(TokenTree::Ident(word)) if word == "use")
            && (is_mark(next, ';') || renamed);
        let begins = if colons {
            !inner
        } else {
            let joined = ['.', '$', '\'']
                .iter()
                .any(|&mark| is_mark(before(1), mark));
            !joined && (imported || !hidden.contains(&name.to_string()))
        };
        let other = self.others.get(&name.to_string());
        let Some(module) = other.filter(|_| begins && (in_path || imported)) else {
            written.push(name.clone().into());
            return;
        };
        if colons {
            written.truncate(written.len() - 2);
        }
        written.push(Ident::new("crate", name.span()).into());
        push(written, module.as_ref(), name.span());
        let is_other = module.as_ref().is_none_or(|module| name != module);
        if imported && !renamed && is_other {
            written.extend([Ident::new("as", name.span()).into(), name.clone().into()]);
        }
    }
}

/// Adds `::module`, if there is one.
fn push(written: &mut Vec<TokenTree>, module: Option<&String>, span: Span) {
    let Some(module) = module else { return };
    for spacing in [Spacing::Joint, Spacing::Alone] {
        let mut colon = Punct::new(':', spacing);
        colon.set_span(span);
        written.push(colon.into());
    }
    written.push(Ident::new(module, span).into());
}

/// Whether this token is that mark.
pub(super) fn is_mark(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character)
}

/// Whether a path after this word is one that begins with `::`.
pub(super) fn is_keyword(word: &Ident) -> bool {
    [
        "use", "as", "in", "for", "impl", "dyn", "return", "match", "if", "mut", "else", "where",
    ]
    .iter()
    .any(|keyword| word == keyword)
}

/// The name of a module or an import, other than of a crate as itself.
fn declared(item: &Item) -> Option<String> {
    match item {
        Item::Use(item) => match &item.tree {
            UseTree::Name(_) => None,
            UseTree::Rename(rename) if rename.ident == rename.rename => None,
            tree => imports::leaf(tree).map(ToString::to_string),
        },
        item => name_of(item).map(ToString::to_string),
    }
}

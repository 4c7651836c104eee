//! Macros of crates that became modules: a `macro_rules!` still finds its own crate, wherever it is called.
//!
//! Imports put an exported macro at the root of its crate, where `$crate` leads. The expansion of macros is left to the
//! compiler. Macros that export others and `#[macro_use] extern crate` are not followed.

use super::tokens::group;
use proc_macro2::{Spacing, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{Attribute, Ident, Item, ItemMod, ItemUse, UseTree, parse_quote};

fn is_export(attribute: &Attribute) -> bool {
    attribute.path().is_ident("macro_export")
}

/// Macros with `local_inner_macros` call others of their crate by bare names. Here they call them by paths.
pub(super) fn call_by_paths(items: &mut [Item]) {
    for item in items {
        match item {
            Item::Macro(item) if item.attrs.iter().any(is_local) => {
                item.mac.tokens = by_paths(std::mem::take(&mut item.mac.tokens));
            }
            Item::Mod(ItemMod {
                content: Some((_, items)),
                ..
            }) => call_by_paths(items),
            _ => {}
        }
    }
}

fn is_local(attribute: &Attribute) -> bool {
    let argument = || attribute.parse_args::<Ident>();
    is_export(attribute) && argument().is_ok_and(|argument| argument == "local_inner_macros")
}

fn by_paths(tokens: TokenStream) -> TokenStream {
    let mut written = TokenStream::new();
    let mut bare = true;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_call = matches!(tokens.peek(), Some(TokenTree::Punct(mark)) if mark.as_char() == '!' && mark.spacing() == Spacing::Alone);
        let is_path =
            matches!(&token, TokenTree::Punct(mark) if ['$', ':'].contains(&mark.as_char()));
        match token {
            TokenTree::Ident(name) if is_call && bare => written.extend(quote!($crate::#name)),
            TokenTree::Group(brackets) => {
                let inside = by_paths(brackets.stream());
                written.extend([group(brackets.delimiter(), inside, brackets.span())]);
            }
            token => written.extend([token]),
        }
        bare = !is_path;
    }
    written
}

/// Gives macros with `#[macro_export]` a path to the root of their crate, the module `root`, by imports instead: an exported
/// macro is never reported as unused, and would be at the root of the bundle. Returns their names.
pub(super) fn export(items: &mut Vec<Item>, root: Option<&str>) -> Vec<Ident> {
    let mut found: Vec<(Option<Ident>, Ident)> = Vec::new();
    for item in &mut *items {
        match item {
            Item::Macro(item) => {
                let exported = item.attrs.extract_if(.., |one| is_export(one)).count() > 0;
                let name = item.ident.clone().filter(|_| exported);
                found.extend(name.map(|name| (None, name)));
            }
            Item::Mod(ItemMod {
                ident,
                content: Some((_, items)),
                ..
            }) => {
                let names = export(items, root);
                found.extend(names.into_iter().map(|name| (Some(ident.clone()), name)));
            }
            _ => {}
        }
    }
    let crate_root: Vec<Ident> = [Some("crate"), root]
        .into_iter()
        .flatten()
        .map(|word| format_ident!("{word}"))
        .collect();
    for (module, name) in &found {
        // The crate's own imports stay, except one from the root, which gets the macro from here.
        items.retain(|item| imported_from(item, name).is_none_or(|path| path != crate_root));
        let mut imports = items.iter().filter_map(|item| imported_from(item, name));
        if !imports.any(|path| path.first() == module.as_ref()) {
            items.push(match module {
                Some(module) => parse_quote!(pub(crate) use self::#module::#name;),
                None => parse_quote!(pub(crate) use #name;),
            });
        }
    }
    found.into_iter().map(|(_, name)| name).collect()
}

/// The source of this name in a single import: the path before it, without `self`.
fn imported_from(item: &Item, name: &Ident) -> Option<Vec<Ident>> {
    let Item::Use(ItemUse { tree, .. }) = item else {
        return None;
    };
    let (mut tree, mut path) = (tree, Vec::new());
    while let UseTree::Path(step) = tree {
        path.extend((step.ident != "self").then(|| step.ident.clone()));
        tree = &step.tree;
    }
    matches!(tree, UseTree::Name(last) if last.ident == *name).then_some(path)
}

//! Macros of crates that became modules: a `macro_rules!` still finds its own crate, wherever it is called.
//!
//! Imports put an exported macro at the root of its crate, where `$crate` leads. The expansion of macros is left to the
//! compiler. Macros that export others, that call others of their crate by bare names (`local_inner_macros`), and
//! `#[macro_use] extern crate` are not followed.

use syn::{Attribute, Ident, Item, ItemMod, ItemUse, UseTree, parse_quote};

fn is_export(attribute: &Attribute) -> bool {
    attribute.path().is_ident("macro_export")
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
        .map(ident)
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

fn ident(word: &str) -> Ident {
    Ident::new(word, proc_macro2::Span::call_site())
}

//! Imports split into one `use` each, so that each can be dropped by itself, and joined again.

use super::mentions::imports;
use quote::{ToTokens, quote};
use syn::{Item, ItemUse, UseTree};

/// Splits every `use` in these items into one for each import.
pub(super) fn split(items: &mut Vec<Item>) {
    let mut apart = Vec::with_capacity(items.len());
    for mut item in items.drain(..) {
        match &mut item {
            Item::Use(item) => {
                for import in imports(item.leading_colon.is_some(), &item.tree) {
                    let last = import.path.segments.last();
                    let renamed = import.name.as_ref().filter(|&name| Some(name) != last);
                    let glob = import.name.is_none();
                    let tree = tree(&import.path.segments, renamed.map(String::as_str), glob);
                    apart.push(Item::Use(ItemUse {
                        tree,
                        ..item.clone()
                    }));
                }
                continue;
            }
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    split(items);
                }
            }
            _ => {}
        }
        apart.push(item);
    }
    *items = apart;
}

fn tree(path: &[String], renamed: Option<&str>, glob: bool) -> UseTree {
    let ident = |name: &str| -> syn::Ident {
        syn::parse_str::<syn::Ident>(name).unwrap_or_else(|_| {
            // `self`, `super`, `crate` and `_` are keywords.
            syn::Ident::new(name, proc_macro2::Span::call_site())
        })
    };
    let path: Vec<syn::Ident> = path.iter().map(|name| ident(name)).collect();
    let tokens = match (renamed, glob) {
        (Some("_"), _) => quote!(#(#path)::* as _),
        (Some(name), _) => {
            let name = ident(name);
            quote!(#(#path)::* as #name)
        }
        (None, true) => quote!(#(#path::)* *),
        (None, false) => quote!(#(#path)::*),
    };
    syn::parse2(tokens).expect("an import put together from its parts")
}

/// Joins imports of one parent path into one `use`, in these items and the modules in them.
pub(super) fn join(items: &mut Vec<Item>) {
    let mut together: Vec<Item> = Vec::with_capacity(items.len());
    for mut item in items.drain(..) {
        if let Item::Mod(module) = &mut item
            && let Some((_, items)) = &mut module.content
        {
            join(items);
        }
        let joined = match &item {
            Item::Use(added) => together.iter_mut().any(|earlier| match earlier {
                Item::Use(earlier) => join_into(earlier, added),
                _ => false,
            }),
            _ => false,
        };
        if !joined {
            together.push(item);
        }
    }
    *items = together;
}

/// Adds an import to one of the same parent path; `false` when the paths differ.
fn join_into(earlier: &mut ItemUse, added: &ItemUse) -> bool {
    let header = |item: &ItemUse| (item.attrs.clone(), item.vis.clone(), item.leading_colon);
    if header(earlier) != header(added) {
        return false;
    }
    let (mut into, mut from) = (&mut earlier.tree, &added.tree);
    let mut depth = 0;
    while let UseTree::Path(next) = from {
        match into {
            UseTree::Path(same) if same.ident == next.ident => into = &mut same.tree,
            _ => return false,
        }
        from = &next.tree;
        depth += 1;
    }
    if depth == 0 || matches!(into, UseTree::Path(_)) {
        return false;
    }
    let (before, more) = (into.to_token_stream(), from.to_token_stream());
    let tokens = match into {
        UseTree::Group(group) => {
            let before = &group.items;
            quote!({#before, #more})
        }
        _ => quote!({#before, #more}),
    };
    match syn::parse2(tokens) {
        Ok(group) => {
            *into = group;
            true
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(items: &[Item]) -> Vec<String> {
        let text = |item: &Item| item.to_token_stream().to_string().replace(' ', "");
        items.iter().map(text).collect()
    }

    #[test]
    fn imports_are_split_and_joined_again() {
        let source =
            "use std::{fmt::{self, Write as _}, io::*}; pub use a::b; use std::fmt::Debug;";
        let mut items = syn::parse_file(source).unwrap().items;
        split(&mut items);
        assert_eq!(
            shown(&items),
            [
                "usestd::fmt;",
                "usestd::fmt::Writeas_;",
                "usestd::io::*;",
                "pubusea::b;",
                "usestd::fmt::Debug;"
            ]
        );
        join(&mut items);
        assert_eq!(
            shown(&items),
            [
                "usestd::fmt;",
                "usestd::fmt::{Writeas_,Debug};",
                "usestd::io::*;",
                "pubusea::b;"
            ]
        );
    }
}

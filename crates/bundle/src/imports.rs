//! Splits imports into one `use` each, so that each can be dropped on its own, and joins them again.

use super::items::items_of;
use std::mem::take;
use syn::{Ident, Item, ItemUse, UseGroup, UseName, UsePath, UseRename, UseTree};

/// Splits every `use` in these items into one for each import.
pub(super) fn split(items: &mut Vec<Item>) {
    for mut item in take(items) {
        if let Item::Use(item) = item {
            let trees = single(&item.tree).into_iter();
            items.extend(trees.map(|tree| {
                Item::Use(ItemUse {
                    tree,
                    ..item.clone()
                })
            }));
            continue;
        }
        if let Some(inner) = items_of(&mut item) {
            split(inner);
        }
        items.push(item);
    }
}

/// The single imports of a tree. `a::{self}` keeps its braces: `a` would import a function `a` too.
fn single(tree: &UseTree) -> Vec<UseTree> {
    match tree {
        UseTree::Path(path) => {
            let inner = single(&path.tree).into_iter();
            let whole = |tree: UseTree| {
                let tree = match &tree {
                    UseTree::Name(UseName { ident }) | UseTree::Rename(UseRename { ident, .. })
                        if ident == "self" =>
                    {
                        grouped(tree)
                    }
                    _ => tree,
                };
                UseTree::Path(UsePath {
                    tree: Box::new(tree),
                    ..path.clone()
                })
            };
            inner.map(whole).collect()
        }
        UseTree::Group(group) => group.items.iter().flat_map(single).collect(),
        tree => vec![tree.clone()],
    }
}

fn grouped(tree: UseTree) -> UseTree {
    UseTree::Group(UseGroup {
        brace_token: syn::token::Brace::default(),
        items: [tree].into_iter().collect(),
    })
}

/// The name that a single import brings into scope; `None` for `*` and `{self}`'s parent.
pub(super) fn leaf(tree: &UseTree) -> Option<&Ident> {
    match tree {
        UseTree::Path(path) => match &*path.tree {
            UseTree::Group(group) => match group.items.first() {
                Some(UseTree::Name(name)) if name.ident == "self" => Some(&path.ident),
                first => leaf(first?),
            },
            tree => leaf(tree),
        },
        UseTree::Name(name) => Some(&name.ident),
        UseTree::Rename(rename) => Some(&rename.rename),
        UseTree::Glob(_) | UseTree::Group(_) => None,
    }
}

/// Joins the imports of these items, and of the modules in them, into one `use` for each first name.
pub(super) fn join(items: &mut Vec<Item>) {
    for mut item in take(items) {
        if let Some(inner) = items_of(&mut item) {
            join(inner);
        }
        if !items.iter_mut().any(|earlier| join_into(earlier, &item)) {
            items.push(item);
        }
    }
}

/// Adds an import to one whose path begins alike; `false` if they have nothing in common.
fn join_into(earlier: &mut Item, added: &Item) -> bool {
    let (Item::Use(earlier), Item::Use(added)) = (earlier, added) else {
        return false;
    };
    let header = |item: &ItemUse| (item.attrs.clone(), item.vis.clone(), item.leading_colon);
    header(earlier) == header(added) && merge(&mut earlier.tree, &added.tree)
}

/// Merges a tree into one that begins with the same name; `false` if it does not.
fn merge(into: &mut UseTree, from: &UseTree) -> bool {
    match (into, from) {
        (UseTree::Path(into), UseTree::Path(from)) if into.ident == from.ident => {
            let added = match &*from.tree {
                UseTree::Group(group) => group.items.iter().collect(),
                tree => vec![tree],
            };
            for tree in added {
                add(&mut into.tree, tree);
            }
            true
        }
        _ => false,
    }
}

/// Adds a tree beside another.
fn add(into: &mut UseTree, tree: &UseTree) {
    if merge(into, tree) {
        return;
    }
    if let UseTree::Group(group) = into {
        if !group.items.iter_mut().any(|inner| merge(inner, tree)) {
            group.items.push(tree.clone());
        }
        return;
    }
    let before = std::mem::replace(into, grouped(tree.clone()));
    if let UseTree::Group(group) = into {
        group.items.insert(0, before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens as _;

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
                "usestd::fmt::{self};",
                "usestd::fmt::Writeas_;",
                "usestd::io::*;",
                "pubusea::b;",
                "usestd::fmt::Debug;"
            ]
        );
        join(&mut items);
        assert_eq!(
            shown(&items),
            ["usestd::{fmt::{self,Writeas_,Debug},io::*};", "pubusea::b;"]
        );
    }
}

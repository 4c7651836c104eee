//! Splits imports into one `use` each, so that each can be dropped on its own.

use super::items::items_of;
use std::mem::take;
use syn::{
    Ident, Item, ItemUse, UseGroup, UseName, UsePath, UseRename, UseTree, Visibility, parse_quote,
};

/// Splits every `use` in these items into one for each import. Public ones are public in the bundle, which is one crate:
/// the compiler reports those that are unused, and they may name what is not public, such as the module of a crate.
pub(super) fn split(items: &mut Vec<Item>) {
    for mut item in take(items) {
        if let Item::Use(mut item) = item {
            if let Visibility::Public(_) = item.vis {
                item.vis = parse_quote!(pub(crate));
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens as _;

    fn shown(items: &[Item]) -> Vec<String> {
        let text = |item: &Item| item.to_token_stream().to_string().replace(' ', "");
        items.iter().map(text).collect()
    }

    #[test]
    fn imports_are_split() {
        let source = "use std::{fmt::{self, Write as _}, io::*}; pub use a::b;";
        let mut items = syn::parse_file(source).unwrap().items;
        split(&mut items);
        assert_eq!(
            shown(&items),
            [
                "usestd::fmt::{self};",
                "usestd::fmt::Writeas_;",
                "usestd::io::*;",
                "pub(crate)usea::b;"
            ]
        );
    }
}

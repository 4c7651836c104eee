//! Merges several crates into one root.
//!
//! `extern crate self as name;` gives that root the name of each crate, so that every path stays as it was
//! written. This requires that no two roots define different items of one name.

use super::BundleError;
use super::crates::Dependency;
use super::resolve::Target;
use super::tree::{CrateSource, ItemId, ItemKind, Tree, name_of};
use std::collections::{BTreeSet, HashMap, HashSet};
use syn::{Item, Visibility, parse_quote};

/// Drops the items that are not in `keep`; `next` counts items in the order in which a [`Tree`] numbers them.
pub(super) fn retain(items: &mut Vec<Item>, next: &mut ItemId, keep: &HashSet<ItemId>) {
    items.retain_mut(|item| {
        let id = *next;
        *next += 1;
        if let Item::Mod(module) = item
            && let Some((_, items)) = &mut module.content
        {
            retain(items, next, keep);
        }
        keep.contains(&id)
    });
}

/// The items of `reached` without root items that would be duplicates in one root.
///
/// # Errors
/// When two roots define different items of one name.
pub(super) fn without_duplicates(
    tree: &Tree<'_>,
    crates: usize,
    mut reached: HashSet<ItemId>,
) -> Result<HashSet<ItemId>, BundleError> {
    let mut named: HashMap<String, Vec<ItemId>> = HashMap::new();
    for root in 0..crates {
        for &id in &tree.modules[root].items {
            let name = name_of(tree.items[id].syntax).filter(|name| name != "_");
            if let Some(name) = name.filter(|_| reached.contains(&id)) {
                named.entry(name).or_default().push(id);
            }
        }
    }
    for (name, ids) in named {
        for (place, &first) in ids.iter().enumerate() {
            for &second in &ids[place + 1..] {
                let apart = tree.items[first].module != tree.items[second].module;
                if !apart || !reached.contains(&first) || !reached.contains(&second) {
                    continue;
                }
                match compare(tree, first, second) {
                    Collision::Different => {}
                    Collision::Drop(id) => {
                        reached.remove(&id);
                    }
                    Collision::Clash => {
                        let root = |id: ItemId| tree.name_of_module(tree.items[id].module);
                        return Err(BundleError::Clash {
                            name,
                            roots: [root(first), root(second)],
                        });
                    }
                }
            }
        }
    }
    Ok(reached)
}

/// What becomes of two root items of one name.
enum Collision {
    /// Their namespaces differ: both stay.
    Different,
    /// They are the same; this one is dropped.
    Drop(ItemId),
    /// They differ, in one namespace.
    Clash,
}

fn compare(tree: &Tree<'_>, first: ItemId, second: ItemId) -> Collision {
    let (targets, dependencies) = (meaning(tree, first), meaning(tree, second));
    if targets == dependencies {
        // A definition outranks an import, and a public import a private one.
        return Collision::Drop(if rank(tree, first) >= rank(tree, second) {
            second
        } else {
            first
        });
    }
    let spaces = [(first, &targets), (second, &dependencies)]
        .map(|(id, meaning)| space(tree, id, &meaning.0));
    match spaces {
        [Some(one), Some(other)] if one != other => Collision::Different,
        _ => Collision::Clash,
    }
}

/// What an item denotes: itself, or the targets of its import (the path, if they are external).
fn meaning(tree: &Tree<'_>, id: ItemId) -> (Vec<Target>, Vec<String>) {
    let entry = &tree.items[id];
    match &entry.kind {
        ItemKind::Import(import) => {
            let targets = tree.resolve(entry.module, &import.path, Some(id)).targets;
            let elsewhere = targets.is_empty()
                || targets
                    .iter()
                    .any(|target| matches!(target, Target::External(..)));
            let path = if elsewhere {
                import.path.segments.clone()
            } else {
                Vec::new()
            };
            (targets, path)
        }
        ItemKind::Module(module) => (vec![Target::Module(*module)], Vec::new()),
        ItemKind::Crate(_) => (Vec::new(), name_of(entry.syntax).into_iter().collect()),
        _ => (vec![Target::Item(id)], Vec::new()),
    }
}

fn rank(tree: &Tree<'_>, id: ItemId) -> u8 {
    match tree.items[id].syntax {
        Item::Use(item) if matches!(item.vis, Visibility::Inherited) => 0,
        Item::Use(_) => 1,
        _ => 2,
    }
}

/// The namespace of an item's name; of an import, that of its targets if it is known and unique.
fn space(tree: &Tree<'_>, id: ItemId, targets: &[Target]) -> Option<u8> {
    if !matches!(tree.items[id].syntax, Item::Use(_)) {
        return namespace(tree.items[id].syntax);
    }
    let spaces = targets.iter().map(|target| match target {
        Target::Item(id) => namespace(tree.items[*id].syntax),
        Target::Module(_) => Some(2),
        Target::External(..) => None,
    });
    let mut spaces: Vec<Option<u8>> = spaces.collect();
    spaces.dedup();
    match spaces[..] {
        [only] => only,
        _ => None,
    }
}

/// Rust's namespaces: values, macros, types. An import may be in any.
fn namespace(item: &Item) -> Option<u8> {
    match item {
        Item::Use(_) => None,
        Item::Fn(_) | Item::Const(_) | Item::Static(_) => Some(0),
        Item::Macro(_) => Some(1),
        _ => Some(2),
    }
}

/// Merges crates, the binary first, into one file.
///
/// The binary's constants are on top, where people look for what to change.
pub(super) fn merge(crates: Vec<CrateSource>) -> syn::File {
    let names: BTreeSet<String> = crates
        .iter()
        .flat_map(|source| &source.dependencies)
        .filter(|(_, other)| matches!(other, Dependency::Bundled(_)))
        .map(|(name, _)| name.clone())
        .collect();
    let mut merged = syn::File {
        shebang: None,
        attrs: Vec::new(),
        items: Vec::new(),
    };
    let mut crates = crates.into_iter();
    let binary = crates.next().map(|source| source.file);
    let (mut attributes, mut binary) =
        binary.map_or_else(Default::default, |file| (file.attrs, file.items));
    let mut libraries = Vec::new();
    for source in crates {
        attributes.extend(source.file.attrs);
        libraries.extend(source.file.items);
    }
    let constants = |item: &mut Item| matches!(item, Item::Const(_));
    merged.items.extend(binary.extract_if(.., constants));
    for name in names {
        let name: syn::Ident = syn::Ident::new(&name, proc_macro2::Span::call_site());
        merged.items.push(parse_quote!(extern crate self as #name;));
    }
    // The scope of a `macro_rules!` begins after its definition.
    let (first, second) = if libraries.iter().any(defines_macros) {
        (libraries, binary)
    } else {
        (binary, libraries)
    };
    merged.items.extend(first);
    merged.items.extend(second);
    attributes.dedup();
    merged.attrs = attributes;
    merged
}

/// Makes public items of the root private, for the compiler never reports public ones as unused.
///
/// Private items of the root are visible everywhere in it. Only an item that some module re-exports as public
/// must stay public; then `modules_only` restricts this to modules, which are seldom re-exported.
pub(super) fn hide_root(file: &syn::File, modules_only: bool) -> syn::File {
    let mut file = file.clone();
    for item in &mut file.items {
        let visibility = match item {
            Item::Mod(item) => &mut item.vis,
            _ if modules_only => continue,
            Item::Const(item) => &mut item.vis,
            Item::Enum(item) => &mut item.vis,
            Item::Fn(item) => &mut item.vis,
            Item::Static(item) => &mut item.vis,
            Item::Struct(item) => &mut item.vis,
            Item::Trait(item) => &mut item.vis,
            Item::Type(item) => &mut item.vis,
            Item::Union(item) => &mut item.vis,
            Item::Use(item) => &mut item.vis,
            _ => continue,
        };
        *visibility = Visibility::Inherited;
    }
    file
}

fn defines_macros(item: &Item) -> bool {
    match item {
        Item::Macro(item) => item.ident.is_some(),
        Item::Mod(module) => module
            .content
            .as_ref()
            .is_some_and(|(_, items)| items.iter().any(defines_macros)),
        _ => false,
    }
}

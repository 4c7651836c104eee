//! Several crates become one: their roots are laid upon each other.
//!
//! `extern crate self as name;` makes the one root answer to the name of each crate, so that every path
//! stands as it was written. That asks that no two roots mean different things by one name.

use super::BundleError;
use super::crates::Other;
use super::follow::End;
use super::tree::{ItemId, Kind, Source, Tree, name_of};
use std::collections::{BTreeSet, HashMap, HashSet};
use syn::{Item, Visibility, parse_quote};

/// Drops the items whose number `keep` does not know, in the order in which a [`Tree`] numbers them.
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

/// Of the items `reached`, those that remain when the roots are one.
///
/// # Errors
/// When two roots mean different things by one name.
pub(super) fn without_doubles(
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
                    Meeting::Different => {}
                    Meeting::Drop(id) => {
                        reached.remove(&id);
                    }
                    Meeting::Clash => {
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

/// What becomes of two items of one name.
enum Meeting {
    /// They are of different kinds, and get along.
    Different,
    /// They are the same; this one is not needed.
    Drop(ItemId),
    Clash,
}

fn compare(tree: &Tree<'_>, first: ItemId, second: ItemId) -> Meeting {
    let (ends, others) = (meaning(tree, first), meaning(tree, second));
    if ends == others {
        // A definition is needed more than an import, and a public import more than a private one.
        return Meeting::Drop(if rank(tree, first) >= rank(tree, second) {
            second
        } else {
            first
        });
    }
    let spaces =
        [(first, &ends), (second, &others)].map(|(id, meaning)| space(tree, id, &meaning.0));
    match spaces {
        [Some(one), Some(other)] if one != other => Meeting::Different,
        _ => Meeting::Clash,
    }
}

/// What an item stands for: itself, or what it imports.
fn meaning(tree: &Tree<'_>, id: ItemId) -> (Vec<End>, Vec<String>) {
    let entry = &tree.items[id];
    match &entry.kind {
        Kind::Import(import) => {
            let ends = tree.follow(entry.module, &import.path, Some(id)).ends;
            let elsewhere =
                ends.is_empty() || ends.iter().any(|end| matches!(end, End::Elsewhere(..)));
            let path = if elsewhere {
                import.path.segments.clone()
            } else {
                Vec::new()
            };
            (ends, path)
        }
        Kind::Module(module) => (vec![End::Module(*module)], Vec::new()),
        Kind::Crate(_) => (Vec::new(), name_of(entry.syntax).into_iter().collect()),
        _ => (vec![End::Item(id)], Vec::new()),
    }
}

fn rank(tree: &Tree<'_>, id: ItemId) -> u8 {
    match tree.items[id].syntax {
        Item::Use(item) if matches!(item.vis, Visibility::Inherited) => 0,
        Item::Use(_) => 1,
        _ => 2,
    }
}

/// The space of an item's name, for an import that of what it imports, where that is known and one.
fn space(tree: &Tree<'_>, id: ItemId, ends: &[End]) -> Option<u8> {
    if !matches!(tree.items[id].syntax, Item::Use(_)) {
        return namespace(tree.items[id].syntax);
    }
    let spaces = ends.iter().map(|end| match end {
        End::Item(id) => namespace(tree.items[*id].syntax),
        End::Module(_) => Some(2),
        End::Elsewhere(..) => None,
    });
    let mut spaces: Vec<Option<u8>> = spaces.collect();
    spaces.dedup();
    match spaces[..] {
        [only] => only,
        _ => None,
    }
}

/// Names of different spaces do not meet; an import may be of any.
fn namespace(item: &Item) -> Option<u8> {
    match item {
        Item::Use(_) => None,
        Item::Fn(_) | Item::Const(_) | Item::Static(_) => Some(0),
        Item::Macro(_) => Some(1),
        _ => Some(2),
    }
}

/// One crate of several; the first is the binary.
///
/// The binary's constants come first, for that is where people look for what they may change.
pub(super) fn merge(crates: Vec<Source>) -> syn::File {
    let names: BTreeSet<String> = crates
        .iter()
        .flat_map(|source| &source.others)
        .filter(|(_, other)| matches!(other, Other::Bundled(_)))
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
    // A macro is known from where it is defined on.
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

/// Makes what is public at the root private: the compiler takes what is public there for used.
///
/// Everything can still see it, for everything is inside the root. Only where a module makes something of
/// the root public in turn does it have to stay as it was; then `modules_only` are made private, for those
/// are seldom passed on.
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

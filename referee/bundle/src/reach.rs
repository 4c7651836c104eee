//! Reachability: the items that a binary needs, from its `main`.
//!
//! Judged by names alone, so it over-approximates. Items that no reachable item names are left out, and with
//! them the crates that only they use. The compiler's lints then find the rest of the dead code.

use super::BundleError;
use super::mentions::{Import, ItemPath, Mentions};
use super::resolve::Target;
use super::tree::{ItemId, ItemKind, ModuleId, Tree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::{Item, ItemImpl};

/// The items that `main` of the first crate reaches.
///
/// # Errors
/// When something reached comes from a crate that cannot be bundled.
pub(super) fn reached(tree: &Tree<'_>) -> Result<HashSet<ItemId>, BundleError> {
    let mut reach = Reach {
        tree,
        reached: HashSet::new(),
        queue: Vec::new(),
        with_code: HashSet::new(),
        external: None,
    };
    let main = ItemPath {
        absolute: false,
        segments: vec!["main".into()],
    };
    reach.path(0, &main, None);
    let mut impls = headers(tree);
    loop {
        while let Some(id) = reach.queue.pop() {
            reach.read(id);
        }
        let (ready, waiting): (Vec<_>, Vec<_>) = impls
            .into_iter()
            .partition(|header| header.is_reached(&reach.reached));
        impls = waiting;
        for header in &ready {
            reach.add(header.id);
        }
        if reach.queue.is_empty() {
            break;
        }
    }
    match reach.external {
        None => Ok(reach.reached),
        Some(error) => Err(error),
    }
}

struct Reach<'t, 'a> {
    tree: &'t Tree<'a>,
    reached: HashSet<ItemId>,
    queue: Vec<ItemId>,
    /// The modules of which an item other than an import or a module is reached.
    with_code: HashSet<ModuleId>,
    external: Option<BundleError>,
}

impl Reach<'_, '_> {
    fn add(&mut self, id: ItemId) {
        if !self.reached.insert(id) {
            return;
        }
        self.queue.push(id);
        let entry = &self.tree.items[id];
        if let Some(declared) = self.tree.modules[entry.module].declared {
            self.add(declared);
        }
        let is_code = !matches!(
            entry.kind,
            ItemKind::Import(_) | ItemKind::Module(_) | ItemKind::Crate(_)
        );
        if is_code && self.with_code.insert(entry.module) {
            self.add_unnamed(entry.module, &mut HashSet::new());
        }
    }

    /// Adds what a module with code uses without naming it: traits for their methods, and items that macros
    /// define.
    fn add_unnamed(&mut self, module: ModuleId, seen: &mut HashSet<ModuleId>) {
        if !seen.insert(module) {
            return;
        }
        for &id in &self.tree.modules[module].items {
            match &self.tree.items[id].kind {
                ItemKind::Call => self.add(id),
                ItemKind::Import(Import {
                    name: None, path, ..
                }) => {
                    let resolution = self.tree.resolve(module, path, Some(id));
                    for target in &resolution.targets {
                        match *target {
                            Target::Module(target) if target != module => {
                                self.add_traits_of(target, id, seen);
                            }
                            Target::External(..) => self.add(id),
                            _ => {}
                        }
                    }
                }
                ItemKind::Import(_) if self.tree.may_be_trait(id) => self.add(id),
                _ => {}
            }
        }
    }

    /// Adds the traits that a glob import brings into scope.
    fn add_traits_of(&mut self, module: ModuleId, glob: ItemId, seen: &mut HashSet<ModuleId>) {
        if !seen.insert(module) {
            return;
        }
        for &id in &self.tree.modules[module].items {
            let import = matches!(self.tree.items[id].kind, ItemKind::Import(_));
            let is_trait = matches!(self.tree.items[id].syntax, Item::Trait(_));
            if is_trait || import && self.tree.may_be_trait(id) {
                self.add(glob);
                self.add(id);
            }
        }
    }

    fn read(&mut self, id: ItemId) {
        let entry = &self.tree.items[id];
        match &entry.kind {
            ItemKind::Import(import) => self.path(entry.module, &import.path, Some(id)),
            ItemKind::Module(_) | ItemKind::Crate(_) => {}
            _ => {
                let mentions = Mentions::of(entry.syntax.to_token_stream());
                self.mentions(entry.module, &mentions, true, &mut HashSet::new());
            }
        }
    }

    /// Adds what is mentioned in `module`. `$crate` is resolved only `at_home`, in the macro's own crate.
    fn mentions(
        &mut self,
        module: ModuleId,
        mentions: &Mentions,
        at_home: bool,
        calls: &mut HashSet<ItemId>,
    ) {
        let imported = mentions.imports.iter();
        let imported: HashMap<&str, &Import> = imported
            .filter_map(|import| Some((import.name.as_deref()?, import)))
            .collect();
        for import in &mentions.imports {
            self.path(module, &import.path, None);
        }
        for path in &mentions.paths {
            if path.segments[0] == super::mentions::DOLLAR_CRATE && !at_home {
                continue;
            }
            self.path(module, path, None);
            let local = imported.get(path.segments[0].as_str());
            let globs = mentions
                .imports
                .iter()
                .filter(|import| import.name.is_none());
            for (import, rest) in local
                .map(|import| (*import, &path.segments[1..]))
                .into_iter()
                .chain(globs.map(|import| (import, &path.segments[..])))
            {
                let mut whole = import.path.clone();
                whole.segments.extend_from_slice(rest);
                self.path(module, &whole, None);
            }
        }
        for name in &mentions.macros {
            for id in self.tree.macros.get(name).cloned().unwrap_or_default() {
                self.add(id);
                if calls.insert(id) {
                    // Names in a macro without `$crate` are resolved at the call.
                    let body = Mentions::of(self.tree.items[id].syntax.to_token_stream());
                    self.mentions(module, &body, false, calls);
                }
            }
        }
    }

    fn path(&mut self, module: ModuleId, path: &ItemPath, skip: Option<ItemId>) {
        let resolution = self.tree.resolve(module, path, skip);
        for id in resolution.items {
            self.add(id);
        }
        for target in resolution.targets {
            match target {
                Target::Item(id) => self.add(id),
                Target::Module(target) => {
                    if let Some(declared) = self.tree.modules[target].declared {
                        self.add(declared);
                    }
                }
                Target::External(name, Some(origin)) => {
                    // A single segment is more often a variable or a field than a crate.
                    if path.segments.len() > 1 || skip.is_some() {
                        self.refuse(module, name, origin);
                    }
                }
                Target::External(_, None) => {}
            }
        }
    }

    fn refuse(&mut self, module: ModuleId, name: String, origin: &'static str) {
        let module = self.tree.name_of_module(module);
        self.external.get_or_insert(BundleError::ExternalCrate {
            name,
            origin,
            module,
        });
    }
}

/// The trait and the type of an `impl`.
struct Header {
    id: ItemId,
    /// Its trait and its type, as far as the bundle defines them: the `impl` is reached when all are.
    about: Vec<ItemId>,
    /// If the bundle defines neither, what else they name: the `impl` is reached when any is.
    names: Vec<ItemId>,
}

impl Header {
    fn is_reached(&self, reached: &HashSet<ItemId>) -> bool {
        if self.about.is_empty() {
            self.names.is_empty() || self.names.iter().any(|id| reached.contains(id))
        } else {
            self.about.iter().all(|id| reached.contains(id))
        }
    }
}

fn headers(tree: &Tree<'_>) -> Vec<Header> {
    let items = tree.items.iter().enumerate();
    items
        .filter_map(|(id, entry)| match entry.syntax {
            Item::Impl(item) => Some(header(tree, id, item)),
            _ => None,
        })
        .collect()
}

fn header(tree: &Tree<'_>, id: ItemId, item: &ItemImpl) -> Header {
    let module = tree.items[id].module;
    let parameters: Vec<String> = item
        .generics
        .type_params()
        .map(|parameter| parameter.ident.to_string())
        .collect();
    let mut about = Vec::new();
    let trait_path = item.trait_.as_ref().map(|(_, path, _)| path);
    for path in trait_path.into_iter().chain(head(&item.self_ty)) {
        let path = ItemPath::of(path);
        let is_parameter = path
            .segments
            .first()
            .is_some_and(|first| parameters.contains(first));
        if !is_parameter {
            about.extend(definitions(tree, module, &path));
        }
    }
    let mut names = Vec::new();
    if about.is_empty() {
        let mut tokens = item.self_ty.to_token_stream();
        tokens.extend(trait_path.map(ToTokens::to_token_stream));
        for path in &Mentions::of(tokens).paths {
            names.extend(definitions(tree, module, path));
        }
    }
    Header { id, about, names }
}

/// The path of a type, behind references and parentheses.
fn head(ty: &syn::Type) -> Option<&syn::Path> {
    match ty {
        syn::Type::Path(ty) => Some(&ty.path),
        syn::Type::Reference(ty) => head(&ty.elem),
        syn::Type::Paren(ty) => head(&ty.elem),
        syn::Type::Group(ty) => head(&ty.elem),
        _ => None,
    }
}

/// The items of the bundle that a path resolves to, through type aliases.
fn definitions(tree: &Tree<'_>, module: ModuleId, path: &ItemPath) -> Vec<ItemId> {
    let targets = tree.resolve(module, path, None).targets;
    let mut found = Vec::new();
    for target in targets {
        let Target::Item(id) = target else { continue };
        let behind = match tree.items[id].syntax {
            Item::Type(alias) => head(&alias.ty).map(ItemPath::of),
            _ => None,
        };
        match behind {
            Some(path) => found.extend(definitions(tree, tree.items[id].module, &path)),
            None => found.push(id),
        }
    }
    found
}

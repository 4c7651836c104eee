//! The modules and items of some crates, numbered, and where a path leads among them.

use super::crates::Other;
use super::mention::{DOLLAR_CRATE, Import, Path, imports};
use std::collections::{HashMap, HashSet};
use syn::{Item, ItemUse};

pub(super) type ModuleId = usize;
pub(super) type ItemId = usize;

/// Some crates, every item of every module numbered in the order of the source.
pub(super) struct Tree<'a> {
    pub(super) modules: Vec<Module>,
    pub(super) items: Vec<Entry<'a>>,
    crates: &'a [Source],
    /// The definitions by `macro_rules!` of a name.
    pub(super) macros: HashMap<String, Vec<ItemId>>,
}

/// A module; those numbered like crates are their roots.
pub(super) struct Module {
    pub(super) krate: usize,
    pub(super) parent: Option<ModuleId>,
    /// The names from the root to here.
    pub(super) path: Vec<String>,
    /// The item that declares it; a root has none.
    pub(super) declared: Option<ItemId>,
    pub(super) items: Vec<ItemId>,
    names: HashMap<String, Vec<ItemId>>,
    globs: Vec<ItemId>,
}

/// An item and where it is.
pub(super) struct Entry<'a> {
    pub(super) module: ModuleId,
    pub(super) syntax: &'a Item,
    pub(super) kind: Kind,
}

/// What an item is to whoever follows paths.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Module(ModuleId),
    Import(Import),
    /// `extern crate … as name`.
    Crate(Option<Other>),
    Impl,
    Macro,
    /// A macro called where an item stands: nobody knows what it defines.
    Call,
    Definition,
}

/// Where a path leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum End {
    Item(ItemId),
    Module(ModuleId),
    /// A crate that is not bundled: its name, and where it comes from if that is known.
    Elsewhere(String, Option<&'static str>),
}

/// The way that following a path took.
#[derive(Clone, Default, Debug)]
pub(super) struct Way {
    /// The items on it, imports and modules among them.
    pub(super) items: Vec<ItemId>,
    pub(super) ends: Vec<End>,
}

/// A crate to be made a tree of. Every `use` in it imports one thing.
#[derive(Debug)]
pub(super) struct Source {
    /// What people call it.
    pub(super) name: String,
    pub(super) file: syn::File,
    /// What other crates are called in it.
    pub(super) others: HashMap<String, Other>,
}

impl<'a> Tree<'a> {
    /// The tree of these crates.
    pub(super) fn new(crates: &'a [Source]) -> Tree<'a> {
        let mut tree = Tree {
            modules: Vec::new(),
            items: Vec::new(),
            crates,
            macros: HashMap::new(),
        };
        for krate in 0..crates.len() {
            tree.modules
                .push(Module::new(krate, None, Vec::new(), None));
        }
        for (krate, source) in crates.iter().enumerate() {
            tree.add_items(krate, &source.file.items);
        }
        tree
    }

    fn add_items(&mut self, module: ModuleId, items: &'a [Item]) {
        for syntax in items {
            let id = self.items.len();
            let kind = kind_of(syntax);
            let name = name_of(syntax);
            self.items.push(Entry {
                module,
                syntax,
                kind: kind.clone(),
            });
            self.modules[module].items.push(id);
            match kind {
                Kind::Import(Import { name: None, .. }) => self.modules[module].globs.push(id),
                Kind::Macro => {
                    let name = name.clone().unwrap_or_default();
                    self.macros.entry(name).or_default().push(id);
                }
                _ => {}
            }
            if let Some(name) = &name {
                let names = &mut self.modules[module].names;
                names.entry(name.clone()).or_default().push(id);
            }
            if let Item::Mod(declared) = syntax {
                let inner = self.modules.len();
                self.items[id].kind = Kind::Module(inner);
                let outer = &self.modules[module];
                let mut path = outer.path.clone();
                path.push(declared.ident.to_string());
                let added = Module::new(outer.krate, Some(module), path, Some(id));
                self.modules.push(added);
                let content = declared.content.as_ref();
                self.add_items(inner, content.map_or(&[], |(_, items)| items));
            }
        }
    }

    /// A module as people write it: `my_bot::search`.
    pub(super) fn name_of_module(&self, id: ModuleId) -> String {
        let module = &self.modules[id];
        let krate = std::iter::once(&self.crates[module.krate].name);
        let names: Vec<&str> = krate.chain(&module.path).map(String::as_str).collect();
        names.join("::")
    }

    /// Follows `path` as it is written in `module`, past the import `skip`, which is what asks.
    pub(super) fn follow(&self, module: ModuleId, path: &Path, skip: Option<ItemId>) -> Way {
        let mut walk = Walk {
            tree: self,
            way: Way::default(),
            seen: HashSet::new(),
        };
        walk.path(module, path, skip);
        walk.way
    }

    /// Whether an item brings in the methods of a trait where it is imported, or may do so.
    pub(super) fn may_be_trait(&self, id: ItemId) -> bool {
        match &self.items[id].kind {
            Kind::Import(import) => {
                let way = self.follow(self.items[id].module, &import.path, Some(id));
                way.ends.is_empty() || way.ends.iter().any(|end| self.end_may_be_trait(end))
            }
            _ => matches!(self.items[id].syntax, Item::Trait(_) | Item::TraitAlias(_)),
        }
    }

    fn end_may_be_trait(&self, end: &End) -> bool {
        match end {
            End::Item(id) => matches!(self.items[*id].syntax, Item::Trait(_) | Item::TraitAlias(_)),
            End::Module(_) => false,
            End::Elsewhere(..) => true,
        }
    }
}

impl Module {
    fn new(
        krate: usize,
        parent: Option<ModuleId>,
        path: Vec<String>,
        declared: Option<ItemId>,
    ) -> Module {
        Module {
            krate,
            parent,
            path,
            declared,
            items: Vec::new(),
            names: HashMap::new(),
            globs: Vec::new(),
        }
    }
}

struct Walk<'t, 'a> {
    tree: &'t Tree<'a>,
    way: Way,
    /// What was looked up where: imports may lead round in circles.
    seen: HashSet<(ModuleId, Vec<String>)>,
}

impl Walk<'_, '_> {
    fn path(&mut self, module: ModuleId, path: &Path, skip: Option<ItemId>) {
        let mut here = module;
        let mut rest = &path.segments[..];
        let mut within = false;
        while let Some((first, others)) = rest.split_first().filter(|_| !path.absolute) {
            match first.as_str() {
                "crate" | DOLLAR_CRATE => here = self.tree.modules[module].krate,
                "self" => {}
                "super" => here = self.tree.modules[here].parent.unwrap_or(here),
                _ => break,
            }
            within = true;
            rest = others;
        }
        if rest.is_empty() {
            self.way.ends.push(End::Module(here));
        } else if path.absolute || !self.lookup(here, rest, skip) && !within {
            self.elsewhere(self.tree.modules[module].krate, rest);
        }
    }

    /// Follows a path that begins with the name of a crate.
    fn elsewhere(&mut self, krate: usize, path: &[String]) {
        let name = &path[0];
        let declared = self.tree.modules[krate].names.get(name);
        let declared =
            declared
                .into_iter()
                .flatten()
                .find_map(|&id| match &self.tree.items[id].kind {
                    Kind::Crate(other) => Some((id, other.clone())),
                    _ => None,
                });
        if let Some((id, other)) = declared {
            self.way.items.push(id);
            self.other(name, other, &path[1..]);
        } else if let Some(other) = self.tree.crates[krate].others.get(name) {
            self.other(name, Some(other.clone()), &path[1..]);
        } else if path.len() > 1 {
            self.way.ends.push(End::Elsewhere(name.clone(), None));
        }
    }

    fn other(&mut self, name: &str, other: Option<Other>, rest: &[String]) {
        match other {
            Some(Other::Bundled(root)) => self.within(root, rest, None),
            Some(Other::Elsewhere(origin)) => {
                let end = End::Elsewhere(name.to_string(), Some(origin));
                self.way.ends.push(end);
            }
            None => self.way.ends.push(End::Elsewhere(name.to_string(), None)),
        }
    }

    fn within(&mut self, module: ModuleId, rest: &[String], skip: Option<ItemId>) {
        if rest.is_empty() {
            self.way.ends.push(End::Module(module));
        } else {
            self.lookup(module, rest, skip);
        }
    }

    /// Follows a path from what `module` calls its first segment; `false` when it calls nothing so.
    fn lookup(&mut self, module: ModuleId, path: &[String], skip: Option<ItemId>) -> bool {
        if !self.seen.insert((module, path.to_vec())) {
            return true;
        }
        let named = self.tree.modules[module].names.get(&path[0]);
        let named: Vec<ItemId> = named.into_iter().flatten().copied().collect();
        let mut found = false;
        for id in named {
            if Some(id) != skip {
                found = true;
                self.enter(id, &path[1..]);
            }
        }
        if !found {
            self.seen.remove(&(module, path.to_vec()));
            found = self.lookup_globs(module, path, skip);
        }
        if !found && module < self.tree.crates.len() && path[0] != "std" {
            // `#[macro_export]` defines a macro at the root, wherever it stands.
            let exported = self.tree.macros.get(&path[0]).cloned().unwrap_or_default();
            found = !exported.is_empty();
            self.way.items.extend(&exported);
            self.way.ends.extend(exported.into_iter().map(End::Item));
        }
        found
    }

    fn enter(&mut self, id: ItemId, rest: &[String]) {
        self.way.items.push(id);
        let entry = &self.tree.items[id];
        match &entry.kind {
            Kind::Module(module) => self.within(*module, rest, None),
            Kind::Import(import) => {
                let mut path = import.path.clone();
                path.segments.extend_from_slice(rest);
                self.path(entry.module, &path, Some(id));
            }
            Kind::Crate(other) => {
                let name = name_of(entry.syntax).unwrap_or_default();
                self.other(&name, other.clone(), rest);
            }
            _ => self.way.ends.push(End::Item(id)),
        }
    }

    fn lookup_globs(&mut self, module: ModuleId, path: &[String], skip: Option<ItemId>) -> bool {
        if !self.seen.insert((module, path.to_vec())) {
            return false;
        }
        let mut found = false;
        for &id in &self.tree.modules[module].globs {
            let entry = &self.tree.items[id];
            let Kind::Import(import) = &entry.kind else {
                continue;
            };
            let target = self.tree.follow(entry.module, &import.path, Some(id));
            for end in &target.ends {
                let here = match *end {
                    End::Module(target) if target != module => self.lookup(target, path, skip),
                    End::Item(item) if has_variant(self.tree.items[item].syntax, &path[0]) => {
                        self.way.ends.push(End::Item(item));
                        true
                    }
                    _ => false,
                };
                if here {
                    self.way.items.push(id);
                    self.way.items.extend(&target.items);
                    found = true;
                }
            }
        }
        found
    }
}

fn has_variant(item: &Item, name: &str) -> bool {
    match item {
        Item::Enum(item) => item.variants.iter().any(|variant| variant.ident == name),
        _ => false,
    }
}

fn kind_of(item: &Item) -> Kind {
    match item {
        Item::Use(item) => Kind::Import(import_of(item)),
        Item::Impl(_) => Kind::Impl,
        Item::Macro(item) if item.ident.is_some() => Kind::Macro,
        Item::Macro(_) => Kind::Call,
        Item::ExternCrate(item) => Kind::Crate((item.ident == "self").then_some(Other::Bundled(0))),
        _ => Kind::Definition,
    }
}

/// The one thing that a `use` imports.
pub(super) fn import_of(item: &ItemUse) -> Import {
    let mut all = imports(item.leading_colon.is_some(), &item.tree);
    debug_assert_eq!(all.len(), 1, "imports have been taken apart");
    all.remove(0)
}

/// What an item is called.
pub(super) fn name_of(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::ExternCrate(item) => match &item.rename {
            Some((_, name)) => name.to_string(),
            None => item.ident.to_string(),
        },
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Macro(item) => item.ident.as_ref()?.to_string(),
        Item::Mod(item) => item.ident.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::TraitAlias(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Union(item) => item.ident.to_string(),
        Item::Use(item) => return import_of(item).name,
        _ => return None,
    })
}

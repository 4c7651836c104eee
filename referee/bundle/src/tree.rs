//! The modules and items of some crates, numbered.
//!
//! `resolve` resolves paths among them.

use super::crates::Dependency;
use super::mentions::{Import, imports};
use super::resolve::Target;
use std::collections::HashMap;
use syn::{Item, ItemUse};

pub(super) type ModuleId = usize;
pub(super) type ItemId = usize;

/// Some crates, every item of every module numbered in the order of the source.
pub(super) struct Tree<'a> {
    pub(super) modules: Vec<Module>,
    pub(super) items: Vec<Entry<'a>>,
    pub(super) crates: &'a [CrateSource],
    /// The definitions by `macro_rules!` of a name.
    pub(super) macros: HashMap<String, Vec<ItemId>>,
}

/// A module. The root of a crate has the crate's number.
pub(super) struct Module {
    pub(super) krate: usize,
    pub(super) parent: Option<ModuleId>,
    /// The names from the root to here.
    pub(super) path: Vec<String>,
    /// The item that declares it; `None` for a root.
    pub(super) declared: Option<ItemId>,
    pub(super) items: Vec<ItemId>,
    pub(super) names: HashMap<String, Vec<ItemId>>,
    pub(super) globs: Vec<ItemId>,
}

/// An item and where it is.
pub(super) struct Entry<'a> {
    pub(super) module: ModuleId,
    pub(super) syntax: &'a Item,
    pub(super) kind: ItemKind,
}

/// What an item is to name resolution.
#[derive(Clone, Debug)]
pub(super) enum ItemKind {
    Module(ModuleId),
    Import(Import),
    /// `extern crate … as name`.
    Crate(Option<Dependency>),
    Impl,
    Macro,
    /// A macro call in item position; what it defines is unknown.
    Call,
    Definition,
}

/// The source of a crate. Every `use` in it has one import.
#[derive(Debug)]
pub(super) struct CrateSource {
    /// Its name in messages.
    pub(super) name: String,
    pub(super) file: syn::File,
    /// Its dependencies, by their names in its code.
    pub(super) dependencies: HashMap<String, Dependency>,
}

impl<'a> Tree<'a> {
    /// The tree of these crates.
    pub(super) fn new(crates: &'a [CrateSource]) -> Tree<'a> {
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
                ItemKind::Import(Import { name: None, .. }) => self.modules[module].globs.push(id),
                ItemKind::Macro => {
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
                self.items[id].kind = ItemKind::Module(inner);
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

    /// A module's path from its crate's name: `my_bot::search`.
    pub(super) fn name_of_module(&self, id: ModuleId) -> String {
        let module = &self.modules[id];
        let krate = std::iter::once(&self.crates[module.krate].name);
        let names: Vec<&str> = krate.chain(&module.path).map(String::as_str).collect();
        names.join("::")
    }

    /// Whether an item is or imports a trait, as far as names tell.
    pub(super) fn may_be_trait(&self, id: ItemId) -> bool {
        match &self.items[id].kind {
            ItemKind::Import(import) => {
                let resolution = self.resolve(self.items[id].module, &import.path, Some(id));
                resolution.targets.is_empty()
                    || resolution
                        .targets
                        .iter()
                        .any(|target| self.target_may_be_trait(target))
            }
            _ => matches!(self.items[id].syntax, Item::Trait(_) | Item::TraitAlias(_)),
        }
    }

    fn target_may_be_trait(&self, target: &Target) -> bool {
        match target {
            Target::Item(id) => {
                matches!(self.items[*id].syntax, Item::Trait(_) | Item::TraitAlias(_))
            }
            Target::Module(_) => false,
            Target::External(..) => true,
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

fn kind_of(item: &Item) -> ItemKind {
    match item {
        Item::Use(item) => ItemKind::Import(import_of(item)),
        Item::Impl(_) => ItemKind::Impl,
        Item::Macro(item) if item.ident.is_some() => ItemKind::Macro,
        Item::Macro(_) => ItemKind::Call,
        Item::ExternCrate(item) => {
            ItemKind::Crate((item.ident == "self").then_some(Dependency::Bundled(0)))
        }
        _ => ItemKind::Definition,
    }
}

/// The only import of a `use`.
pub(super) fn import_of(item: &ItemUse) -> Import {
    let mut all = imports(item.leading_colon.is_some(), &item.tree);
    debug_assert_eq!(all.len(), 1, "imports have been split");
    all.remove(0)
}

/// The name that an item defines.
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

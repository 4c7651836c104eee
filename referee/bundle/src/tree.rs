//! The modules and items of some crates, numbered.
//!
//! Where a path leads among them is told by `follow`.

use super::crates::Other;
use super::follow::End;
use super::mention::{Import, imports};
use std::collections::HashMap;
use syn::{Item, ItemUse};

pub(super) type ModuleId = usize;
pub(super) type ItemId = usize;

/// Some crates, every item of every module numbered in the order of the source.
pub(super) struct Tree<'a> {
    pub(super) modules: Vec<Module>,
    pub(super) items: Vec<Entry<'a>>,
    pub(super) crates: &'a [Source],
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
    pub(super) names: HashMap<String, Vec<ItemId>>,
    pub(super) globs: Vec<ItemId>,
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

//! Name resolution among the items of a [`Tree`]: through modules, imports and renamed crates.
//!
//! It over-approximates: where names alone are ambiguous, as between a function and a module of one name, every
//! candidate is a target.

use super::crates::Dependency;
use super::mentions::{DOLLAR_CRATE, ItemPath};
use super::tree::{ItemId, ItemKind, ModuleId, Tree, name_of};
use std::collections::HashSet;
use syn::Item;

/// What a path resolves to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    Item(ItemId),
    Module(ModuleId),
    /// A crate that is not bundled: its name, and its origin if that is known.
    External(String, Option<&'static str>),
}

/// What resolving a path has found.
#[derive(Clone, Default, Debug)]
pub(super) struct Resolution {
    /// The items on the way, imports and modules among them.
    pub(super) items: Vec<ItemId>,
    pub(super) targets: Vec<Target>,
}

impl<'a> Tree<'a> {
    /// Resolves `path` as written in `module`, without going through the import `skip`.
    pub(super) fn resolve(
        &self,
        module: ModuleId,
        path: &ItemPath,
        skip: Option<ItemId>,
    ) -> Resolution {
        self.resolve_except(module, path, skip.into_iter().collect())
    }

    fn resolve_except(&self, module: ModuleId, path: &ItemPath, busy: Vec<ItemId>) -> Resolution {
        let mut resolver = Resolver {
            tree: self,
            resolution: Resolution::default(),
            seen: HashSet::new(),
            busy,
        };
        resolver.path(module, path);
        resolver.resolution
    }
}

/// Crates that need no declaration.
const STANDARD: [&str; 3] = ["std", "core", "alloc"];

struct Resolver<'t, 'a> {
    tree: &'t Tree<'a>,
    resolution: Resolution,
    /// The lookups so far: imports may be cyclic.
    seen: HashSet<(ModuleId, Vec<String>)>,
    /// The imports being resolved; none of them is entered again.
    busy: Vec<ItemId>,
}

impl Resolver<'_, '_> {
    fn path(&mut self, module: ModuleId, path: &ItemPath) {
        let mut here = module;
        let mut rest = &path.segments[..];
        let mut within = false;
        while let Some((first, dependencies)) = rest.split_first().filter(|_| !path.absolute) {
            match first.as_str() {
                "crate" | DOLLAR_CRATE => here = self.tree.modules[module].krate,
                "self" => {}
                "super" => here = self.tree.modules[here].parent.unwrap_or(here),
                _ => break,
            }
            within = true;
            rest = dependencies;
        }
        if rest.is_empty() {
            self.resolution.targets.push(Target::Module(here));
        } else if path.absolute || !self.lookup(here, rest) && !within {
            self.crate_path(self.tree.modules[module].krate, rest);
        }
    }

    /// Resolves a path that begins with the name of a crate.
    fn crate_path(&mut self, krate: usize, path: &[String]) {
        let name = &path[0];
        let declared = self.tree.modules[krate].names.get(name);
        let declared =
            declared
                .into_iter()
                .flatten()
                .find_map(|&id| match &self.tree.items[id].kind {
                    ItemKind::Crate(other) => Some((id, other.clone())),
                    _ => None,
                });
        if let Some((id, other)) = declared {
            self.resolution.items.push(id);
            self.other(name, other, &path[1..]);
        } else if let Some(other) = self.tree.crates[krate].dependencies.get(name) {
            self.other(name, Some(other.clone()), &path[1..]);
        } else if path.len() > 1 {
            self.resolution
                .targets
                .push(Target::External(name.clone(), None));
        }
    }

    fn other(&mut self, name: &str, other: Option<Dependency>, rest: &[String]) {
        match other {
            Some(Dependency::Bundled(root)) => self.within(root, rest),
            Some(Dependency::External(origin)) => {
                let end = Target::External(name.to_string(), Some(origin));
                self.resolution.targets.push(end);
            }
            None => self
                .resolution
                .targets
                .push(Target::External(name.to_string(), None)),
        }
    }

    fn within(&mut self, module: ModuleId, rest: &[String]) {
        if rest.is_empty() {
            self.resolution.targets.push(Target::Module(module));
        } else {
            self.lookup(module, rest);
        }
    }

    /// Resolves a path whose first segment is a name in `module`; `false` when it has no such name.
    fn lookup(&mut self, module: ModuleId, path: &[String]) -> bool {
        if !self.seen.insert((module, path.to_vec())) {
            return true;
        }
        let named = self.tree.modules[module].names.get(&path[0]);
        let named: Vec<ItemId> = named.into_iter().flatten().copied().collect();
        let mut found = false;
        for id in named {
            if !self.busy.contains(&id) {
                found = true;
                self.enter(id, &path[1..]);
            }
        }
        if !found {
            self.seen.remove(&(module, path.to_vec()));
            found = self.lookup_globs(module, path);
        }
        if !found && module < self.tree.crates.len() && !STANDARD.contains(&path[0].as_str()) {
            // `#[macro_export]` defines a macro at the crate root, wherever its definition is.
            let exported = self.tree.macros.get(&path[0]).cloned().unwrap_or_default();
            found = !exported.is_empty();
            self.resolution.items.extend(&exported);
            self.resolution
                .targets
                .extend(exported.into_iter().map(Target::Item));
        }
        found
    }

    fn enter(&mut self, id: ItemId, rest: &[String]) {
        self.resolution.items.push(id);
        let entry = &self.tree.items[id];
        match &entry.kind {
            ItemKind::Module(module) => self.within(*module, rest),
            ItemKind::Import(import) => {
                let mut path = import.path.clone();
                path.segments.extend_from_slice(rest);
                self.busy.push(id);
                self.path(entry.module, &path);
                self.busy.pop();
            }
            ItemKind::Crate(other) => {
                let name = name_of(entry.syntax).unwrap_or_default();
                self.other(&name, other.clone(), rest);
            }
            _ => self.resolution.targets.push(Target::Item(id)),
        }
    }

    fn lookup_globs(&mut self, module: ModuleId, path: &[String]) -> bool {
        if STANDARD.contains(&path[0].as_str()) || !self.seen.insert((module, path.to_vec())) {
            return false;
        }
        let mut found = false;
        for &id in &self.tree.modules[module].globs {
            let entry = &self.tree.items[id];
            let ItemKind::Import(import) = &entry.kind else {
                continue;
            };
            if self.busy.contains(&id) {
                continue;
            }
            self.busy.push(id);
            let busy = self.busy.clone();
            let glob = self.tree.resolve_except(entry.module, &import.path, busy);
            for target in &glob.targets {
                let here = match *target {
                    Target::Module(target) if target != module => self.lookup(target, path),
                    Target::Item(item) if has_variant(self.tree.items[item].syntax, &path[0]) => {
                        self.resolution.targets.push(Target::Item(item));
                        true
                    }
                    _ => false,
                };
                if here {
                    self.resolution.items.push(id);
                    self.resolution.items.extend(&glob.items);
                    found = true;
                }
            }
            self.busy.pop();
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

#[cfg(test)]
mod tests {
    use super::super::tree::CrateSource;
    use super::*;
    use std::collections::HashMap;

    /// The names of the targets of a path in the root of this source.
    fn targets(source: &str, path: &str) -> Vec<String> {
        let sources = [CrateSource {
            name: "bot".into(),
            file: syn::parse_file(source).unwrap(),
            dependencies: HashMap::new(),
        }];
        let tree = Tree::new(&sources);
        let path = ItemPath {
            absolute: false,
            segments: path.split("::").map(String::from).collect(),
        };
        let targets = tree.resolve(0, &path, None).targets.into_iter();
        targets
            .map(|target| match target {
                Target::Item(id) => name_of(tree.items[id].syntax).unwrap_or_default(),
                Target::Module(id) => tree.name_of_module(id),
                Target::External(name, _) => format!("{name} elsewhere"),
            })
            .collect()
    }

    #[test]
    fn paths_resolve_through_imports_globs_and_renamed_crates() {
        let source = "
            extern crate self as bot; use bot::a::b as c; use a::*;
            mod a { pub mod b { pub fn f() {} } pub use super::E::*; pub enum X { Y } }
            enum E { One, Two }";
        assert_eq!(targets(source, "c::f"), ["f"]);
        assert_eq!(targets(source, "b::f"), ["f"]);
        assert_eq!(targets(source, "crate::c"), ["bot::a::b"]);
        assert_eq!(targets(source, "Two"), ["E"]);
        assert_eq!(targets(source, "std::fmt"), ["std elsewhere"]);
        assert_eq!(targets(source, "nothing"), Vec::<String>::new());
    }

    #[test]
    fn cyclic_imports_come_to_an_end() {
        let same_name = "extern crate self as lib; use lib::go::go; mod go { pub fn go() {} }";
        assert!(targets(same_name, "go").contains(&"go".to_string()));
        let globs = "use std::a::*; use std::b::*; use x::*; use y::*; mod x { pub use super::*; pub fn f() {} }
                     mod y { pub use super::x::*; }";
        assert!(targets(globs, "f").contains(&"f".to_string()));
        assert_eq!(targets(globs, "g"), Vec::<String>::new());
        assert_eq!(
            targets("use b as a; use a as b;", "a::c"),
            Vec::<String>::new()
        );
    }
}

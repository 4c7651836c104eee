//! Where a path leads among the items of a [`Tree`]: through modules, imports and other names of crates.
//!
//! What cannot be told by names alone is told too much rather than too little: of two things of one name
//! both are found.

use super::crates::Other;
use super::mention::{DOLLAR_CRATE, Path};
use super::tree::{ItemId, Kind, ModuleId, Tree, name_of};
use std::collections::HashSet;
use syn::Item;

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

impl<'a> Tree<'a> {
    /// Follows `path` as it is written in `module`, past the import `skip`, which is what asks.
    pub(super) fn follow(&self, module: ModuleId, path: &Path, skip: Option<ItemId>) -> Way {
        self.follow_past(module, path, skip.into_iter().collect())
    }

    fn follow_past(&self, module: ModuleId, path: &Path, busy: Vec<ItemId>) -> Way {
        let mut walk = Walk {
            tree: self,
            way: Way::default(),
            seen: HashSet::new(),
            busy,
        };
        walk.path(module, path);
        walk.way
    }
}

/// Crates that are there without being declared.
const STANDARD: [&str; 3] = ["std", "core", "alloc"];

struct Walk<'t, 'a> {
    tree: &'t Tree<'a>,
    way: Way,
    /// What was looked up where: imports may lead round in circles.
    seen: HashSet<(ModuleId, Vec<String>)>,
    /// The imports being followed: none of them leads on through itself.
    busy: Vec<ItemId>,
}

impl Walk<'_, '_> {
    fn path(&mut self, module: ModuleId, path: &Path) {
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
        } else if path.absolute || !self.lookup(here, rest) && !within {
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
            Some(Other::Bundled(root)) => self.within(root, rest),
            Some(Other::Elsewhere(origin)) => {
                let end = End::Elsewhere(name.to_string(), Some(origin));
                self.way.ends.push(end);
            }
            None => self.way.ends.push(End::Elsewhere(name.to_string(), None)),
        }
    }

    fn within(&mut self, module: ModuleId, rest: &[String]) {
        if rest.is_empty() {
            self.way.ends.push(End::Module(module));
        } else {
            self.lookup(module, rest);
        }
    }

    /// Follows a path from what `module` calls its first segment; `false` when it calls nothing so.
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
            Kind::Module(module) => self.within(*module, rest),
            Kind::Import(import) => {
                let mut path = import.path.clone();
                path.segments.extend_from_slice(rest);
                self.busy.push(id);
                self.path(entry.module, &path);
                self.busy.pop();
            }
            Kind::Crate(other) => {
                let name = name_of(entry.syntax).unwrap_or_default();
                self.other(&name, other.clone(), rest);
            }
            _ => self.way.ends.push(End::Item(id)),
        }
    }

    fn lookup_globs(&mut self, module: ModuleId, path: &[String]) -> bool {
        if STANDARD.contains(&path[0].as_str()) || !self.seen.insert((module, path.to_vec())) {
            return false;
        }
        let mut found = false;
        for &id in &self.tree.modules[module].globs {
            let entry = &self.tree.items[id];
            let Kind::Import(import) = &entry.kind else {
                continue;
            };
            if self.busy.contains(&id) {
                continue;
            }
            self.busy.push(id);
            let busy = self.busy.clone();
            let target = self.tree.follow_past(entry.module, &import.path, busy);
            for end in &target.ends {
                let here = match *end {
                    End::Module(target) if target != module => self.lookup(target, path),
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
    use super::super::tree::Source;
    use super::*;
    use std::collections::HashMap;

    /// The names of the items that a path in the root of this source ends at.
    fn ends(source: &str, path: &str) -> Vec<String> {
        let sources = [Source {
            name: "bot".into(),
            file: syn::parse_file(source).unwrap(),
            others: HashMap::new(),
        }];
        let tree = Tree::new(&sources);
        let path = Path {
            absolute: false,
            segments: path.split("::").map(String::from).collect(),
        };
        let ends = tree.follow(0, &path, None).ends.into_iter();
        ends.map(|end| match end {
            End::Item(id) => name_of(tree.items[id].syntax).unwrap_or_default(),
            End::Module(id) => tree.name_of_module(id),
            End::Elsewhere(name, _) => format!("{name} elsewhere"),
        })
        .collect()
    }

    #[test]
    fn paths_lead_through_imports_globs_and_other_names() {
        let source = "
            extern crate self as bot; use bot::a::b as c; use a::*;
            mod a { pub mod b { pub fn f() {} } pub use super::E::*; pub enum X { Y } }
            enum E { One, Two }";
        assert_eq!(ends(source, "c::f"), ["f"]);
        assert_eq!(ends(source, "b::f"), ["f"]);
        assert_eq!(ends(source, "crate::c"), ["bot::a::b"]);
        assert_eq!(ends(source, "Two"), ["E"]);
        assert_eq!(ends(source, "std::fmt"), ["std elsewhere"]);
        assert_eq!(ends(source, "nothing"), Vec::<String>::new());
    }

    #[test]
    fn imports_that_lead_round_in_circles_come_to_an_end() {
        let same_name = "extern crate self as lib; use lib::go::go; mod go { pub fn go() {} }";
        assert!(ends(same_name, "go").contains(&"go".to_string()));
        let globs = "use std::a::*; use std::b::*; use x::*; use y::*; mod x { pub use super::*; pub fn f() {} }
                     mod y { pub use super::x::*; }";
        assert!(ends(globs, "f").contains(&"f".to_string()));
        assert_eq!(ends(globs, "g"), Vec::<String>::new());
        assert_eq!(
            ends("use b as a; use a as b;", "a::c"),
            Vec::<String>::new()
        );
    }
}

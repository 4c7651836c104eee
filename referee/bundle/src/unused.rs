//! Finds dead code by the compiler's lints, and removes it.

use super::BundleError;
use proc_macro2::Span;
use serde_json::Value;
use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Ident, ImplItem, Item, Stmt, TraitItem};

/// The lints that report dead code.
const LINTS: [&str; 3] = ["dead_code", "unused_imports", "unused_macros"];

/// The spans in `text`, in bytes, of names that the compiler reports as unused.
///
/// # Errors
/// When the text does not compile.
pub(super) fn find(text: &str) -> Result<HashSet<Range<usize>>, BundleError> {
    let folder = tempfile::tempdir().map_err(BundleError::Scratch)?;
    let file = folder.path().join("bundle.rs");
    std::fs::write(&file, text).map_err(BundleError::Scratch)?;
    let messages = compile(&file, folder.path())?;
    let mut errors = String::new();
    let mut places = HashSet::new();
    for message in &messages {
        if message["level"] == "error" {
            errors.push_str(message["rendered"].as_str().unwrap_or_default());
        }
        let lint = message["code"]["code"].as_str().unwrap_or_default();
        if LINTS.contains(&lint) {
            let spans = message["spans"].as_array().into_iter().flatten();
            let primary = spans.filter(|span| span["is_primary"] == true);
            places.extend(primary.filter_map(|span| {
                let offset = |name: &str| usize::try_from(span[name].as_u64()?).ok();
                Some(offset("byte_start")?..offset("byte_end")?)
            }));
        }
    }
    if errors.is_empty() {
        Ok(places)
    } else {
        Err(BundleError::DoesNotCompile(errors))
    }
}

/// Type-checks a file with the arena's edition; returns the compiler's messages.
fn compile(file: &Path, folder: &Path) -> Result<Vec<Value>, BundleError> {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler)
        .args([
            "--edition",
            "2021",
            "--crate-type",
            "bin",
            "--emit",
            "metadata",
        ])
        .args(["--crate-name", "bundle", "--error-format", "json"])
        .args(LINTS.map(|lint| format!("-W{lint}")))
        .arg("--out-dir")
        .arg(folder)
        .arg(file)
        .output()
        .map_err(BundleError::Compiler)?;
    let messages = String::from_utf8_lossy(&output.stderr);
    let messages: Vec<Value> = messages
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let told = messages.iter().any(|message| message["level"] == "error");
    if output.status.success() || told {
        Ok(messages)
    } else {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(BundleError::DoesNotCompile(words))
    }
}

/// Removes the items named at `places` from a file parsed from the text of these spans; returns their number.
///
/// Types stay, for other items may name them. They go when they are no longer reachable.
pub(super) fn remove(file: &mut syn::File, places: &HashSet<Range<usize>>) -> usize {
    let mut remover = Remover {
        places,
        removed: 0,
        methods: HashSet::new(),
    };
    remover.items(&mut file.items);
    remover.visit_file_mut(file);
    // Drop impl items that the pruned trait no longer declares.
    let methods = std::mem::take(&mut remover.methods);
    Implementations { methods }.visit_file_mut(file);
    drop_empty(&mut file.items);
    remover.removed
}

/// Drops empty inherent impls: `impl Type {}`.
fn drop_empty(items: &mut Vec<Item>) {
    items.retain_mut(|item| match item {
        Item::Impl(item) => item.trait_.is_some() || !item.items.is_empty(),
        Item::Mod(item) => {
            if let Some((_, items)) = &mut item.content {
                drop_empty(items);
            }
            true
        }
        _ => true,
    });
}

struct Remover<'a> {
    places: &'a HashSet<Range<usize>>,
    removed: usize,
    /// Items removed from traits, each as the trait's name and the item's.
    methods: HashSet<(String, String)>,
}

impl Remover<'_> {
    fn is_unused(&mut self, name: Span) -> bool {
        let unused = self.places.contains(&name.byte_range());
        self.removed += usize::from(unused);
        unused
    }

    fn is_unused_item(&mut self, item: &Item) -> bool {
        match item {
            Item::Fn(item) => self.is_unused(item.sig.ident.span()),
            Item::Const(item) => self.is_unused(item.ident.span()),
            Item::Static(item) => self.is_unused(item.ident.span()),
            Item::Type(item) => self.is_unused(item.ident.span()),
            Item::Macro(item) => match &item.ident {
                Some(name) => self.is_unused(name.span()),
                None => false,
            },
            Item::Use(item) => {
                let whole = item.span().byte_range();
                let inside =
                    |place: &Range<usize>| whole.start <= place.start && place.end <= whole.end;
                let unused = self.places.iter().any(inside);
                self.removed += usize::from(unused);
                unused
            }
            _ => false,
        }
    }

    fn items(&mut self, items: &mut Vec<Item>) {
        items.retain(|item| !self.is_unused_item(item));
    }
}

impl VisitMut for Remover<'_> {
    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            self.items(items);
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        item.items
            .retain(|part| !name_of(part).is_some_and(|name| self.is_unused(name.span())));
        visit_mut::visit_item_impl_mut(self, item);
    }

    /// All items of an unused trait go. The trait stays, for impls and imports name it.
    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        let whole = self.places.contains(&item.ident.span().byte_range());
        item.items.retain(|part| {
            let name = match part {
                TraitItem::Fn(part) => &part.sig.ident,
                TraitItem::Const(part) => &part.ident,
                TraitItem::Type(part) => &part.ident,
                _ => return true,
            };
            let unused = self.is_unused(name.span()) || whole;
            if unused {
                self.removed += usize::from(whole);
                self.methods
                    .insert((item.ident.to_string(), name.to_string()));
            }
            !unused
        });
        visit_mut::visit_item_trait_mut(self, item);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.retain(|statement| match statement {
            Stmt::Item(item) => !self.is_unused_item(item),
            _ => true,
        });
        visit_mut::visit_block_mut(self, block);
    }
}

/// Removes items from impls of traits that no longer declare them.
struct Implementations {
    methods: HashSet<(String, String)>,
}

impl VisitMut for Implementations {
    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        let of_trait = item
            .trait_
            .as_ref()
            .and_then(|(_, path, _)| path.segments.last());
        if let Some(name) = of_trait.map(|last| last.ident.to_string()) {
            let removed = |part: &Ident| self.methods.contains(&(name.clone(), part.to_string()));
            item.items
                .retain(|part| !name_of(part).is_some_and(removed));
        }
        visit_mut::visit_item_impl_mut(self, item);
    }
}

/// The name of an item in an impl.
fn name_of(item: &ImplItem) -> Option<&Ident> {
    match item {
        ImplItem::Fn(item) => Some(&item.sig.ident),
        ImplItem::Const(item) => Some(&item.ident),
        ImplItem::Type(item) => Some(&item.ident),
        _ => None,
    }
}

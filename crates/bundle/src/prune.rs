//! Removes dead code: everything that the compiler reports as unused, repeatedly until it reports nothing.
//!
//! The compiler also resolves names here. A type or trait that it reports as unused may still be named by an import or
//! the header of an `impl`; once the type is gone, these no longer compile, so they are removed too. If the errors are
//! elsewhere, the round is undone, and the code that it should not have removed stays.

use super::errors::BundleError;
use super::items::{items_of, name_of};
use super::places::{Files, Location, Places};
use super::rustc::{Compiler, Messages, code, does_not_compile, ranges};
use super::text;
use cargo_metadata::diagnostic::Diagnostic;
use proc_macro2::Span;
use std::collections::HashSet;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Ident, ImplItem, Item, ItemImpl, Stmt, TraitItem};

/// A file whose spans are offsets into its text.
#[derive(Clone)]
pub(super) struct SpannedFile {
    pub(super) file: syn::File,
    pub(super) text: String,
    pub(super) places: Places,
}

impl SpannedFile {
    /// A file that was assembled from `files`.
    pub(super) fn new(file: &syn::File, files: &Files) -> Result<SpannedFile, BundleError> {
        SpannedFile::with_places(file, |span| files.place(span))
    }

    fn with_places(
        file: &syn::File,
        place: impl Fn(Span) -> Option<Location>,
    ) -> Result<SpannedFile, BundleError> {
        let (text, tokens) = text::tokens(file);
        let file = syn::parse_file(&text)?;
        let places = tokens.into_iter();
        let places = Places(places.map(|(offset, span)| (offset, place(span))).collect());
        Ok(SpannedFile { file, text, places })
    }
}

/// The file without dead code.
///
/// # Errors
/// When the file does not compile.
pub(super) fn prune(source: SpannedFile, compiler: &Compiler) -> Result<SpannedFile, BundleError> {
    prune_after(None, source, compiler)
}

/// The file without the subjects of these errors and without the code that is then dead; unchanged if that is
/// impossible.
///
/// # Errors
/// When the compiler cannot be run.
pub(super) fn without(
    whole: &SpannedFile,
    errors: &[Diagnostic],
    compiler: &Compiler,
) -> Result<SpannedFile, BundleError> {
    let (source, removed) = remove(whole, Reason::Broken, errors)?;
    prune_after(Some((whole.clone(), removed)), source, compiler)
}

/// `before` is the last state that compiled, with the code that was then removed from it.
fn prune_after(
    mut before: Option<(SpannedFile, HashSet<String>)>,
    mut source: SpannedFile,
    compiler: &Compiler,
) -> Result<SpannedFile, BundleError> {
    let mut needed = HashSet::new();
    loop {
        let Messages { errors, unused } = compiler.check(&source.text, false)?;
        if errors.is_empty() {
            let (after, removed) = remove(&source, Reason::Unused(&needed), &unused)?;
            if removed.is_empty() {
                return Ok(source);
            }
            before = Some((std::mem::replace(&mut source, after), removed));
            continue;
        }
        let Some((compiled, removed)) = &mut before else {
            return Err(does_not_compile(&errors, &source.places));
        };
        let (after, broken) = remove(&source, Reason::Broken, &errors)?;
        if !broken.is_empty() {
            source = after;
            continue;
        }
        // Some of the removed code is needed after all: the names in the errors, or else all of it.
        let named = |name: &String| {
            let quoted = format!("`{name}`");
            errors.iter().any(|error| error.message.contains(&quoted))
        };
        let mut more: HashSet<String> =
            removed.iter().filter(|name| named(name)).cloned().collect();
        if more.is_empty() {
            more = std::mem::take(removed);
        }
        if more.is_subset(&needed) {
            return Err(does_not_compile(&errors, &source.places));
        }
        needed.extend(more);
        source = compiled.clone();
    }
}

/// Why something is removed.
#[derive(Clone, Copy)]
enum Reason<'a> {
    /// The compiler reports its name as unused, and it is not one of these.
    Unused(&'a HashSet<String>),
    /// It names something that is gone.
    Broken,
}

/// The file without the subjects of these messages, and the names of the removed items.
fn remove(
    source: &SpannedFile,
    reason: Reason<'_>,
    messages: &[Diagnostic],
) -> Result<(SpannedFile, HashSet<String>), BundleError> {
    // Names of impl items whose trait no longer declares them.
    let undeclared = ["E0407", "E0437", "E0438"];
    let mut remover = Remover {
        reason,
        places: HashSet::new(),
        undeclared: HashSet::new(),
        removed: HashSet::new(),
    };
    for message in messages {
        let to = if undeclared.contains(&code(message)) {
            &mut remover.undeclared
        } else {
            &mut remover.places
        };
        to.extend(ranges(message));
    }
    let mut file = source.file.clone();
    remover.items(&mut file.items);
    remover.visit_file_mut(&mut file);
    let after = SpannedFile::with_places(&file, |span| source.places.at(start(span)))?;
    Ok((after, remover.removed))
}

struct Remover<'a> {
    reason: Reason<'a>,
    places: HashSet<Range<usize>>,
    undeclared: HashSet<Range<usize>>,
    removed: HashSet<String>,
}

impl Remover<'_> {
    /// Whether this name is reported as unused.
    fn is_unused(&mut self, name: &Ident) -> bool {
        let Reason::Unused(needed) = self.reason else {
            return false;
        };
        let text = name.to_string();
        let unused = self.places.contains(&name.span().byte_range()) && !needed.contains(&text);
        if unused {
            self.removed.insert(text);
        }
        unused
    }

    /// Whether a message is about something in this range.
    fn is_about(&mut self, whole: &Range<usize>, name: &str) -> bool {
        let about = any_inside(&self.places, whole);
        if about {
            self.removed.insert(name.to_string());
        }
        about
    }

    fn is_dead(&mut self, item: &Item) -> bool {
        match item {
            Item::Use(item) => self.is_about(&item.span().byte_range(), "use"),
            Item::Impl(item) => {
                let header = item.span().byte_range().start..start(item.brace_token.span.open());
                let broken = matches!(self.reason, Reason::Broken);
                let empty = item.trait_.is_none() && item.items.is_empty();
                empty || broken && self.is_about(&header, "impl")
            }
            Item::Macro(item) => item.ident.as_ref().is_some_and(|name| self.is_unused(name)),
            Item::Mod(item) => matches!(&item.content, Some((_, items)) if items.is_empty()),
            Item::Struct(_) | Item::Enum(_) | Item::Union(_) => {
                // Drop derives: the compiler does not report types that have derived code.
                let name = name_of(item).expect("a type has a name");
                let attributes = start(item.span())..start(name.span());
                let broken = matches!(self.reason, Reason::Broken);
                self.is_unused(name) || broken && self.is_about(&attributes, "type")
            }
            _ => name_of(item).is_some_and(|name| self.is_unused(name)),
        }
    }

    fn items(&mut self, items: &mut Vec<Item>) {
        for inner in items.iter_mut().filter_map(items_of) {
            self.items(inner);
        }
        items.retain(|item| !self.is_dead(item));
    }
}

impl VisitMut for Remover<'_> {
    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        item.items.retain(|part| {
            let name = match part {
                ImplItem::Fn(part) => &part.sig.ident,
                ImplItem::Const(part) => &part.ident,
                ImplItem::Type(part) => &part.ident,
                _ => return true,
            };
            let undeclared = any_inside(&self.undeclared, &part.span().byte_range());
            if undeclared {
                self.removed.insert(name.to_string());
            }
            !undeclared && !self.is_unused(name)
        });
        visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        item.items.retain(|part| match part {
            TraitItem::Fn(part) => !self.is_unused(&part.sig.ident),
            TraitItem::Const(part) => !self.is_unused(&part.ident),
            TraitItem::Type(part) => !self.is_unused(&part.ident),
            _ => true,
        });
        visit_mut::visit_item_trait_mut(self, item);
    }

    fn visit_item_enum_mut(&mut self, item: &mut syn::ItemEnum) {
        // A cast or `repr` shows the number of a variant. Then only the last variants can be removed.
        let numbered = item.variants.iter().all(|one| one.fields.is_empty())
            || item.attrs.iter().any(|one| one.path().is_ident("repr"));
        let mut kept = Vec::new();
        for variant in std::mem::take(&mut item.variants).into_iter().rev() {
            if numbered && !kept.is_empty() || !self.is_unused(&variant.ident) {
                kept.push(variant);
            }
        }
        item.variants = kept.into_iter().rev().collect();
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.retain(|statement| match statement {
            Stmt::Item(item) => !self.is_dead(item),
            _ => true,
        });
        visit_mut::visit_block_mut(self, block);
    }
}

/// Whether one of these places is in a range.
fn any_inside(places: &HashSet<Range<usize>>, whole: &Range<usize>) -> bool {
    let mut places = places.iter();
    places.any(|place| whole.start <= place.start && place.end <= whole.end)
}

fn start(span: Span) -> usize {
    span.byte_range().start
}

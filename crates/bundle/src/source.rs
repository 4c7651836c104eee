//! Parses a crate into one syntax tree: the files of its modules inlined, without tests, documentation and
//! attributes that mean nothing in a bundle.

use super::cfg;
use super::crates::Crate;
use super::errors::BundleError;
use super::places::Files;
use super::tokens::TokenReader;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::path::{Path, PathBuf};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Item, ItemMod, Meta, token};

/// The syntax tree of a crate with all its modules.
///
/// # Errors
/// When a file cannot be read or is not Rust, or a module has no file.
pub(super) fn read(krate: &Crate, files: &mut Files) -> Result<syn::File, BundleError> {
    let mut reader = SourceReader {
        folder: folder_of(krate.root()),
        base: folder_of(krate.root()),
        problem: None,
        tokens: TokenReader {
            krate,
            files,
            within: Vec::new(),
        },
    };
    let mut file = reader.parse(krate.root(), Span::call_site())?;
    reader.visit_file_mut(&mut file);
    match reader.problem {
        None => Ok(file),
        Some(problem) => Err(problem),
    }
}

fn folder_of(file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).to_path_buf()
}

struct SourceReader<'a> {
    /// Where modules declared in the current module have their files.
    folder: PathBuf,
    /// What a `#[path]` is relative to: the folder of the file, or that of the inline module.
    base: PathBuf,
    /// The first; nothing more is read then.
    problem: Option<BundleError>,
    tokens: TokenReader<'a>,
}

impl SourceReader<'_> {
    fn parse(&mut self, path: &Path, from: Span) -> Result<syn::File, BundleError> {
        let tokens = self.tokens.read(path, from)?;
        syn::parse2(tokens).map_err(|error| BundleError::Source {
            file: path.to_path_buf(),
            line: error.span().start().line,
            problem: error.to_string(),
        })
    }

    /// Whether an attribute stays: documentation and lint levels do not.
    fn is_wanted(attribute: &mut Attribute) -> bool {
        let path = attribute.path();
        let tool = path.segments.first();
        let dropped = ["doc", "warn", "deny", "forbid", "must_use", "no_std"];
        if dropped.iter().any(|name| path.is_ident(name))
            || tool.is_some_and(|tool| tool.ident == "rustfmt")
        {
            return false;
        }
        if path.is_ident("allow") || path.is_ident("expect") {
            let Meta::List(list) = &mut attribute.meta else {
                return false;
            };
            // `allow(dead_code)` would hide dead code from the lints, and lints of other tools do not run on a
            // bundle. A lint that is deny by default must stay allowed.
            let tokens = list.tokens.to_string();
            let irrelevant = ["clippy", "rustdoc", "unused", "dead_code", "reason"];
            list.path = syn::parse_quote!(allow);
            return !irrelevant.iter().any(|word| tokens.contains(word));
        }
        true
    }

    /// Inlines the file of `mod name;`.
    fn read_module(&mut self, module: &mut ItemMod) -> Result<(), BundleError> {
        let name = module.ident.to_string();
        let name = name.trim_start_matches("r#");
        let span = module.ident.span();
        let named = path_attribute(&mut module.attrs);
        let is_named = named.is_some();
        let candidates = match named {
            Some(path) => vec![self.base.join(path)],
            None => vec![
                self.folder.join(format!("{name}.rs")),
                self.folder.join(name).join("mod.rs"),
            ],
        };
        let Some(path) = candidates.iter().find(|path| path.is_file()) else {
            let candidates = candidates.iter().map(|path| path.display().to_string());
            let candidates = candidates.collect::<Vec<_>>().join(" or ");
            let problem = format!("declares the module `{name}`, but there is no {candidates}");
            return Err(self.tokens.error(span, problem));
        };
        let mut file = self.parse(path, span)?;
        // The modules in a file that `#[path]` names lie beside it, as those in a `mod.rs` do.
        let base = folder_of(path);
        let folder = if is_named || path.ends_with("mod.rs") {
            base.clone()
        } else {
            path.with_extension("")
        };
        self.visit_attributes_mut(&mut file.attrs);
        self.visit_inside(folder, base, &mut file.items);
        self.tokens.within.pop();
        module.attrs.extend(file.attrs);
        module.semi = None;
        module.content = Some((token::Brace::default(), file.items));
        Ok(())
    }

    /// Visits the items of a module, with the folders of its own modules.
    fn visit_inside(&mut self, folder: PathBuf, base: PathBuf, items: &mut Vec<Item>) {
        let outer = [&mut self.folder, &mut self.base].map(std::mem::take);
        (self.folder, self.base) = (folder, base);
        self.visit_items(items);
        [self.folder, self.base] = outer;
    }

    fn visit_items(&mut self, items: &mut Vec<Item>) {
        for item in &mut *items {
            self.visit_item_mut(item);
        }
        items.retain(is_kept);
    }
}

impl VisitMut for SourceReader<'_> {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        self.visit_attributes_mut(&mut file.attrs);
        self.visit_items(&mut file.items);
    }

    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        self.visit_attributes_mut(&mut module.attrs);
        // The file of a module that is left out need not be there.
        if !is_kept(module) {
            return;
        }
        if let Some((_, items)) = &mut module.content {
            let folder = match path_attribute(&mut module.attrs) {
                Some(path) => self.base.join(path),
                None => self.folder.join(module.ident.to_string()),
            };
            self.visit_inside(folder.clone(), folder, items);
        } else if self.problem.is_none()
            && let Err(problem) = self.read_module(module)
        {
            self.problem = Some(problem);
        }
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        visit_mut::visit_item_impl_mut(self, item);
        item.items.retain(is_kept);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        block.stmts.retain(is_kept);
    }

    // Parts of other kinds stay under `cfg(any())`; the compiler drops them.
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        cfg::simplify(attributes, &self.tokens.krate.features);
        let leaves_out = |attribute: &Attribute| {
            let name = attribute.path().segments.last();
            let is_test = name.is_some_and(|name| name.ident == "test" || name.ident == "bench");
            is_test || *attribute == cfg::never()
        };
        if attributes.iter().any(leaves_out) {
            *attributes = vec![cfg::never()];
        }
        attributes.retain_mut(SourceReader::is_wanted);
    }
}

/// Whether the first attribute of a part of a file does not leave it out.
fn is_kept(part: &impl ToTokens) -> bool {
    let begin: TokenStream = part.to_token_stream().into_iter().take(2).collect();
    begin.to_string() != cfg::never().to_token_stream().to_string()
}

/// Removes `#[path = "…"]` and returns its path.
fn path_attribute(attributes: &mut Vec<Attribute>) -> Option<String> {
    let place = attributes
        .iter()
        .position(|attribute| attribute.path().is_ident("path"))?;
    cfg::string_value(&attributes.remove(place).meta)
}

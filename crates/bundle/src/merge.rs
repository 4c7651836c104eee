//! Merges crates into one file: the binary at its root, each library in its own module.

use super::crates::Crate;
use super::errors::BundleError;
use super::imports;
use super::items::{name_of, visibility_of};
use super::macros::{self, MacroUse};
use super::paths::CratePaths;
use quote::ToTokens;
use std::collections::HashSet;
use syn::{Ident, Item, UseTree, Visibility, parse_quote};

/// Merges crates, the binary first, each with its source, into one file.
///
/// The binary's constants are at the top, where people look for settings.
///
/// # Errors
/// When the tokens of a crate cannot be parsed after its paths were rewritten.
pub(super) fn merge(
    crates: &[Crate],
    mut sources: Vec<syn::File>,
) -> Result<syn::File, BundleError> {
    for source in &mut sources {
        imports::split(&mut source.items);
    }
    let exported: Vec<HashSet<String>> = sources
        .iter()
        .map(|source| macros::defined(&source.items, true))
        .collect();
    let own_macros = macros::defined(&sources[0].items, false);
    let modules = module_names(crates, &sources[0]);
    let (mut attrs, mut top, mut roots) = (Vec::new(), Vec::new(), Vec::new());
    for ((krate, source), module) in crates.iter().zip(sources).zip(&modules) {
        let mut own = source.items;
        macros::name_crate(&mut own, &krate.name());
        let bundled = krate.bundled.iter();
        let mut paths = CratePaths {
            module: module.clone(),
            others: bundled
                .map(|(name, &at)| (name.clone(), modules[at].clone()))
                .collect(),
        };
        let (outside, used) = extern_crates(&mut own, &mut paths);
        top.extend(outside);
        paths.rewrite(&mut own)?;
        let brought = macros::brought(&used, |name| {
            let at = *krate.bundled.get(name)?;
            Some((&exported[at], modules[at].as_deref()?))
        });
        let defined = macros::defined(&own, false);
        macros::import(&mut own, &brought, &defined);
        macros::export(&mut own, module.as_deref());
        attrs.extend(source.attrs);
        roots.push(own);
    }
    let mut hidden: HashSet<String> = exported.into_iter().flatten().collect();
    hidden.extend(modules.iter().flatten().cloned());
    macros::hide_imports(&mut roots, &mut hidden);
    let mut rest = roots.remove(0);
    let items = roots
        .iter()
        .zip(modules.iter().flatten())
        .map(|(own, module)| {
            let module = Ident::new(module, proc_macro2::Span::call_site());
            parse_quote!(mod #module { #(#own)* })
        });
    // A constant that a macro of the binary defines stays after that macro.
    let constants = |item: &mut Item| {
        matches!(item, Item::Const(_)) && !macros::calls(item.to_token_stream(), &own_macros)
    };
    let mut whole: Vec<Item> = rest.extract_if(.., constants).collect();
    // Macros of the binary's root must not be in scope in the libraries, so the libraries come first.
    whole.extend(top.into_iter().chain(items).chain(rest));
    attrs.dedup();
    Ok(syn::File {
        shebang: None,
        attrs,
        items: whole,
    })
}

/// The module of each crate: called like the crate, unless the binary or another crate has that name.
fn module_names(crates: &[Crate], binary: &syn::File) -> Vec<Option<String>> {
    let root = binary.items.iter();
    let mut taken: HashSet<String> = root.filter_map(name_of).map(ToString::to_string).collect();
    let mut names = vec![None];
    for krate in &crates[1..] {
        let mut name = krate.name();
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        names.push(Some(name));
    }
    names
}

/// Drops `use other;` if `other` is a module, turns `extern crate other as name;` into an import and
/// `extern crate self as name;` into a name of the crate; returns those of other crates, and the macros that
/// `#[macro_use]` brings.
fn extern_crates(items: &mut Vec<Item>, paths: &mut CratePaths) -> (Vec<Item>, Vec<MacroUse>) {
    let (mut outside, mut used) = (Vec::new(), Vec::new());
    items.retain_mut(|item| {
        if let Item::Use(item) = item
            && let UseTree::Name(name) = &item.tree
        {
            // At the binary's root, the module of the crate is there already.
            let module = paths.others.get(&name.ident.to_string());
            let there =
                module.is_some_and(|module| module.as_ref().is_some_and(|m| name.ident == m));
            return paths.module.is_some() || !there;
        }
        let Item::ExternCrate(declared) = item else {
            return true;
        };
        used.extend(MacroUse::of(&declared.ident, &declared.attrs));
        let renamed = declared.rename.as_ref().map(|(_, name)| name.clone());
        let name = renamed.clone().unwrap_or_else(|| declared.ident.clone());
        if declared.ident == "self" {
            paths.others.insert(name.to_string(), paths.module.clone());
            return false;
        }
        let Some(other) = paths.others.get(&declared.ident.to_string()) else {
            if !outside.contains(item) {
                outside.push(item.clone());
            }
            return false;
        };
        let is_there = other.as_ref().is_none_or(|other| name == other);
        if paths.module.is_some() || !is_there {
            let (vis, other) = (&declared.vis, &declared.ident);
            *item = if name == *other {
                parse_quote!(#vis use #other;)
            } else {
                parse_quote!(#vis use #other as #name;)
            };
            return true;
        }
        false
    });
    (outside, used)
}

/// Makes public items of the root private, because the compiler never reports public items as unused.
///
/// Private items of the root are visible everywhere in it. Only items that a module re-exports must stay public.
pub(super) fn hide_root(file: &syn::File) -> syn::File {
    let mut file = file.clone();
    for item in &mut file.items {
        if let Some(visibility) = visibility_of(item) {
            *visibility = Visibility::Inherited;
        }
    }
    file
}

//! Merges crates into one file: the binary at its root, each library in a module of its own.

use super::crates::Crate;
use super::errors::BundleError;
use super::imports;
use super::items::{name_of, visibility_of};
use super::paths::CratePaths;
use std::collections::HashSet;
use syn::{Attribute, Ident, Item, ItemMod, UseTree, Visibility, parse_quote};

/// Merges crates, the binary first, each with its source, into one file.
///
/// The binary's constants are on top, where people look for what to change.
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
    let modules = module_names(crates, &sources[0]);
    let (mut attrs, mut top, mut items, mut rest) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for ((krate, source), module) in crates.iter().zip(sources).zip(&modules) {
        let mut own = source.items;
        let bundled = krate.bundled.iter();
        let mut paths = CratePaths {
            module: module.clone(),
            others: bundled
                .map(|(name, &at)| (name.clone(), modules[at].clone()))
                .collect(),
        };
        top.extend(extern_crates(&mut own, &mut paths));
        paths.rewrite(&mut own)?;
        exported_macros(&mut own);
        attrs.extend(source.attrs);
        match module {
            None => rest = own,
            Some(module) => {
                let module = Ident::new(module, proc_macro2::Span::call_site());
                items.push(parse_quote!(mod #module { #(#own)* }));
            }
        }
    }
    let constants = |item: &mut Item| matches!(item, Item::Const(_));
    let mut whole: Vec<Item> = rest.extract_if(.., constants).collect();
    // Macros of the binary's root are not to be in scope in the libraries, which therefore precede them.
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

/// Drops `use other;` where that is a module, turns `extern crate other as name;` into an import and
/// `extern crate self as name;` into a name of the crate; returns those of other crates.
fn extern_crates(items: &mut Vec<Item>, paths: &mut CratePaths) -> Vec<Item> {
    let mut outside = Vec::new();
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
        let renamed = declared.rename.as_ref().map(|(_, name)| name.clone());
        let name = renamed.clone().unwrap_or_else(|| declared.ident.clone());
        if declared.ident == "self" {
            paths.others.insert(name.to_string(), paths.module.clone());
            return false;
        }
        let Some(other) = paths.others.get(&declared.ident.to_string()).cloned() else {
            if !outside.contains(item) {
                outside.push(item.clone());
            }
            return false;
        };
        if let Some(other) = other.filter(|other| paths.module.is_some() || name != other) {
            let other = Ident::new(&other, name.span());
            let vis = &declared.vis;
            *item = parse_quote!(#vis use crate::#other as #name;);
            return true;
        }
        false
    });
    outside
}

/// Gives macros with `#[macro_export]` a path to the root of their crate by imports instead: an exported macro is
/// never reported as unused, and would be at the root of the bundle. Returns their names.
fn exported_macros(items: &mut Vec<Item>) -> Vec<Ident> {
    let mut names = Vec::new();
    let mut added: Vec<Item> = Vec::new();
    for item in &mut *items {
        match item {
            Item::Macro(item) => {
                let exported =
                    |attribute: &mut Attribute| attribute.path().is_ident("macro_export");
                let exported = item.attrs.extract_if(.., exported).count() > 0;
                if let Some(name) = item.ident.clone().filter(|_| exported) {
                    added.push(parse_quote!(pub(crate) use #name;));
                    names.push(name);
                }
            }
            Item::Mod(ItemMod {
                ident,
                content: Some((_, items)),
                ..
            }) => {
                for name in exported_macros(items) {
                    added.push(parse_quote!(pub(crate) use self::#ident::#name;));
                    names.push(name);
                }
            }
            _ => {}
        }
    }
    items.extend(added);
    names
}

/// Makes public items of the root private, for the compiler never reports public ones as unused.
///
/// Private items of the root are visible everywhere in it; only what some module re-exports must stay public.
pub(super) fn hide_root(file: &syn::File) -> syn::File {
    let mut file = file.clone();
    for item in &mut file.items {
        if let Some(visibility) = visibility_of(item) {
            *visibility = Visibility::Inherited;
        }
    }
    file
}

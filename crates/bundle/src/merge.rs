//! Merges crates into one file: the binary at its root, each library in its own module.

use super::crates::Crate;
use super::errors::BundleError;
use super::imports;
use super::items::{name_of, visibility_of};
use super::macros;
use super::paths::CratePaths;
use quote::{ToTokens, format_ident};
use std::collections::HashSet;
use syn::{Item, UseTree, Visibility, parse_quote};

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
    let modules = module_names(crates, &sources[0]);
    let (mut attrs, mut roots) = (Vec::new(), Vec::new());
    for ((krate, source), module) in crates.iter().zip(sources).zip(&modules) {
        let mut own = source.items;
        let bundled = krate.bundled.iter();
        let paths = CratePaths {
            module: module.clone(),
            others: bundled
                .map(|(name, &at)| (name.clone(), modules[at].clone()))
                .collect(),
        };
        own.retain(|item| !is_own_module(item, &paths));
        macros::call_by_paths(&mut own);
        paths.rewrite(&mut own)?;
        macros::export(&mut own, module.as_deref());
        attrs.extend(source.attrs);
        roots.push(own);
    }
    let mut rest = roots.remove(0);
    let items = roots
        .iter()
        .zip(modules.iter().flatten())
        .map(|(own, module)| {
            let module = format_ident!("{module}");
            parse_quote!(mod #module { #(#own)* })
        });
    // A constant that calls a macro stays after that macro.
    let constants = |item: &mut Item| {
        let calls_macro = || item.to_token_stream().to_string().contains('!');
        matches!(item, Item::Const(_)) && !calls_macro()
    };
    let mut whole: Vec<Item> = rest.extract_if(.., constants).collect();
    // Macros of the binary's root must not be in scope in the libraries, so the libraries come first.
    whole.extend(items.chain(rest));
    // The compiler never reports public items of the root as unused. Private ones are visible everywhere in it.
    for visibility in whole.iter_mut().filter_map(visibility_of) {
        *visibility = Visibility::Inherited;
    }
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

/// Whether this is `use other;` at the binary's root, where the module `other` is there already.
fn is_own_module(item: &Item, paths: &CratePaths) -> bool {
    let Item::Use(item) = item else {
        return false;
    };
    let UseTree::Name(name) = &item.tree else {
        return false;
    };
    let module = paths.others.get(&name.ident.to_string());
    let module = module.and_then(Option::as_ref);
    paths.module.is_none() && module.is_some_and(|module| name.ident == module)
}

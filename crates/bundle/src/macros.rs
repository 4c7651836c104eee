//! Macros of crates that became modules: a `macro_rules!` still finds its own crate, wherever it is called.
//!
//! Imports put an exported macro at the root of its crate. It calls other macros of its crate by a path if the compiler
//! resolved bare names to them (`local_inner_macros`). Each module imports what `#[macro_use]` brings from another
//! crate. The expansion of macros is left to the compiler.

use super::imports;
use super::items::items_of;
use super::paths::{is_keyword, is_mark};
use super::tokens::group;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::{BTreeMap, HashMap, HashSet};
use syn::{Attribute, Ident, Item, ItemMacro, ItemMod, ItemUse, UseTree, parse_quote};

/// Macros that a crate imports from another by `#[macro_use] extern crate`.
pub(super) struct MacroUse {
    /// The other crate's name in this one's code.
    pub(super) krate: String,
    /// Their names; `None` for all.
    pub(super) names: Option<Vec<String>>,
}

impl MacroUse {
    /// What these attributes of an `extern crate` bring.
    pub(super) fn of(krate: &Ident, attributes: &[Attribute]) -> Option<MacroUse> {
        let mut attributes = attributes.iter();
        let attribute = attributes.find(|attribute| attribute.path().is_ident("macro_use"))?;
        let words = |tokens: &TokenStream| {
            let names = tokens.clone().into_iter();
            let names = names.filter(|token| matches!(token, TokenTree::Ident(_)));
            names.map(|name| name.to_string()).collect()
        };
        let names = attribute.meta.require_list().ok();
        Some(MacroUse {
            krate: krate.to_string(),
            names: names.map(|list| words(&list.tokens)),
        })
    }
}

/// The names of the macros that these items, and the modules in them, define.
pub(super) fn defined(items: &[Item], exported: bool) -> HashSet<String> {
    let mut names = HashSet::new();
    for item in items {
        match item {
            Item::Macro(item) if !exported || export_of(item).is_some() => {
                names.extend(item.ident.as_ref().map(ToString::to_string));
            }
            Item::Mod(module) => {
                let inner = module.content.as_ref().map(|(_, items)| &items[..]);
                names.extend(defined(inner.unwrap_or_default(), exported));
            }
            _ => {}
        }
    }
    names
}

/// Rewrites the bodies of exported macros, in which bare names of macros are of their crate (`local_inner_macros`), and
/// which may call their crate by its name.
pub(super) fn name_crate(items: &mut [Item], krate: &str) {
    for item in items {
        if let Item::Macro(item) = item
            && let Some(export) = export_of(item)
        {
            let is_local = export
                .to_token_stream()
                .to_string()
                .contains("local_inner_macros");
            let rewrite = |body| {
                let body = crate_by_name(body, krate);
                if is_local { bare_calls(body) } else { body }
            };
            item.mac.tokens = bodies(item.mac.tokens.clone(), &rewrite);
        } else if let Some(inner) = items_of(item) {
            name_crate(inner, krate);
        }
    }
}

fn export_of(item: &ItemMacro) -> Option<&Attribute> {
    let mut attributes = item.attrs.iter();
    attributes.find(|attribute| attribute.path().is_ident("macro_export"))
}

/// Rewrites the expansions of a `macro_rules!`: each group after `=>`.
fn bodies(rules: TokenStream, rewrite: &impl Fn(TokenStream) -> TokenStream) -> TokenStream {
    let mut behind_arrow = false;
    let mut last_is_equals = false;
    let rewritten = rules.into_iter().map(|token| match token {
        TokenTree::Group(brackets) if behind_arrow => {
            behind_arrow = false;
            group(
                brackets.delimiter(),
                rewrite(brackets.stream()),
                brackets.span(),
            )
        }
        token => {
            behind_arrow = last_is_equals && is_mark(Some(&token), '>');
            last_is_equals = is_mark(Some(&token), '=');
            token
        }
    });
    rewritten.collect()
}

/// `name!(…)` as `$crate::name!(…)`. The expansion of a macro that is defined here stays: bare names are bare there.
fn bare_calls(body: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut written = TokenStream::new();
    let mut rules_end = 0;
    for (at, token) in tokens.iter().enumerate() {
        let next = |ahead: usize| tokens.get(at + ahead);
        let before = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
        match token {
            TokenTree::Ident(word) if word == "macro_rules" && is_mark(next(1), '!') => {
                let groups = |token: &TokenTree| matches!(token, TokenTree::Group(_));
                rules_end = at + 1 + tokens[at..].iter().position(groups).unwrap_or(0);
                written.extend([token.clone()]);
            }
            TokenTree::Ident(name)
                if is_mark(next(1), '!')
                    && matches!(next(2), Some(TokenTree::Group(_)))
                    && !is_mark(before(1), '$')
                    && !(is_mark(before(1), ':') && is_mark(before(2), ':'))
                    && syn::parse2::<Ident>(name.to_token_stream()).is_ok() =>
            {
                written.extend(quote!($crate::#name));
            }
            TokenTree::Group(brackets) if at >= rules_end => {
                let inside = bare_calls(brackets.stream());
                written.extend([group(brackets.delimiter(), inside, brackets.span())]);
            }
            _ => written.extend([token.clone()]),
        }
    }
    written
}

/// `name::…` and `::name::…` as `$crate::…`: where the macro is called, that is the crate.
fn crate_by_name(body: TokenStream, krate: &str) -> TokenStream {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut written: Vec<TokenTree> = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let before = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
        let colons = is_mark(before(1), ':') && is_mark(before(2), ':');
        let begins = if colons {
            let inner = matches!(before(3), Some(TokenTree::Ident(word)) if !is_keyword(word));
            !inner && !is_mark(before(3), '>')
        } else {
            !['.', '$', '\'']
                .iter()
                .any(|&mark| is_mark(before(1), mark))
        };
        let in_path = is_mark(tokens.get(at + 1), ':') && is_mark(tokens.get(at + 2), ':');
        match token {
            TokenTree::Ident(name) if name == krate && begins && in_path => {
                written.truncate(written.len() - if colons { 2 } else { 0 });
                written.extend(quote!($crate));
            }
            TokenTree::Group(brackets) => {
                let inside = crate_by_name(brackets.stream(), krate);
                written.push(group(brackets.delimiter(), inside, brackets.span()));
            }
            _ => written.push(token.clone()),
        }
    }
    written.into_iter().collect()
}

/// Gives macros with `#[macro_export]` a path to the root of their crate, the module `root`, by imports instead: an exported
/// macro is never reported as unused, and would be at the root of the bundle.
pub(super) fn export(items: &mut Vec<Item>, root: Option<&str>) {
    let makers = makers(items);
    hoist(items, root, &makers);
}

/// The names of the macros that a macro exports where it is called; `None` for the first name that it is called with.
type Makers = HashMap<String, Vec<Option<Ident>>>;

/// The macros of these items, and of the modules in them, that make and export others.
fn makers(items: &[Item]) -> Makers {
    let mut makers = Makers::new();
    for item in items {
        match item {
            Item::Macro(ItemMacro {
                ident: Some(name),
                mac,
                ..
            }) => {
                let made = made_in(mac.tokens.clone());
                makers.extend((!made.is_empty()).then(|| (name.to_string(), made)));
            }
            Item::Mod(ItemMod {
                content: Some((_, items)),
                ..
            }) => makers.extend(self::makers(items)),
            _ => {}
        }
    }
    makers
}

/// The names of the exported macros that these tokens define.
fn made_in(tokens: TokenStream) -> Vec<Option<Ident>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let made = tokens.iter().enumerate().flat_map(|(at, token)| {
        let rules = exported_rules(token, &tokens[at + 1..]);
        let own = rules.map(|(_, name, _)| match name {
            [TokenTree::Ident(name)] => Some(name.clone()),
            _ => None,
        });
        let inner = match token {
            TokenTree::Group(brackets) => made_in(brackets.stream()),
            _ => Vec::new(),
        };
        own.into_iter().chain(inner)
    });
    made.collect()
}

/// The same; returns the names of the macros.
fn hoist(items: &mut Vec<Item>, root: Option<&str>, makers: &Makers) -> Vec<Ident> {
    let mut found: Vec<(Option<Ident>, Ident)> = Vec::new();
    // Those are imported where they are defined.
    let mut made: Vec<Ident> = Vec::new();
    for item in &mut *items {
        match item {
            Item::Macro(item) => {
                let is_export =
                    |attribute: &mut Attribute| attribute.path().is_ident("macro_export");
                let exported = item.attrs.extract_if(.., is_export).count() > 0;
                if let Some(name) = &item.ident {
                    item.mac.tokens = bodies(item.mac.tokens.clone(), &inner_exports);
                    found.extend(exported.then(|| (None, name.clone())));
                } else if let Some(last) = item.mac.path.segments.last() {
                    let first = item
                        .mac
                        .tokens
                        .clone()
                        .into_iter()
                        .find_map(|token| match token {
                            TokenTree::Ident(name) => Some(name),
                            _ => None,
                        });
                    let names = makers.get(&last.ident.to_string()).into_iter().flatten();
                    made.extend(names.filter_map(|name| name.clone().or_else(|| first.clone())));
                }
            }
            Item::Mod(ItemMod {
                ident,
                content: Some((_, items)),
                ..
            }) => {
                let names = hoist(items, root, makers);
                found.extend(names.into_iter().map(|name| (Some(ident.clone()), name)));
            }
            _ => {}
        }
    }
    let crate_root: Vec<Ident> = [Some("crate"), root]
        .into_iter()
        .flatten()
        .map(ident)
        .collect();
    for (module, name) in &found {
        // The crate's own imports stay, except one from the root, which gets the macro from here.
        items.retain(|item| imported_from(item, name).is_none_or(|path| path != crate_root));
        let mut imports = items.iter().filter_map(|item| imported_from(item, name));
        if !imports.any(|path| path.first() == module.as_ref()) {
            items.push(match module {
                Some(module) => parse_quote!(pub(crate) use self::#module::#name;),
                None => parse_quote!(pub(crate) use #name;),
            });
        }
    }
    let found = found.into_iter().map(|(_, name)| name);
    found.chain(made).collect()
}

/// The source of this name in a single import: the path before it, without `self`.
fn imported_from(item: &Item, name: &Ident) -> Option<Vec<Ident>> {
    let Item::Use(ItemUse { tree, .. }) = item else {
        return None;
    };
    let (mut tree, mut path) = (tree, Vec::new());
    while let UseTree::Path(step) = tree {
        path.extend((step.ident != "self").then(|| step.ident.clone()));
        tree = &step.tree;
    }
    matches!(tree, UseTree::Name(last) if last.ident == *name).then_some(path)
}

/// Does the same to macros that a macro defines: each is imported beside its definition.
fn inner_exports(body: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut written = TokenStream::new();
    let mut rest = &tokens[..];
    while let Some((token, more)) = rest.split_first() {
        rest = more;
        if let Some((rules, name, behind)) = exported_rules(token, more) {
            let rules = rules.iter().cloned().collect();
            let rules = inner_exports(rules);
            let name: TokenStream = name.iter().cloned().collect();
            written.extend(quote!(#rules pub(crate) use #name;));
            rest = behind;
        } else if let TokenTree::Group(brackets) = token {
            let inside = inner_exports(brackets.stream());
            written.extend([group(brackets.delimiter(), inside, brackets.span())]);
        } else {
            written.extend([token.clone()]);
        }
    }
    written
}

type Tokens<'a> = &'a [TokenTree];

/// After the `#` of a `#[macro_export]`: the following attributes with the `macro_rules!`, its name, and the rest.
fn exported_rules<'a>(
    mark: &TokenTree,
    more: Tokens<'a>,
) -> Option<(Tokens<'a>, Tokens<'a>, Tokens<'a>)> {
    let first_in = |token: &TokenTree| match token {
        TokenTree::Group(brackets) => brackets.stream().into_iter().next(),
        _ => None,
    };
    let is_export = first_in(more.first()?).is_some_and(|word| word.to_string() == "macro_export");
    if !is_mark(Some(mark), '#') || !is_export {
        return None;
    }
    let behind = &more[1..];
    let mut at = 0;
    while is_mark(behind.get(at), '#') {
        at += 2;
    }
    let is_rules = matches!(behind.get(at)?, TokenTree::Ident(word) if word == "macro_rules");
    let named = at + 2;
    let end = named + usize::from(is_mark(behind.get(named), '$')) + 1;
    if !is_rules || !matches!(behind.get(end)?, TokenTree::Group(_)) {
        return None;
    }
    let all = end + 1 + usize::from(is_mark(behind.get(end + 1), ';'));
    Some((&behind[..all], &behind[named..end], &behind[all..]))
}

/// The imported macros, with the module of each. `crate_of` gives, for a crate's name, the macros that it exports, and
/// its module.
pub(super) fn brought<'a>(
    used: &[MacroUse],
    crate_of: impl Fn(&str) -> Option<(&'a HashSet<String>, &'a str)>,
) -> BTreeMap<String, String> {
    let mut brought = BTreeMap::new();
    for used in used {
        let Some((names, module)) = crate_of(&used.krate) else {
            continue;
        };
        let wanted = |name: &&String| used.names.as_ref().is_none_or(|list| list.contains(name));
        let names = names.iter().filter(wanted);
        brought.extend(names.map(|name| (name.clone(), module.to_string())));
    }
    brought
}

/// Makes each of these modules import macros, given by name and module. Skips a macro if the crate defines one of that
/// name in `own`, or if the module imports one itself.
pub(super) fn import(
    items: &mut Vec<Item>,
    macros: &BTreeMap<String, String>,
    own: &HashSet<String>,
) {
    for inner in items.iter_mut().filter_map(items_of) {
        import(inner, macros, own);
    }
    for (name, module) in macros.iter().filter(|(name, _)| !own.contains(*name)) {
        let is_name = |item: &Item| match item {
            Item::Use(item) => imports::leaf(&item.tree).is_some_and(|leaf| leaf == name),
            _ => false,
        };
        if !items.iter().any(is_name) {
            let [name, module] = [name, module].map(|word| ident(word));
            items.push(parse_quote!(use crate::#module::#name;));
        }
    }
}

/// Makes imports of these names, and of their new names, private to the bundle. A macro that is not exported, or a root
/// module that is not public, cannot be imported as public.
pub(super) fn hide_imports(crates: &mut [Vec<Item>], names: &mut HashSet<String>) {
    let known = names.len();
    for items in &mut *crates {
        hide_in(items, names);
    }
    if names.len() > known {
        hide_imports(crates, names);
    }
}

fn hide_in(items: &mut [Item], names: &mut HashSet<String>) {
    for item in items {
        if let Item::Use(import) = item
            && let Some((from, to)) = names_of(&import.tree)
            && names.contains(&from)
        {
            names.insert(to);
            if import.vis != syn::Visibility::Inherited {
                import.vis = parse_quote!(pub(crate));
            }
        } else if let Some(inner) = items_of(item) {
            hide_in(inner, names);
        }
    }
}

/// The name of a single import at its source, and its name here.
fn names_of(tree: &UseTree) -> Option<(String, String)> {
    match tree {
        UseTree::Path(path) => names_of(&path.tree),
        UseTree::Name(name) => Some((name.ident.to_string(), name.ident.to_string())),
        UseTree::Rename(rename) => Some((rename.ident.to_string(), rename.rename.to_string())),
        UseTree::Glob(_) | UseTree::Group(_) => None,
    }
}

/// Whether a statement or item calls one of these macros by its bare name.
pub(super) fn calls(tokens: TokenStream, names: &HashSet<String>) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    (0..tokens.len()).any(|at| match &tokens[at] {
        TokenTree::Ident(name) => {
            names.contains(&name.to_string()) && is_mark(tokens.get(at + 1), '!')
        }
        TokenTree::Group(brackets) => calls(brackets.stream(), names),
        _ => false,
    })
}

fn ident(word: &str) -> Ident {
    Ident::new(word, proc_macro2::Span::call_site())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bare_names_of_macros_in_bodies_become_paths() {
        let mut items: Vec<Item> = vec![parse_quote! {
            #[macro_export(local_inner_macros)]
            macro_rules! outer {
                (inner!($x:expr), $m:ident) => { inner!($x) + deep::inner!{} + $m![1] };
                (@not $x:expr) => { if !($x) { return !(false) } };
                (@define $n:ident) => { macro_rules! $n { () => { inner!() } } other!(@name) };
                (@name) => { ::lib::f() + lib::g() + other::lib::h() + $lib::i() };
            }
        }];
        name_crate(&mut items, "lib");
        let Item::Macro(outer) = &items[0] else {
            panic!("it stays a macro");
        };
        let expected = quote! {
            (inner!($x:expr), $m:ident) => { $crate::inner!($x) + deep::inner!{} + $m![1] };
            (@not $x:expr) => { if !($x) { return !(false) } };
            (@define $n:ident) => { macro_rules! $n { () => { inner!() } } $crate::other!(@name) };
            (@name) => { $crate::f() + $crate::g() + other::lib::h() + $lib::i() };
        };
        assert_eq!(outer.mac.tokens.to_string(), expected.to_string());
    }
}

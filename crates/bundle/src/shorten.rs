//! Gives the names of a compact bundle one or two letters.
//!
//! A name is replaced everywhere at once, by one that does not occur in the file, so that no two names become one.
//! Names that the file only uses stay, for the standard library declares them. So do those that the file declares as
//! well, such as `next`: the compiler reports them as missing, and the next round leaves them. The names of modules stay
//! (the table of sizes shows them), as do those in attributes and in format strings. Types whose `Debug` is needed keep
//! their names, because `Debug` prints them. It is dropped from the other types.

use super::errors::BundleError;
use super::rustc::{Compiler, ranges};
use super::text;
use super::tokens::group;
use cargo_metadata::diagnostic::Diagnostic;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, ExprMethodCall, Item, Macro, Member, Path, PathSegment, Signature, Token, UseName,
    UsePath, parse_quote,
};

/// Keywords, `main` and `std`, and names of one or two letters that the standard library gives to types, variants and
/// methods: one of these could take the place of a method that a trait of the file declares.
const RESERVED: &str = "as async await auto break by const continue crate default do dyn else enum eq extern false fn for \
    ge gt i8 if impl in le let ln loop lt macro_rules main match mod move mut ne ok Ok or pub raw ref return safe Self self \
    static std struct super trait true type u8 union unsafe use where while";

/// The file with short names, or with its own if the short ones do not compile.
///
/// # Errors
/// When the compiler cannot be run.
pub(super) fn shorten(file: &syn::File, compiler: &Compiler) -> Result<syn::File, BundleError> {
    let mut file = without_debug(file, compiler)?;
    let allow: Attribute = parse_quote!(#![allow(nonstandard_style)]);
    let mut kept = kept_names(&mut file);
    loop {
        let names = names(file.to_token_stream(), &kept);
        if names.is_empty() {
            return Ok(file);
        }
        let renamed = rename(file.to_token_stream(), &mut |name| names.get(name).cloned());
        let mut short: syn::File = syn::parse2(renamed)?;
        short.attrs.push(allow.clone());
        let (text, _) = text::tokens(&short);
        let errors = compiler.check(&text, false)?.errors;
        if errors.is_empty() {
            return Ok(short);
        }
        let kept_before = kept.len();
        let quoted = errors.iter().flat_map(first_quoted).collect();
        keep_long(&names, &quoted, &mut kept);
        if kept.len() == kept_before {
            let about = errors.iter().flat_map(ranges);
            let about = about.flat_map(|range| words(&text[range])).collect();
            keep_long(&names, &about, &mut kept);
        }
        if kept.len() == kept_before {
            return Ok(file);
        }
    }
}

/// Keeps the long names whose short ones are among these words.
fn keep_long(names: &HashMap<String, String>, words: &HashSet<&str>, kept: &mut HashSet<String>) {
    let named = names.iter();
    let named = named.filter(|(_, short)| words.contains(short.as_str()));
    kept.extend(named.map(|(long, _)| long.clone()));
}

/// A short name for each name that is not kept: the more frequent, the shorter.
fn names(file: TokenStream, kept: &HashSet<String>) -> HashMap<String, String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    rename(file, &mut |name| {
        *counts.entry(name.into()).or_default() += 1;
        None
    });
    let taken: HashSet<String> = counts.keys().cloned().collect();
    let stays = |name: &String| name.starts_with('_') || kept.contains(name);
    counts.retain(|name, _| !stays(name));
    let mut frequent: Vec<(String, usize)> = counts.into_iter().collect();
    frequent.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), name.clone()));
    let reserved: HashSet<&str> = RESERVED.split_whitespace().collect();
    let free = short_names().filter(|name| {
        let stands = taken.contains(name) && kept.contains(name);
        !stands && !reserved.contains(name.as_str())
    });
    let frequent = frequent.into_iter().map(|(name, _)| name);
    frequent.zip(free).collect()
}

/// The tokens with other names, except in attributes: those that `other` gives.
fn rename(tokens: TokenStream, other: &mut impl FnMut(&str) -> Option<String>) -> TokenStream {
    let mut after_hash = false;
    let tokens = tokens.into_iter().map(|token| {
        let attribute = std::mem::take(&mut after_hash);
        match token {
            TokenTree::Group(brackets) if !attribute => {
                let inside = rename(brackets.stream(), other);
                group(brackets.delimiter(), inside, brackets.span())
            }
            TokenTree::Ident(name) => match other(&name.to_string()) {
                Some(short) => Ident::new(&short, name.span()).into(),
                None => name.into(),
            },
            token => {
                after_hash = is_attribute_mark(&token, attribute);
                token
            }
        }
    });
    tokens.collect()
}

/// All names of one letter, then those of two.
fn short_names() -> impl Iterator<Item = String> {
    let letters = || ('a'..='z').chain('A'..='Z');
    let second = move || letters().chain('0'..='9');
    let pairs = letters().flat_map(move |one| second().map(move |two| format!("{one}{two}")));
    letters().map(String::from).chain(pairs)
}

/// Whether `token` may begin an attribute: `#`, or the `!` after it.
fn is_attribute_mark(token: &TokenTree, after_hash: bool) -> bool {
    match token {
        TokenTree::Punct(mark) => mark.as_char() == '#' || after_hash && mark.as_char() == '!',
        _ => false,
    }
}

/// The names that always stay.
fn kept_names(file: &mut syn::File) -> HashSet<String> {
    let mut kept: HashSet<String> = RESERVED.split_whitespace().map(String::from).collect();
    // People may edit the constants that a compact text begins with.
    let constants = file.items.iter().map_while(|item| match item {
        Item::Const(constant) => Some(constant.ident.to_string()),
        _ => None,
    });
    kept.extend(constants);
    let showing = ["asm", "cfg", "stringify"].map(String::from);
    let mut keeper = Keeper {
        kept,
        showing: HashSet::from(showing),
    };
    keeper.visit_file_mut(file);
    keeper.keep_shown(file.to_token_stream());
    let mut declared = Declared::default();
    declared.visit_file_mut(file);
    rename(file.to_token_stream(), &mut |name| {
        let of_others = declared.called.contains(name) && !declared.functions.contains(name);
        if of_others || !declared.names.contains(name) {
            keeper.kept.insert(name.into());
        }
        None
    });
    keeper.kept
}

/// The names that a file declares, and those that macros may.
#[derive(Default)]
struct Declared {
    names: HashSet<String>,
    /// Those of functions.
    functions: HashSet<String>,
    /// The names of the methods that the file calls.
    called: HashSet<String>,
}

impl VisitMut for Declared {
    fn visit_ident_mut(&mut self, name: &mut Ident) {
        self.names.insert(name.to_string());
    }

    fn visit_signature_mut(&mut self, signature: &mut Signature) {
        self.functions.insert(signature.ident.to_string());
        visit_mut::visit_signature_mut(self, signature);
    }

    // Paths, methods and members only use what is declared elsewhere.

    fn visit_path_segment_mut(&mut self, segment: &mut PathSegment) {
        self.visit_path_arguments_mut(&mut segment.arguments);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        self.called.insert(call.method.to_string());
        self.visit_expr_mut(&mut call.receiver);
        if let Some(types) = &mut call.turbofish {
            self.visit_angle_bracketed_generic_arguments_mut(types);
        }
        for argument in &mut call.args {
            self.visit_expr_mut(argument);
        }
    }

    fn visit_use_path_mut(&mut self, path: &mut UsePath) {
        self.visit_use_tree_mut(&mut path.tree);
    }

    fn visit_use_name_mut(&mut self, _: &mut UseName) {}

    fn visit_member_mut(&mut self, _: &mut Member) {}

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        rename(call.tokens.clone(), &mut |name| {
            self.names.insert(name.into());
            self.functions.insert(name.into());
            None
        });
    }
}

/// Collects the names that stay.
struct Keeper {
    kept: HashSet<String>,
    /// Macros to which names are more than names.
    showing: HashSet<String>,
}

impl Keeper {
    /// Keeps the names in attributes, in format strings, and in the arguments of macros that show them.
    fn keep_shown(&mut self, tokens: TokenStream) {
        let (mut after_hash, mut shows) = (false, false);
        for token in tokens {
            let attribute = std::mem::take(&mut after_hash);
            match token {
                TokenTree::Group(group) => {
                    if attribute || shows {
                        self.keep_all(group.stream());
                    }
                    self.keep_shown(group.stream());
                    shows = false;
                }
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let rests = text.split('{').skip(1);
                    let places = rests.filter_map(|rest| rest.split('}').next());
                    self.kept.extend(places.flat_map(words).map(String::from));
                }
                TokenTree::Ident(name) => shows = self.showing.contains(&name.to_string()),
                TokenTree::Punct(mark) if shows && mark.as_char() == '!' => {}
                other => {
                    after_hash = is_attribute_mark(&other, attribute);
                    shows = false;
                }
            }
        }
    }

    fn keep_all(&mut self, tokens: TokenStream) {
        rename(tokens, &mut |name| {
            self.kept.insert(name.into());
            None
        });
    }
}

impl VisitMut for Keeper {
    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Mod(module) => {
                self.kept.insert(module.ident.to_string());
            }
            // The linker knows these by their names.
            Item::ForeignMod(block) => self.keep_all(block.to_token_stream()),
            Item::Macro(rules) => {
                let tokens = rules.mac.tokens.to_string();
                let shows = words(&tokens).any(|word| word == "Debug" || word == "stringify");
                let name = rules.ident.as_ref().filter(|_| shows);
                self.showing.extend(name.map(ToString::to_string));
            }
            _ => {
                if derives_debug(item) {
                    self.keep_all(item.to_token_stream());
                }
            }
        }
        visit_mut::visit_item_mut(self, item);
    }
}

fn derives_debug(item: &mut Item) -> bool {
    let attributes = attributes_of(item).into_iter().flatten();
    let mut derives = attributes.filter(|attribute| attribute.path().is_ident("derive"));
    derives.any(|derive| derived(derive).iter().any(is_debug))
}

fn attributes_of(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    match item {
        Item::Struct(item) => Some(&mut item.attrs),
        Item::Enum(item) => Some(&mut item.attrs),
        _ => None,
    }
}

fn derived(derive: &Attribute) -> Punctuated<Path, Token![,]> {
    derive
        .parse_args_with(Punctuated::parse_terminated)
        .unwrap_or_default()
}

fn is_debug(path: &Path) -> bool {
    path.segments
        .last()
        .is_some_and(|last| last.ident == "Debug")
}

/// The file without `Debug` on types that compile without it.
fn without_debug(file: &syn::File, compiler: &Compiler) -> Result<syn::File, BundleError> {
    let mut needed = HashSet::new();
    loop {
        let mut dropper = DebugDropper { needed };
        let mut after = file.clone();
        dropper.visit_file_mut(&mut after);
        let (text, _) = text::tokens(&after);
        let errors = compiler.check(&text, false)?.errors;
        if errors.is_empty() {
            return Ok(after);
        }
        needed = dropper.needed;
        let before = needed.len();
        let types = errors.iter().flat_map(first_quoted);
        needed.extend(types.map(String::from));
        if needed.len() == before {
            return Ok(file.clone());
        }
    }
}

/// Drops `Debug` from the types but those that need it.
struct DebugDropper {
    needed: HashSet<String>,
}

impl VisitMut for DebugDropper {
    fn visit_item_mut(&mut self, item: &mut Item) {
        let name = super::items::name_of(item).map(ToString::to_string);
        let needed = name.is_some_and(|name| self.needed.contains(&name));
        if let (false, Some(attributes)) = (needed, attributes_of(item)) {
            for attribute in attributes.iter_mut() {
                if attribute.path().is_ident("derive") {
                    let others = derived(attribute).into_iter();
                    let others = others.filter(|path| !is_debug(path));
                    *attribute = parse_quote!(#[derive(#(#others),*)]);
                }
            }
            attributes.retain(|one| !one.path().is_ident("derive") || !derived(one).is_empty());
        }
        visit_mut::visit_item_mut(self, item);
    }
}

/// The words of what a message quotes first: the name that it is about.
fn first_quoted(message: &Diagnostic) -> impl Iterator<Item = &str> {
    words(message.message.split('`').nth(1).unwrap_or_default())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let between = |character: char| !character.is_alphanumeric() && character != '_';
    text.split(between).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;

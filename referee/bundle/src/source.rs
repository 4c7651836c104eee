//! Parses a crate into one syntax tree: the files of its modules inlined, without tests, documentation and
//! attributes that mean nothing in a bundle.

use super::crates::Crate;
use super::{BundleError, cfg};
use proc_macro2::Span;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, ExprLit, Item, ItemMod, Lit, LitByteStr, LitStr, Meta, token};

/// The syntax tree of a crate with all its modules.
pub(super) fn read(krate: &Crate, keep_docs: bool) -> Result<syn::File, BundleError> {
    let mut reader = SourceReader {
        features: &krate.features,
        keep_docs,
        file: krate.root.clone(),
        folder: folder_of(&krate.root),
        inline: false,
        problem: None,
    };
    let mut file = parse(&krate.root)?;
    reader.visit_file_mut(&mut file);
    match reader.problem {
        None => Ok(file),
        Some(problem) => Err(problem),
    }
}

fn parse(path: &Path) -> Result<syn::File, BundleError> {
    let error = |problem: String| BundleError::Read {
        file: path.to_path_buf(),
        problem,
    };
    let text = std::fs::read_to_string(path).map_err(|problem| error(problem.to_string()))?;
    syn::parse_file(&text).map_err(|problem| {
        let line = problem.span().start().line;
        error(format!("line {line}: {problem}"))
    })
}

fn folder_of(file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).to_path_buf()
}

struct SourceReader<'a> {
    features: &'a HashSet<String>,
    keep_docs: bool,
    /// The current file.
    file: PathBuf,
    /// Where modules declared in the current module have their files.
    folder: PathBuf,
    /// Whether the current module is written inline, inside its file.
    inline: bool,
    problem: Option<BundleError>,
}

impl SourceReader<'_> {
    /// Evaluates and filters the attributes of an item; `false` when the item is left out.
    fn apply(&self, attributes: &mut Vec<Attribute>) -> bool {
        let holds = cfg::apply(attributes, self.features);
        let test = |attribute: &Attribute| {
            let name = attribute.path().segments.last();
            name.is_some_and(|name| name.ident == "test" || name.ident == "bench")
        };
        let keep = holds && !attributes.iter().any(test);
        attributes.retain_mut(|attribute| self.is_wanted(attribute));
        keep
    }

    /// Whether an attribute stays: documentation and lint levels do not.
    fn is_wanted(&self, attribute: &mut Attribute) -> bool {
        let path = attribute.path();
        if path.is_ident("doc") {
            let is_text = matches!(attribute.meta, Meta::NameValue(_));
            return self.keep_docs && is_text;
        }
        let dropped = ["warn", "deny", "forbid", "must_use", "no_std", "rustfmt"];
        if dropped.iter().any(|name| path.is_ident(name))
            || path
                .segments
                .first()
                .is_some_and(|first| first.ident == "rustfmt")
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
    fn read_module(&mut self, module: &mut ItemMod) {
        let name = module.ident.to_string();
        let name = name.trim_start_matches("r#");
        let candidates = match path_attribute(&mut module.attrs) {
            Some(path) => vec![self.path_base().join(path)],
            None => vec![
                self.folder.join(format!("{name}.rs")),
                self.folder.join(name).join("mod.rs"),
            ],
        };
        let Some(path) = candidates.iter().find(|path| path.is_file()) else {
            self.problem.get_or_insert(BundleError::NoModule {
                module: name.to_string(),
                declared: self.file.clone(),
                looked_for: candidates,
            });
            return;
        };
        let file = match parse(path) {
            Ok(file) => file,
            Err(problem) => {
                self.problem.get_or_insert(problem);
                return;
            }
        };
        let is_folder_root = path.file_name().is_some_and(|file| file == "mod.rs");
        let folder = if is_folder_root {
            folder_of(path)
        } else {
            path.with_extension("")
        };
        module.attrs.extend(file.attrs);
        module.semi = None;
        module.content = Some((token::Brace::default(), file.items));
        let outer_file = std::mem::replace(&mut self.file, path.clone());
        let outer_folder = std::mem::replace(&mut self.folder, folder);
        let outer_inline = std::mem::replace(&mut self.inline, false);
        self.visit_content(module);
        (self.file, self.folder, self.inline) = (outer_file, outer_folder, outer_inline);
    }

    /// What a `#[path]` is relative to: the folder of the file, or that of the inline module.
    fn path_base(&self) -> PathBuf {
        if self.inline {
            self.folder.clone()
        } else {
            folder_of(&self.file)
        }
    }

    fn visit_content(&mut self, module: &mut ItemMod) {
        self.apply(&mut module.attrs);
        if let Some((_, items)) = &mut module.content {
            self.visit_items(items);
        }
    }

    fn visit_items(&mut self, items: &mut Vec<Item>) {
        items.retain_mut(|item| match attributes_of(item) {
            Some(attributes) => self.apply(attributes),
            None => true,
        });
        for item in items {
            self.visit_item_mut(item);
        }
    }

    /// Expands `include_str!` and `include_bytes!` to the file's content, and `cfg!` to its value if known.
    fn expand(&mut self, expression: &Expr) -> Option<Expr> {
        let Expr::Macro(call) = expression else {
            return None;
        };
        let name = call.mac.path.get_ident()?.to_string();
        if name == "cfg" {
            let value = match cfg::decide(&call.mac.parse_body().ok()?, self.features) {
                cfg::Decision::True => true,
                cfg::Decision::False => false,
                cfg::Decision::Unknown(_) => return None,
            };
            return Some(syn::parse_quote!(#value));
        }
        if name != "include_str" && name != "include_bytes" {
            return None;
        }
        let relative: LitStr = call.mac.parse_body().ok()?;
        let path = folder_of(&self.file).join(relative.value());
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(problem) => {
                self.problem.get_or_insert(BundleError::Read {
                    file: path,
                    problem: problem.to_string(),
                });
                return None;
            }
        };
        let lit = if name == "include_bytes" {
            Lit::ByteStr(LitByteStr::new(&bytes, Span::call_site()))
        } else {
            let text = String::from_utf8_lossy(&bytes);
            Lit::Str(LitStr::new(&text, Span::call_site()))
        };
        Some(Expr::Lit(ExprLit {
            attrs: Vec::new(),
            lit,
        }))
    }
}

impl VisitMut for SourceReader<'_> {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        self.apply(&mut file.attrs);
        self.visit_items(&mut file.items);
    }

    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        if module.content.is_none() {
            self.read_module(module);
        } else {
            let inner = match path_attribute(&mut module.attrs) {
                Some(path) => self.path_base().join(path),
                None => self.folder.join(module.ident.to_string()),
            };
            let outer = std::mem::replace(&mut self.folder, inner);
            let outer_inline = std::mem::replace(&mut self.inline, true);
            self.visit_content(module);
            (self.folder, self.inline) = (outer, outer_inline);
        }
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        item.items.retain_mut(|inner| match inner {
            syn::ImplItem::Const(inner) => self.apply(&mut inner.attrs),
            syn::ImplItem::Fn(inner) => self.apply(&mut inner.attrs),
            syn::ImplItem::Type(inner) => self.apply(&mut inner.attrs),
            syn::ImplItem::Macro(inner) => self.apply(&mut inner.attrs),
            _ => true,
        });
        visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        item.items.retain_mut(|inner| match inner {
            syn::TraitItem::Const(inner) => self.apply(&mut inner.attrs),
            syn::TraitItem::Fn(inner) => self.apply(&mut inner.attrs),
            syn::TraitItem::Type(inner) => self.apply(&mut inner.attrs),
            syn::TraitItem::Macro(inner) => self.apply(&mut inner.attrs),
            _ => true,
        });
        visit_mut::visit_item_trait_mut(self, item);
    }

    fn visit_fields_mut(&mut self, fields: &mut syn::Fields) {
        match fields {
            syn::Fields::Named(fields) => {
                retain(&mut fields.named, |field| self.apply(&mut field.attrs));
            }
            syn::Fields::Unnamed(fields) => {
                retain(&mut fields.unnamed, |field| self.apply(&mut field.attrs));
            }
            syn::Fields::Unit => {}
        }
        visit_mut::visit_fields_mut(self, fields);
    }

    fn visit_item_enum_mut(&mut self, item: &mut syn::ItemEnum) {
        retain(&mut item.variants, |variant| self.apply(&mut variant.attrs));
        visit_mut::visit_item_enum_mut(self, item);
    }

    fn visit_expr_struct_mut(&mut self, expression: &mut syn::ExprStruct) {
        retain(&mut expression.fields, |field| self.apply(&mut field.attrs));
        visit_mut::visit_expr_struct_mut(self, expression);
    }

    fn visit_expr_match_mut(&mut self, expression: &mut syn::ExprMatch) {
        expression.arms.retain_mut(|arm| self.apply(&mut arm.attrs));
        visit_mut::visit_expr_match_mut(self, expression);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.retain_mut(|statement| match statement {
            syn::Stmt::Local(local) => self.apply(&mut local.attrs),
            syn::Stmt::Item(item) => attributes_of(item).is_none_or(|list| self.apply(list)),
            syn::Stmt::Macro(call) => self.apply(&mut call.attrs),
            syn::Stmt::Expr(expression, _) => {
                attributes_of_statement(expression).is_none_or(|list| self.apply(list))
            }
        });
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_attribute_mut(&mut self, attribute: &mut Attribute) {
        // On nodes that the methods above do not filter.
        cfg::simplify(attribute, self.features);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        match self.expand(expression) {
            Some(expanded) => *expression = expanded,
            None => visit_mut::visit_expr_mut(self, expression),
        }
    }
}

/// Removes `#[path = "…"]` and returns its path.
fn path_attribute(attributes: &mut Vec<Attribute>) -> Option<String> {
    let place = attributes
        .iter()
        .position(|attribute| attribute.path().is_ident("path"))?;
    let attribute = attributes.remove(place);
    match attribute.meta {
        Meta::NameValue(pair) => match pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(path),
                ..
            }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    }
}

fn retain<T, P: Default>(
    list: &mut syn::punctuated::Punctuated<T, P>,
    mut keep: impl FnMut(&mut T) -> bool,
) {
    *list = std::mem::take(list)
        .into_iter()
        .filter_map(|mut entry| keep(&mut entry).then_some(entry))
        .collect();
}

/// The attributes of an expression statement: the parser puts them on the leftmost expression.
fn attributes_of_statement(expression: &mut Expr) -> Option<&mut Vec<Attribute>> {
    Some(match expression {
        Expr::Assign(inner) => return attributes_of_statement(&mut inner.left),
        Expr::Binary(inner) => return attributes_of_statement(&mut inner.left),
        Expr::Cast(inner) => return attributes_of_statement(&mut inner.expr),
        Expr::Await(inner) => &mut inner.attrs,
        Expr::Block(inner) => &mut inner.attrs,
        Expr::Break(inner) => &mut inner.attrs,
        Expr::Call(inner) => &mut inner.attrs,
        Expr::Closure(inner) => &mut inner.attrs,
        Expr::Continue(inner) => &mut inner.attrs,
        Expr::Field(inner) => &mut inner.attrs,
        Expr::ForLoop(inner) => &mut inner.attrs,
        Expr::If(inner) => &mut inner.attrs,
        Expr::Index(inner) => &mut inner.attrs,
        Expr::Lit(inner) => &mut inner.attrs,
        Expr::Loop(inner) => &mut inner.attrs,
        Expr::Macro(inner) => &mut inner.attrs,
        Expr::Match(inner) => &mut inner.attrs,
        Expr::MethodCall(inner) => &mut inner.attrs,
        Expr::Paren(inner) => &mut inner.attrs,
        Expr::Path(inner) => &mut inner.attrs,
        Expr::Return(inner) => &mut inner.attrs,
        Expr::Struct(inner) => &mut inner.attrs,
        Expr::Try(inner) => &mut inner.attrs,
        Expr::Tuple(inner) => &mut inner.attrs,
        Expr::Unary(inner) => &mut inner.attrs,
        Expr::Unsafe(inner) => &mut inner.attrs,
        Expr::While(inner) => &mut inner.attrs,
        _ => return None,
    })
}

/// The attributes of an item.
pub(super) fn attributes_of(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        Item::Const(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::ExternCrate(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::ForeignMod(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Macro(item) => &mut item.attrs,
        Item::Mod(item) => &mut item.attrs,
        Item::Static(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Trait(item) => &mut item.attrs,
        Item::TraitAlias(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        Item::Union(item) => &mut item.attrs,
        Item::Use(item) => &mut item.attrs,
        _ => return None,
    })
}

//! Properties of all kinds of items: a name, a visibility, inner items.

use syn::{Ident, Item, Visibility};

/// The name that an item defines.
pub(super) fn name_of(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Mod(item) => Some(&item.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

pub(super) fn visibility_of(item: &mut Item) -> Option<&mut Visibility> {
    match item {
        Item::Const(item) => Some(&mut item.vis),
        Item::Enum(item) => Some(&mut item.vis),
        Item::Fn(item) => Some(&mut item.vis),
        Item::Mod(item) => Some(&mut item.vis),
        Item::Static(item) => Some(&mut item.vis),
        Item::Struct(item) => Some(&mut item.vis),
        Item::Trait(item) => Some(&mut item.vis),
        Item::Type(item) => Some(&mut item.vis),
        Item::Union(item) => Some(&mut item.vis),
        Item::Use(item) => Some(&mut item.vis),
        _ => None,
    }
}

/// The items in a module.
pub(super) fn items_of(item: &mut Item) -> Option<&mut Vec<Item>> {
    match item {
        Item::Mod(module) => module.content.as_mut().map(|(_, items)| items),
        _ => None,
    }
}

//! What items of all kinds have: a name, attributes, a visibility.

use syn::{Attribute, Ident, Item, Visibility};

/// A field of the kinds of items that have it.
macro_rules! field {
    ($item:expr, $field:ident: $($kind:ident)*) => {
        match $item {
            $(Item::$kind(item) => Some(&item.$field),)*
            _ => None,
        }
    };
    (mut $item:expr, $field:ident: $($kind:ident)*) => {
        match $item {
            $(Item::$kind(item) => Some(&mut item.$field),)*
            _ => None,
        }
    };
}

/// The name that an item defines.
pub(super) fn name_of(item: &Item) -> Option<&Ident> {
    match item {
        Item::Fn(item) => Some(&item.sig.ident),
        item => field!(item, ident: Const Enum Mod Static Struct Trait TraitAlias Type Union),
    }
}

pub(super) fn attributes_of(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    field!(mut item, attrs: Const Enum ExternCrate Fn ForeignMod Impl Macro Mod Static Struct Trait TraitAlias Type Union Use)
}

pub(super) fn visibility_of(item: &mut Item) -> Option<&mut Visibility> {
    field!(mut item, vis: Const Enum Fn Mod Static Struct Trait Type Union Use)
}

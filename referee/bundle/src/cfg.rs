//! Conditional compilation, as far as it can be evaluated before the bundle is compiled.
//!
//! `test` is false and features are known. Conditions on the target stay in the bundle.

use std::collections::HashSet;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token, parse_quote};

/// The value of a condition.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Decision {
    True,
    False,
    /// It depends on the target; the condition that remains.
    Unknown(Box<Meta>),
}

/// Evaluates `condition` with these `features` on.
pub(super) fn decide(condition: &Meta, features: &HashSet<String>) -> Decision {
    if condition.path().is_ident("test") {
        return Decision::False;
    }
    if condition.path().is_ident("feature") {
        return match &condition {
            Meta::NameValue(pair) => match &pair.value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(name),
                    ..
                }) if features.contains(&name.value()) => Decision::True,
                _ => Decision::False,
            },
            _ => Decision::False,
        };
    }
    let Some(parts) = parts(condition) else {
        return Decision::Unknown(Box::new(condition.clone()));
    };
    let decided = parts.iter().map(|part| decide(part, features));
    if condition.path().is_ident("not") {
        return match decided.last() {
            Some(Decision::True) => Decision::False,
            Some(Decision::False) => Decision::True,
            Some(Decision::Unknown(rest)) => Decision::Unknown(parse_quote!(not(#rest))),
            None => Decision::Unknown(Box::new(condition.clone())),
        };
    }
    let (decisive, otherwise) = if condition.path().is_ident("all") {
        (Decision::False, Decision::True)
    } else {
        (Decision::True, Decision::False)
    };
    let mut open: Vec<Box<Meta>> = Vec::new();
    for decision in decided {
        match decision {
            Decision::Unknown(rest) => open.push(rest),
            decision if decision == decisive => return decisive,
            _ => {}
        }
    }
    let path = condition.path();
    match open.len() {
        0 => otherwise,
        1 => Decision::Unknown(open.remove(0)),
        _ => Decision::Unknown(parse_quote!(#path(#(#open),*))),
    }
}

/// The arguments of `all(…)`, `any(…)` and `not(…)`.
fn parts(condition: &Meta) -> Option<Punctuated<Meta, Token![,]>> {
    let known = ["all", "any", "not"];
    match condition {
        Meta::List(list) if known.iter().any(|name| list.path.is_ident(name)) => {
            list.parse_args_with(Punctuated::parse_terminated).ok()
        }
        _ => None,
    }
}

/// Removes decided conditions from `attributes`; `false` when one of them is false, so that the item is left
/// out.
pub(super) fn apply(attributes: &mut Vec<Attribute>, features: &HashSet<String>) -> bool {
    let mut kept = Vec::with_capacity(attributes.len());
    for attribute in attributes.drain(..) {
        if attribute.path().is_ident("cfg") {
            let Ok(condition) = attribute.parse_args::<Meta>() else {
                kept.push(attribute);
                continue;
            };
            match decide(&condition, features) {
                Decision::True => {}
                Decision::False => return false,
                Decision::Unknown(rest) => {
                    let mut attribute = attribute;
                    attribute.meta = parse_quote!(cfg(#rest));
                    kept.push(attribute);
                }
            }
        } else if attribute.path().is_ident("cfg_attr") {
            if !apply_cfg_attr(attribute, features, &mut kept) {
                return false;
            }
        } else {
            kept.push(attribute);
        }
    }
    *attributes = kept;
    true
}

/// Reduces a condition that stays where it is to its questions about the target.
pub(super) fn simplify(attribute: &mut Attribute, features: &HashSet<String>) {
    let attr = attribute.path().is_ident("cfg_attr");
    if !attr && !attribute.path().is_ident("cfg") {
        return;
    }
    let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
    let Ok(mut parts) = attribute.parse_args_with(parser) else {
        return;
    };
    let Some(condition) = parts.first_mut() else {
        return;
    };
    *condition = match decide(condition, features) {
        Decision::True => parse_quote!(all()),
        Decision::False => parse_quote!(any()),
        Decision::Unknown(rest) => *rest,
    };
    attribute.meta = if attr {
        parse_quote!(cfg_attr(#parts))
    } else {
        parse_quote!(cfg(#parts))
    };
}

/// `#[cfg_attr(condition, attribute, …)]`: the attributes, nothing, or the same with a simpler condition.
fn apply_cfg_attr(
    attribute: Attribute,
    features: &HashSet<String>,
    kept: &mut Vec<Attribute>,
) -> bool {
    let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
    let Ok(parts) = attribute.parse_args_with(parser) else {
        kept.push(attribute);
        return true;
    };
    let mut parts = parts.into_iter();
    let Some(condition) = parts.next() else {
        return true;
    };
    match decide(&condition, features) {
        Decision::False => true,
        Decision::True => {
            let mut inner: Vec<Attribute> = parts
                .map(|meta| Attribute {
                    meta,
                    ..attribute.clone()
                })
                .collect();
            let holds = apply(&mut inner, features);
            kept.extend(inner);
            holds
        }
        Decision::Unknown(rest) => {
            let mut attribute = attribute;
            attribute.meta = parse_quote!(cfg_attr(#rest, #(#parts),*));
            kept.push(attribute);
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(condition: &str) -> String {
        let features = HashSet::from(["on".to_string()]);
        match decide(&syn::parse_str(condition).unwrap(), &features) {
            Decision::True => "true".into(),
            Decision::False => "false".into(),
            Decision::Unknown(rest) => quote::quote!(#rest).to_string().replace(' ', ""),
        }
    }

    #[test]
    fn tests_and_features_are_decided_and_targets_are_not() {
        for (condition, decision) in [
            ("test", "false"),
            ("not(test)", "true"),
            ("feature = \"on\"", "true"),
            ("feature = \"off\"", "false"),
            ("unix", "unix"),
            ("debug_assertions", "debug_assertions"),
            ("all(unix, test)", "false"),
            ("any(unix, not(test))", "true"),
            ("all(unix, feature = \"on\")", "unix"),
            ("any(unix, windows, test)", "any(unix,windows)"),
            ("not(all(unix, not(test)))", "not(unix)"),
            ("all()", "true"),
            ("any()", "false"),
        ] {
            assert_eq!(decided(condition), decision, "{condition}");
        }
    }

    #[test]
    fn a_condition_that_stays_asks_only_about_the_target() {
        let features = HashSet::from(["on".to_string()]);
        let simple = |mut attribute: Attribute| {
            simplify(&mut attribute, &features);
            quote::quote!(#attribute).to_string().replace(' ', "")
        };
        assert_eq!(
            simple(parse_quote!(#[cfg(feature = "on")])),
            "#[cfg(all())]"
        );
        assert_eq!(
            simple(parse_quote!(#[cfg_attr(test, cold)])),
            "#[cfg_attr(any(),cold)]"
        );
        assert_eq!(
            simple(parse_quote!(#[cfg(all(unix, feature = "on"))])),
            "#[cfg(unix)]"
        );
        assert_eq!(simple(parse_quote!(#[inline(never)])), "#[inline(never)]");
    }

    #[test]
    fn attributes_behind_a_condition_come_out_when_it_holds() {
        let mut attributes: Vec<Attribute> = vec![
            parse_quote!(#[cfg(not(test))]),
            parse_quote!(#[cfg_attr(feature = "on", inline, cold)]),
            parse_quote!(#[cfg_attr(test, ignore)]),
            parse_quote!(#[cfg_attr(all(unix, feature = "on"), inline)]),
        ];
        assert!(apply(&mut attributes, &HashSet::from(["on".to_string()])));
        let expected: Vec<Attribute> = vec![
            parse_quote!(#[inline]),
            parse_quote!(#[cold]),
            parse_quote!(#[cfg_attr(unix, inline)]),
        ];
        assert_eq!(attributes, expected);
        assert!(!apply(
            &mut vec![parse_quote!(#[cfg(test)])],
            &HashSet::new()
        ));
    }
}

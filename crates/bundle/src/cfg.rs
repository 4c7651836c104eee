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
        return if string_value(condition).is_some_and(|name| features.contains(&name)) {
            Decision::True
        } else {
            Decision::False
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

/// The value of `name = "value"`.
pub(super) fn string_value(pair: &Meta) -> Option<String> {
    match &pair.require_name_value().ok()?.value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
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

/// Evaluates the conditions in `attributes`: one that holds is dropped, with what it guards left; one that does not
/// leaves `cfg(any())` alone; of the others, what they ask about the target is left.
pub(super) fn simplify(attributes: &mut Vec<Attribute>, features: &HashSet<String>) {
    for mut attribute in std::mem::take(attributes) {
        let is_cfg_attr = attribute.path().is_ident("cfg_attr");
        let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
        let parts = match attribute.parse_args_with(parser) {
            Ok(parts) if is_cfg_attr || attribute.path().is_ident("cfg") => parts,
            _ => {
                attributes.push(attribute);
                continue;
            }
        };
        let mut parts = parts.into_iter();
        match parts.next().map(|condition| decide(&condition, features)) {
            Some(Decision::True) => {
                let with = |meta| Attribute {
                    meta,
                    ..attribute.clone()
                };
                let mut guarded = parts.map(with).collect();
                simplify(&mut guarded, features);
                attributes.extend(guarded);
                continue;
            }
            None | Some(Decision::False) if is_cfg_attr => continue,
            None | Some(Decision::False) => {
                *attributes = vec![parse_quote!(#[cfg(any())])];
                return;
            }
            Some(Decision::Unknown(rest)) if is_cfg_attr => {
                attribute.meta = parse_quote!(cfg_attr(#rest, #(#parts),*));
            }
            Some(Decision::Unknown(rest)) => attribute.meta = parse_quote!(cfg(#rest)),
        }
        attributes.push(attribute);
    }
}

/// Whether one of `attributes` leaves out what they belong to, once they are simplified.
pub(super) fn leave_out(attributes: &[Attribute]) -> bool {
    attributes.contains(&parse_quote!(#[cfg(any())]))
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
    fn attributes_behind_a_condition_come_out_when_it_holds() {
        let mut attributes: Vec<Attribute> = vec![
            parse_quote!(#[cfg(not(test))]),
            parse_quote!(#[cfg_attr(feature = "on", inline, cold)]),
            parse_quote!(#[cfg_attr(test, ignore)]),
            parse_quote!(#[cfg_attr(all(unix, feature = "on"), inline)]),
            parse_quote!(#[cfg(all(unix, feature = "on"))]),
        ];
        simplify(&mut attributes, &HashSet::from(["on".to_string()]));
        let expected: Vec<Attribute> = vec![
            parse_quote!(#[inline]),
            parse_quote!(#[cold]),
            parse_quote!(#[cfg_attr(unix, inline)]),
            parse_quote!(#[cfg(unix)]),
        ];
        assert_eq!(attributes, expected);
        assert!(!leave_out(&attributes));
        attributes.push(parse_quote!(#[cfg_attr(feature = "on", cfg(test))]));
        simplify(&mut attributes, &HashSet::from(["on".to_string()]));
        assert!(leave_out(&attributes));
    }
}

//! Evaluates conditional compilation, as far as possible before the bundle is compiled.
//!
//! `test` is false and features are known. Conditions on the target stay in the bundle.

use std::collections::HashSet;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token, parse_quote};

/// The value of `condition` with these `features`. If it depends on the target, the condition that remains.
pub(super) fn decide(condition: &Meta, features: &HashSet<String>) -> Result<bool, Box<Meta>> {
    let path = condition.path();
    if path.is_ident("test") {
        return Ok(false);
    }
    if path.is_ident("feature") {
        return Ok(string_value(condition).is_some_and(|name| features.contains(&name)));
    }
    let open = || Box::new(condition.clone());
    let [all, any, not] = ["all", "any", "not"].map(|name| path.is_ident(name));
    let list = condition.require_list().map_err(|_| open())?;
    let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let parts = parts.ok().filter(|_| all || any || not).ok_or_else(open)?;
    let mut decided = parts.iter().map(|part| decide(part, features));
    if not {
        return match decided.next().ok_or_else(open)? {
            Ok(value) => Ok(!value),
            Err(rest) => Err(parse_quote!(not(#rest))),
        };
    }
    let mut rest: Vec<Box<Meta>> = Vec::new();
    for part in decided {
        match part {
            // A true condition decides `any`, a false one decides `all`.
            Ok(value) if value == any => return Ok(value),
            Ok(_) => {}
            Err(part) => rest.push(part),
        }
    }
    match rest.len() {
        0 => Ok(all),
        1 => Err(rest.remove(0)),
        _ => Err(parse_quote!(#path(#(#rest),*))),
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

/// Evaluates the conditions in `attributes`. A true one is dropped and its item stays. A false one leaves only
/// `cfg(any())`. Of the others, the conditions on the target remain.
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
            Some(Ok(true)) => {
                let with = |meta| Attribute {
                    meta,
                    ..attribute.clone()
                };
                let mut guarded = parts.map(with).collect();
                simplify(&mut guarded, features);
                attributes.extend(guarded);
                continue;
            }
            None | Some(Ok(false)) if is_cfg_attr => continue,
            None | Some(Ok(false)) => {
                *attributes = vec![never()];
                return;
            }
            Some(Err(rest)) if is_cfg_attr => {
                attribute.meta = parse_quote!(cfg_attr(#rest, #(#parts),*));
            }
            Some(Err(rest)) => attribute.meta = parse_quote!(cfg(#rest)),
        }
        attributes.push(attribute);
    }
}

/// The attribute whose condition is always false.
pub(super) fn never() -> Attribute {
    parse_quote!(#[cfg(any())])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(condition: &str) -> String {
        let features = HashSet::from(["on".to_string()]);
        match decide(&syn::parse_str(condition).unwrap(), &features) {
            Ok(value) => value.to_string(),
            Err(rest) => quote::quote!(#rest).to_string().replace(' ', ""),
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
        attributes.push(parse_quote!(#[cfg_attr(feature = "on", cfg(test))]));
        simplify(&mut attributes, &HashSet::from(["on".to_string()]));
        assert!(attributes.contains(&never()));
    }
}

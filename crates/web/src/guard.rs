//! Protects against requests that another site's page makes a browser send (CSRF), and against another site's names
//! that point here (DNS rebinding).
//!
//! Such a page cannot read the responses, because there is no CORS. It does not know the token, which every request
//! that starts a process or a search needs. Its own names are refused by the `Host` header. Other users of this machine
//! do not know the token either.

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue};
use sha2::{Digest, Sha256};
use std::net::IpAddr;

/// A name that cannot be guessed.
pub(super) fn secret() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// The header that carries the token.
const TOKEN: &str = "x-crownhead-token";

/// The token that a request needs to start something. The printed link contains it, and no response does.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// Compares digests, so that the time reveals nothing about the token.
    digest: [u8; 32],
}

impl Token {
    /// A new token, and its text.
    pub(super) fn new() -> (Token, String) {
        let text = secret();
        let digest = Sha256::digest(&text).into();
        (Token { digest }, text)
    }

    fn is(&self, text: &[u8]) -> bool {
        <[u8; 32]>::from(Sha256::digest(text)) == self.digest
    }
}

/// The names that this server accepts.
#[derive(Clone, Debug)]
pub(super) struct Hosts {
    /// Whether only this machine can reach the server.
    loopback: bool,
    names: Vec<String>,
}

impl Hosts {
    /// For a server that listens on `address` and also has these names.
    pub(super) fn new(address: IpAddr, names: &[String]) -> Hosts {
        Hosts {
            loopback: address.is_loopback(),
            names: names.iter().map(|name| name.to_ascii_lowercase()).collect(),
        }
    }

    /// Whether a request may use this host name: an address, `localhost` or a given name. Any other name could be
    /// pointed at this machine; an address cannot.
    pub(super) fn allow(&self, host: &str) -> bool {
        let Ok(host) = host.parse::<Authority>() else {
            return false;
        };
        let name = host.host().to_ascii_lowercase();
        match name.trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(address) => address.is_loopback() || !self.loopback,
            Err(_) => name == "localhost" || self.names.contains(&name),
        }
    }
}

/// Why a request may not start something; `None` if it may.
pub(super) fn foreign(headers: &HeaderMap, token: &Token) -> Option<&'static str> {
    let text = |name: &str| headers.get(name).map(HeaderValue::as_bytes);
    let other_site = text("sec-fetch-site").is_some_and(|site| site != b"same-origin");
    let other_origin = text("origin").is_some_and(|origin| {
        let mut schemes = [&b"http://"[..], b"https://"].into_iter();
        let host = schemes.find_map(|scheme| origin.strip_prefix(scheme));
        text("host").is_some_and(|own| host != Some(own))
    });
    if other_site || other_origin {
        return Some("the request comes from a page of another site");
    }
    let is_own = text(TOKEN).is_some_and(|text| token.is(text));
    (!is_own).then_some("to start or change anything, open the link that Crownhead printed")
}

/// Headers of every response. The page may load only files of this server, runs no inline script, and is shown in no
/// other site's frame.
pub(super) const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of the files of contests' viewers instead. These are other people's scripts, so the browser gives them a
/// separate origin. It can read only responses of this server that allow it, as these files do. They may evaluate text
/// and load files of this server, but nothing from elsewhere.
pub(super) const VIEWER_HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", VIEWER_POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    // Their path begins with the hash of their referee.
    ("cache-control", "private, max-age=3600"),
    ("access-control-allow-origin", "*"),
    ("cross-origin-resource-policy", "cross-origin"),
];

const VIEWER_POLICY: &str = "sandbox allow-scripts; default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; \
                             style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; \
                             media-src 'self' data: blob:; connect-src 'self' data: blob:; worker-src 'self' blob:; \
                             base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderName;
    use std::net::Ipv4Addr;

    #[test]
    fn only_names_that_mean_this_machine_for_sure_are_answered() {
        let own = Hosts::new(Ipv4Addr::LOCALHOST.into(), &[]);
        for host in ["127.0.0.1:8765", "localhost", "LOCALHOST:1", "[::1]:8765"] {
            assert!(own.allow(host), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:8765",
            "127.0.0.1.evil.example",
            "10.0.0.7",
            "",
        ] {
            assert!(!own.allow(host), "{host}");
        }
        let open = Hosts::new(Ipv4Addr::UNSPECIFIED.into(), &["Ladder.example".into()]);
        for host in ["10.0.0.7:80", "ladder.example:80", "[2001:db8::1]"] {
            assert!(open.allow(host), "{host}");
        }
        assert!(!open.allow("evil.example"));
    }

    #[test]
    fn what_starts_something_needs_the_token_and_no_foreign_origin() {
        let (expected, token) = Token::new();
        let refused = |pairs: &[(&'static str, &str)]| {
            let headers = pairs.iter().map(|&(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_str(value).unwrap(),
                )
            });
            foreign(&headers.collect(), &expected).is_some()
        };
        let own = ("x-crownhead-token", token.as_str());
        assert!(!refused(&[own]));
        assert!(!refused(&[
            own,
            ("origin", "http://127.0.0.1:1"),
            ("host", "127.0.0.1:1")
        ]));
        assert!(refused(&[]));
        assert!(refused(&[("x-crownhead-token", "guess")]));
        assert!(!refused(&[own, ("sec-fetch-site", "same-origin")]));
        for other in ["same-site", "cross-site", "none"] {
            assert!(refused(&[own, ("sec-fetch-site", other)]), "{other}");
        }
        assert!(refused(&[
            own,
            ("origin", "http://evil.example"),
            ("host", "127.0.0.1:1")
        ]));
        assert!(refused(&[own, ("origin", "null"), ("host", "127.0.0.1:1")]));
    }
}

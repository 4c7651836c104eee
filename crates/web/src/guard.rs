//! Protects against pages of other sites: requests that they make a browser send (CSRF), and their names if these point
//! here (DNS rebinding).
//!
//! Such a page cannot read the responses, because there is no CORS, and no request changes anything. Its own names are
//! refused by the `Host` header.

use axum::http::HeaderMap;
use axum::http::uri::Authority;
use std::net::IpAddr;

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

/// Whether the browser says that a page of another site sends the request. Another port of this machine is another site.
pub(super) fn is_foreign(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site");
    site.is_some_and(|site| site != "same-origin" && site != "none")
}

/// Headers of every response. The page may load only files of this server, runs no inline script, and is shown in no
/// other site's frame. Its library is WebAssembly, in workers whose script is a text of the page.
pub(super) const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

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
    use axum::http::HeaderValue;
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
    fn a_request_of_another_sites_page_is_foreign() {
        let foreign = |site: &'static str| {
            let site = HeaderValue::from_static(site);
            is_foreign(&HeaderMap::from_iter([(
                "sec-fetch-site".parse().unwrap(),
                site,
            )]))
        };
        assert!(foreign("cross-site") && foreign("same-site"));
        assert!(!foreign("same-origin") && !foreign("none"));
        assert!(!is_foreign(&HeaderMap::new()), "no browser sent it");
    }
}

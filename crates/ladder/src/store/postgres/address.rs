//! The address of a PostgreSQL database, how to reach it, and the password, which is in no file of a ladder.

use super::tls::Security;
use super::{PostgresStore, roles};
use crate::store::shared::Roles;
use crate::store::{Access, Store, StoreError};
use crownhead_record::system_error::describe;
use postgres::config::{Host, SslMode};
use std::error::Error as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The address of a ladder's database, such as `postgres://user@host/name`.
#[derive(Clone, Debug)]
pub struct Address {
    url: String,
    config: postgres::Config,
    security: Security,
}

impl PartialEq for Address {
    fn eq(&self, other: &Address) -> bool {
        self.url == other.url
    }
}

/// Where a server on this machine listens by default, as libpq has it on Linux.
const SOCKETS: &str = "/var/run/postgresql";

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// When it is not an address, names no database, or has a password.
    pub fn parse(url: &str) -> Result<Address, String> {
        let known = ["postgres://", "postgresql://"];
        if !known.iter().any(|scheme| url.starts_with(scheme)) {
            let told = "expected an address like postgres://user@host/database";
            return Err(told.into());
        }
        let (place, query) = url.split_once('?').unwrap_or((url, ""));
        // How to verify the server, in libpq's words. The client reads the rest of the address.
        let is_of_security =
            |pair: &&str| pair.starts_with("sslmode=") || pair.starts_with("sslrootcert=");
        let (security, query): (Vec<&str>, Vec<&str>) = query.split('&').partition(is_of_security);
        let value = |key| security.iter().find_map(|pair| pair.strip_prefix(key));
        let config = postgres::Config::from_str(&format!("{place}?{}", query.join("&")));
        let mut config = config.map_err(|error| chain(&error))?;
        if config.get_password().is_some() {
            let told = "there is a password in the address, where others can read it; put it into the environment \
                        variable PGPASSWORD or into ~/.pgpass";
            return Err(told.into());
        }
        if config.get_dbname().is_none_or(str::is_empty) {
            let told = "expected the database's name at the end: postgres://user@host/database";
            return Err(told.into());
        }
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            config.host_path(SOCKETS);
        }
        let (mode, root) = (value("sslmode="), value("sslrootcert="));
        let security = Security::parse(mode, root, is_local(&config))?;
        config.ssl_mode(match security {
            Security::None => SslMode::Disable,
            Security::Unverified | Security::Verified(_) => SslMode::Require,
        });
        Ok(Address {
            url: url.into(),
            config,
            security,
        })
    }

    /// The address as written.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A warning if others could read the connection or reply in the server's place.
    pub fn warning(&self) -> Option<&'static str> {
        match self.security {
            Security::None if !is_local(&self.config) => Some(
                "the connection is not encrypted (sslmode=disable): everybody on the way can read and change it; \
                 sslmode=verify-full prevents that",
            ),
            Security::Unverified => Some(
                "the connection is encrypted, but nobody verifies who answers (sslmode=require); \
                 sslmode=verify-full does",
            ),
            _ => None,
        }
    }

    /// Opens the ladder.
    ///
    /// # Errors
    /// When it cannot be opened for this purpose.
    pub fn open(&self, access: Access) -> Result<Store, StoreError> {
        Ok(PostgresStore::open(&self.url, access)?.into())
    }

    /// Creates the roles of owners and workers if they are missing, and sets their privileges. By default, they are named
    /// after the database.
    ///
    /// # Errors
    /// When a role may not be created here, or has powers that no privilege removes.
    pub fn set_roles(
        &self,
        owner: Option<&str>,
        worker: Option<&str>,
    ) -> Result<Roles, StoreError> {
        let store = PostgresStore::open(&self.url, Access::Write)?;
        roles::set_roles(&store, owner, worker)
    }

    pub(crate) fn security(&self) -> &Security {
        &self.security
    }

    /// How to connect, with the password from the environment or the pgpass file.
    ///
    /// # Errors
    /// When the pgpass file cannot be read, or others can read it.
    pub(crate) fn config(&self) -> Result<postgres::Config, String> {
        let mut config = self.config.clone();
        if let Ok(password) = std::env::var("PGPASSWORD") {
            config.password(password);
        } else if let Some(text) = read_pgpass()? {
            // A socket is named by its folder, or `localhost`.
            let hosts = match self.config.get_hosts().first() {
                Some(Host::Tcp(host)) => vec![host.clone()],
                Some(Host::Unix(folder)) => {
                    vec![folder.display().to_string(), "localhost".into()]
                }
                None => vec!["localhost".into()],
            };
            let port = self.config.get_ports().first().copied().unwrap_or(5432);
            let user = self.config.get_user().unwrap_or_default();
            let database = self.config.get_dbname().unwrap_or_default();
            let port = port.to_string();
            let mut hosts = hosts.iter();
            let password =
                hosts.find_map(|host| password_in(&text, &[host, &port, database, user]));
            if let Some(password) = password {
                config.password(password);
            }
        }
        Ok(config)
    }
}

/// Whether the server can only be on this machine.
fn is_local(config: &postgres::Config) -> bool {
    let names = ["localhost", "127.0.0.1", "::1"];
    let addresses = config.get_hostaddrs();
    addresses.iter().all(|address| address.is_loopback())
        && config.get_hosts().iter().all(|host| match host {
            Host::Tcp(name) => names.contains(&name.as_str()),
            Host::Unix(_) => true,
        })
}

/// The text of the user's pgpass file, if there is one.
fn read_pgpass() -> Result<Option<String>, String> {
    let named = std::env::var_os("PGPASSFILE").map(PathBuf::from);
    let usual = || std::env::home_dir().map(|home| home.join(".pgpass"));
    let path = named.or_else(usual).filter(|path| path.exists());
    path.map(|path| read_secret(&path)).transpose()
}

/// A file that only its owner can read, as libpq requires.
fn read_secret(path: &Path) -> Result<String, String> {
    let told = |error| describe(path, &error);
    let mode = crownhead_sandbox::mode(&path.metadata().map_err(told)?);
    if mode & 0o077 != 0 {
        return Err(format!(
            "{0}: others can read the passwords in it; `chmod 600 {0}`",
            path.display()
        ));
    }
    std::fs::read_to_string(path).map_err(told)
}

/// The password in a pgpass file for a host, port, database and user: that of the first matching line (PostgreSQL's
/// documentation, chapter "The Password File").
fn password_in(text: &str, wanted: &[&str; 4]) -> Option<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(fields).find_map(|fields| {
        let fits = |(field, wanted): (&String, &&str)| field == "*" || field == wanted;
        let [keys @ .., password] = &fields;
        keys.iter().zip(wanted).all(fits).then(|| password.clone())
    })
}

/// The five fields of a line. A backslash escapes a colon or a backslash.
fn fields(line: &str) -> Option<[String; 5]> {
    let mut fields = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            ':' if fields.len() < 5 => {
                fields.push(String::new());
                continue;
            }
            '\\' => fields.last_mut()?.extend(characters.next()),
            character => fields.last_mut()?.push(character),
        }
    }
    fields.try_into().ok()
}

/// An error with its causes, because the client's own message is short.
pub(super) fn chain(error: &postgres::Error) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !told.contains(&more) {
            told += &format!(": {more}");
        }
        cause = error.source();
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_database_and_never_a_password() {
        let address = Address::parse("postgres://anna@db.example:6000/night").unwrap();
        assert_eq!(address.config.get_dbname(), Some("night"));
        assert_eq!(address.url(), "postgres://anna@db.example:6000/night");
        for with_password in [
            "postgres://anna:secret@db.example/night",
            "postgres://anna@db.example/night?password=secret",
            "postgres://anna@db.example/night?connect_timeout=3&password=secret",
        ] {
            let error = Address::parse(with_password).unwrap_err().to_string();
            assert!(error.contains("PGPASSWORD"), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
        for nowhere in ["postgres://db.example", "postgres://db.example/"] {
            let error = Address::parse(nowhere).unwrap_err().to_string();
            assert!(error.contains("postgres://user@host/database"), "{error}");
        }
        let error = Address::parse("postgres://a/b?nonsense=1").unwrap_err();
        assert!(error.to_string().contains("nonsense"), "{error}");
    }

    #[test]
    fn a_server_elsewhere_is_verified_unless_the_address_says_otherwise_and_that_is_told() {
        let security = |url: &str| Address::parse(url).unwrap().security;
        assert_eq!(
            security("postgres://db.example/n"),
            Security::Verified(None)
        );
        assert_eq!(security("postgres://localhost/n"), Security::None);
        assert_eq!(security("postgres:///n?host=/tmp"), Security::None);
        assert_eq!(security("postgres:///n"), Security::None);
        assert_eq!(
            security("postgres://localhost/n?hostaddr=10.0.0.1"),
            Security::Verified(None)
        );
        let root = Some(PathBuf::from("/etc/ca.pem"));
        assert_eq!(
            security("postgres://db.example/n?sslrootcert=/etc/ca.pem"),
            Security::Verified(root.clone())
        );
        assert_eq!(
            security("postgres://localhost/n?sslmode=verify-full&sslrootcert=/etc/ca.pem"),
            Security::Verified(root)
        );
        let warning = |url: &str| Address::parse(url).unwrap().warning();
        assert_eq!(warning("postgres://db.example/n"), None);
        assert_eq!(warning("postgres://localhost/n?sslmode=disable"), None);
        let told = warning("postgres://db.example/n?sslmode=require").unwrap();
        assert!(told.contains("verifies"), "{told}");
        let told = warning("postgres://db.example/n?sslmode=disable").unwrap();
        assert!(told.contains("not encrypted"), "{told}");
        let error = Address::parse("postgres://db.example/n?sslmode=prefer").unwrap_err();
        assert!(error.to_string().contains("verify-full"), "{error}");
    }

    #[test]
    fn a_password_is_that_of_the_first_line_that_fits() {
        let text = "# a comment:5432:*:*:no\n\
            db.example:5432:night:anna:first\n\
            db.example:5432:*:anna:second\n\
            *:*:*:bert:with\\:colon and \\\\ and :more\n\
            too:few:fields";
        let of = |wanted| password_in(text, &wanted);
        assert_eq!(
            of(["db.example", "5432", "night", "anna"]),
            Some("first".into())
        );
        assert_eq!(
            of(["db.example", "5432", "day", "anna"]),
            Some("second".into())
        );
        assert_eq!(of(["db.example", "5433", "day", "anna"]), None);
        assert_eq!(
            of(["elsewhere", "1", "day", "bert"]),
            Some("with:colon and \\ and :more".into())
        );
        assert_eq!(of(["too", "few", "fields", ""]), None);
    }

    #[test]
    fn a_file_of_passwords_that_others_can_read_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let set = |mode| crownhead_sandbox::set_mode(file.path(), mode).unwrap();
        set(0o644);
        let error = read_secret(file.path()).unwrap_err().to_string();
        assert!(error.contains("chmod 600"), "{error}");
        set(0o600);
        assert_eq!(read_secret(file.path()).unwrap(), "");
    }
}

//! The roles of a ladder's database: one for owners, who change it, and one for workers, who play it. Their privileges
//! are in `roles.sql`.

use super::NUMBER;
use super::PostgresStore;
use super::statements::LOCK;
use crate::store::StoreError;
use crate::store::shared::Roles;
use postgres::error::SqlState;
use postgres::{Client, Error};

const STATEMENTS: &str = include_str!("roles.sql");

/// Whether a role bypasses all rules, as the attributes and the membership let it that no privilege removes.
const IS_POWERFUL: &str = "SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication
        OR rolname = current_user OR EXISTS (SELECT 1 FROM pg_auth_members WHERE member = pg_roles.oid)
     FROM pg_roles WHERE rolname = $1";

/// The endings of games, as in their rows.
const TERMINATIONS: &str = "'goal', 'no-moves', 'without-capture', 'turn-limit', 'scores', 'adjudicated', 'illegal-reply',
    'unreadable-reply', 'timeout', 'crash', 'out-of-memory', 'exit', 'closed-output', 'cannot-start', 'abandoned',
    'not-stated', 'referee-fault'";

/// Creates missing roles and sets their privileges. By default, they are named after the database.
///
/// # Errors
/// When a role may not be created here, or has powers that no privilege removes.
pub(crate) fn set_roles(
    store: &PostgresStore,
    owner: Option<&str>,
    worker: Option<&str>,
) -> Result<Roles, StoreError> {
    let url = store.url();
    store.run(|client| {
        let row = client.query_one("SELECT current_database()::text, current_schema()::text", &[])?;
        let (database, schema): (String, String) = (row.get(0), row.get(1));
        let roles = Roles {
            owner: owner.map_or_else(|| format!("{database}_owner"), String::from),
            worker: worker.map_or_else(|| format!("{database}_worker"), String::from),
        };
        let refused = |why: String| Err(StoreError::server(url, why));
        if roles.owner == roles.worker {
            return refused("expected two roles, one for owners and one for workers".into());
        }
        for role in [&roles.owner, &roles.worker] {
            if let Err(error) = make(client, role) {
                let no_right = error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE);
                return if no_right {
                    refused(format!(
                        "this role may not create roles; let an administrator do it, then try again: `createuser \
                         --pwprompt {role}`"
                    ))
                } else {
                    Err(error.into())
                };
            }
        }
        if client.query_one(IS_POWERFUL, &[&roles.worker])?.get(0) {
            return refused(format!(
                "{} is a superuser, may create roles or databases, or is a member of another role, so that no rule holds \
                 it. Name a role for workers alone with `--worker NAME`",
                roles.worker
            ));
        }
        let statements = statements(&roles, &database, &schema);
        let mut transaction = client.transaction()?;
        transaction.batch_execute(&statements)?;
        transaction.commit()?;
        let left = "SELECT has_schema_privilege($1, $2, 'CREATE')
             OR has_database_privilege($1, current_database(), 'CREATE, TEMPORARY')";
        let left = client.query_one(left, &[&roles.worker, &schema])?;
        if left.get(0) {
            return refused(format!(
                "{} can still create tables in this database: let its owner type `REVOKE CREATE ON SCHEMA {} FROM \
                 PUBLIC; REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC` in psql, then try again",
                roles.worker,
                quoted(&schema),
                quoted(&database)
            ));
        }
        Ok(roles)
    })
}

/// Creates a role that may log in once it has a password, and nothing else.
fn make(client: &mut Client, role: &str) -> Result<(), Error> {
    let known = "SELECT count(*) FROM pg_roles WHERE rolname = $1";
    let known: i64 = client.query_one(known, &[&role])?.get(0);
    if known > 0 {
        return Ok(());
    }
    client.batch_execute(&format!("CREATE ROLE {} LOGIN", quoted(role)))
}

fn statements(roles: &Roles, database: &str, schema: &str) -> String {
    let filled = [
        ("{owner}", quoted(&roles.owner)),
        ("{worker}", quoted(&roles.worker)),
        ("{owner_name}", literal(&roles.owner)),
        ("{schema}", quoted(schema)),
        ("{database}", quoted(database)),
        ("{terminations}", TERMINATIONS.into()),
        ("{number_stored}", NUMBER.into()),
        ("{order_lock}", LOCK.to_string()),
    ];
    let fill = |text: String, (name, value): &(&str, String)| text.replace(name, value);
    filled.iter().fold(STATEMENTS.to_string(), fill)
}

/// A name in a statement.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text in a statement.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::TERMINATIONS;
    use crownhead_record::Termination;

    #[test]
    fn workers_may_store_games_that_end_in_each_way_that_there_is() {
        let unknown = serde_json::from_str::<Termination>("\"no such way\"").unwrap_err();
        let told = unknown.to_string();
        let (_, expected) = told.split_once("expected one of ").unwrap();
        let known = expected.split('`').skip(1).step_by(2);
        assert!(known.eq(TERMINATIONS.split('\'').skip(1).step_by(2)));
    }
}

//! `crownhead ladder roles`: who may do what in the database of a ladder.

use super::folder_command::FolderCommand;
use crate::failure::Failure;
use clap::Args;
use crownhead_ladder::Folder;
use crownhead_ladder::store::shared::expect_shared;
use std::io::Write;

#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead ladder roles night
  psql --command '\\password night_worker' night
  crownhead worker postgres://night_worker@db.example/night",
    after_long_help = "\
Both are roles of PostgreSQL. They are created if they do not exist, and you can repeat the command. Owners may change \
everything that is stored. Workers may read what they play, claim pairs, and store the games of the pairs that they claimed. \
They cannot delete anything, and cannot change bots, the configuration, or the claims and games of others. To tell machines \
apart, give each a role of its own and make that a member: `CREATE ROLE attic LOGIN; GRANT night_worker TO attic`.

Use the role that created the ladder; it must be able to create others (CREATEROLE)."
)]
pub(super) struct SetRoles {
    /// Role of owners [default: the database's name and _owner]
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Role of workers [default: the database's name and _worker]
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,
}

impl FolderCommand for SetRoles {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let store = folder.store()?;
        let shared = expect_shared(store.as_ref())?;
        let roles = shared.set_roles(self.owner.as_deref(), self.worker.as_deref())?;
        let mut out = anstream::stdout().lock();
        writeln!(
            out,
            "{} may change all of this ladder, {} may play it and change nothing else.",
            roles.owner, roles.worker
        )?;
        writeln!(
            out,
            "Next, a password for each: psql --command '\\password {}'",
            roles.worker
        )?;
        Ok(())
    }
}

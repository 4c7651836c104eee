//! `crownhead ladder roles`: who may do what in the database of a ladder.

use super::folder_command::FolderCommand;
use crate::failure::{Failure, usage};
use clap::Args;
use crownhead_ladder::Folder;
use std::io::Write;

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  crownhead ladder roles night
  psql --command '\\password night_worker' night
  crownhead worker postgres://night_worker@db.example/night

Both are roles of PostgreSQL, made if they are not there, and the command can be given again. Owners may change all that is \
stored. Workers may read what they play, claim pairs, and store the games of those that they have claimed; they may not \
change bots, the configuration, and claims or games of others, and delete nothing. To tell machines apart give each a role of \
its own and make that a member: `CREATE ROLE attic LOGIN; GRANT night_worker TO attic`.

Type it as who made the ladder, a role that may create others (CREATEROLE).")]
pub(super) struct SetRoles {
    /// The role of owners [default: the database's name and _owner]
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// The role of workers [default: the database's name and _worker]
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,
}

impl FolderCommand for SetRoles {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let store = folder.store()?;
        let shared = store.shared().ok_or_else(|| {
            usage(
                "the ladder's games are in a file, which has no roles: `crownhead ladder new FOLDER --store postgres://…` \
                 begins one in a database",
            )
        })?;
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

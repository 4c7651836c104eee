//! The address of a ladder's database as an argument. One that is refused is not repeated: it may hold a password, and
//! what a command says is often kept.

use crate::failure::{Failure, usage};
use clap::builder::TypedValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use crownhead_ladder::Folder;
use crownhead_ladder::store::Address;
use std::ffi::OsStr;

/// Reads such an argument.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoreAddress;

impl TypedValueParser for StoreAddress {
    type Value = Address;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Address, Error> {
        let text = value.to_string_lossy();
        Address::parse(&text).map_err(|error| {
            let name = argument.map(|argument| format!("{argument}: "));
            let told = format!("{}{error}", name.unwrap_or_default());
            let mut refused = Error::new(ErrorKind::ValueValidation).with_cmd(command);
            refused.insert(ContextKind::Custom, ContextValue::String(told));
            refused
        })
    }
}

/// Says what must be known of the way to a ladder's database.
pub(crate) fn warn_of_store(folder: &Folder) -> Result<(), Failure> {
    if let Some(address) = folder.database().map_err(usage)?
        && let Some(warning) = address.warning()
    {
        anstream::eprintln!("warning: {}: {warning}", address.url());
    }
    Ok(())
}

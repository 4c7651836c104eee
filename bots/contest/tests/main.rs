//! The contest bot at its end of the line protocol.

mod conversation;

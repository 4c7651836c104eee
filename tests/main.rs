//! The library's tests: the rules of each game, the laws of all of them, the search, the line protocol, and what
//! ARCHITECTURE.md and `protocol.md` claim.

mod architecture;
mod checkers;
mod chess;
mod contract;
mod everchess;
mod perft;
mod protocol;
mod protocol_md;
mod search;
mod support;

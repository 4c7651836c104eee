//! Checkers as people know it: what must be captured and how, how a game ends, what is refused and why,
//! and the move generator against a slow one that is plain to read.

mod board;
mod captures;
mod endings;
mod positions;
mod reference;
mod refusals;

//! The last of all tests says at their end which others were skipped, and how to install what they need.

#[path = "../../../tests/support/skip.rs"]
mod skip;

fn main() {
    // Who asks for tests by name, or for a list of them, has not run all.
    if std::env::args().len() == 1 {
        for needed in &skip::NEEDED {
            skip::is_there(needed.program);
        }
    }
}

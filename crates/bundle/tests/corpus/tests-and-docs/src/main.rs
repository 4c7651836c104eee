#![allow(clippy::all)]
#![warn(missing_docs)]
//! Documentation, /* not a comment */ and a "string".

/// Adds. // nothing
///
/// ```
/// unneeded();
/// ```
#[must_use]
#[inline]
#[doc(hidden)]
fn add(/* first */ a: i32, b: i32) -> i32 {
    // A comment with "quotes".
    a /* in between */ + b
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn unneeded() {
        assert_eq!(add(1, 2), 3);
    }
}

#[cfg(test)]
fn unneeded() {}

#[rustfmt::skip]
fn main() {
    println!("{} // not a comment", add(1, 2)); #[cfg(test)] unneeded();
}

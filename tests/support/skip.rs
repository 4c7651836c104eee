//! Tests that need a program which is not on every machine.

/// Says that a test is skipped for want of a program that `.ci/run` installs; there that is a failure.
pub(crate) fn skip_for_want_of(what: &str) {
    let in_ci = std::env::var_os("CI").is_some_and(|ci| ci == "true");
    assert!(
        !in_ci,
        "there is no {what}: in CI nothing is skipped for want of it"
    );
    let mut past_the_capture = std::io::stderr();
    let _ = std::io::Write::write_all(
        &mut past_the_capture,
        format!("skipped: there is no {what}\n").as_bytes(),
    );
}

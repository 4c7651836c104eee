//! A calendar other than the machine's, for a program under test.

use super::skip::is_there;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tells a program another calendar than the machine's, by so many seconds.
const MOVED_CLOCK: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(clock, time);
    const char *moved = getenv("CLOCK_MOVED_BY");
    if (!failed && clock == CLOCK_REALTIME && moved) time->tv_sec += atoll(moved);
    return failed;
}
int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    int failed = clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return failed;
}
"#;

/// The library that moves the clock, if there is a compiler.
pub(crate) fn moved_clock(folder: &Path) -> Option<PathBuf> {
    if !is_there("cc") {
        return None;
    }
    let (source, library) = (folder.join("clock.c"), folder.join("clock.so"));
    std::fs::write(&source, MOVED_CLOCK).unwrap();
    let mut compiler = Command::new("cc");
    compiler
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(&source)
        .arg("-ldl");
    assert!(compiler.status().unwrap().success());
    Some(library)
}

//! What a worker of the page calls, and what it is called by: text in linear memory.
//!
//! The worker [reserves](reserve) room for a request, writes it there, and calls [`request`]; each reply is passed to
//! `tell` as JSON. The only unsafe code of this crate, and all of it: names that the linker keeps, and the page's word
//! that what it imports here takes what it is given. Memory is read and written by the worker, never by address here.
#![allow(unsafe_code)]

use super::session::{Reply, Session};
use std::cell::RefCell;
use std::time::Duration;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// The time since some moment, in milliseconds.
    safe fn now() -> f64;
    /// Reads this text, before it returns.
    safe fn tell(text: *const u8, length: usize);
}

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for a request of this many bytes; gives its address.
#[unsafe(no_mangle)]
extern "C" fn reserve(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        *request = vec![0; length];
        request.as_mut_ptr()
    })
}

/// Answers the request that stands in the room that was reserved.
#[unsafe(no_mangle)]
extern "C" fn request() {
    let request = REQUEST.take();
    let clock = || Duration::from_micros((now() * 1000.0) as u64);
    let mut tell = |reply: &Reply<'_>| {
        let text = serde_json::to_vec(reply).expect("a reply is plain data");
        tell(text.as_ptr(), text.len());
    };
    SESSION.with_borrow_mut(|session| {
        session.answer(&String::from_utf8_lossy(&request), &clock, &mut tell);
    });
}

//! A ladder's configuration: it is understood, or refused with a line and a reason.
#![no_main]

use crownhead::games::checkers::Checkers;
use crownhead_referee::ladder::Config;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(error) = Config::parse::<Checkers>(text) {
        assert!(!error.to_string().is_empty());
    }
    let _ = Config::game(text);
});

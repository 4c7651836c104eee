#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| crownhead_fuzz::site_games(bytes));

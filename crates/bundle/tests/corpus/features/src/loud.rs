pub const VOLUME: u8 = 11;

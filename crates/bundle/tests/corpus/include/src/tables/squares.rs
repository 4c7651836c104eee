// Written by a script.
pub const SQUARES: [u32; 4] = [0, 1, 4, 9];
pub const UNNEEDED: u32 = 0;

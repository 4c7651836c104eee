pub fn unneeded() {}

#[cfg(feature = "slow")]
pub fn mode() -> &'static str {
    "unneeded slow"
}
#[cfg(all(feature = "fast", not(feature = "slow")))]
pub fn mode() -> &'static str {
    "fast"
}

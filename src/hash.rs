//! Hashes of positions: a few words of board folded into one.

/// A hash of two words, good in each of its bits; longer keys are folded word by word.
///
/// The words are multiplied to 128 bits and the two halves of the product are combined: a multiplication
/// and an exclusive or, without tables and without state to keep right between moves. (Known as the mum hash
/// or folded multiply, the heart of V. Makarov's mum-hash of 2016 and Wang Yi's wyhash of 2019.) The
/// arguments do not commute. It does not withstand words that are chosen to collide.
///
/// ```
/// use crownhead::hash::fold;
/// use crownhead::Side;
///
/// let (black, white) = (0xff_u64, 0xff << 56);
/// let hash = |side: Side| fold(fold(black, white), side.index() as u64);
/// assert_ne!(hash(Side::Black), hash(Side::White));
/// ```
#[inline(always)]
pub const fn fold(a: u64, b: u64) -> u64 {
    // Odd numbers from the fractional parts of the golden ratio and of pi keep small words apart.
    const PI: u64 = 0x243f_6a88_85a3_08d3;
    let product = (a ^ GOLDEN_RATIO) as u128 * (b ^ PI) as u128;
    (product >> 64) as u64 ^ product as u64
}

/// 2^64 over the golden ratio, whose multiples spread evenly (D. Knuth, "The Art of Computer Programming",
/// volume 3, 6.4).
pub(crate) const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn flipping_any_bit_of_either_word_flips_about_half_the_hash() {
        let (a, b) = (0x00ff_0000_0000_ff00, 0x1234_5678);
        for bit in 0..64 {
            for flipped in [fold(a ^ 1 << bit, b), fold(a, b ^ 1 << bit)] {
                let bits = (flipped ^ fold(a, b)).count_ones();
                assert!((12..=52).contains(&bits), "bit {bit}: {bits} bits flip");
            }
        }
        assert_ne!(fold(1, 2), fold(2, 1));
    }
}

pub fn sum(numbers: &[u32]) -> u32 {
    numbers.iter().sum::<u32>() + crate::SQUARES[3]
}

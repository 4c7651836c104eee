//! Hidden units added up by vectors of 256 bits (AVX2), in assembly.
//!
//! The contest may compile without optimisation, where loops are slow and intrinsics are calls. Assembly is as fast there
//! as anywhere.

#![allow(unsafe_code)]

use super::{Row, ONE};
use std::arch::asm;

/// Whether the processor has what the other functions need.
pub(super) fn is_detected() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

/// Adds `added` to the sums and subtracts `taken`.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn replace<const ROWS: usize>(
    sums: &mut [Row; ROWS],
    taken: &[Row; ROWS],
    added: &[Row; ROWS],
) {
    let bytes = size_of_val(sums);
    // SAFETY: as many bytes as each of the three has are read and written; a row is aligned as `vmovdqa` asks.
    unsafe {
        asm!(
            "2:",
            "vmovdqa ymm0, [rdi + rax]",
            "vpaddw ymm0, ymm0, [rdx + rax]",
            "vpsubw ymm0, ymm0, [rsi + rax]",
            "vmovdqa [rdi + rax], ymm0",
            "add rax, 32",
            "jne 2b",
            "vzeroupper",
            inout("rax") bytes.wrapping_neg() => _,
            in("rdi") sums.as_mut_ptr().add(ROWS),
            in("rsi") taken.as_ptr().add(ROWS),
            in("rdx") added.as_ptr().add(ROWS),
            clobber_abi("C"),
            options(nostack),
        );
    }
}

/// The sum of the units, clipped, squared and weighted.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn output<const ROWS: usize>(sums: &[Row; ROWS], weights: &[Row; ROWS]) -> i32 {
    let bytes = size_of_val(sums);
    let worth: usize;
    // SAFETY: as many bytes as each of the two has are read; a row is aligned as `vmovdqa` asks.
    unsafe {
        asm!(
            "vmovd xmm2, ecx",
            "vpbroadcastw ymm2, xmm2",
            "vpxor xmm1, xmm1, xmm1",
            "vpxor xmm0, xmm0, xmm0",
            "2:",
            "vpmaxsw ymm3, ymm1, [rdi + rax]",
            "vpminsw ymm3, ymm3, ymm2",
            "vpmullw ymm3, ymm3, ymm3",
            "vpmaddwd ymm3, ymm3, [rsi + rax]",
            "vpaddd ymm0, ymm0, ymm3",
            "add rax, 32",
            "jne 2b",
            // The sum of the eight sums in ymm0.
            "vextracti128 xmm1, ymm0, 1",
            "vpaddd xmm0, xmm0, xmm1",
            "vpshufd xmm1, xmm0, 0x4e",
            "vpaddd xmm0, xmm0, xmm1",
            "vpshufd xmm1, xmm0, 0xb1",
            "vpaddd xmm0, xmm0, xmm1",
            "vmovd eax, xmm0",
            "vzeroupper",
            inout("rax") bytes.wrapping_neg() => worth,
            in("ecx") ONE,
            in("rdi") sums.as_ptr().add(ROWS),
            in("rsi") weights.as_ptr().add(ROWS),
            clobber_abi("C"),
            options(readonly, nostack),
        );
    }
    worth as i32
}

//! Hidden units added up by vectors of 256 bits (AVX2), in assembly.
//!
//! The contest may compile without optimisation, where loops are slow and intrinsics are calls. Assembly is as fast there
//! as anywhere.

#![allow(unsafe_code)]

use super::{Changes, Row, ONE};
use std::arch::asm;

/// Whether the processor has what the other functions need.
pub(super) fn is_detected() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

/// Updates as many rows as there are numbers, which are those of the registers that hold them: each is read and written
/// once, however many inputs changed. Gives what they add to the output.
macro_rules! update_rows {
    ($sums:expr, $columns:expr, $bytes:expr, $changes:expr, $weights:expr; $($row:literal)*) => {{
        let (added, taken) = ($changes.added().as_ptr_range(), $changes.taken().as_ptr_range());
        let worth: usize;
        asm!(
            $(concat!("vmovdqa ymm", $row, ", [rdi + 32*", $row, "]"),)*
            "jmp 3f",
            "2:",
            "movzx eax, word ptr [rcx]",
            "add rcx, 2",
            "imul eax, r10d",
            $(concat!("vpaddw ymm", $row, ", ymm", $row, ", [rsi + rax + 32*", $row, "]"),)*
            "3:",
            "cmp rcx, rdx",
            "jne 2b",
            "jmp 5f",
            "4:",
            "movzx eax, word ptr [r8]",
            "add r8, 2",
            "imul eax, r10d",
            $(concat!("vpsubw ymm", $row, ", ymm", $row, ", [rsi + rax + 32*", $row, "]"),)*
            "5:",
            "cmp r8, r9",
            "jne 4b",
            "mov eax, {one}",
            "vmovd xmm9, eax",
            "vpbroadcastw ymm9, xmm9",
            "vpxor xmm8, xmm8, xmm8",
            "vpxor xmm10, xmm10, xmm10",
            $(
                concat!("vmovdqa [rdi + 32*", $row, "], ymm", $row),
                concat!("vpmaxsw ymm", $row, ", ymm", $row, ", ymm8"),
                concat!("vpminsw ymm", $row, ", ymm", $row, ", ymm9"),
                concat!("vpmullw ymm", $row, ", ymm", $row, ", ymm", $row),
                concat!("vpmaddwd ymm", $row, ", ymm", $row, ", [r11 + 32*", $row, "]"),
                concat!("vpaddd ymm10, ymm10, ymm", $row),
            )*
            // The sum of the eight sums in ymm10.
            "vextracti128 xmm8, ymm10, 1",
            "vpaddd xmm10, xmm10, xmm8",
            "vpshufd xmm8, xmm10, 0x4e",
            "vpaddd xmm10, xmm10, xmm8",
            "vpshufd xmm8, xmm10, 0xb1",
            "vpaddd xmm10, xmm10, xmm8",
            "vmovd eax, xmm10",
            "vzeroupper",
            one = const ONE,
            out("rax") worth,
            inout("rcx") added.start => _,
            in("rdx") added.end,
            inout("r8") taken.start => _,
            in("r9") taken.end,
            in("r10") $bytes,
            in("rdi") $sums,
            in("rsi") $columns,
            in("r11") $weights,
            clobber_abi("sysv64"),
            options(nostack),
        );
        worth as i32
    }};
}

/// Adds and subtracts the weights of the inputs that changed, and gives the sum of the units, clipped, squared and
/// weighted.
///
/// # Safety
/// The processor has AVX2; `weights` has as many rows as `sums`, and so has each input that changed in `columns`.
#[inline(always)]
pub(super) unsafe fn update(
    sums: &mut [Row],
    columns: &[Row],
    changes: &Changes,
    weights: &[Row],
) -> i32 {
    let rows = sums.len();
    let bytes = size_of_val(sums);
    let (sums, columns, weights) = (sums.as_mut_ptr(), columns.as_ptr(), weights.as_ptr());
    let (mut worth, mut row) = (0, 0);
    while row < rows {
        // SAFETY: so many rows are left of the sums, of each column and of the weights; a row is aligned as `vmovdqa` asks.
        unsafe {
            let (sums, columns, weights) = (sums.add(row), columns.add(row), weights.add(row));
            if rows - row >= 8 {
                worth += update_rows!(sums, columns, bytes, changes, weights; 0 1 2 3 4 5 6 7);
                row += 8;
            } else {
                worth += update_rows!(sums, columns, bytes, changes, weights; 0);
                row += 1;
            }
        }
    }
    worth
}

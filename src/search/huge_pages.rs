//! Huge pages for the transposition table.
//!
//! Nearly every probe is in another page of 4 KiB, which the processor must look up before it can fetch the entry. In
//! pages of 2 MiB it knows most of a table by heart.

/// The size of a huge page of x86-64 and of aarch64 with pages of 4 KiB, in bytes; a multiple of every smaller page.
#[cfg(target_os = "linux")]
const HUGE_PAGE: usize = 2 << 20;

/// `count` times `value`, in huge pages where Linux gives them to who asks: by default it does (the kernel's manual,
/// "Transparent Hugepage Support"). Elsewhere in ordinary ones.
pub(super) fn filled<T: Clone>(value: T, count: usize) -> Vec<T> {
    let mut list = Vec::with_capacity(count);
    // Before the first write: what has a page already keeps it for a while.
    #[cfg(target_os = "linux")]
    ask_for_huge_pages(&mut list);
    list.resize(count, value);
    list
}

#[cfg(target_os = "linux")]
fn ask_for_huge_pages<T>(list: &mut Vec<T>) {
    use std::ffi::{c_int, c_void};
    #[allow(unsafe_code)]
    unsafe extern "C" {
        fn madvise(start: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    const MADV_HUGEPAGE: c_int = 14;
    let room = list.spare_capacity_mut();
    let start = room.as_mut_ptr().cast::<u8>();
    let before = start.align_offset(HUGE_PAGE);
    let whole = size_of_val(room).saturating_sub(before) / HUGE_PAGE * HUGE_PAGE;
    if whole > 0 {
        // SAFETY: the range is within the room of the list, and this advice changes no content. (madvise(2)) A refusal
        // costs nothing but speed.
        #[allow(unsafe_code)]
        unsafe {
            madvise(start.wrapping_add(before).cast(), whole, MADV_HUGEPAGE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_holds_as_many_values_as_were_asked_for() {
        assert_eq!(filled(7_u8, 0), []);
        assert_eq!(filled(7_u64, 1000), [7; 1000]);
        let many = filled(7_u64, 1 << 20);
        assert!(many.len() == 1 << 20 && many.iter().all(|&value| value == 7));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_large_list_is_marked_for_huge_pages_from_end_to_end() {
        let list = filled(1_u64, 4 * HUGE_PAGE / size_of::<u64>());
        let (start, end) = (list.as_ptr() as usize, list.as_ptr_range().end as usize);
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let mut marked = 0;
        let mut inside = 0;
        for line in maps.lines() {
            let range = line
                .split_once(' ')
                .and_then(|(range, _)| range.split_once('-'));
            if let Some((Ok(from), Ok(to))) = range.map(|(from, to)| {
                (
                    usize::from_str_radix(from, 16),
                    usize::from_str_radix(to, 16),
                )
            }) {
                inside = to.min(end).saturating_sub(from.max(start));
            } else if line.starts_with("VmFlags:") && line.split(' ').any(|flag| flag == "hg") {
                marked += inside;
            }
        }
        // What is not a whole huge page at either end is left alone.
        assert!(marked >= 3 * HUGE_PAGE, "{marked} bytes of {}", end - start);
    }
}

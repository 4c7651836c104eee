//! What is compiled only with debug assertions, and only without them, stays and works.

#[derive(Debug)]
#[cfg_attr(debug_assertions, allow(dead_code))]
struct Total {
    value: i32,
}

#[cfg(debug_assertions)]
mod careful {
    pub(crate) fn total(rows: &[[i32; 2]]) -> i32 {
        let mut total = 0;
        for row in rows {
            for value in row {
                total += value;
            }
        }
        total
    }
}

#[cfg(not(debug_assertions))]
mod quick {
    pub(crate) fn total(rows: &[[i32; 2]]) -> i32 {
        rows.as_flattened().iter().zip(super::ones()).map(|(value, one)| value * one).sum()
    }
}

#[cfg_attr(debug_assertions, allow(dead_code))]
fn ones() -> impl Iterator<Item = i32> {
    std::iter::repeat(1)
}

#[allow(dead_code)]
fn unneeded() {}

fn main() {
    let rows = [[1, 2], [3, 4]];
    #[cfg(debug_assertions)]
    println!("Total {{ value: {} }}", careful::total(&rows));
    #[cfg(not(debug_assertions))]
    println!("{:?}", Total { value: quick::total(&rows) });
}

static BOOK: &str = include_str!("../book.txt");
const RAW: &[u8] = include_bytes!("../raw.bin");

fn main() {
    for line in BOOK.lines() {
        println!("{line}");
    }
    println!("{RAW:?} {}", include_str!("../book.txt").len());
    println!("{} {}", env!("CARGO_PKG_NAME"), concat!("version ", env!("CARGO_PKG_VERSION")));
}

mod outer;
mod plain;
mod inline {
    pub mod file;
    pub(in crate::inline) fn near() -> i32 {
        self::file::VALUE
    }
    pub fn far() -> i32 {
        near() + super::plain::VALUE
    }
}

fn main() {
    println!("{} {} {}", outer::middle::inner::path(), inline::far(), outer::sum());
}

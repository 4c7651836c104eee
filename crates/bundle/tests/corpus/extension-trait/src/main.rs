use extension_trait::prelude::*;

fn main() {
    println!("{:?} {:?}", 40u64.lowest(), 0u64.lowest());
    println!("{:?} {:?}", vec!['a', 'b'].second(), [1][..].second());
}

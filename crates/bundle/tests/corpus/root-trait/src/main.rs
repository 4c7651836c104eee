use root_trait::{Counting, Judge};

fn show<J: Judge>(judge: &J) {
    println!("{} {} {}", J::NAME, judge.score(), judge.twice());
}

fn main() {
    show(&Counting(21));
}

use l1::*;

fn main() {
    let board = Board::new(3);
    println!("{} {:?}", board.area(), Colour::Black);
    println!("{}", deep::whisper(SIZE));
}

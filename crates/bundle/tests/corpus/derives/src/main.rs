use std::collections::{BTreeSet, HashMap};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Piece {
    #[default]
    Man,
    King,
}
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Square<T> {
    column: T,
    row: T,
    piece: Option<Piece>,
}
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Unneeded(u8);
#[repr(u8)]
#[derive(Clone, Copy)]
enum Code {
    A = b'a',
    Z = b'z',
}
use Code::*;

fn main() {
    let square = Square { column: 1, row: 2, piece: Some(Piece::King) };
    let set: BTreeSet<_> = [square.clone(), Square::default()].into_iter().collect();
    let map: HashMap<_, _> = set.iter().map(|square| (square.clone(), square.piece.unwrap_or_default())).collect();
    println!("{set:?} {:?} {}", map[&square], (A as u8 as char) < Z as u8 as char);
    println!("{square:#?} {:?}", Piece::Man.cmp(&Piece::King));
}

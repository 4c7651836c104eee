use generics::{Search, State};

#[derive(Clone)]
struct Nim(u8);
impl State for Nim {
    type Move = u8;
    fn moves(&self) -> Vec<u8> {
        (1..=3.min(self.0)).collect()
    }
    fn play(&self, mv: u8) -> Nim {
        Nim(self.0 - mv)
    }
}

fn main() {
    let mut search = Search::new(|nim: &Nim| if nim.0 == 0 { -1 } else { i64::from(nim.0) });
    println!("{:?}", search.best(&Nim(7), 4));
    println!("{:?}", search.seen().collect::<Vec<_>>());
}

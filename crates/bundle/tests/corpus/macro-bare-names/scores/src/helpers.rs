macro_rules! helped {
    ($x:expr) => { $x + 1000 };
}

macro_rules! points {
    ($($name:ident { $($field:ident),* })*) => {
        $(#[derive(Debug, PartialEq)] pub struct $name { $(pub $field: i32),* })*
    };
}
macro_rules! check {
    ($value:expr => $expected:pat) => {
        match $value {
            $expected => println!("{} is {}", stringify!($value), stringify!($expected)),
            other => panic!("{other:?}"),
        }
    };
}
macro_rules! unneeded {
    () => {};
}
pub(crate) fn helper() -> i32 {
    crate::user::BASE
}

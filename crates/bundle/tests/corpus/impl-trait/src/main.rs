use std::fmt::Display;

trait Shape {
    fn area(&self) -> f64;
    fn boxed(self) -> Box<dyn Shape>
    where
        Self: Sized + 'static,
    {
        Box::new(self)
    }
}
struct Square(f64);
struct Circle {
    radius: f64,
}
impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}
impl Shape for Circle {
    fn area(&self) -> f64 {
        3.0 * self.radius * self.radius
    }
}
impl dyn Shape {
    fn described(&self) -> String {
        format!("{:.1}", self.area())
    }
}
fn evens(limit: u32) -> impl Iterator<Item = u32> + Clone {
    (0..limit).step_by(2)
}
fn adder(n: i32) -> impl Fn(i32) -> i32 {
    move |x| x + n
}
fn composed(steps: Vec<Box<dyn Fn(i32) -> i32>>) -> impl FnOnce(i32) -> i32 {
    move |start| steps.into_iter().fold(start, |x, step| step(x))
}
fn shout(x: &(impl Display + ?Sized)) -> String {
    x.to_string().to_uppercase()
}
fn unneeded() -> impl Display {
    "unneeded"
}

fn main() {
    let shapes = [Square(2.0).boxed(), Circle { radius: 1.0 }.boxed()];
    println!("{:?}", shapes.iter().map(|shape| shape.described()).collect::<Vec<_>>());
    println!("{:?} {}", evens(7).chain(evens(3)).collect::<Vec<_>>(), adder(2)(40));
    println!("{} {}", composed(vec![Box::new(adder(1)), Box::new(|x| x * 3)])(5), shout("loud"));
}

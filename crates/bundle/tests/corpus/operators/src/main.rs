use std::ops::{Add, AddAssign, Deref, DerefMut, Neg, Not};

#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default)]
struct V(f32, f32);
impl Add for V {
    type Output = V;
    fn add(self, other: V) -> V {
        V(self.0 + other.0, self.1 + other.1)
    }
}
impl AddAssign<f32> for V {
    fn add_assign(&mut self, x: f32) {
        self.0 += x;
    }
}
impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V(-self.0, -self.1)
    }
}
struct Loud<T>(T, &'static str);
impl<T> Deref for Loud<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}
impl<T> DerefMut for Loud<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
impl<T> Drop for Loud<T> {
    fn drop(&mut self) {
        println!("drop {}", self.1);
    }
}
struct Unneeded;
impl Not for Unneeded {
    type Output = Unneeded;
    fn not(self) -> Unneeded {
        Unneeded
    }
}
impl Drop for Unneeded {
    fn drop(&mut self) {}
}

fn main() {
    let mut v = V(1.0, 2.0) + -V(0.5, 0.5);
    v += 4.0;
    let _first = Loud(v, "first");
    let mut second = Loud(vec![1, 2], "second");
    second.push(3);
    println!("{v:?} {} {:?}", v > V::default(), second.len());
}

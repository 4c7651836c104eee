fn main() {
    use std::collections::VecDeque as Queue;
    const LIMIT: usize = 3;
    #[derive(Debug)]
    struct Local(usize);
    impl Local {
        fn twice(&self) -> usize {
            fn helper(x: usize) -> usize {
                x * 2
            }
            helper(self.0)
        }
    }
    macro_rules! local {
        ($($x:expr),*) => {{ let mut queue = Queue::new(); $(queue.push_back(Local($x));)* queue }};
    }
    #[allow(dead_code)]
    fn unneeded() {}
    let queue = local!(1, 2, LIMIT);
    println!("{:?} {}", queue, queue.iter().map(Local::twice).sum::<usize>());
    let by_block = {
        use helpers::{self, *};
        helpers::one() + two()
    };
    println!("{by_block}");
}

mod helpers {
    pub fn one() -> i32 {
        1
    }
    pub fn two() -> i32 {
        use super::helpers;
        helpers::one() + 1
    }
}

use std::collections::BTreeMap;
use std::marker::PhantomData;
pub trait State: Clone {
    type Move: Copy + Ord + std::fmt::Debug;
    fn moves(&self) -> Vec<Self::Move>;
    fn play(&self, mv: Self::Move) -> Self;
}
pub trait Evaluate<S: State> {
    fn value(&self, state: &S) -> i64;
}
impl<S: State, F: Fn(&S) -> i64> Evaluate<S> for F {
    fn value(&self, state: &S) -> i64 {
        self(state)
    }
}
pub struct Search<S, E> {
    evaluation: E,
    seen: BTreeMap<usize, u32>,
    state: PhantomData<fn() -> S>,
}
impl<S, E> Search<S, E>
where
    S: State,
    E: Evaluate<S>,
{
    pub fn new(evaluation: E) -> Self {
        Search { evaluation, seen: BTreeMap::new(), state: PhantomData }
    }
    pub fn best(&mut self, state: &S, depth: usize) -> (i64, Option<S::Move>) {
        *self.seen.entry(depth).or_insert(0) += 1;
        if depth == 0 {
            return (self.evaluation.value(state), None);
        }
        let tried = state.moves().into_iter().map(|mv| (-self.best(&state.play(mv), depth - 1).0, Some(mv)));
        tried.max().unwrap_or((0, None))
    }
    pub fn seen(&self) -> impl Iterator<Item = (&usize, &u32)> + '_ {
        self.seen.iter()
    }
}
impl<S: State, E> Search<S, E> {
    pub fn unneeded(&self) -> usize {
        self.seen.len()
    }
}

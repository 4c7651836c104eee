//! An answer that is made once for all readers.

use axum::body::Bytes;
use serde::Serialize;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An answer as JSON, kept until the site has changed.
#[derive(Default, Debug)]
pub(super) struct CachedAnswer(Mutex<Option<Made>>);

#[derive(Clone, Debug)]
struct Made {
    generation: u64,
    took: Duration,
    json: Bytes,
}

impl CachedAnswer {
    /// The answer of this generation of the site, made now if it was not asked for before.
    pub(super) fn answer<T: Serialize>(
        &self,
        generation: u64,
        make: impl FnOnce() -> T,
    ) -> serde_json::Result<Bytes> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = kept.as_ref().filter(|made| made.generation == generation) {
            return Ok(made.json.clone());
        }
        let started = Instant::now();
        let json = Bytes::from(serde_json::to_vec(&make())?);
        *kept = Some(Made {
            generation,
            took: started.elapsed(),
            json: json.clone(),
        });
        Ok(json)
    }

    /// How long it took to make it last.
    pub(super) fn took(&self) -> Duration {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().map_or(Duration::ZERO, |made| made.took)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_made_once_for_each_change() {
        let (cached, mut made) = (CachedAnswer::default(), 0);
        for (generation, answer) in [(1, "1"), (1, "1"), (2, "2"), (2, "2")] {
            let told = cached.answer(generation, || {
                made += 1;
                made
            });
            assert_eq!(told.unwrap(), answer);
        }
    }
}

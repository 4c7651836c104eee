//! Work on several threads, given out and taken back on the calling one.
//!
//! A [`JobSource`] decides what is next and what becomes of the results, and shares nothing with the threads: a
//! database or a terminal stays on the thread that owns it.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

/// Gives out jobs and takes back results.
pub trait JobSource {
    /// What is given out.
    type Job: Send;
    /// What comes back.
    type Result: Send;
    /// Why the work ends early.
    type Error;

    /// The next job, as soon as a thread could use it.
    fn next(&mut self) -> Result<Poll<Self::Job>, Self::Error>;

    /// Results, as soon as they are there: all that have come since the last time, one at least.
    fn done(&mut self, results: Vec<Self::Result>) -> Result<(), Self::Error>;

    /// Called when no result has come for a while.
    fn waiting(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// What a source has to give out.
pub enum Poll<J> {
    /// A job.
    Ready(J),
    /// Nothing now; it is asked again after a moment.
    Pending,
    /// Nothing more, ever.
    Finished,
}

/// Interval between calls of [`JobSource::waiting`].
const MOMENT: Duration = Duration::from_millis(200);

/// Works until the source has nothing more and all results are back.
///
/// With `ahead`, each thread finds a further job waiting when it ends one, so that it need not wait for the
/// source. `job` gets the number of its thread, from 0. When the source fails, jobs under way are finished
/// and their results are lost.
pub fn work<S: JobSource>(
    threads: usize,
    ahead: bool,
    source: &mut S,
    job: impl Fn(usize, S::Job) -> S::Result + Sync,
) -> Result<(), S::Error> {
    let (jobs, waiting) = mpsc::channel();
    let waiting = Mutex::new(waiting);
    // Nothing that runs under the lock can panic half-way.
    let locked = || waiting.lock().unwrap_or_else(PoisonError::into_inner);
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        let workers: Vec<_> = (0..threads.max(1))
            .map(|thread| {
                let (sender, job, next) = (sender.clone(), &job, || locked().recv());
                scope.spawn(move || {
                    while let Ok(next) = next() {
                        if sender.send(job(thread, next)).is_err() {
                            return;
                        }
                    }
                })
            })
            .collect();
        let done = give_out(source, ahead, &jobs, &results, &workers);
        // The threads end when they find neither a job nor a sender of one.
        drop(jobs);
        locked().try_iter().for_each(drop);
        done
    })
}

/// Gives out jobs and takes back results until there are no more.
fn give_out<S: JobSource>(
    source: &mut S,
    ahead: bool,
    jobs: &Sender<S::Job>,
    results: &Receiver<S::Result>,
    workers: &[ScopedJoinHandle<'_, ()>],
) -> Result<(), S::Error> {
    let most = workers.len() * if ahead { 2 } else { 1 };
    let mut under_way = 0;
    let mut finished = false;
    loop {
        let mut pending = false;
        while under_way < most && !finished && !pending {
            match source.next()? {
                Poll::Ready(next) => {
                    jobs.send(next).expect("the threads' end is held by `work`");
                    under_way += 1;
                }
                Poll::Pending => pending = true,
                Poll::Finished => finished = true,
            }
        }
        if finished && under_way == 0 {
            return Ok(());
        }
        match results.recv_timeout(MOMENT) {
            Ok(first) => {
                let batch: Vec<_> = std::iter::once(first).chain(results.try_iter()).collect();
                under_way -= batch.len();
                source.done(batch)?;
            }
            // A thread that has ended has panicked; leaving the scope passes that on.
            Err(_) if workers.iter().any(|worker| worker.is_finished()) => return Ok(()),
            Err(_) => source.waiting()?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives out numbers, and once nothing for a moment.
    struct Numbers {
        left: u32,
        rested: bool,
        sum: u32,
        fails_below: u32,
    }

    impl JobSource for Numbers {
        type Job = u32;
        type Result = u32;
        type Error = &'static str;

        fn next(&mut self) -> Result<Poll<u32>, &'static str> {
            if self.left == 0 {
                return Ok(Poll::Finished);
            }
            if self.left == 50 && !std::mem::replace(&mut self.rested, true) {
                return Ok(Poll::Pending);
            }
            self.left -= 1;
            Ok(Poll::Ready(self.left))
        }

        fn done(&mut self, results: Vec<u32>) -> Result<(), &'static str> {
            self.sum += results.iter().sum::<u32>();
            if self.left < self.fails_below {
                return Err("the source is full");
            }
            Ok(())
        }
    }

    fn numbers(fails_below: u32) -> Numbers {
        Numbers {
            left: 100,
            rested: false,
            sum: 0,
            fails_below,
        }
    }

    #[test]
    fn every_job_is_done_once_on_any_number_of_threads() {
        for (threads, ahead) in [(1, false), (3, true), (200, false)] {
            let mut source = numbers(0);
            assert_eq!(
                work(threads, ahead, &mut source, |_, number| number * 2),
                Ok(())
            );
            assert_eq!(source.sum, 9900);
        }
    }

    #[test]
    fn a_source_that_fails_ends_the_work_with_its_error() {
        let mut source = numbers(60);
        let ended = work(2, true, &mut source, |_, number| number);
        assert_eq!(ended, Err("the source is full"));
        assert!(source.left >= 50, "{} are left", source.left);
    }
}

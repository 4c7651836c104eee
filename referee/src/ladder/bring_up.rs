//! Bringing the games of an earlier Crownhead up to date, with a word where that takes long.

use super::super::progress::{Progress, note};
use crownhead_ladder::Folder;
use std::time::{Duration, Instant};

/// After this time people are told what they wait for.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often it is looked whether it is done.
const LOOK: Duration = Duration::from_millis(20);

/// Brings the games up to date if an earlier Crownhead has stored them. What fails here fails again where the games
/// are needed, and is told there.
pub(crate) fn bring_up(folder: &Folder) {
    let Some(games) = folder.games_of_earlier() else {
        return;
    };
    let started = Instant::now();
    let doing = format!(
        "{}: bringing {games} games of an earlier Crownhead up to date",
        folder.path().display()
    );
    let mut progress = Progress::new("games", None);
    let done = std::thread::scope(|scope| {
        let work = scope.spawn(|| folder.store().is_ok());
        while !work.is_finished() {
            std::thread::sleep(LOOK);
            if started.elapsed() > PATIENCE {
                progress.show(0, || format!("{doing}: {} s", started.elapsed().as_secs()));
            }
        }
        work.join().unwrap_or(false)
    });
    progress.finish();
    if done && started.elapsed() > PATIENCE {
        let seconds = started.elapsed().as_secs_f64();
        note(format_args!("{doing} took {seconds:.1} s"));
    }
}

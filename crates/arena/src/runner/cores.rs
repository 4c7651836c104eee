//! Which cores the bots of each game run on, so that no bot can take its opponent's.
//!
//! Each bot gets a core of its own while there are enough for every game; with less, each game gets one, which its bots
//! share. An external referee gets a core of its own too, if one is left, and else those of its game's bots. Runs of other referees on the machine are heeded: a core that one of them uses is taken only when there are
//! no others. Leaves out how a bot is kept on its core, which is the sandbox's.

use crate::contest::Contest;
use crate::seat::Placement;
use crownhead_sandbox::{CoreClaim, claim_core};

/// The cores of the games that are played at once.
#[derive(Debug)]
pub struct Cores {
    /// For each place where a game can be played, the cores of its bots.
    games: Vec<Vec<Placement>>,
    /// One that no bot runs on, if there is one.
    spare: Option<usize>,
    _claims: Vec<CoreClaim>,
}

impl Cores {
    /// Takes cores for this many games at once in this contest.
    pub fn take(at_once: usize, contest: &Contest) -> Cores {
        let players = contest.players();
        let all = crownhead_sandbox::cores();
        let mut free = (all.iter()).filter_map(|&core| Some((core, claim_core(core)?)));
        let (claimed, mut claims): (Vec<_>, Vec<_>) = free.by_ref().take(players * at_once).unzip();
        let is_external = matches!(contest, Contest::External(_));
        let spare = free.next().filter(|_| is_external);
        let spare = spare.map(|(core, claim)| {
            claims.push(claim);
            core
        });
        let cores = if claimed.len() < at_once.min(all.len()) {
            all
        } else {
            claimed
        };
        Cores {
            games: share(&cores, at_once, players),
            spare,
            _claims: claims,
        }
    }

    /// The cores of the game that is played in this place.
    pub fn of(&self, place: usize) -> GamePlacement<'_> {
        GamePlacement {
            bots: &self.games[place % self.games.len()],
            spare: self.spare,
        }
    }
}

/// The cores of one game: by default any.
#[derive(Clone, Copy, Default, Debug)]
pub struct GamePlacement<'a> {
    /// Each player's; those without any may run anywhere.
    pub bots: &'a [Placement],
    /// One that no bot runs on, if there is one.
    pub spare: Option<usize>,
}

impl GamePlacement<'_> {
    /// Where an external referee runs.
    pub(super) fn referee(&self) -> Vec<usize> {
        let of_bots = || self.bots.iter().flat_map(|bot| bot.cores.clone());
        self.spare
            .map_or_else(|| of_bots().collect(), |core| vec![core])
    }
}

/// Shares out these cores. Where none are known, bots run anywhere.
fn share(cores: &[usize], at_once: usize, players: usize) -> Vec<Vec<Placement>> {
    let on = |core: usize, shared| {
        let core = cores.get(core % cores.len().max(1)).copied();
        let cores = Vec::from_iter(core);
        Placement { cores, shared }
    };
    let alone = players * at_once <= cores.len();
    let game = |place: usize| {
        let bot = |player| match alone {
            true => on(players * place + player, false),
            false => on(place, true),
        };
        (0..players).map(bot).collect()
    };
    (0..at_once.max(1)).map(game).collect()
}

#[cfg(test)]
mod tests {
    use super::share;

    fn shared(cores: &[usize], at_once: usize) -> Vec<(Vec<Vec<usize>>, bool)> {
        let games = share(cores, at_once, 2).into_iter();
        games
            .map(|game| {
                let shared = game[0].shared;
                assert_eq!(shared, game[1].shared);
                let cores = game.into_iter().map(|placement| placement.cores);
                (cores.collect(), shared)
            })
            .collect()
    }

    #[test]
    fn each_bot_has_a_core_of_its_own_while_there_are_two_for_a_game() {
        let own = [
            (vec![vec![4], vec![6]], false),
            (vec![vec![5], vec![7]], false),
        ];
        assert_eq!(shared(&[4, 6, 5, 7], 2), own);
        assert_eq!(shared(&[0, 1, 2], 1), [(vec![vec![0], vec![1]], false)]);
    }

    #[test]
    fn with_more_games_than_that_each_has_one_core() {
        let games = [
            (vec![vec![0], vec![0]], true),
            (vec![vec![1], vec![1]], true),
        ];
        assert_eq!(shared(&[0, 1], 2), games);
        assert_eq!(shared(&[0], 1), [(vec![vec![0], vec![0]], true)]);
        assert_eq!(shared(&[0, 1], 3)[2], games[0]);
    }

    #[test]
    fn bots_run_anywhere_where_cores_are_not_known() {
        assert_eq!(shared(&[], 1), [(vec![vec![], vec![]], true)]);
    }
}

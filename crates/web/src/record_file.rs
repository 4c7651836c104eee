//! A file of records, which may still grow, or of another format, as the source of a site's games.

use super::error::{SiteError, fail};
use super::index::Index;
use super::live::json;
use crownhead_arena::runner::replay_site_file;
use crownhead_ladder::store::{Entrant, PairKey, StoredPair, UNKNOWN_VERSION};
use crownhead_record::input::{BYTE_ORDER_MARK, LONGEST_RECORD, read_text};
use crownhead_record::site::is_site_file;
use crownhead_record::{GameRecord, GameSummary};
use crownhead_record::{is_pdn, read_game, read_games, read_pdn};
use serde::de::IgnoredAny;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file of games. PDN is read once; a file of records may grow.
#[derive(Default, Debug)]
pub(super) struct RecordFile {
    path: PathBuf,
    /// The same games as lines of records, if the file has another format.
    converted: Option<NamedTempFile>,
    /// The position of the reader, in bytes and in lines.
    offset: u64,
    lines: usize,
    /// The games whose pair is incomplete, by their pair's key.
    begun: HashMap<PairKey, Vec<GameSummary>>,
    /// The problems of the first unreadable games, and the number of all such games.
    pub(super) problems: Vec<String>,
    pub(super) unreadable: u64,
}

/// The most problems that are kept.
const TOLD_PROBLEMS: usize = 5;

impl RecordFile {
    /// The file at `path`; PDN and games of the site are read now.
    ///
    /// # Errors
    /// When it is such a file without a readable game.
    pub(super) fn open(path: &Path) -> Result<RecordFile, SiteError> {
        let mut file = RecordFile {
            path: path.into(),
            ..RecordFile::default()
        };
        if is_pdn(path) {
            file.convert(read_pdn(&read_text(path)?))?;
        } else if is_site_file(path)? {
            file.convert(replay_site_file(path)?)?;
        }
        Ok(file)
    }

    /// Writes the games of a file in another format as lines of records.
    ///
    /// # Errors
    /// When none of them can be read.
    fn convert<E: ToString>(
        &mut self,
        games: impl Iterator<Item = Result<GameRecord, E>>,
    ) -> Result<(), SiteError> {
        let mut lines = BufWriter::new(NamedTempFile::new()?);
        let mut is_empty = true;
        for game in games {
            match game {
                Ok(game) => {
                    lines.write_all(&json(game))?;
                    lines.write_all(b"\n")?;
                    is_empty = false;
                }
                Err(error) => self.note(error.to_string()),
            }
        }
        if let (true, Some(problem)) = (is_empty, self.problems.first()) {
            return Err(fail(problem));
        }
        self.converted = Some(lines.into_inner().map_err(io::Error::from)?);
        Ok(())
    }

    /// Whether the file has another format, of games without times.
    pub(super) fn is_converted(&self) -> bool {
        self.converted.is_some()
    }

    fn lines_file(&self) -> io::Result<File> {
        let converted = self.converted.as_ref();
        File::open(converted.map_or(&*self.path, |file| file.path()))
    }

    fn note(&mut self, problem: String) {
        self.unreadable += 1;
        if self.problems.len() < TOLD_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// The first game that can be read.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn first(&self) -> Result<GameRecord, SiteError> {
        let lines = BufReader::new(self.lines_file()?);
        let first = read_games(lines).find_map(Result::ok);
        let told =
            "it holds no game; expected one record a line or PDN, as `match --record` writes them";
        first.ok_or_else(|| fail(told))
    }

    /// Reads on to the end of the last complete line. Reads only games named `game`.
    pub(super) fn news(
        &mut self,
        game: &str,
        index: &mut Index,
        pairs: &mut Vec<StoredPair>,
    ) -> Result<(), SiteError> {
        let mut file = self.lines_file()?;
        if file.metadata()?.len() < self.offset {
            return Err(fail("the file has become shorter since it was read"));
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let mut input = BufReader::with_capacity(1 << 16, file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let longest = LONGEST_RECORD as u64 + 1;
            let read = input.by_ref().take(longest).read_until(b'\n', &mut line)? as u64;
            // A line without an end may still be growing, unless it is complete as it is.
            let is_object = || serde_json::from_slice::<IgnoredAny>(&line).is_ok();
            if read == 0 || !(line.ends_with(b"\n") || is_object()) {
                return Ok(());
            }
            let place = self.offset;
            self.offset += read;
            self.lines += 1;
            let text = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line);
            let text = text.trim_ascii_end();
            if text.is_empty() {
                continue;
            }
            match read_game(self.lines, text) {
                Ok(record) if record.game != game => self.note(format!(
                    "line {}: a game of {}; expected {game}, as the first game of the file",
                    self.lines, record.game
                )),
                Ok(record) => {
                    let mut game = GameSummary::of(&record);
                    for name in &mut game.players {
                        *name = match name.trim() {
                            "" => "(no name)".into(),
                            name => name.into(),
                        };
                    }
                    index.add(&game, place);
                    pairs.extend(self.whole_pair(game));
                }
                Err(error) => self.note(error.to_string()),
            }
        }
    }

    /// The pair that this game completes: as many games as players.
    fn whole_pair(&mut self, game: GameSummary) -> Option<StoredPair> {
        if game.points.is_none() || game.replayed {
            return None;
        }
        let players = game.players.len();
        // Elsewhere, the games of a pair need not be adjacent: any games between the same players are a pair.
        let number = match &self.converted {
            Some(_) => 0,
            None => game.number.saturating_sub(1) / players as u64,
        };
        let entrant = |bot: &String| Entrant {
            bot: bot.clone(),
            version: UNKNOWN_VERSION.into(),
        };
        let key = PairKey::new(game.players.iter().map(entrant).collect(), number);
        if !key.bots.is_sorted_by(|one, next| one < next) {
            return None;
        }
        let begun = self.begun.entry(key.clone()).or_default();
        begun.push(GameSummary {
            // The index has it.
            opening: String::new(),
            ..game
        });
        if begun.len() < players {
            return None;
        }
        Some(StoredPair {
            number: number + 1,
            finished: self.offset,
            games: self.begun.remove(&key),
            key,
        })
    }

    /// The line that begins at `place`.
    pub(super) fn line(&self, place: u64) -> io::Result<String> {
        let mut file = self.lines_file()?;
        file.seek(SeekFrom::Start(place))?;
        let mut line = String::new();
        let mut file = BufReader::new(file).take(LONGEST_RECORD as u64);
        file.read_line(&mut line)?;
        Ok(line.trim_end().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::records;
    use serde_json::{Value, json};
    use std::io::Write;
    use tempfile::{NamedTempFile, TempDir};

    /// A record of this number between these two, a line.
    fn record(number: u64, players: [&str; 2], scores: Value) -> Value {
        records::record(number, players, &["A3B4", "B6A5"], scores, "no-moves")
    }

    /// A file with a reader of it, and all that it has read.
    struct Read {
        file: NamedTempFile,
        reader: RecordFile,
        index: Index,
        pairs: Vec<StoredPair>,
    }

    impl Read {
        fn new() -> Read {
            let file = NamedTempFile::new().unwrap();
            let reader = RecordFile::open(file.path()).unwrap();
            let (index, pairs) = (Index::default(), Vec::new());
            Read {
                file,
                reader,
                index,
                pairs,
            }
        }

        /// Appends this to the file and reads on; how many games and pairs there are then.
        fn append(&mut self, text: &str) -> [usize; 2] {
            self.file.write_all(text.as_bytes()).unwrap();
            let read = self
                .reader
                .news("checkers", &mut self.index, &mut self.pairs);
            read.unwrap();
            [self.index.entries.len(), self.pairs.len()]
        }

        fn append_games(&mut self, games: &[Value]) -> [usize; 2] {
            let lines: String = games.iter().map(|game| format!("{game}\n")).collect();
            self.append(&lines)
        }
    }

    #[test]
    fn a_file_that_grows_is_read_on_from_its_last_whole_line() {
        let first = record(1, ["one", "two"], json!([1, 0])).to_string();
        let second = record(2, ["two", "one"], json!([0.5, 0.5])).to_string();
        let mut read = Read::new();
        let (begun, rest) = second.split_at(100);
        assert_eq!(read.append(&format!("{first}\n{begun}")), [1, 0]);
        // Whole as it stands, though its end is not written yet.
        assert_eq!(read.append(rest), [2, 1]);
        assert_eq!(read.append("\n\n"), [2, 1]);
        assert_eq!(read.append(&format!("{first}\n")), [3, 1]);
        let places = [0, 1].map(|game| read.index.entries[game].place);
        assert_eq!(
            places.map(|place| read.reader.line(place).unwrap()),
            [first, second]
        );
        assert!(read.reader.problems.is_empty());

        let pair = &read.pairs[0];
        let names = pair.key.bots.iter().map(|entrant| &entrant.bot);
        assert!(names.eq(["one", "two"]));
        let points = pair.rated().iter().map(|game| game.points_of("one"));
        assert!(points.eq([Some(1.0), Some(0.5)]));
        assert_eq!(pair.rated()[1].players, ["two", "one"]);
    }

    #[test]
    fn a_file_that_has_become_shorter_is_an_error() {
        let mut read = Read::new();
        read.append_games(&[record(1, ["one", "two"], json!([1, 0]))]);
        read.file.as_file().set_len(5).unwrap();
        let error = read
            .reader
            .news("checkers", &mut read.index, &mut read.pairs);
        assert!(error.unwrap_err().to_string().contains("shorter"));
    }

    #[test]
    fn two_games_are_a_pair_where_they_count_and_follow_each_other_between_the_same_two() {
        let game = |number, players| record(number, players, json!([1, 0]));
        let mut replayed = game(2, ["two", "one"]);
        replayed["replayed"] = json!(true);
        let void = record(2, ["two", "one"], Value::Null);
        for (second, pairs) in [
            (game(2, ["two", "one"]), 1),
            (game(2, ["one", "two"]), 1),
            (game(3, ["two", "one"]), 0),
            (game(2, ["two", "three"]), 0),
            (replayed, 0),
            (void, 0),
        ] {
            let mut read = Read::new();
            let both = [game(1, ["one", "two"]), second];
            assert_eq!(read.append_games(&both), [2, pairs], "{both:?}");
        }
        let mut read = Read::new();
        let itself = [1, 2].map(|number| game(number, ["one", "one"]));
        assert_eq!(read.append_games(&itself), [2, 0]);
    }

    #[test]
    fn three_games_of_three_players_are_a_round() {
        let mut game = records::external_record();
        game.game = "checkers".into();
        let mut read = Read::new();
        let counts = [1, 2, 3, 4].map(|number| {
            game.number = number;
            game.players.rotate_left(1);
            read.append_games(&[json!(game)])
        });
        assert_eq!(counts, [[1, 0], [2, 0], [3, 1], [4, 1]]);
        assert_eq!(read.pairs[0].key.bots.len(), 3);
    }

    #[test]
    fn a_player_without_a_name_has_one_on_pages() {
        let mut read = Read::new();
        read.append_games(&[record(1, [" ", " two "], json!([1, 0]))]);
        let names: Vec<&String> = read.index.bots.iter().collect();
        assert_eq!(names, ["(no name)", "two"]);
    }

    #[test]
    fn unreadable_lines_are_reported_by_number_and_counted() {
        let mut read = Read::new();
        let mut chess = record(1, ["one", "two"], json!([1, 0]));
        chess["game"] = json!("chess");
        let good = record(2, ["one", "two"], json!([1, 0]));
        let mut newer = good.clone();
        newer["version"] = json!(4);
        assert_eq!(
            read.append(&format!("{chess}\n{good}\nno record\n{newer}\n")),
            [1, 0]
        );
        let [other, bad, version] = &read.reader.problems[..] else {
            panic!("{:?}", read.reader.problems);
        };
        assert_eq!(
            other,
            "line 1: a game of chess; expected checkers, as the first game of the file"
        );
        assert!(bad.starts_with("line 3 is no game's record: "), "{bad}");
        assert!(
            version.starts_with("line 4: the record has version 4"),
            "{version}"
        );
        read.append(&"x\n".repeat(10));
        assert_eq!(
            (read.reader.unreadable, read.reader.problems.len()),
            (13, TOLD_PROBLEMS)
        );
        let first = read.reader.first().unwrap();
        assert_eq!(first.game, "chess", "it says which game the file is of");
        let empty = Read::new().reader.first().unwrap_err().to_string();
        assert!(empty.starts_with("it holds no game"), "{empty}");
    }

    /// A file in PDN with these games, each a text of moves.
    fn pdn(folder: &TempDir, games: &[&str]) -> PathBuf {
        let path = folder.path().join("games.pdn");
        let header = |moves: &&str| {
            format!(
                "[Event \"x\"]\n[Black \"one\"]\n[White \"two\"]\n[Result \"1-0\"]\n{moves} 1-0\n\n"
            )
        };
        std::fs::write(&path, games.iter().map(header).collect::<String>()).unwrap();
        path
    }

    #[test]
    fn games_in_pdn_are_pairs_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = pdn(&folder, &["1. 11-15", "1. 11-16", "1. 99-98", "1. 9-13"]);
        let mut file = RecordFile::open(&path).unwrap();
        let (mut index, mut pairs) = (Index::default(), Vec::new());
        file.news("checkers", &mut index, &mut pairs).unwrap();
        assert_eq!((index.entries.len(), pairs.len()), (3, 1));
        assert_eq!(file.unreadable, 1);
        assert!(file.problems[0].contains("99"), "{:?}", file.problems);
    }

    #[test]
    fn a_file_in_pdn_of_which_nothing_can_be_read_is_an_error_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let error = RecordFile::open(&pdn(&folder, &["1. 99-98"])).unwrap_err();
        assert!(error.to_string().contains("line 5"), "{error}");
    }
}

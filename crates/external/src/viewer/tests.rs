use super::*;
use rawzip::CompressionMethod;
use serde_json::json;
use std::io::Write;

/// The files of a small viewer.
const FILES: [(&str, &str); 8] = [
    ("view/player.html", "<p>player"),
    ("view/core/Drawer.js", "export class Drawer {}"),
    (
        "view/config.js",
        "import { a } from './graphics/a.js'\nimport \"x\"",
    ),
    ("view/graphics/a.js", "export const a = 1"),
    ("view/lib/pixi6.js", "window.PIXI6 = {}"),
    (
        "view/assets/sheet.json",
        r#"{"meta": {"image": "sheet.png"}}"#,
    ),
    ("view/assets/sheet.png", "sheet"),
    ("view/assets/deep/logo.png", "logo"),
];

fn jar(files: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (name, text) in files {
        let file = archive.new_file(name);
        let file = file.compression_method(CompressionMethod::DEFLATE);
        let (mut entry, config) = file.start().unwrap();
        let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::fast());
        let mut writer = config.wrap(encoder);
        writer.write_all(text.as_bytes()).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

/// A folder with `race.jar`, and the record of a game that it judged.
struct Played {
    folder: tempfile::TempDir,
    record: RefereeRecord,
}

impl Played {
    fn by(command: &str, files: &[(&str, &str)]) -> Played {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("race.jar"), jar(files)).unwrap();
        let record = json!({
            "command": command, "protocol": "engine", "hash": "", "seed": 1, "parameters": { "league": "4" },
        });
        let mut record: RefereeRecord = serde_json::from_value(record).unwrap();
        let (words, files) = named(command, folder.path()).unwrap();
        record.hash = hash(&words, &files, &record.parameters).unwrap();
        Played { folder, record }
    }

    fn open(&self) -> Result<Viewer, ViewerError> {
        Viewer::open(&self.record, self.folder.path())
    }

    fn refusal(&self) -> String {
        self.open().unwrap_err().to_string()
    }
}

fn text(viewer: &Viewer, name: &str) -> String {
    String::from_utf8(viewer.read(name).unwrap().unwrap()).unwrap()
}

#[test]
fn files_are_read_from_the_jar_that_is_named_alone_or_in_a_command_line() {
    for command in [
        "race.jar",
        "java -Dx=1 -jar race.jar",
        "java -cp a:race.jar Main",
    ] {
        let viewer = Played::by(command, &FILES).open().unwrap_or_else(|error| {
            panic!("{command}: {error}");
        });
        assert_eq!(viewer.libraries()["PIXI6"], "lib/pixi6.js");
        assert_eq!(
            viewer.names().len(),
            FILES.len() + 2,
            "{:?}",
            viewer.names()
        );
        assert!(viewer.read("nothing.js").unwrap().is_none());
    }
    let played = Played::by("race.jar", &FILES);
    let viewer = played.open().unwrap();
    assert_eq!(text(&viewer, "player.html"), "<p>player");
    assert_eq!(text(&viewer, "demo.js"), NO_DEMO);
}

#[test]
fn the_list_of_assets_leaves_the_pictures_of_sprite_sheets_to_these() {
    let viewer = Played::by("race.jar", &FILES).open();
    // The jar is gone by now: the list has to read the sheet.
    assert!(viewer.unwrap().read(ASSETS).is_err());
    let played = Played::by("race.jar", &FILES);
    assert_eq!(
        text(&played.open().unwrap(), ASSETS),
        "export const assets = {\"fonts\":[],\"images\":{\"deep/logo.png\":\"assets/deep/logo.png\"},\
         \"sprites\":[\"assets/sheet.json\"]};\n"
    );
}

#[test]
fn a_folder_is_read_as_a_jar_is_and_its_links_are_not() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        let path = folder.path().join("target/classes").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let view = folder.path().join("target/classes/view");
    std::os::unix::fs::symlink("/etc/passwd", view.join("graphics/passwd")).unwrap();
    std::os::unix::fs::symlink("/etc", view.join("etc")).unwrap();
    let mut places = BTreeMap::new();
    files::add(&folder.path().join("target/classes"), &mut places).unwrap();
    let names: Vec<&str> = FILES
        .map(|(name, _)| name.strip_prefix("view/").unwrap())
        .into();
    assert!(names.iter().all(|name| places.contains_key(*name)));
    assert_eq!(places.len(), names.len(), "{places:?}");
}

#[test]
fn names_that_lead_elsewhere_are_not_there() {
    let odd = [
        "view/../secret",
        "view//x",
        "/view/y",
        "view/./z",
        "view/a\\b",
        "view/.git/config",
        "other/q",
        "view/a/../b",
    ];
    // What writes archives writes no such names: they are put in place of others of their length.
    let stand_ins: Vec<String> = ('A'..)
        .zip(odd)
        .map(|(letter, name)| letter.to_string().repeat(name.len()))
        .collect();
    let stand_ins = stand_ins.iter().map(|name| (name.as_str(), "secret"));
    let files: Vec<_> = FILES.into_iter().chain(stand_ins.clone()).collect();
    let mut bytes = jar(&files);
    for ((from, _), to) in stand_ins.zip(odd) {
        for at in 0..=bytes.len() - to.len() {
            if bytes[at..].starts_with(from.as_bytes()) {
                bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.jar");
    std::fs::write(&path, bytes).unwrap();
    let mut places = BTreeMap::new();
    files::add(&path, &mut places).unwrap();
    assert_eq!(places.len(), FILES.len(), "{places:?}");
    let viewer = Viewer { places };
    for name in ["../secret", "/etc/passwd", "a/../player.html", ""] {
        assert!(viewer.read(name).unwrap().is_none(), "{name}");
    }
}

#[test]
fn without_a_viewer_a_sentence_says_why() {
    let without = |name: &str| -> Vec<(&str, &str)> {
        FILES.into_iter().filter(|file| file.0 != name).collect()
    };
    let refusal = |files: &[(&str, &str)]| Played::by("race.jar", files).refusal();
    let told = refusal(&without("view/config.js"));
    assert!(
        told.contains("no jar or build folder with a viewer"),
        "{told}"
    );
    let told = refusal(&without("view/player.html"));
    assert!(told.contains("in the jar `runner`"), "{told}");
    let told = refusal(&without("view/graphics/a.js"));
    assert!(told.contains("lacks `view/graphics/a.js`"), "{told}");

    let mut played = Played::by("race.jar", &FILES);
    played.record.parameters.clear();
    let told = played.refusal();
    assert!(told.contains("`race.jar` has changed since"), "{told}");
    std::fs::remove_file(played.folder.path().join("race.jar")).unwrap();
    let told = played.refusal();
    assert!(
        told.contains("no jar or build folder with a viewer"),
        "{told}"
    );
    std::fs::write(played.folder.path().join("race.jar"), "not an archive").unwrap();
    let told = played.refusal();
    assert!(told.contains("the jar is damaged"), "{told}");
}

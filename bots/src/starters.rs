//! The starter bots of `bots/starters`: a first bot in each language that the contest knows best, as text to write out.

/// A first bot in one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Starter {
    /// What the contest's site calls the language.
    pub language: &'static str,
    /// The files by their names: first the bot, then what the language needs to build it.
    pub files: &'static [(&'static str, &'static str)],
    /// The command that compiles it.
    pub build: Option<&'static str>,
    /// The command that starts it, in the folder of its files.
    pub run: &'static str,
}

/// A file of `bots/starters`.
macro_rules! files {
    ($($name:literal),+) => {
        &[$(($name, include_str!(concat!("../starters/", $name)))),+]
    };
}

/// Python.
pub const PYTHON: Starter = Starter {
    language: "Python 3",
    files: files!("starter.py"),
    build: None,
    run: "python3 starter.py",
};

/// C++.
pub const CPP: Starter = Starter {
    language: "C++",
    files: files!("starter.cpp"),
    build: Some("g++ -std=c++17 -O2 -o starter starter.cpp"),
    run: "./starter",
};

/// JavaScript, for Node.
pub const JAVASCRIPT: Starter = Starter {
    language: "JavaScript",
    files: files!("starter.js"),
    build: None,
    run: "node starter.js",
};

/// Java. The contest's site wants a class of this name.
pub const JAVA: Starter = Starter {
    language: "Java",
    files: files!("Player.java"),
    build: Some("javac Player.java"),
    run: "java Player",
};

/// Rust.
pub const RUST: Starter = Starter {
    language: "Rust",
    files: files!("starter.rs"),
    build: Some("rustc --edition 2021 -O starter.rs"),
    run: "./starter",
};

/// Go.
pub const GO: Starter = Starter {
    language: "Go",
    files: files!("starter.go"),
    build: Some("go build starter.go"),
    run: "./starter",
};

/// C#.
pub const CSHARP: Starter = Starter {
    language: "C#",
    files: files!("starter.cs", "starter.csproj"),
    build: Some("dotnet build -c Release -o out"),
    run: "./out/starter",
};

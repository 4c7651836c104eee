#[cfg(feature = "loud")]
mod loud;
#[cfg(not(feature = "loud"))]
compile_error!("the default features are on");

#[cfg_attr(feature = "loud", derive(Debug))]
#[cfg_attr(feature = "quiet", derive(Unknown))]
struct Settings {
    volume: u8,
    #[cfg(feature = "quiet")]
    quiet: u8,
}

fn pick(volume: u8) -> &'static str {
    match volume {
        #[cfg(feature = "quiet")]
        0 => "quiet",
        #[cfg(not(feature = "quiet"))]
        0 => "silent",
        _ if cfg!(feature = "loud") => "loud",
        _ => "soft",
    }
}

fn main() {
    let settings = Settings {
        volume: loud::VOLUME,
        #[cfg(feature = "quiet")]
        quiet: 0,
    };
    println!("{settings:?} {} {} {}", settings.volume, pick(0), pick(11));
    #[cfg(feature = "quiet")]
    println!("unneeded");
    println!("{} {}", featured::mode(), cfg!(any(feature = "quiet", all(unix, not(unix)))));
    if cfg!(debug_assertions) || !cfg!(debug_assertions) {
        println!("either");
    }
}

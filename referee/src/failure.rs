//! Why a command did not do what it was asked, and the exit status for that.

use crate::progress;
use crownhead_ladder::LadderError;
use crownhead_record::text::printable;
use std::fmt::Display;
use std::process::ExitCode;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments cannot be used: status 2.
    Usage(String),
    /// Something failed on the way: status 1.
    Failed(anyhow::Error),
    /// A check failed, and its result is already printed: status 1.
    Silent,
    /// A signal stopped it: the status that shells have for that.
    Interrupted(u8),
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Failed(error.into())
    }
}

/// A usage error with this reason.
pub(crate) fn usage(error: impl Display) -> Failure {
    Failure::Usage(format!("{error:#}"))
}

/// The same, where the reason does not say which option or file it is about.
pub(crate) fn about<E: Display>(subject: impl Display) -> impl Fn(E) -> Failure {
    move |error| usage(format_args!("{subject}: {error:#}"))
}

/// Says why a command did not do what it was asked, and gives its status: `failed` if it failed on the way.
pub(crate) fn tell(failure: Failure, failed: ExitCode) -> ExitCode {
    match failure {
        Failure::Usage(problem) => {
            print_error(&problem);
            ExitCode::from(2)
        }
        Failure::Failed(error) => {
            print_error(&format!("{error:#}"));
            failed
        }
        Failure::Silent => failed,
        Failure::Interrupted(status) => ExitCode::from(status),
    }
}

/// Prints an error, as a sentence. Names of files in it may hold control characters.
pub(crate) fn print_error(error: &str) {
    let lines: Vec<String> = error.lines().map(printable).collect();
    // What stands under the first line is a list.
    let end = match &*lines {
        [only] if !only.ends_with(['.', '?', '!']) => ".",
        _ => "",
    };
    let red = anstyle::AnsiColor::Red.on_default().bold();
    progress::tell(format_args!("{red}error:{red:#} {}{end}", lines.join("\n")));
}

/// Whether stdout was closed by its reader (`| head`).
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let error = match error.downcast_ref() {
        Some(LadderError::System(error)) => Some(error),
        _ => error.downcast_ref::<std::io::Error>(),
    };
    error.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

//! Attempts to escape from the sandbox. Each says `escaped:` or `refused:` on standard error.
#![allow(unsafe_code)] // Two attempts are system calls that rustix has no safe function for.

use super::attack;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, XattrFlags};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use rustix::process::{Pid, Signal};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::path::PathBuf;

/// Makes every attempt in a list such as `read=/etc/shadow;tcp=9;kill=1`.
pub(crate) fn attempt_all(attempts: &str) {
    for attempt in attempts.split(';').filter(|text| !text.is_empty()) {
        let (what, value) = attempt.split_once('=').unwrap_or((attempt, ""));
        match make(what, value) {
            Ok(()) => eprintln!("escaped: {attempt}"),
            Err(error) => eprintln!("refused: {attempt}: {error}"),
        }
    }
}

fn make(what: &str, value: &str) -> io::Result<()> {
    let number = || value.parse::<u16>().map_err(io::Error::other);
    match what {
        "read" => std::fs::read(value).map(drop),
        "list" => std::fs::read_dir(value).map(drop),
        "write" => std::fs::write(value, "mine now"),
        "append" => OpenOptions::new().append(true).open(value)?.write_all(b"x"),
        "remove" => std::fs::remove_file(value),
        "link" => std::os::unix::fs::symlink("/etc/passwd", value),
        "tcp" => TcpStream::connect((Ipv4Addr::LOCALHOST, number()?)).map(drop),
        "listen" => TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map(drop),
        "udp" => UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?
            .send_to(b"x", (Ipv4Addr::LOCALHOST, number()?))
            .map(drop),
        "mode" => change_mode(value),
        "mode-of-open" => File::open(value)?.set_permissions(Permissions::from_mode(0o700)),
        "owner" => std::os::unix::fs::chown(value, None, Some(rustix::process::getgid().as_raw())),
        "owner-of-link" => {
            std::os::unix::fs::lchown(value, None, Some(rustix::process::getgid().as_raw()))
        }
        "times" => change_times(value),
        "attribute" => Ok(rustix::fs::setxattr(
            value,
            "user.mine",
            b"now",
            XattrFlags::empty(),
        )?),
        "unix" => UnixStream::connect(value).map(drop),
        "unix-datagram" => UnixDatagram::unbound()?.send_to(b"x", value).map(drop),
        "abstract" => abstract_socket(value),
        "pair-to" => UnixDatagram::pair()?.0.send_to(b"x", value).map(drop),
        "pair-connected" => UnixDatagram::pair()?.0.connect(value),
        "pair-named" => named_pair(value),
        "pair-of-streams" => UnixStream::pair().map(drop),
        "pair-of-packets" => rustix::net::socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC,
            None,
        )
        .map(drop)
        .map_err(Into::into),
        "netlink" => rustix::net::socket(AddressFamily::NETLINK, SocketType::RAW, None)
            .map(drop)
            .map_err(Into::into),
        "kill" => signal(value),
        "kill-parent" => kill_parent(),
        "trace" => trace(value),
        "trace-parent" => trace(&std::os::unix::process::parent_id().to_string()),
        "mount" => rustix::mount::mount(
            "none",
            "/mnt",
            "tmpfs",
            rustix::mount::MountFlags::empty(),
            None,
        )
        .map_err(Into::into),
        "namespace" => {
            // SAFETY: threads lose sight of each other's files by another flag.
            let done = unsafe { unshare_unsafe(UnshareFlags::NEWUSER) };
            done.map_err(Into::into)
        }
        "inherited" => find_inherited(),
        "raise-limits" => raise_limits(),
        "widen-cores" => widen_cores(),
        "tell-cores" => tell_cores(),
        _ => attack::make(what, value).unwrap_or_else(|| Err(io::Error::other("no such attempt"))),
    }
}

fn change_mode(path: &str) -> io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(0o000))
}

fn change_times(path: &str) -> io::Result<()> {
    let long_ago = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let times = Timestamps {
        last_access: long_ago,
        last_modification: long_ago,
    };
    Ok(rustix::fs::utimensat(CWD, path, &times, AtFlags::empty())?)
}

/// Binds an abstract name, to which every process on the machine can send.
fn named_pair(name: &str) -> io::Result<()> {
    let (socket, _) = UnixStream::pair()?;
    let address = SocketAddrUnix::new_abstract_name(name.as_bytes())?;
    Ok(rustix::net::bind(socket, &address)?)
}

fn abstract_socket(name: &str) -> io::Result<()> {
    use std::os::linux::net::SocketAddrExt;
    let address = std::os::unix::net::SocketAddr::from_abstract_name(name)?;
    UnixStream::connect_addr(&address).map(drop)
}

fn pid(value: &str) -> io::Result<Pid> {
    let number = value.parse().map_err(io::Error::other)?;
    Pid::from_raw(number).ok_or_else(|| ErrorKind::InvalidInput.into())
}

/// Sends a real signal: signal 0 would only check the permission.
fn signal(value: &str) -> io::Result<()> {
    Ok(rustix::process::kill_process(pid(value)?, Signal::USR1)?)
}

fn trace(value: &str) -> io::Result<()> {
    let (pid, none) = (pid(value)?.as_raw_nonzero().get(), 0);
    // SAFETY: attaching reads and writes no memory of this process.
    match unsafe { libc::ptrace(libc::PTRACE_ATTACH, pid, none, none) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// A signal that the parent survives counts as refused: process 1 of a namespace gets none from inside. A process
/// that has killed it waits for what comes of that.
fn kill_parent() -> io::Result<()> {
    let parent = std::os::unix::process::parent_id();
    let pid = Pid::from_raw(parent.cast_signed()).ok_or(ErrorKind::NotFound)?;
    rustix::process::kill_process(pid, Signal::KILL)?;
    std::thread::sleep(std::time::Duration::from_millis(50));
    if std::os::unix::process::parent_id() == parent {
        return Err(io::Error::other("it lives on"));
    }
    crate::forever()
}

/// Looks for open files besides the three standard ones and the one that lists them.
fn find_inherited() -> io::Result<()> {
    match std::fs::read_dir("/proc/self/fd")?.count() {
        0..=4 => Err(io::Error::other("there is none")),
        _ => Ok(()),
    }
}

/// Asks for every core there may be; the kernel grants those that there are.
fn widen_cores() -> io::Result<()> {
    let mut all = rustix::thread::CpuSet::new();
    (0..1024).for_each(|core| all.set(core));
    Ok(rustix::thread::sched_setaffinity(None, &all)?)
}

fn tell_cores() -> io::Result<()> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let cores = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    eprintln!("runs on {}", cores.unwrap_or_default().trim());
    Ok(())
}

/// Has the kernel continue this process every millisecond, should it be stopped.
pub(crate) fn continue_by_timer() {
    extern "C" fn go_on(_: libc::c_int) {}
    // SAFETY: the handler does nothing; the pointers are to values of our own, which may be all zeros; a sigevent with
    // this kind has no pointer in it.
    let armed = unsafe {
        // The timer of a signal that is ignored stops.
        libc::signal(
            libc::SIGCONT,
            go_on as extern "C" fn(libc::c_int) as libc::sighandler_t,
        );
        let mut event: libc::sigevent = std::mem::zeroed();
        event.sigev_notify = libc::SIGEV_SIGNAL;
        event.sigev_signo = libc::SIGCONT;
        let mut timer = std::mem::zeroed();
        let mut times: libc::itimerspec = std::mem::zeroed();
        times.it_value.tv_nsec = 1_000_000;
        times.it_interval.tv_nsec = 1_000_000;
        libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer) == 0
            && libc::timer_settime(timer, 0, &raw const times, std::ptr::null_mut()) == 0
    };
    let done = if armed { "escaped" } else { "refused" };
    eprintln!("{done}: timer-continue");
}

fn raise_limits() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let unlimited = Rlimit {
        current: None,
        maximum: None,
    };
    Ok(setrlimit(Resource::Fsize, unlimited)?)
}

/// Writes into the temporary folder until that is refused, and says how much went in.
pub(crate) fn fill_disk() {
    let folder = std::env::var_os("TMPDIR").map_or_else(|| "/tmp".into(), PathBuf::from);
    let block = vec![7; 1 << 20];
    let mut written = 0u64;
    'files: for number in 0.. {
        let Ok(mut file) = std::fs::File::create(folder.join(format!("junk-{number}"))) else {
            break;
        };
        for _ in 0..16 {
            if file.write_all(&block).is_err() {
                break 'files;
            }
            written += 1;
            if written > 400 {
                eprintln!("escaped: filled the disk");
                return;
            }
        }
    }
    eprintln!("refused: filled the disk: after {written} MB");
}

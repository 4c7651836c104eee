use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

static CALLS: AtomicUsize = AtomicUsize::new(0);
static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());
static TABLE: [u64; 8] = table();
static UNNEEDED: u8 = 0;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static NAMES: RefCell<Vec<&'static str>> = RefCell::new(vec!["root"]);
}

const fn table() -> [u64; 8] {
    let mut table = [1; 8];
    let mut at = 1;
    while at < table.len() {
        table[at] = table[at - 1] * 3;
        at += 1;
    }
    table
}
fn config() -> &'static str {
    static CONFIG: OnceLock<String> = OnceLock::new();
    CONFIG.get_or_init(|| {
        CALLS.fetch_add(1, Ordering::Relaxed);
        "config".to_owned()
    })
}

fn main() {
    LOG.lock().unwrap().push(format!("{} {}", config(), config()));
    DEPTH.with(|depth| depth.set(depth.get() + 2));
    NAMES.with_borrow_mut(|names| names.push("leaf"));
    println!("{:?} {}", LOG.lock().unwrap(), CALLS.load(Ordering::Relaxed));
    println!("{} {:?} {}", DEPTH.get(), NAMES.take(), TABLE[7]);
}

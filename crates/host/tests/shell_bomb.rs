//! A fork bomb ends when told. Alone in its program: two thousand processes leave no processor free to a test beside it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod processes;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use deepfs_host::shell::{Shell, ShellOptions};
use processes::{Marker, eventually};

const TIMEOUT: Duration = Duration::from_millis(300);
/// What a command may take beyond its time-out.
const MARGIN: Duration = Duration::from_millis(250);

#[test]
fn a_fork_bomb_of_one_group_is_ended() {
    let marker = Marker::new();
    let mut options = ShellOptions::new("/");
    options.timeout = TIMEOUT;
    options.env = vec![("M".into(), marker.name().into()), ("PATH".into(), "/usr/bin:/bin".into())];
    let shell = Shell::new(options).expect("no jail is asked for");
    // Two thousand processes; bounded by itself, should the test fail.
    let bomb = "b() { [ $1 -gt 10 ] && exec sleep 20; b $(($1+1)) & b $(($1+1)); }; b 0";
    let started = Instant::now();
    let executed = shell.execute(bomb, None, &AtomicBool::new(false));
    let took = started.elapsed();
    assert_eq!(executed.exit_code, Some(124));
    // All of them have been told to end; the kernel takes its time over so many.
    assert!(took < TIMEOUT + MARGIN, "{took:?}");
    assert!(eventually(|| marker.processes().is_empty()));
}

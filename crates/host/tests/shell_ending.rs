//! A command ends when told, with everything it started, and what it left running otherwise lives on.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod processes;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use deepfs_host::shell::{Executed, Shell, ShellOptions};
use processes::{Marker, eventually};

/// What a command may take beyond its time-out.
const MARGIN: Duration = Duration::from_millis(250);

fn shell(timeout: Duration, marker: &Marker) -> Shell {
    let mut options = ShellOptions::new("/");
    options.timeout = timeout;
    options.env = vec![("M".into(), marker.name().into()), ("PATH".into(), "/usr/bin:/bin".into())];
    Shell::new(options).expect("no jail is asked for")
}

fn run(shell: &Shell, command: &str) -> (Executed, Duration) {
    let started = Instant::now();
    let executed = shell.execute(command, None, &AtomicBool::new(false));
    (executed, started.elapsed())
}

fn assert_ended_in_time(timeout: Duration, command: &str, output: &str) {
    let marker = Marker::new();
    let (executed, took) = run(&shell(timeout, &marker), command);
    let survivors = marker.processes();
    let sentence = format!("Error: Command timed out after {:.1} seconds.", timeout.as_secs_f64());
    let output = if output.is_empty() { sentence } else { format!("{output}\n\n{sentence}") };
    assert_eq!(executed, Executed { output, exit_code: Some(124), truncated: false }, "{command}");
    assert!(took >= timeout && took < timeout + MARGIN, "{command}: {took:?}");
    assert_eq!(survivors, Vec::<String>::new(), "{command}");
}

const SECOND: Duration = Duration::from_secs(1);
const SHORT: Duration = Duration::from_millis(300);

#[test]
fn exec_grandchild_ends_with_the_shell() {
    assert_ended_in_time(SECOND, "sleep 8; echo done", "");
}

#[test]
fn exec_timeout_output_is_kept() {
    assert_ended_in_time(SECOND, "echo building; exec sleep 5", "building");
    assert_ended_in_time(SHORT, "echo a; echo b >&2; sleep 5", "a\n\n[stderr] b");
}

#[test]
fn exec_timeout_output_of_a_command_that_ended_in_time_is_whole() {
    let marker = Marker::new();
    let timeout = Duration::from_nanos(1);
    let in_time = Executed { output: "done\n".to_owned(), exit_code: Some(0), truncated: false };
    let too_late = Some(124);
    for _ in 0..20 {
        let (executed, _) = run(&shell(timeout, &marker), "echo done");
        assert!(executed == in_time || executed.exit_code == too_late, "{executed:?}");
    }
}

#[test]
fn exec_trap_term_is_killed() {
    assert_ended_in_time(SECOND, "trap '' TERM; for i in 1 2 3 4 5 6 7; do sleep 1; done", "");
}

#[test]
fn floods_end_in_time() {
    for command in ["yes", "yes >&2", "yes & yes >&2", "cat /dev/zero", "trap '' TERM PIPE; yes & wait"] {
        let marker = Marker::new();
        let (executed, took) = run(&shell(SHORT, &marker), command);
        assert!(executed.truncated && executed.output.len() < 101_000, "{command}");
        assert!(
            executed.output.ends_with("bytes.\n\nError: Command timed out after 0.3 seconds."),
            "{command}: {:?}",
            executed.output.get(executed.output.len() - 100..)
        );
        assert_eq!(executed.exit_code, Some(124), "{command}");
        assert!(took < SHORT + MARGIN, "{command}: {took:?}");
        assert_eq!(marker.processes(), Vec::<String>::new(), "{command}");
    }
}

#[test]
fn processes_may_tidy_up_before_they_are_killed() {
    let folder = tempfile::tempdir().unwrap();
    let lock = folder.path().join("lock");
    std::fs::write(&lock, "").unwrap();
    let mut options = ShellOptions::new(folder.path());
    options.timeout = SHORT;
    let shell = Shell::new(options).unwrap();
    let tidy = "import signal,os,time,sys\nsignal.signal(signal.SIGTERM, lambda *_: (os.remove(\"lock\"), sys.exit(0)))\ntime.sleep(50)";
    let (executed, took) = run(&shell, &format!("/usr/bin/python3 -c '{tidy}'; echo never"));
    assert_eq!(executed.output, "Error: Command timed out after 0.3 seconds.");
    assert!(took < SHORT + MARGIN);
    assert!(!lock.exists());
}

#[test]
fn exec_background_lives_on_until_close() {
    let marker = Marker::new();
    let shell = shell(Duration::from_secs(30), &marker);
    let (executed, took) = run(&shell, "sleep 60 & echo hi");
    assert_eq!(executed, Executed { output: "hi\n".into(), exit_code: Some(0), truncated: false });
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert_eq!(marker.processes().len(), 1);
    // A daemon that left everything behind is found as well.
    run(&shell, "env -i setsid sleep 6.25 >/dev/null 2>&1 &");
    shell.close();
    assert!(eventually(|| marker.processes().is_empty()));
    assert!(eventually(|| !processes::any_command_line("sleep\u{0}6.25")));
}

#[test]
fn a_background_server_can_go_on_printing() {
    let marker = Marker::new();
    let shell = shell(Duration::from_secs(5), &marker);
    let folder = tempfile::tempdir().unwrap();
    let go = folder.path().join("go");
    // Far more than a pipe holds: it would block, or be ended by SIGPIPE, if nobody read.
    let server = format!(
        "until [ -e {} ]; do sleep 0.02; done; head -c 3000000 /dev/zero; exec sleep 30",
        go.display()
    );
    let (executed, _) = run(&shell, &format!("({server}) & echo started"));
    assert_eq!(executed.output, "started\n");
    std::fs::write(go, "").unwrap();
    assert!(eventually(|| marker.processes() == ["sleep 30"]), "{:?}", marker.processes());
    // A later command that times out does not touch it.
    let quick = shell.execute("sleep 9", Some(Duration::from_millis(100)), &AtomicBool::new(false));
    assert_eq!(quick.exit_code, Some(124));
    assert_eq!(marker.processes(), ["sleep 30"]);
    shell.close();
    assert!(eventually(|| marker.processes().is_empty()));
}

#[test]
fn the_end_of_a_pipeline_is_awaited() {
    let marker = Marker::new();
    let shell = shell(Duration::from_secs(5), &marker);
    let (executed, _) = run(&shell, "(sleep 0.01; echo late) & echo early");
    assert_eq!(executed.output, "early\nlate\n");
}

#[test]
fn cancelling_ends_a_command_and_its_waiting() {
    let marker = Marker::new();
    let mut options = ShellOptions::new("/");
    options.max_concurrent = 1;
    options.env = vec![("M".into(), marker.name().into())];
    let shell = Arc::new(Shell::new(options).unwrap());
    let (sender, receiver) = std::sync::mpsc::channel();
    let flags: Vec<_> = (0..2).map(|_| Arc::new(AtomicBool::new(false))).collect();
    for (index, flag) in flags.iter().enumerate() {
        let sender = sender.clone();
        let done = move |executed| sender.send((index, executed)).unwrap();
        shell.spawn("echo a; setsid sleep 50".into(), None, Arc::clone(flag), done).unwrap();
        assert!(eventually(|| marker.processes().iter().any(|name| name.starts_with("sleep"))));
    }
    let cancelled = |output: &str| Executed { output: output.into(), exit_code: None, truncated: false };
    // The second waits for the first's place.
    flags[1].store(true, Ordering::Relaxed);
    let patience = Duration::from_secs(1);
    assert_eq!(receiver.recv_timeout(patience).unwrap(), (1, cancelled("Error: Command was cancelled.")));
    flags[0].store(true, Ordering::Relaxed);
    assert_eq!(
        receiver.recv_timeout(patience).unwrap(),
        (0, cancelled("a\n\nError: Command was cancelled."))
    );
    assert_eq!(marker.processes(), Vec::<String>::new());
}

#[test]
fn an_abandoned_shell_lets_nothing_run_on() {
    let marker = Marker::new();
    let shell = Arc::new(shell(Duration::from_secs(60), &marker));
    let (sender, receiver) = std::sync::mpsc::channel();
    let done = move |executed| sender.send(executed).unwrap();
    shell.spawn("echo a; sleep 50".into(), None, Arc::default(), done).unwrap();
    assert!(eventually(|| marker.processes().iter().any(|name| name.starts_with("sleep"))));
    shell.abandon();
    let executed = receiver.recv_timeout(Duration::from_secs(2)).unwrap();
    let output = "a\n\nError: Command was cancelled.".to_owned();
    assert_eq!(executed, Executed { output, exit_code: None, truncated: false });
    assert_eq!(marker.processes(), Vec::<String>::new());
    assert_eq!(run(&shell, "echo b").0.exit_code, None);
}

#[test]
fn commands_wait_for_a_place_without_losing_their_time() {
    let mut options = ShellOptions::new("/");
    options.max_concurrent = 2;
    options.timeout = Duration::from_millis(400);
    let shell = Arc::new(Shell::new(options).unwrap());
    let started = Instant::now();
    let (sender, receiver) = std::sync::mpsc::channel();
    for _ in 0..6 {
        let sender = sender.clone();
        let done = move |executed| sender.send(executed).unwrap();
        shell.spawn("sleep 0.2; echo x".into(), None, Arc::default(), done).unwrap();
    }
    for _ in 0..6 {
        let executed = receiver.recv_timeout(Duration::from_secs(5)).unwrap();
        assert_eq!(executed, Executed { output: "x\n".into(), exit_code: Some(0), truncated: false });
    }
    // Three rounds of two.
    assert!(started.elapsed() >= Duration::from_millis(590), "{:?}", started.elapsed());
}

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::*;

/// Runs a command to its end, or for `longest`; tells its output, exit code and time.
fn run(command: &str, longest: Duration) -> (String, Option<i32>, Duration) {
    let mut options = ShellOptions::new("/");
    let system = System::new(&mut options).unwrap();
    let started = Instant::now();
    let mut process = system.start(command, &options).unwrap();
    let mut transcript = Transcript::new(1000, false);
    while !process.has_ended() && started.elapsed() < longest {
        process.turn(STEP, &mut transcript);
    }
    if process.has_ended() {
        while process.is_open() && started.elapsed() < longest {
            process.turn(STEP, &mut transcript);
        }
    } else {
        process.end(&mut transcript);
    }
    let status = system.finish(process);
    system.close();
    (transcript.finish().text, status.and_then(|status| status.code()), started.elapsed())
}

#[test]
fn output_and_exit_codes_arrive() {
    let (text, code, _) = run("echo a; echo b >&2; cat; exit 3", Duration::from_secs(5));
    assert_eq!((text.as_str(), code), ("a\n\n[stderr] b", Some(3)));
}

#[test]
fn a_group_ends_in_time() {
    for command in ["echo a; sleep 50", "echo a; trap '' TERM; sleep 50; sleep 50", "echo a; sleep 50 & wait"]
    {
        let (text, code, took) = run(command, Duration::from_millis(200));
        assert_eq!((text.as_str(), code), ("a\n", None), "{command}");
        assert!(took < Duration::from_millis(450), "{command}: {took:?}");
    }
}

#[test]
fn a_flood_is_bounded() {
    let (text, _, took) = run("yes", Duration::from_millis(200));
    assert!(text.len() < 1100 && took < Duration::from_millis(450), "{took:?}");
}

#[test]
fn a_jail_is_refused() {
    let mut options = ShellOptions { jail: Some(crate::shell::Jail::default()), ..ShellOptions::new("/") };
    let refused = System::new(&mut options).unwrap_err();
    assert_eq!(refused.to_string(), "The jail for commands cannot be set up: it is made for Linux only.");
}

//! The format of a command's answer: streams, exit codes, caps, decoding, order.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use deepfs_host::shell::{Executed, Shell, ShellOptions};

fn shell(change: impl FnOnce(&mut ShellOptions)) -> Shell {
    let mut options = ShellOptions::new("/");
    options.timeout = Duration::from_secs(10);
    change(&mut options);
    Shell::new(options).expect("no jail is asked for")
}

fn run(shell: &Shell, command: &str) -> Executed {
    shell.execute(command, None, &AtomicBool::new(false))
}

fn whole(output: &str, exit_code: i32) -> Executed {
    Executed { output: output.to_owned(), exit_code: Some(exit_code), truncated: false }
}

#[test]
fn answers_are_the_protocols() {
    let shell = shell(|_| {});
    for (command, output, exit_code) in [
        ("echo hi", "hi\n", 0),
        ("true", "<no output>", 0),
        (" ", "<no output>", 0),
        ("false", "<no output>\n\nExit code: 1", 1),
        ("echo a; echo b >&2", "a\n\n[stderr] b", 0),
        ("printf 'b\\n  x\\n\\n   y\\n' >&2", "[stderr] b\n[stderr]   x\n[stderr] \n[stderr]    y", 0),
        ("printf '\\n' >&2", "[stderr] ", 0),
        ("printf '\\n'", "\n", 0),
        ("echo 'a   '; echo; exit 2", "a\n\nExit code: 2", 2),
        ("exit 300", "<no output>\n\nExit code: 44", 44),
        ("nonexistentcmd", "[stderr] /bin/sh: 1: nonexistentcmd: not found\n\nExit code: 127", 127),
        ("echo \"$0 $1 $-\"", "/bin/sh  \n", 0),
        ("kill -9 $$", "<no output>\n\nExit code: 1", 1),
        ("kill -INT $$", "<no output>\n\nExit code: 1", 1),
        // Not a time-out, whatever its sender meant by it.
        ("kill -TERM $$", "<no output>\n\nExit code: 1", 1),
        ("-x", "[stderr] /bin/sh: 1: -x: not found\n\nExit code: 127", 127),
        // The environment is the given one and nothing else; PATH is the shell's own.
        ("env", "PWD=/\n", 0),
        ("echo $PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n", 0),
    ] {
        assert_eq!(run(&shell, command), whole(output, exit_code), "{command}");
    }
}

#[test]
fn the_environment_is_the_given_one() {
    let shell =
        shell(|options| options.env = vec![("A".into(), "ä b".into()), ("PATH".into(), "/nowhere".into())]);
    assert_eq!(run(&shell, "echo \"$A|$PATH\""), whole("ä b|/nowhere\n", 0));
}

#[test]
fn exec_invalid_commands_are_answered() {
    let shell = shell(|_| {});
    assert_eq!(run(&shell, ""), whole("Error: Command must be a non-empty string.", 1));
    assert_eq!(run(&shell, "echo a\0b"), whole("Error: Command must not contain a NUL character.", 1));
}

#[test]
fn exec_stdin_is_empty() {
    let shell = shell(|_| {});
    let started = Instant::now();
    assert_eq!(run(&shell, "cat"), whole("<no output>", 0));
    assert_eq!(run(&shell, "read x; echo $?"), whole("1\n", 0));
    assert_eq!(run(&shell, "python3"), whole("<no output>", 0));
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn exec_utf8_chunks_are_joined() {
    let shell = shell(|_| {});
    let command = "printf 'cleanup \\342'; sleep 0.2; printf '\\200\\224 end'; printf '\\377' >&2";
    assert_eq!(run(&shell, command), whole("cleanup — end\n[stderr] \u{fffd}", 0));
}

#[test]
fn exec_stderr_shape_keeps_order_when_interleaved() {
    let shell = shell(|options| options.interleave = true);
    let command = "echo 1; echo '   ^ here' >&2; sleep 0.1; echo 2";
    assert_eq!(run(&shell, command), whole("1\n[stderr]    ^ here\n2\n", 0));
    let command =
        "echo err >&2; sleep 0.05; printf '€ un'; sleep 0.05; echo warning >&2; sleep 0.05; printf 'done'";
    assert_eq!(run(&shell, command), whole("[stderr] err\n[stderr] warning\n€ undone", 0));
    assert_eq!(run(&shell, "printf a; printf b >&2; exit 3"), whole("a\n[stderr] b\n\nExit code: 3", 3));
}

#[test]
fn lines_keep_their_order_however_fast_they_come() {
    let shell = shell(|options| options.interleave = true);
    // No pattern: runs of one stream of any length, and now and then a line of several pages.
    let streams: Vec<bool> = (0_u32..400).map(|i| i.wrapping_mul(2_654_435_761) >> 29 < 3).collect();
    let line = |index: usize| {
        if index.is_multiple_of(97) { format!("{index}{}", "y".repeat(9000)) } else { index.to_string() }
    };
    let script: Vec<String> = streams
        .iter()
        .enumerate()
        .map(|(index, &err)| format!("w({}, b'{}\\n')", 1 + u8::from(err), line(index)))
        .collect();
    let expected: String = streams
        .iter()
        .enumerate()
        .map(|(index, &err)| format!("{}{}\n", if err { "[stderr] " } else { "" }, line(index)))
        .collect();
    let executed =
        run(&shell, &format!("python3 - <<'E'\nimport os\nw = os.write\n{}\nE", script.join("\n")));
    assert_eq!(executed, whole(&expected, 0));
    assert_eq!(
        run(&shell, "echo a; echo b > /dev/stderr; sleep 0.05; echo c"),
        whole("a\n[stderr] b\nc\n", 0)
    );
}

#[test]
fn output_is_cut_between_characters_at_the_cap() {
    let shell = shell(|options| options.max_output_bytes = 10);
    let cut = |output: &str, exit_code| Executed { truncated: true, ..whole(output, exit_code) };
    assert_eq!(run(&shell, "printf 1234567890"), whole("1234567890", 0));
    assert_eq!(run(&shell, "printf 12345678901"), cut("1234567890\n\n... Output truncated at 10 bytes.", 0));
    assert_eq!(
        run(&shell, "printf '12345678\\342\\202\\254'"),
        cut("12345678\n\n... Output truncated at 10 bytes.", 0)
    );
    assert_eq!(
        run(&shell, "echo abc; echo def >&2; exit 4"),
        cut("abc\n\n[stde\n\n... Output truncated at 10 bytes.\n\nExit code: 4", 4)
    );
}

#[test]
fn blanks_that_are_trimmed_do_not_count() {
    let shell = shell(|options| options.max_output_bytes = 20);
    let command =
        "head -c 5000 /dev/zero | tr '\\0' '\\n' >&2; echo x >&2; head -c 5000 /dev/zero | tr '\\0' ' ' >&2";
    assert_eq!(run(&shell, command), whole("[stderr] x", 0));
}

#[test]
fn exec_oom_crash_is_bounded() {
    for (interleave, bytes) in [(false, 600_000_000), (true, 60_000_000)] {
        let shell = shell(|options| {
            options.interleave = interleave;
            options.timeout = Duration::from_secs(100);
        });
        let before = peak_memory_kib();
        let executed = run(&shell, &format!("head -c {bytes} /dev/zero | tr '\\0' a"));
        let expected = format!("{}\n\n... Output truncated at 100000 bytes.", "a".repeat(100_000));
        // Not `assert_eq!`: its message would be as long as the output.
        assert!(executed == Executed { output: expected, exit_code: Some(0), truncated: true });
        // The kernel adds up its counters of pages now and then: the peak it tells may go down a little.
        let grown = peak_memory_kib().saturating_sub(before);
        assert!(grown < 20_000, "{grown} KiB more for 100 kB of output");
    }
}

fn peak_memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn commands_longer_than_an_argument_run() {
    let shell = shell(|_| {});
    for length in [131_070, 131_071, 131_072, 400_000] {
        let tail = "; echo \"$0 ${#X}\"; cat; exit 5";
        let filler = "x".repeat(length - "X=".len() - tail.len());
        let command = format!("X={filler}{tail}");
        assert_eq!(command.len(), length);
        assert_eq!(
            run(&shell, &command),
            whole(&format!("/bin/sh {}\n\nExit code: 5", filler.len()), 5),
            "{length}"
        );
    }
}

#[test]
fn exec_missing_cwd_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |cwd: std::path::PathBuf| Shell::new(ShellOptions::new(cwd)).unwrap();
    assert_eq!(
        run(&at(folder.path().join("nope")), "echo hi"),
        whole("Error executing command: the working directory (rootDir) does not exist", 1)
    );
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert_eq!(
        run(&at(file), "echo hi"),
        whole("Error executing command: the working directory (rootDir) is not a directory", 1)
    );
}

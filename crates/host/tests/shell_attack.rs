//! Fifty hostile commands: each ends in time, and leaves nothing.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod processes;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use deepfs_host::shell::{Shell, ShellOptions};
use processes::Marker;

const TIMEOUT: Duration = Duration::from_millis(250);
/// What a command may take beyond its time-out.
const MARGIN: Duration = Duration::from_millis(250);

/// Shapes that never end by themselves.
const HOSTILE: &[&str] = &[
    // Leaving the group, the session, the parent, the environment, the streams.
    "sleep 50 & sleep 50",
    "setsid sleep 50 & sleep 50",
    "setsid setsid sh -c 'trap \"\" TERM HUP INT; sleep 50; sleep 50' & sleep 50",
    "(setsid sh -c 'sleep 50 & sleep 50 &' &) ; sleep 50",
    "((((sleep 50 &) &) &) &); sleep 50",
    "env -i setsid sleep 50.125 >/dev/null 2>&1 & sleep 50",
    "env -i setsid sh -c '(sleep 50.125 &) ; sleep 50.125' >/dev/null 2>&1 & sleep 50",
    "(nohup setsid sh -c '(sleep 50 &)' >/dev/null 2>&1 &); sleep 50",
    "nohup sleep 50 </dev/null >/dev/null 2>&1 & exec sleep 50",
    "cd /tmp; setsid sh -c 'cd /; exec 0<&- 1>&- 2>&-; sleep 50' & sleep 50",
    "python3 -c 'import os,time\nif os.fork()==0:\n os.setsid()\n if os.fork()==0:\n  os.closerange(0,256); os.chdir(\"/\"); time.sleep(50)\n os._exit(0)\ntime.sleep(50)'",
    "python3 -c 'import os,time\nfor i in range(20):\n if os.fork()==0: os.setsid(); time.sleep(50)\ntime.sleep(50)'",
    "python3 -c 'import os,time\nfor i in range(20):\n if os.fork()>0: time.sleep(50)\ntime.sleep(50)'",
    "python3 -c 'import os,time\nfor i in range(20):\n if os.fork()>0: os._exit(0)\n os.setsid()\ntime.sleep(50)' & sleep 50",
    "python3 -c 'import ctypes,time; ctypes.CDLL(None).prctl(15, b\"kworker/0:1\"); time.sleep(50)'",
    "python3 -c 'import ctypes,os,time\nctypes.CDLL(None).prctl(36, 1)\nif os.fork()==0:\n os.setsid()\n if os.fork()==0: time.sleep(50)\n os._exit(0)\ntime.sleep(50)'",
    "bash -c 'set -m; sleep 50 & sleep 50 & disown -a; sleep 50'",
    "bash -c 'coproc sleep 50; exec -a [kthreadd] sleep 50'",
    "bash -c 'sleep 50 > >(sleep 50) 2> >(sleep 50)'",
    "(while :; do sleep 0.01; done) & (while :; do sleep 0.01; done) & wait",
    // Signals ignored or handled.
    "trap '' TERM; sleep 50; sleep 50",
    "trap '' TERM INT HUP QUIT; while :; do sleep 0.05; done",
    "trap 'sleep 50' TERM; sleep 50",
    "trap 'setsid sleep 50 & sleep 50' TERM EXIT; sleep 50 & wait",
    "trap 'while :; do :; done' TERM; while :; do sleep 0.01; done",
    "python3 -c 'import signal,time\nfor s in range(1,64):\n  try: signal.signal(s, signal.SIG_IGN)\n  except Exception: pass\nwhile True: time.sleep(1)'",
    "python3 -c 'import os,signal,time\ndef again(*_):\n  if os.fork()==0: os.setsid()\nsignal.signal(signal.SIGTERM, again)\nwhile True: time.sleep(1)'",
    "python3 -c 'import signal,time\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1,65)); time.sleep(50)'",
    // Stopped processes.
    "kill -STOP $$; sleep 50",
    "sleep 50 & kill -STOP $!; wait",
    "sleep 50 & kill -STOP $!; setsid sh -c 'kill -STOP $$; sleep 50' & wait",
    "setsid sh -c 'sleep 50 & kill -STOP 0; sleep 50' & sleep 50",
    // Forking all the time.
    "while :; do sleep 50 & sleep 0.005; done",
    "while :; do setsid sleep 50 & sleep 0.005; done",
    "f() { (sleep 0.01; f) & }; f; wait; sleep 50",
    "export F='sleep 0.01; setsid sh -c \"$F\" &'; setsid sh -c \"$F\"; sleep 50",
    "python3 -c 'import os,time\nwhile True:\n if os.fork()>0: os._exit(0)\n os.setsid(); time.sleep(0.002)' & sleep 50",
    "while :; do :; done",
    "while :; do true & done 2>/dev/null & sleep 50",
    // Waiting for what never comes.
    "tail -f /dev/null",
    "F=/tmp/$M; mkfifo $F; (sleep 0.1; rm $F) & cat $F",
    "exec 1>&- 2>&-; sleep 50",
    "sleep 50 <&- | sleep 50 | sleep 50",
    "python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); s.listen(); s.accept()'",
    "python3 -c 'import threading\nfor i in range(50): threading.Thread(target=threading.Event().wait).start()'",
    "flock /bin/sh sleep 50",
    "timeout -s KILL 50 setsid sleep 50",
    "xargs -P 4 -I{} sleep 50 < /dev/null; yes | xargs -P 4 -I{} sh -c 'exec sleep 50'",
    // Floods.
    "yes",
    "yes & yes >&2 & exec sleep 50",
    "cat /dev/zero | tee /dev/stderr",
];

#[test]
fn hostile_commands_end_in_time_and_leave_nothing() {
    let mut worst = Duration::ZERO;
    for (index, command) in HOSTILE.iter().enumerate() {
        let marker = Marker::new();
        let mut options = ShellOptions::new("/");
        options.timeout = TIMEOUT;
        options.env = vec![("M".into(), marker.name().into()), ("PATH".into(), "/usr/bin:/bin".into())];
        let shell = Shell::new(options).expect("no jail is asked for");
        let started = Instant::now();
        let executed = shell.execute(command, None, &AtomicBool::new(false));
        let took = started.elapsed();
        worst = worst.max(took - TIMEOUT.min(took));
        assert_eq!(
            executed.exit_code,
            Some(124),
            "{index}: {command}: {}",
            executed.output.get(..200).unwrap_or(&executed.output)
        );
        assert!(took < TIMEOUT + MARGIN, "{index}: {command}: {took:?}");
        assert_eq!(marker.processes(), Vec::<String>::new(), "{index}: {command}");
        assert!(!processes::any_command_line("sleep\u{0}50.125"), "{index}: {command}");
    }
    assert!(HOSTILE.len() >= 50 && worst > Duration::ZERO);
}

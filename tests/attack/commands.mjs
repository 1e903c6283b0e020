// Hostile commands: shapes that refuse to end, to be alone, or to be small; each as it is and in three disguises. `$MARK` is a
// word that tells their processes from others, also where the environment is thrown away.

/** Ways to leave: the group, the session, the parent, the environment, the streams. */
const LEAVING = [
  "sleep 50 & sleep 50",
  "sleep 50 &",
  "setsid sleep 50 & sleep 50",
  "setsid -f sleep 50",
  "setsid setsid sh -c 'trap \"\" TERM HUP INT; sleep 50; sleep 50' & sleep 50",
  "(setsid sh -c 'sleep 50 & sleep 50 &' &) ; sleep 50",
  "((((sleep 50 &) &) &) &); sleep 50",
  "((((sleep 50 &) &) &) &)",
  "env -i setsid /usr/bin/env MARKED=$MARK sleep 50 >/dev/null 2>&1 & sleep 50",
  "env -i setsid sh -c '(exec sleep 50 $MARK) & : $MARK; sleep 50; : $MARK' >/dev/null 2>&1 & sleep 50",
  "(nohup setsid sh -c '(sleep 50 &)' >/dev/null 2>&1 &); sleep 50",
  "nohup sleep 50 </dev/null >/dev/null 2>&1 & exec sleep 50",
  "nohup setsid sleep 50 >/dev/null 2>&1 </dev/null & exit 0",
  "cd /; setsid sh -c 'cd /tmp; exec 0<&- 1>&- 2>&-; sleep 50' & sleep 50",
  "python3 -c 'import os,time\nif os.fork()==0:\n os.setsid()\n if os.fork()==0:\n  os.closerange(0,256); os.chdir(\"/\"); time.sleep(50)\n os._exit(0)\ntime.sleep(50)'",
  "python3 -c 'import os,time\nfor i in range(20):\n if os.fork()==0: os.setsid(); time.sleep(50)\ntime.sleep(50)'",
  "python3 -c 'import os,time\nfor i in range(20):\n if os.fork()>0: time.sleep(50)\ntime.sleep(50)'",
  "python3 -c 'import ctypes,time; ctypes.CDLL(None).prctl(15, b\"kworker/0:1\"); time.sleep(50)'",
  "bash -c 'set -m; sleep 50 & sleep 50 & disown -a; sleep 50'",
  "bash -c 'coproc sleep 50; exec -a [kthreadd] sleep 50'",
  "bash -c 'sleep 50 > >(sleep 50) 2> >(sleep 50)'",
  "perl -e 'fork and exit; setpgrp; fork and exit; sleep 50'",
];

/** Signals ignored, blocked, handled; processes that are stopped. */
const SIGNALS = [
  "trap '' TERM; sleep 50; sleep 50",
  "trap '' TERM INT HUP QUIT; while :; do sleep 0.05; done",
  "trap 'sleep 50' TERM; sleep 50",
  "trap 'setsid sleep 50 & sleep 50' TERM EXIT; sleep 50 & wait",
  "trap 'while :; do :; done' TERM; while :; do sleep 0.01; done",
  "trap 'kill -STOP $$' TERM; sleep 50; sleep 50",
  "trap 'yes' EXIT; exit 0",
  "python3 -c 'import signal,time\nfor s in range(1,64):\n  try: signal.signal(s, signal.SIG_IGN)\n  except Exception: pass\nwhile True: time.sleep(1)'",
  "python3 -c 'import os,signal,time\ndef again(*_):\n  if os.fork()==0: os.setsid()\nsignal.signal(signal.SIGTERM, again)\nwhile True: time.sleep(1)'",
  "python3 -c 'import signal,time\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1,65)); time.sleep(50)'",
  "kill -STOP $$; sleep 50",
  "sleep 50 & kill -STOP $!; wait",
  "sleep 50 & kill -STOP $!; setsid sh -c 'kill -STOP $$; sleep 50' & wait",
  "setsid sh -c 'sleep 50 & kill -STOP 0; sleep 50' & sleep 50",
  "kill -9 $$",
  "kill -9 0",
];

/** Processes that multiply, in small. */
const MULTIPLYING = [
  "while :; do sleep 50 & sleep 0.02; done",
  "while :; do setsid sleep 50 & sleep 0.02; done",
  "f() { (sleep 0.02; f) & }; f; wait; sleep 50",
  "f() { sleep 0.03; f & f & }; f; sleep 50",
  "python3 -c 'import os,time\nwhile True:\n if os.fork()>0: os._exit(0)\n os.setsid(); time.sleep(0.005)' & sleep 50",
  "i=0; while [ $i -lt 60 ]; do sleep 50 & i=$((i+1)); done; wait",
  "seq 40 | xargs -P 40 -I{} sleep 50",
  "while :; do true; done & while :; do true; done & wait",
  "while :; do :; done",
];

/** Output without end, on either stream, in odd shapes. */
const FLOODS = [
  "yes",
  "yes >&2",
  "yes & yes >&2 & exec sleep 50",
  "cat /dev/zero",
  "cat /dev/urandom | tee /dev/stderr",
  "head -c 50000000 /dev/zero | tr '\\0' x",
  "yes '' >&2",
  "printf '%0100000d' 7; sleep 50",
  "while :; do echo out; echo err >&2; done",
  "yes é | tr -d '\\n'",
  "yes 'chatter on the wrong stream' | head -c 3000000 >&2; echo done",
];

/** Waiting for what never comes. */
const WAITING = [
  "cat",
  'read line; echo "$line"; sleep 50',
  "cat - /dev/null; sleep 50",
  "python3 -c 'import sys; sys.stdin.read(); import time; time.sleep(50)'",
  "cat /dev/tty; sleep 50",
  "tail -f /dev/null",
  "mkfifo $MARK.p 2>/dev/null; cat $MARK.p",
  "exec 1>&- 2>&-; sleep 50",
  "sleep 50 <&- | sleep 50 | sleep 50",
  "flock /bin/sh sleep 50",
  "timeout -s KILL 50 setsid sleep 50",
  "python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); s.listen(); s.accept()'",
  "python3 -c 'import threading\nfor i in range(50): threading.Thread(target=threading.Event().wait).start()'",
];

/** Text that is no sensible command. */
const TEXT = ["sleep 50 & echo é𝄞 \u202e; wait", "cd /nonexistent; sleep 50", "'", "exit 300"];

/** What does not fit into an environment, or has a meaning of its own: as it is only. */
const ALONE = [
  `: ${"x".repeat(200_000)}; sleep 50`,
  `echo ${"a".repeat(140_000)} | wc -c; setsid sleep 50 & wait`,
  `${"true;".repeat(40_000)} sleep 50`,
  `cat <<'END'\n${"here\n".repeat(40_000)}END\nsleep 50`,
  "echo a\0b; sleep 50",
  "",
];

/** As `$C`, which saves quoting: below a background job, in a session of its own, and deaf to every polite signal. */
const DISGUISES = [
  '( sh -c "$C" ) & wait',
  'setsid sh -c "$C" & sleep 50',
  "trap '' TERM HUP INT QUIT; sh -c \"$C\" & wait; sleep 50",
];

/** Every command of the attack; `inner` goes into the environment as `C`. */
export function hostileCommands() {
  const shapes = [...LEAVING, ...SIGNALS, ...MULTIPLYING, ...FLOODS, ...WAITING, ...TEXT];
  const disguised = shapes.flatMap((inner) => DISGUISES.map((command) => ({ command, inner })));
  return [...[...shapes, ...ALONE].map((command) => ({ command })), ...disguised];
}

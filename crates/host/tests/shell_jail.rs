//! What a jailed command can not touch, and what it still can; as root, and as an ordinary user.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod processes;

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use deepfs_host::shell::{Executed, Jail, Shell, ShellOptions};
use tempfile::TempDir;

/// A root to work in, and beside it a folder that belongs to the same user and must stay as it is.
struct Scene {
    folder: TempDir,
    shell: Shell,
}

impl Scene {
    fn new() -> Self {
        Self::with(|_, _| {})
    }

    fn with(change: impl FnOnce(&mut ShellOptions, &Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("root")).unwrap();
        fs::create_dir(folder.path().join("outside")).unwrap();
        fs::write(folder.path().join("outside/secret"), "SECRET").unwrap();
        let mut options = ShellOptions::new(folder.path().join("root"));
        options.timeout = Duration::from_secs(20);
        let outside = folder.path().join("outside");
        options.env =
            vec![("PATH".into(), "/usr/bin:/bin".into()), ("O".into(), outside.to_str().unwrap().into())];
        options.jail = Some(Jail::default());
        change(&mut options, folder.path());
        Self { shell: Shell::new(options).expect("this kernel has all a jail needs"), folder }
    }

    fn root(&self) -> std::path::PathBuf {
        self.folder.path().join("root")
    }

    fn outside(&self) -> std::path::PathBuf {
        self.folder.path().join("outside")
    }

    fn run(&self, command: &str) -> Executed {
        self.shell.execute(command, None, &AtomicBool::new(false))
    }

    /// Runs a command that must be refused: it fails, says so, and shows nothing secret.
    fn refused(&self, command: &str) {
        let executed = self.run(command);
        assert_ne!(executed.exit_code, Some(0), "{command}: {}", executed.output);
        let said = ["ermission denied", "not permitted", "Invalid cross-device link"];
        assert!(said.iter().any(|words| executed.output.contains(words)), "{command}: {}", executed.output);
        assert!(!executed.output.contains("SECRET"), "{command}: {}", executed.output);
    }

    fn allowed(&self, command: &str, output: &str) {
        assert_eq!(
            self.run(command),
            Executed { output: output.into(), exit_code: Some(0), truncated: false },
            "{command}"
        );
    }

    fn python_refused(&self, body: &str) {
        let script = self.root().join("attack.py");
        fs::write(&script, format!("import ctypes, os, socket, errno\nlibc = ctypes.CDLL(None, use_errno=True)\ndef call(*a):\n  r = libc.syscall(*a)\n  if r == -1:\n    e = ctypes.get_errno(); raise OSError(e, os.strerror(e))\n  return r\nHOST = {}\n{body}\n", std::process::id())).unwrap();
        self.refused("/usr/bin/python3 attack.py");
    }
}

#[test]
fn writing_outside_is_refused() {
    let scene = Scene::new();
    symlink(scene.outside().join("secret"), scene.root().join("link")).unwrap();
    symlink(scene.outside(), scene.root().join("folder")).unwrap();
    let before = fs::metadata(scene.outside().join("secret")).unwrap();
    for command in [
        "echo x > $O/new",
        "echo x >> $O/secret",
        ": > $O/secret",
        "echo x > link",
        "echo x > folder/new",
        "echo x > ../outside/new",
        "cd ../outside && echo x > new",
        "rm -f $O/secret",
        "rm -f folder/secret",
        "mkdir $O/new",
        "mkfifo $O/new",
        "ln -s x $O/new",
        "touch a && mv a $O/new",
        "mv $O/secret here",
        "mv -f $O/secret $O/other",
        "ln $O/secret here",
        "touch b && ln b $O/new",
        "truncate -s 0 $O/secret",
        "dd if=/dev/zero of=$O/secret count=1",
        "cp /bin/true $O/new",
        "rmdir $O",
        "touch $O/new",
        "touch -d 2001-01-01 $O/secret",
        "touch -d 2001-01-01 link",
        "chmod 777 $O/secret",
        "chmod 777 link",
        "chmod 777 $O",
        "chmod 777 ..",
        "chmod 777 /tmp",
        "chown $(id -u) $O/secret",
        "chown -h $(id -u) $O/secret",
        "echo x > /tmp/deepfs-jail-test",
        "echo x > /dev/shm/deepfs-jail-test",
        "echo x > $HOME/../deepfs-jail-test",
        "echo 1 > /proc/self/oom_score_adj",
    ] {
        scene.refused(command);
    }
    let after = fs::metadata(scene.outside().join("secret")).unwrap();
    assert_eq!(fs::read_to_string(scene.outside().join("secret")).unwrap(), "SECRET");
    let facts = |m: &fs::Metadata| {
        (m.mode(), m.uid(), m.mtime(), m.mtime_nsec(), m.ctime(), m.ctime_nsec(), m.nlink())
    };
    assert_eq!(facts(&after), facts(&before));
    let names: Vec<_> =
        fs::read_dir(scene.outside()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["secret"]);
}

#[test]
fn swapping_a_link_under_a_change_leads_nowhere() {
    let scene = Scene::new();
    fs::write(scene.root().join("mine"), "").unwrap();
    let attack = "import os, threading, time\n\
        until = time.time() + 1\n\
        def swap():\n  \
          while time.time() < until:\n    \
            for to in (os.environ['O'] + '/secret', 'mine'):\n      \
              os.symlink(to, 'new'); os.rename('new', 'link')\n\
        thread = threading.Thread(target=swap); thread.start()\n\
        done = 0\n\
        while time.time() < until:\n  \
          try: os.chmod('link', 0o777); done += 1\n  \
          except OSError: pass\n\
        thread.join(); print('changed' if done else 'never')\n";
    fs::write(scene.root().join("attack.py"), attack).unwrap();
    // The change is made again and again, but only to the file inside.
    scene.allowed("/usr/bin/python3 attack.py", "changed\n");
    let mode = |path: std::path::PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(scene.root().join("mine")), 0o777);
    assert_eq!(mode(scene.outside().join("secret")), 0o644);
}

#[test]
fn changing_what_is_open_for_reading_is_refused() {
    let scene = Scene::with(|options, folder| {
        options.jail = Some(Jail { read: vec![folder.join("outside")], ..Jail::default() });
    });
    scene.allowed("cat $O/secret", "SECRET");
    for body in [
        "os.fchmod(os.open(os.environ['O'] + '/secret', os.O_RDONLY), 0o777)",
        "os.utime(os.open(os.environ['O'] + '/secret', os.O_RDONLY), (1, 1))",
        "os.fchown(os.open(os.environ['O'] + '/secret', os.O_RDONLY), os.getuid(), -1)",
        "os.chmod('secret', 0o777, dir_fd=os.open(os.environ['O'], os.O_RDONLY))",
        "os.chmod('/proc/self/fd/%d' % os.open(os.environ['O'] + '/secret', os.O_RDONLY), 0o777)",
        // fchmodat2 with AT_EMPTY_PATH, utimensat without a path.
        "call(452, os.open(os.environ['O'] + '/secret', os.O_RDONLY), b'', 0o777, 0x1000)",
        "call(280, os.open(os.environ['O'] + '/secret', os.O_RDONLY), None, None, 0)",
        "os.open(os.environ['O'] + '/secret', os.O_RDWR)",
        "os.truncate(os.environ['O'] + '/secret', 0)",
        "os.link(os.environ['O'] + '/secret', 'here')",
        "os.rename(os.environ['O'] + '/secret', 'here')",
        "fd = os.open(os.environ['O'] + '/secret', os.O_RDONLY); call(265, -100, b'/proc/self/fd/%d' % fd, -100, b'here', 0x400)",
    ] {
        if cfg!(target_arch = "x86_64") || !body.contains("call(2") {
            scene.python_refused(&format!("try:\n  {body}\nexcept OSError as e:\n  if e.errno == errno.ELOOP: raise PermissionError(errno.EACCES, 'Permission denied')\n  raise"));
        }
    }
    let mode = fs::metadata(scene.outside().join("secret")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
    assert!(!scene.root().join("here").exists());
}

#[test]
fn reading_outside_is_refused() {
    let scene = Scene::new();
    symlink(scene.outside().join("secret"), scene.root().join("link")).unwrap();
    for command in [
        "cat $O/secret",
        "cat link",
        "cat ../outside/secret",
        "cp $O/secret here",
        "ls $O",
        "ls ..",
        "ls /root",
        "ls /home",
        "ls /tmp",
        "ls /proc",
        "cat /etc/shadow",
        "ls /etc",
        "cat /proc/1/environ",
        "cat /proc/$PPID/environ",
        "cat /proc/$PPID/cmdline",
        "cat /proc/$PPID/root$O/secret",
        "cat /proc/self/root$O/secret",
        "ls /proc/$PPID/fd",
        "cat /proc/self/status",
        "cd .. && cat outside/secret",
        "tar cf x.tar $O/secret",
    ] {
        scene.refused(command);
    }
}

#[test]
fn the_network_is_refused() {
    let scene = Scene::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let unix = std::os::unix::net::UnixListener::bind(scene.root().join("socket")).unwrap();
    listener.set_nonblocking(true).unwrap();
    unix.set_nonblocking(true).unwrap();
    for body in [
        &format!("socket.create_connection(('127.0.0.1', {port}))"),
        "socket.socket(socket.AF_INET6)",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
        "socket.socket(socket.AF_UNIX).connect('socket')",
        "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
        "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
        "socket.socket(40)",
        "call(425, 8, ctypes.create_string_buffer(256))",
    ] {
        scene.python_refused(body);
    }
    assert_eq!(listener.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    assert_eq!(unix.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    // What stays: pairs of the command's own.
    scene.allowed(
        "/usr/bin/python3 -c \"import socket; a, b = socket.socketpair(); a.send(b'x'); print(b.recv(1))\"",
        "b'x'\n",
    );
}

#[test]
fn the_network_is_the_internet_when_allowed() {
    let scene = Scene::with(|options, _| options.jail = Some(Jail { network: true, ..Jail::default() }));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let connect = format!(
        "/usr/bin/python3 -c \"import socket; socket.create_connection(('127.0.0.1', {port})); print('in')\""
    );
    scene.allowed(&connect, "in\n");
    listener.accept().unwrap();
    let _unix = std::os::unix::net::UnixListener::bind(scene.root().join("socket")).unwrap();
    for body in [
        "socket.socket(socket.AF_UNIX).connect('socket')",
        "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
        "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
        "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 9)",
    ] {
        scene.python_refused(body);
    }
}

#[test]
fn other_processes_are_out_of_reach() {
    let scene = Scene::new();
    scene.refused("kill -9 $PPID");
    scene.refused("kill -0 $PPID");
    scene.refused("kill -9 1");
    for body in [
        "os.kill(HOST, 9)",
        "os.kill(-os.getpgid(HOST), 9)",
        "call(424, os.pidfd_open(HOST), 9, None, 0)",
        "import signal; libc.ptrace.restype = ctypes.c_long\nif libc.ptrace(16, HOST, None, None) == -1: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))",
        "call(310, HOST, None, 0, None, 0, 0)",
        "call(438, os.pidfd_open(HOST), 0, 0)",
        "import resource; resource.prlimit(HOST, resource.RLIMIT_CPU, (1, 1))",
        "os.setpriority(os.PRIO_PROCESS, HOST, 19)",
        "os.setpriority(os.PRIO_USER, 0, 19)",
        "os.sched_setaffinity(HOST, {0})",
        "call(29, 0, 4096, 0o1600)",
        "open('/proc/%d/mem' % HOST)",
    ] {
        if cfg!(target_arch = "x86_64") || !body.starts_with("call") {
            scene.python_refused(body);
        }
    }
    // Everyone is no one but oneself.
    let executed = scene.run("kill -9 -1; echo still here");
    assert!(executed.output.contains("still here") || executed.exit_code == Some(1), "{executed:?}");
}

#[test]
fn rights_can_not_be_gained() {
    let scene = Scene::new();
    scene.refused("unshare -Ur true");
    scene.refused("unshare -m true");
    for body in [
        "call(272, 0x10000000)",
        "call(56, 0x10000000 | 17, 0, 0, 0, 0)",
        "call(321, 0, None, 0)",
        "call(250, 0, 0, 0, 0, 0)",
        "call(161, b'/')",
        "call(165, b'none', b'/', b'tmpfs', 0, None)",
        "call(304, 3, None, 0)",
        "call(323, 0)",
        "call(302, 0, 15, ctypes.create_string_buffer(16), None)",
        "call(160, 15, ctypes.create_string_buffer(16))",
        "os.mknod('device', 0o20600, os.makedev(1, 3))",
        "os.setuid(12345) or os.setgroups([0])",
    ] {
        if cfg!(target_arch = "x86_64") || !body.starts_with("call") {
            scene.python_refused(body);
        }
    }
    let script = "import ctypes; print(ctypes.CDLL(None).prctl(39, 0, 0, 0, 0))";
    scene.allowed(&format!("/usr/bin/python3 -c '{script}'"), "1\n");
}

#[test]
fn ordinary_work_goes_on() {
    let scene = Scene::new();
    scene.allowed("echo a > a; cat a; ls", "a\na\n");
    scene.allowed("mkdir -p d/e && mv a d/e/b && ln d/e/b c && rm d/e/b && cat c", "a\n");
    scene.allowed(
        "chmod 640 c && stat -c %a c && touch -d 2001-02-03T04:05:06Z c && stat -c %Y c",
        "640\n981173106\n",
    );
    scene.allowed(
        "ln -s c l && chmod 600 l && touch -h -d @5 l && stat -c '%a %Y' c && stat -c %Y l",
        "600 981173106\n5\n",
    );
    scene.allowed(
        "cp -p c f && tar cf t.tar c f && mkdir x && tar xpf t.tar -C x && stat -c '%a %Y' x/f",
        "600 981173106\n",
    );
    scene.allowed("echo x > $TMPDIR/x && cat $TMPDIR/x && mktemp | grep -c \"^$TMPDIR/\"", "x\n1\n");
    scene.allowed(
        "/usr/bin/python3 -c 'import subprocess; print(subprocess.check_output([\"echo\", \"hi\"]))'",
        "b'hi\\n'\n",
    );
    scene.allowed(
        "head -c 3 /dev/zero | wc -c; echo x > /dev/null; echo y > /dev/stdout; sort < c",
        "3\ny\na\n",
    );
    scene.allowed("sleep 5 & kill $!; wait $! 2>/dev/null; echo $?", "143\n");
    scene.allowed("nice true; (ulimit -n 100; ulimit -n)", "100\n");
    let long = format!("X={}; echo ${{#X}}", "x".repeat(200_000));
    scene.allowed(&long, "200000\n");
    scene.allowed(
        "git init -q r && cd r && echo 1 > f && git add f && git -c user.name=n -c user.email=e@x commit -qm m && git log --format=%s",
        "m\n",
    );
    if Path::new("/usr/bin/cc").exists() {
        scene
            .allowed("echo 'int main(void){return 0;}' > m.c && cc m.c -o m && ./m && echo built", "built\n");
    }
}

#[test]
fn further_places_are_open_as_asked() {
    let scene = Scene::with(|options, folder| {
        fs::create_dir(folder.join("more")).unwrap();
        options.env.push(("HOME".into(), folder.join("more").to_str().unwrap().into()));
        options.jail = Some(Jail {
            write: vec![folder.join("more")],
            read: vec![folder.join("outside")],
            network: false,
        });
    });
    scene.allowed("cat $O/secret; echo x > $HOME/x; chmod 600 $HOME/x; stat -c %a $HOME/x", "SECRET600\n");
    scene.refused("echo x > $O/new");
}

#[test]
fn the_private_folder_goes_with_the_shell() {
    let scene = Scene::with(|options, _| options.env.push(("HOME".into(), "/root".into())));
    let executed = scene.run("echo $HOME; echo $TMPDIR; echo x > $TMPDIR/x");
    let (home, temporary) = executed.output.split_once('\n').unwrap();
    let temporary = Path::new(temporary.trim_end()).to_owned();
    assert_eq!(Path::new(home), temporary);
    assert_eq!(fs::metadata(&temporary).unwrap().permissions().mode() & 0o777, 0o700);
    scene.shell.close();
    assert!(!temporary.exists());
    scene.allowed("echo y > $TMPDIR/y; ls $TMPDIR", "y\n");
    drop(scene);
    assert!(!temporary.exists());
}

#[test]
fn a_jail_that_makes_no_sense_is_refused() {
    let refused = |cwd: &str, jail: Jail| {
        let options = ShellOptions { jail: Some(jail), ..ShellOptions::new(cwd) };
        Shell::new(options).unwrap_err().to_string()
    };
    let everything =
        "The jail for commands can not be set up: it would allow writing to the whole file system.";
    assert_eq!(refused("/", Jail::default()), everything);
    assert_eq!(refused("/tmp", Jail { write: vec!["/usr/..".into()], ..Jail::default() }), everything);
    assert_eq!(
        refused("/tmp", Jail { read: vec!["/does/not/exist".into()], ..Jail::default() }),
        "The jail for commands can not be set up: a path of its option `read` does not exist."
    );
}

#[test]
fn a_missing_working_directory_is_named_in_a_jail_too() {
    let scene = Scene::new();
    fs::remove_dir_all(scene.root()).unwrap();
    let output = "Error executing command: the working directory (rootDir) does not exist";
    assert_eq!(scene.run("true"), Executed { output: output.into(), exit_code: Some(1), truncated: false });
}

#[test]
fn a_jailed_command_ends_with_all_it_started() {
    let marker = processes::Marker::new();
    let scene = Scene::with(|options, _| {
        options.timeout = Duration::from_millis(300);
        options.env.push(("M".into(), marker.name().into()));
    });
    let escape = "setsid sh -c 'trap \"\" TERM; sleep 50 & exec sleep 50' >/dev/null 2>&1 & kill -9 $$";
    assert_eq!(scene.run(escape).exit_code, Some(1));
    assert!(processes::eventually(|| marker.processes() == ["sleep 50", "sleep 50"]));
    scene.shell.close();
    assert!(processes::eventually(|| marker.processes().is_empty()));
    let executed = scene.run("setsid sleep 50 & while :; do chmod 700 .; done");
    assert_eq!(executed.output, "Error: Command timed out after 0.3 seconds.");
    assert_eq!(marker.processes(), Vec::<String>::new());
}

/// The same as an ordinary user, when the tests run as root.
#[test]
fn an_ordinary_user_has_the_same_jail() {
    use std::os::unix::process::CommandExt as _;
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        return;
    }
    let nobody = 65534;
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let tests = folder.path().join("tests");
    // By another process: a file this one has open for writing could not be run, and a fork of a test beside this one
    // keeps it open for a moment.
    let copied =
        std::process::Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&tests).status().unwrap();
    assert!(copied.success());
    let home = folder.path().join("home");
    fs::create_dir(&home).unwrap();
    std::os::unix::fs::chown(&home, Some(nobody), Some(nobody)).unwrap();
    let output = std::process::Command::new(&tests)
        .args(["--test-threads=1"])
        .current_dir(&home)
        .env_clear()
        .env("TMPDIR", &home)
        .uid(nobody)
        .gid(nobody)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

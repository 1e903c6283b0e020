//! What a jailed command cannot touch; as root, and as an ordinary user.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod jail;

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

use deepfs_host::shell::Jail;
use jail::Scene;

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
fn an_ordinary_user_has_the_same_jail() {
    jail::run_as_ordinary_user();
}

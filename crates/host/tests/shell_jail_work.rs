//! What a jailed command can still do, and how it ends; as root, and as an ordinary user.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod jail;
mod processes;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use deepfs_host::shell::{Executed, Jail, Shell, ShellOptions};
use jail::Scene;

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
        "The jail for commands cannot be set up: it would allow writing to the whole file system.";
    assert_eq!(refused("/", Jail::default()), everything);
    assert_eq!(refused("/tmp", Jail { write: vec!["/usr/..".into()], ..Jail::default() }), everything);
    assert_eq!(
        refused("/tmp", Jail { read: vec!["/does/not/exist".into()], ..Jail::default() }),
        "The jail for commands cannot be set up: a path of its option `read` does not exist."
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
fn an_ordinary_user_has_the_same_jail() {
    jail::run_as_ordinary_user();
}

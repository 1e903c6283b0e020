//! A scene for tests of the jail.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use deepfs_host::shell::{Executed, Jail, Shell, ShellOptions};
use tempfile::TempDir;

/// A root to work in, and beside it a folder that belongs to the same user and must stay as it is.
pub struct Scene {
    pub folder: TempDir,
    pub shell: Shell,
}

impl Scene {
    pub fn new() -> Self {
        Self::with(|_, _| {})
    }

    pub fn with(change: impl FnOnce(&mut ShellOptions, &Path)) -> Self {
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

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    pub fn outside(&self) -> PathBuf {
        self.folder.path().join("outside")
    }

    pub fn run(&self, command: &str) -> Executed {
        self.shell.execute(command, None, &AtomicBool::new(false))
    }

    /// Runs a command that must be refused: it fails, says so, and shows nothing secret.
    pub fn refused(&self, command: &str) {
        let executed = self.run(command);
        assert_ne!(executed.exit_code, Some(0), "{command}: {}", executed.output);
        let said = ["ermission denied", "not permitted", "Invalid cross-device link"];
        assert!(said.iter().any(|words| executed.output.contains(words)), "{command}: {}", executed.output);
        assert!(!executed.output.contains("SECRET"), "{command}: {}", executed.output);
    }

    pub fn allowed(&self, command: &str, output: &str) {
        assert_eq!(
            self.run(command),
            Executed { output: output.into(), exit_code: Some(0), truncated: false },
            "{command}"
        );
    }

    pub fn python_refused(&self, body: &str) {
        let script = self.root().join("attack.py");
        fs::write(&script, format!("import ctypes, os, socket, errno\nlibc = ctypes.CDLL(None, use_errno=True)\ndef call(*a):\n  r = libc.syscall(*a)\n  if r == -1:\n    e = ctypes.get_errno(); raise OSError(e, os.strerror(e))\n  return r\nHOST = {}\n{body}\n", std::process::id())).unwrap();
        self.refused("/usr/bin/python3 attack.py");
    }
}

/// Runs the tests of this program once more as an ordinary user, when they run as root.
pub fn run_as_ordinary_user() {
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

//! Looks at the machine's processes from outside, by other means than the shell's own.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A word in the environment of a command, by which its processes are recognised.
pub struct Marker(String);

impl Marker {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        Self(format!("deepfs-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)))
    }

    pub fn name(&self) -> &str {
        &self.0
    }

    /// The command lines of the living processes whose environment holds the marker.
    pub fn processes(&self) -> Vec<String> {
        living()
            .filter(|pid| contains(&read(pid, "environ"), self.0.as_bytes()))
            .map(|pid| command_line(&pid))
            .collect()
    }
}

/// Whether some process's command line (its parts ended by NUL) contains the text.
pub fn any_command_line(text: &str) -> bool {
    living().any(|pid| contains(&read(&pid, "cmdline"), text.as_bytes()))
}

/// Whether a condition comes true within two seconds.
pub fn eventually(condition: impl Fn() -> bool) -> bool {
    let until = Instant::now() + Duration::from_secs(2);
    while Instant::now() < until {
        if condition() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

fn living() -> impl Iterator<Item = String> {
    let own = std::process::id().to_string();
    std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().into_string().unwrap())
        .filter(move |name| *name != own && name.bytes().all(|byte| byte.is_ascii_digit()))
        .filter(|pid| {
            !matches!(String::from_utf8_lossy(&read(pid, "stat")).rsplit_once(") "), None | Some((_, "Z")))
        })
}

fn read(pid: &str, file: &str) -> Vec<u8> {
    std::fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default()
}

fn command_line(pid: &str) -> String {
    String::from_utf8_lossy(&read(pid, "cmdline")).trim_end_matches('\0').replace('\0', " ")
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

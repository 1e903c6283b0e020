//! What deepfs needs of the machine it runs on: files on a disk behind one gate ([`disk`]).

#[cfg(target_os = "linux")]
pub mod disk;
#[cfg(not(target_os = "linux"))]
#[path = "disk_elsewhere.rs"]
pub mod disk;

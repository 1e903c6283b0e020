//! What deepfs needs of the machine it runs on: files on a disk behind one gate ([`disk`]), and commands in a shell that ends
//! when told ([`shell`]).

#[cfg(target_os = "linux")]
pub mod disk;
#[cfg(not(target_os = "linux"))]
#[path = "disk_elsewhere.rs"]
pub mod disk;
pub mod shell;
